"""The scenario of hooks: `wire-proxy init AGENT --hook` in a real agent, which runs a command and calls a tool of a server.

The next request to the model has to hold a form for both, and none for what the hook never touches. The form decodes to the same
value. Needs `wire-proxy` and `wirefmt` in `target/release`.
"""

import json
import os
import subprocess

PROGRAMS = os.path.normpath(f"{os.path.dirname(os.path.abspath(__file__))}/../../../../../target/release")
AGENTS = {"claude": "claude-code", "copilot": "copilot", "opencode": "opencode", "cline": "cline"}
CLIENTS = list(AGENTS)
INSTRUCTIONS = ""
ROWS = [{"id": n, "name": name, "open": n % 2 == 1, "price": n + 0.5} for n, name in enumerate(["alpha", "beta", "gamma", "delta", "epsilon"], 1)]
JSON = json.dumps(ROWS, indent=2)
# As Copilot CLI shows JSON that is all of a text.
MINIFIED = json.dumps(ROWS, separators=(",", ":"))
RESULT = {"content": [{"type": "text", "text": JSON}]}
TOOLS = {name: ({"inputSchema": {"type": "object", "properties": {}}}, RESULT) for name in ["list_rows", "read_rows"]}
# A program of this name is put first on PATH.
LIST, CAT = "gh issue list --json id,name,open,price", "cat rows.json"


def calls(client, _):
    if client not in AGENTS:
        raise RuntimeError("it has no hook that replaces outputs")
    tool = {"claude": "Bash", "cline": "run_commands"}.get(client, "bash")
    more = {} if client in ["claude", "cline"] else {"description": "x"}
    arguments = [{"commands": [command]} if client == "cline" else {"command": command, **more} for command in [LIST, CAT]]
    own = [{"name": tool, "arguments": argument} for argument in arguments]
    return [*own, ("list_rows", {}), ("read_rows", {})]


def prepare(run):
    folder = f"{run.home}/programs"
    os.makedirs(folder)
    with open(f"{folder}/gh", "w") as file:
        file.write("#!/bin/sh\ncat rows.json\n")
    os.chmod(f"{folder}/gh", 0o755)
    with open(f"{run.project}/rows.json", "w") as file:
        file.write(JSON)
    run.environment["PATH"] = f"{folder}:{PROGRAMS}:{run.environment['PATH']}"
    init(run)
    # Out and in again: what is there works.
    init(run, "--undo")
    init(run)


def init(run, *options):
    command = [f"{PROGRAMS}/wire-proxy", "init", AGENTS[run.client], "--hook", "--write", *options]
    done = subprocess.run(command, cwd=run.project, env=run.environment, capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise RuntimeError(done.stderr)


def text(shown):
    """The text in a result, without what agents put around it."""
    if isinstance(shown, list):
        shown = "".join(part.get("text", "") for part in shown)
    try:
        value = json.loads(shown)
    except ValueError:
        return shown
    if isinstance(value, dict) and "content" in value:
        return value["content"][0]["text"]
    if isinstance(value, list) and value and "result" in value[0]:
        return value[0]["result"]
    return shown


def decoded(form):
    """The value of a form that ends before a blank line or another line of the agent."""
    lines = form.split("\n")
    end = next((at for at, line in enumerate(lines) if line == "" or line.startswith("<")), len(lines))
    command = [f"{PROGRAMS}/wirefmt", "convert", "-", "--to", "json"]
    done = subprocess.run(command, input="\n".join(lines[:end]) + "\n", capture_output=True, text=True, timeout=60)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


def facts(run):
    shown = [text(result) for result in run.results()]
    names = ["a command that lists", "a file", "a tool of a server", "a tool that reads"]
    found = dict(zip(names, shown))
    for name, form in found.items():
        is_form = form.startswith(("GCF ", "GCX1 "))
        found[name] = "a form of the same value" if is_form and decoded(form) == ROWS else "JSON" if JSON in form or MINIFIED in form else form[:300]
    return found


def changes(found, _):
    expected = {"a command that lists": "a form of the same value", "a file": "JSON", "a tool of a server": "a form of the same value", "a tool that reads": "JSON"}
    return {name: (value, found.get(name)) for name, value in expected.items() if found.get(name) != value}

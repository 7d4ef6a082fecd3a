"""Runs real clients against a model and an MCP server on the loopback, and prints the rows of the table of clients that changed.

Clients come from npm and PyPI, in their newest versions, into `target/peers/clients`. What is not to be had is skipped by name.
Nothing here needs a key; a client gets a home folder of its own, and no variable of the caller but PATH.
"""

import argparse
import contextlib
import ctypes
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
import clients  # noqa: E402

ROOT = os.path.normpath(f"{HERE}/../../../../..")
FOLDER = f"{ROOT}/target/peers/clients"
TABLE = f"{ROOT}/crates/wire-mcp/src/clients.json"
PR_SET_CHILD_SUBREAPER = 36


def said(command, **options):
    """What a command prints; an error with the end of its messages."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, **options)
    if done.returncode:
        raise RuntimeError((done.stderr or done.stdout).strip()[-500:] or f"{command[0]} failed")
    return done.stdout


def install(name, packages):
    """The folder of a client's packages, and the version of the first one."""
    folder = f"{FOLDER}/{name}"
    first = packages[0].split("[")[0]
    if name in clients.PYTHON:
        if not os.path.exists(f"{folder}/bin/pip"):
            said([sys.executable, "-m", "venv", folder])
        said([f"{folder}/bin/pip", "install", "--quiet", "--upgrade", *packages])
        shown = said([f"{folder}/bin/pip", "show", first])
        return folder, next(line.split()[1] for line in shown.splitlines() if line.startswith("Version:"))
    os.makedirs(folder, exist_ok=True)
    wanted = [package if "@" in package[1:] else f"{package}@latest" for package in packages]
    said(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", folder, *wanted])
    with open(f"{folder}/node_modules/{packages[0].rpartition('@')[0] or packages[0]}/package.json") as file:
        return folder, json.load(file)["version"]


def read(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line) for line in file if line.strip()]


class Run:
    """A run of a client in folders of its own."""

    def __init__(self, client, row, scenario, packages):
        self.client, self.row, self.scenario, self.packages = client, row, scenario, packages
        self.folder = f"{FOLDER}/run/{scenario.__name__}-{client}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.home, self.project = f"{self.folder}/home", f"{self.folder}/project"
        for folder in [self.home, self.project, f"{self.folder}/tmp"]:
            os.makedirs(folder)
        self.server = [sys.executable, f"{HERE}/server.py", scenario.__name__, f"{self.folder}/mcp.jsonl"]
        node = f"{FOLDER}/node/node_modules/node/bin"
        self.environment = {"PATH": f"{node}:{os.environ['PATH']}", "HOME": self.home, "TMPDIR": f"{self.folder}/tmp", "LANG": "C.UTF-8"}
        self.environment |= {"TERM": "dumb", "NO_COLOR": "1", "CI": "1", "DO_NOT_TRACK": "1", "NO_PROXY": "127.0.0.1,localhost"}
        # Some clients write into the repository around them.
        self.environment |= {"OPENAI_API_KEY": "fake-key", "GIT_CEILING_DIRECTORIES": self.folder}
        for name, folder in {"CONFIG": ".config", "DATA": ".local/share", "STATE": ".local/state", "CACHE": ".cache"}.items():
            self.environment[f"XDG_{name}_HOME"] = f"{self.home}/{folder}"

    def program(self, name):
        return f"{self.packages}/bin/{name}" if self.client in clients.PYTHON else f"{self.packages}/node_modules/.bin/{name}"

    def start(self):
        """Runs the client to its end."""
        script = f"{self.folder}/script.json"
        own = self.scenario.calls(self.client, self.row)
        # A scenario may have calls of tools of the client itself.
        clients.write(script, [call if isinstance(call, dict) else clients.call(self.client, *call) for call in own])
        model = subprocess.Popen([sys.executable, f"{HERE}/model.py", script, f"{self.folder}/model.jsonl"], stdout=subprocess.PIPE, text=True)
        try:
            self.url = f"http://127.0.0.1:{int(model.stdout.readline())}"
            getattr(self.scenario, "prepare", lambda _: None)(self)
            command = clients.command(self)
            with open(f"{self.folder}/stdout", "w") as out, open(f"{self.folder}/stderr", "w") as errors:
                options = {"cwd": self.project, "env": self.environment, "stdin": subprocess.DEVNULL, "start_new_session": True}
                client = subprocess.Popen(command, stdout=out, stderr=errors, **options)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    client.wait(180)
                end(client)
        finally:
            model.kill()
            model.wait()

    def requests(self):
        """The requests that have tools or results, in their order."""
        lines = [line for line in read(f"{self.folder}/model.jsonl") if line["body"]]
        return [line["body"] for line in lines if line["body"].get("tools") or line["results"]] or [{}]

    def results(self):
        """The results in the request that has most of them, as the model gets them."""
        return max((line["results"] for line in read(f"{self.folder}/model.jsonl")), key=len, default=[])

    def messages(self):
        """What the client sent to the server."""
        return read(f"{self.folder}/mcp.jsonl")


def end(client):
    """Ends the client and what it left running: descendants of this process, and nothing else."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(client.pid, signal.SIGKILL)
    client.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("client", nargs="*", metavar="CLIENT", choices=[[], *clients.CLIENTS], help="only these: " + ", ".join(clients.CLIENTS))
    parser.add_argument("--hook", action="store_true", help="the hooks of agents instead of the table, with the programs in target/release")
    options = parser.parse_args()
    scenario = importlib.import_module("hook" if options.hook else "views")
    with open(TABLE) as file:
        rows = {row["title"]: row for row in json.load(file)["clients"]}
    # Daemons that a client leaves behind become children of this process.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    install("node", ["node@22"])
    has_changed = False
    for name in options.client or getattr(scenario, "CLIENTS", clients.CLIENTS):
        title, wanted = clients.CLIENTS[name]
        row = rows[title]
        try:
            packages, version = install(name, wanted)
            run = Run(name, row, scenario, packages)
            run.start()
            changes = scenario.changes(scenario.facts(run), row)
        except (RuntimeError, OSError, StopIteration, subprocess.TimeoutExpired) as error:
            print(f"{title}: skipped: {error}", flush=True)
            continue
        has_changed |= bool(changes)
        known = row.get("shows", {}).get("observed")
        print(f"{title} {version}: {'changed' if changes else 'as in the table'} (observed with {known})", flush=True)
        for column, (old, new) in changes.items():
            print(f"  {column}: {old!r} → {new!r}", flush=True)
    sys.exit(has_changed)


main()

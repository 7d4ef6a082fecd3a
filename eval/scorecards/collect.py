"""What package managers and MCP servers print, as JSON files below a folder, with `sources.json` beside them.

Arguments: the folder, and the folder of the npm packages. Versions are fixed where a command takes one; what a registry
says of a package moves with time all the same, so `sources.json` has the date.
"""

import csv
import datetime
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile

OUT, NODE = (os.path.abspath(argument) for argument in sys.argv[1:3])
BIN = os.path.join(NODE, "node_modules", ".bin")
HOME = os.path.expanduser("~")
ROWS = 200

NPM = ["express@5.1.0", "react@19.1.0", "zod@3.25.76", "vite@7.0.0", "@modelcontextprotocol/sdk@1.17.0"]
PYPI = ["requests==2.32.4", "flask==3.1.1", "rich==14.0.0"]
ENVIRONMENT = ["flask==3.1.1", "requests==2.32.4"]
CRATES = {"serde": ("=1.0.219", ["derive"]), "clap": ("=4.5.40", ["derive"]), "regex": ("=1.11.1", [])}
DATASETS = ["cars.json", "movies.json", "airports.csv", "seattle-weather.csv", "github.csv", "us-employment.csv"]

sources = []


def run(command, folder=None):
    """What a command prints, without the paths of this machine."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"`{' '.join(command)}` failed: {done.stderr.strip()[-800:]}")
    text = done.stdout
    for path, name in ((SCRATCH, "/home/user/project"), (NODE, "/home/user/node"), (HOME, "/home/user")):
        text = text.replace(json.dumps(path)[1:-1], name)
    return text


def keep(kind, name, text, command):
    """Keeps a text that is JSON."""
    json.loads(text)
    folder = os.path.join(OUT, kind)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
        file.write(text)
    sources.append({"kind": kind, "name": name, "source": command})


def npm():
    for package in NPM:
        name = package.rsplit("@", 1)[0].split("/")[-1]
        keep("npm metadata", name, run(["npm", "view", package, "--json"]), f"npm view {package} --json")
    installed = "the installed MCP servers"
    keep("npm lists", "ls", run(["npm", "ls", "--all", "--json"], NODE), f"npm ls --all --json, of {installed}")
    for package in NPM[:2]:
        name = package.split("@")[0]
        keep("npm lists", f"pack-{name}", run(["npm", "pack", package, "--dry-run", "--json"], NODE), f"npm pack {package} --dry-run --json")


def pypi():
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    for package in PYPI:
        report = [*pip, "install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet", "--report", "-", package]
        keep("PyPI metadata", package.split("==")[0], run(report), f"pip install --dry-run --no-deps --report - {package}")
    packages = os.path.join(SCRATCH, "packages")
    run([*pip, "install", "--quiet", "--target", packages, *ENVIRONMENT])
    with_what = " ".join(ENVIRONMENT)
    keep("PyPI lists", "list", run([*pip, "list", "--path", packages, "--format", "json"]), f"pip list --format json, after pip install {with_what}")
    keep("PyPI metadata", "inspect", run([*pip, "inspect", "--path", packages]), f"pip inspect, after pip install {with_what}")


def crates():
    folder = os.path.join(SCRATCH, "crate")
    os.makedirs(os.path.join(folder, "src"))
    lines = ['[package]', 'name = "project"', 'version = "0.1.0"', 'edition = "2021"', "[dependencies]"]
    lines += [f'{name} = {{ version = "{version}", features = {json.dumps(features)} }}' for name, (version, features) in CRATES.items()]
    with open(os.path.join(folder, "Cargo.toml"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n[workspace]\n")
    open(os.path.join(folder, "src", "lib.rs"), "w").close()
    names = ", ".join(f"{name} {version[1:]}" for name, (version, _) in CRATES.items())
    keep("crates metadata", "metadata", run(["cargo", "metadata", "--format-version", "1"], folder), f"cargo metadata, of a package with {names}")
    keep("crates metadata", "no-deps", run(["cargo", "metadata", "--format-version", "1", "--no-deps"], folder), "cargo metadata --no-deps, of the same")


ENTITIES = [
    {
        "name": f"{team}-{part}",
        "entityType": "service",
        "observations": [f"Owned by the team {team}", f"Written in {language}", f"Runs {count} replicas in production"],
    }
    for team, language, count in (("billing", "Go", 4), ("catalog", "Rust", 3), ("search", "Java", 6), ("identity", "Go", 2))
    for part in ("api", "worker", "cache", "scheduler", "gateway", "store")
]
RELATIONS = [
    {"from": ENTITIES[n]["name"], "to": ENTITIES[(n * 5 + 1) % len(ENTITIES)]["name"], "relationType": "calls"} for n in range(len(ENTITIES))
]


def mcp():
    """Answers of servers over stdio: the texts that are JSON."""
    express = os.path.join(NODE, "node_modules", "express")
    files = [("directory_tree", {"path": os.path.join(NODE, "node_modules", name)}) for name in ("express", "body-parser")]
    servers = {
        "memory": (
            {"MEMORY_FILE_PATH": os.path.join(SCRATCH, "memory.jsonl")},
            [],
            [
                ("create_entities", {"entities": ENTITIES}),
                ("create_relations", {"relations": RELATIONS}),
                ("read_graph", {}),
                ("search_nodes", {"query": "billing"}),
                ("open_nodes", {"names": ["billing-api", "search-store"]}),
            ],
        ),
        "filesystem": ({}, [os.path.dirname(express)], files),
        "everything": ({}, [], [("get-structured-content", {"location": "Chicago"})]),
    }
    for server, (environment, arguments, calls) in servers.items():
        command = [os.path.join(BIN, f"mcp-server-{server}"), *arguments]
        for number, (tool, text) in enumerate(answers(command, environment, calls)):
            name = tool if [call[0] for call in calls].count(tool) == 1 else f"{tool}-{number + 1}"
            keep(f"MCP {server}", name, text, f"the tool {tool} of server-{server}")


def answers(command, environment, calls):
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, **environment}, text=True)

    def send(message):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()

    def ask(number, method, params):
        send({"id": number, "method": method, "params": params})
        for line in server.stdout:
            message = json.loads(line)
            if message.get("id") == number and "method" not in message:
                if "result" not in message:
                    sys.exit(f"{command[0]}: {message['error']}")
                return message["result"]
        sys.exit(f"{command[0]} ended without an answer to {method}")

    try:
        ask(0, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "collect", "version": "1"}})
        send({"method": "notifications/initialized"})
        for number, (tool, arguments) in enumerate(calls, 1):
            for block in ask(number, "tools/call", {"name": tool, "arguments": arguments})["content"]:
                if block["type"] == "text":
                    yield tool, block["text"]
    finally:
        server.terminate()
        server.wait()


def datasets():
    folder = os.path.join(NODE, "node_modules", "vega-datasets")
    with open(os.path.join(folder, "package.json"), encoding="utf-8") as file:
        version = json.load(file)["version"]
    for name in DATASETS:
        with open(os.path.join(folder, "data", name), encoding="utf-8") as file:
            rows = (json.load(file) if name.endswith(".json") else typed(csv.DictReader(io.StringIO(file.read()))))[:ROWS]
        keep("public tables", name.split(".")[0], json.dumps(rows, ensure_ascii=False), f"vega-datasets {version}: the first {len(rows)} rows of {name}")


def typed(reader):
    """Rows of CSV: a column whose cells are all numbers, as JSON writes them, is one of numbers; empty cells are null."""
    rows = list(reader)

    def number(text):
        try:
            value = json.loads(text)
        except ValueError:
            return None
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) and json.dumps(value) == text else None

    for column in reader.fieldnames:
        cells = [row[column] for row in rows]
        numbers = all(cell == "" or number(cell) is not None for cell in cells)
        for row in rows:
            row[column] = None if row[column] == "" else number(row[column]) if numbers else row[column]
    return rows


def version(command):
    return run([*command, "--version"]).split("\n")[0].strip()


SCRATCH = tempfile.mkdtemp()
try:
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(OUT)
    for collect in (npm, pypi, crates, mcp, datasets):
        print(f"{collect.__name__} …", flush=True)
        collect()
    servers = {}
    for name in ("memory", "filesystem", "everything"):
        with open(os.path.join(NODE, "node_modules", "@modelcontextprotocol", f"server-{name}", "package.json"), encoding="utf-8") as file:
            servers[name] = f"server-{name} {json.load(file)['version']}"
    tools = [
        "npm " + version(["npm"]),
        "Node " + version(["node"]).lstrip("v"),
        " ".join(version([sys.executable, "-m", "pip"]).split()[:2]),
        " ".join(version(["cargo"]).split()[:2]),
        *servers.values(),
    ]
    with open(os.path.join(OUT, "sources.json"), "w", encoding="utf-8") as file:
        json.dump({"date": datetime.date.today().isoformat(), "tools": tools, "documents": sources}, file, indent=1)
    print(f"{len(sources)} documents")
finally:
    shutil.rmtree(SCRATCH, ignore_errors=True)

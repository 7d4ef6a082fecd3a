"""The frames of a session with server-memory, both sides, one a line: what `wire-eval conversation --input` reads.

Arguments: the file to write, and the folder of the npm packages. The memory is our own: a shop's services, teams and databases.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

OUT, NODE = (os.path.abspath(argument) for argument in sys.argv[1:3])
SERVER = os.path.join(NODE, "node_modules", ".bin", "mcp-server-memory")

TEAMS = {"Payments": "Lisbon", "Catalog": "Graz", "Search": "Osaka", "Identity": "Oslo"}
PARTS = {"api": "Go", "worker": "Rust", "cache": "C++"}
DATABASES = {"Payments": "PostgreSQL", "Catalog": "MongoDB", "Search": "OpenSearch", "Identity": "SQLite"}


def entities():
    for number, (team, city) in enumerate(TEAMS.items()):
        area = team.lower()
        yield area + "-team", "team", [f"Works in {city}", f"Has {4 + 3 * number} members"]
        yield area + "-store", "database", [f"Runs {DATABASES[team]}", f"Keeps {30 * (number + 1)} days of backups"]
        for part, language in PARTS.items():
            yield f"{area}-{part}", "service", [f"Written in {language}", f"Runs {2 + number} replicas in production"]


def relations():
    """One of each entity, so that its name tells it from the others."""
    areas = [team.lower() for team in TEAMS]
    for number, area in enumerate(areas):
        yield f"{area}-team", f"{area}-api", "owns"
        yield f"{area}-api", f"{area}-worker", "calls"
        yield f"{area}-worker", f"{area}-store", "writes to"
        yield f"{area}-cache", f"{area}-store", "reads from"
        yield f"{area}-store", f"{areas[(number + 1) % len(areas)]}-store", "is copied to"


FILL = [
    ("create_entities", {"entities": [dict(zip(("name", "entityType", "observations"), entity)) for entity in entities()]}),
    ("create_relations", {"relations": [dict(zip(("from", "to", "relationType"), relation)) for relation in relations()]}),
]
CALLS = [
    ("search_nodes", {"query": "payments"}),
    ("open_nodes", {"names": ["search-api", "search-worker", "search-store", "identity-team"]}),
    ("search_nodes", {"query": "Rust"}),
    ("read_graph", {}),
]


def session(calls, memory):
    """The frames of both sides."""
    environment = {**os.environ, "MEMORY_FILE_PATH": memory}
    server = subprocess.Popen([SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True)
    frames = []

    def send(message):
        frames.append(json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")))
        server.stdin.write(frames[-1] + "\n")
        server.stdin.flush()

    def ask(number, method, params):
        send({"id": number, "method": method, "params": params})
        for line in server.stdout:
            frames.append(line.rstrip("\n"))
            message = json.loads(line)
            if message.get("id") == number and "method" not in message:
                if "result" not in message or message["result"].get("isError"):
                    sys.exit(f"{method} failed: {line}")
                return
        sys.exit(f"the server ended without an answer to {method}")

    try:
        ask(0, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "transcript", "version": "1"}})
        send({"method": "notifications/initialized"})
        for number, (tool, arguments) in enumerate(calls, 1):
            ask(number, "tools/call", {"name": tool, "arguments": arguments})
    finally:
        server.terminate()
        server.wait()
    return frames


folder = tempfile.mkdtemp()
try:
    memory = os.path.join(folder, "memory.jsonl")
    session(FILL, memory)
    frames = session(CALLS, memory)
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with open(OUT, "w", encoding="utf-8") as file:
        file.write("\n".join(frames) + "\n")
    print(f"{len(frames)} frames")
finally:
    shutil.rmtree(folder, ignore_errors=True)

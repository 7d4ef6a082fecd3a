"""The official client over stdio: the same calls directly and through the proxy, as JSON lines.

Arguments: the proxy, the folder of the npm packages, an empty folder, the packages of the SQLite server.
"""

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys

import anyio
from common import answered, compare, dumped, expect
from mcp import Client, StdioServerParameters

PROXY, NODE, FOLDER, SQLITE = sys.argv[1:5]
HERE = os.path.dirname(os.path.abspath(__file__))
DROP = ["--structured", "drop"]
POLICIES = {"keep": [], "drop": DROP}

# Results as servers send them, in files.
INSIDE, SUMMARY = "text with JSON inside", "a summary beside the JSON"
UNDECLARED = "structuredContent that no schema declares"

ENTITIES = [
    {"name": f"Person {n}", "entityType": "person", "observations": [f"Works on project {n % 4}", f"Lives in city {n % 7}", "Prefers short answers"]}
    for n in range(40)
]
KINDS = ["knows", "works with", "reports to"]


def relations(each):
    """So many relations for each entity."""
    return [
        {"from": f"Person {n}", "to": f"Person {(n * 3 + kind) % 40}", "relationType": KINDS[kind]} for n in range(40) for kind in range(each)
    ]


DATABASE = os.path.join(FOLDER, "shop.db")
QUERIES = [
    "SELECT * FROM orders ORDER BY id LIMIT 40",
    "SELECT o.id, c.name, o.total FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.shipped IS NULL",
    "SELECT status, COUNT(*) AS orders, MAX(total) AS largest FROM orders GROUP BY status",
    "SELECT * FROM customers WHERE id = 7",
    "SELECT * FROM orders WHERE id = 0",
    "SELECT colour FROM orders",
]


def write_database():
    """A shop, with the same rows in every run."""
    with sqlite3.connect(DATABASE) as database:
        database.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, city TEXT)")
        database.execute(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, status TEXT, total REAL, placed TEXT, shipped TEXT)"
        )
        names, cities = ["Ada Blom", "Ben Okoro", "Cleo Varga", "Dina Rossi"], ["Oslo", "Lagos", "Pécs", "Turin", "Lima"]
        customers = [(n, f"{names[n % 4]} {n}", f"customer{n}@example.com" if n % 3 else None, cities[n % 5]) for n in range(1, 21)]
        database.executemany("INSERT INTO customers VALUES (?, ?, ?, ?)", customers)
        status = ["open", "paid", "shipped"]
        orders = [
            (n, n * 7 % 20 + 1, status[n % 3], n * 1337 % 50000 / 100, f"2026-03-{n % 28 + 1:02}", f"2026-04-{n % 28 + 1:02}" if n % 3 == 2 else None)
            for n in range(1, 61)
        ]
        database.executemany("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?)", orders)
    database.close()


def npm(name, *arguments):
    return [os.path.join(NODE, "node_modules", ".bin", name), *arguments]


def memory(state, each):
    """The memory server with a graph."""
    return (
        npm("mcp-server-memory"),
        {"MEMORY_FILE_PATH": os.path.join(FOLDER, state + ".state")},
        [
            ("create_entities", {"entities": ENTITIES}),
            ("create_relations", {"relations": relations(each)}),
            ("read_graph", {}),
            ("search_nodes", {"query": "project 1"}),
            ("search_nodes", {"query": "nothing at all"}),
            ("open_nodes", {"names": ["Person 1", "Person 2", "Person 3"]}),
            ("add_observations", {"observations": [{"entityName": "Person 1", "contents": ["Reads \"much\"\n"]}]}),
            ("delete_relations", {"relations": relations(each)[:2]}),
            ("read_graph", {}),
        ],
    )


def group(name, tool):
    """The row of the table that a tool is in."""
    if name.startswith("memory"):
        reads = tool in ("read_graph", "search_nodes", "open_nodes")
        return name + (": tools that read" if reads else ": tools that write")
    if name.startswith("lists"):
        return name + (": a block an item" if tool in ("list_issues", "list_rows") else ": other tools")
    return name


def case(name):
    """A server that sends what is in a file, and its calls."""
    path = os.path.join(HERE, "../../../../wire-mcp/tests/testsuite/cases", name + ".json")
    with open(path) as file:
        tools = json.load(file)["tools"]
    return ([sys.executable, os.path.join(HERE, "cases.py"), path], {}, [(tool["name"], {}) for tool in tools])


def servers(state):
    """Each server: its command, what it runs with, and the calls that are made."""
    files = os.path.join(FOLDER, "files")
    return {
        "memory": memory(state, 1),
        "memory, 3 relations an entity": memory(state, 3),
        "filesystem": (
            npm("mcp-server-filesystem", files),
            {},
            [
                ("list_directory", {"path": files}),
                ("directory_tree", {"path": files}),
                ("list_directory_with_sizes", {"path": files}),
                ("read_text_file", {"path": os.path.join(files, "data.json")}),
                ("search_files", {"path": files, "pattern": "**/*.json"}),
                ("list_allowed_directories", {}),
                ("read_text_file", {"path": "/there/is/no/such/file"}),
            ],
        ),
        "dbhub": (
            # It needs Node 22, or this.
            npm("bun", os.path.join(NODE, "node_modules/@bytebase/dbhub/dist/index.js"), "--transport", "stdio", "--dsn", f"sqlite://{DATABASE}"),
            {},
            [
                ("search_objects", {"object_type": "table"}),
                ("search_objects", {"object_type": "table", "detail_level": "full"}),
                *[("execute_sql", {"sql": query}) for query in QUERIES],
            ],
        ),
        "sqlite": (
            [sys.executable, os.path.join(SQLITE, "bin/mcp-server-sqlite"), "--db-path", DATABASE],
            {"PYTHONPATH": SQLITE},
            [
                ("list_tables", {}),
                *[("describe_table", {"table_name": table}) for table in ("customers", "orders")],
                *[("read_query", {"query": query}) for query in QUERIES],
            ],
        ),
        "everything": (
            npm("mcp-server-everything"),
            {},
            [
                ("echo", {"message": "[1, 2]"}),
                ("get-sum", {"a": 2, "b": 3}),
                ("get-structured-content", {"location": "Chicago"}),
                ("get-tiny-image", {}),
                ("get-annotated-message", {"messageType": "error", "includeImage": True}),
                ("get-resource-links", {"count": 3}),
            ],
        ),
        "lists": (
            [sys.executable, os.path.join(HERE, "server.py")],
            {},
            [
                *[(name, {}) for name in ("list_issues", "list_rows", "list_names", "one_issue", "no_issues", "report", "plain", "picture", "fails", "steps")],
                ("list_issues", {"count": 1}),
                ("list_issues", {"count": 2}),
                ("change", {}),
                ("list_rows", {"count": 5}),
                ("no_such_tool", {}),
            ],
        ),
        "pages": (
            [sys.executable, os.path.join(HERE, "pages.py")],
            {},
            [(f"rows_{n}", {}) for n in range(7)],
        ),
        INSIDE: case("json_in_text"),
        SUMMARY: case("summary_and_json"),
        UNDECLARED: case("structured_without_schema"),
    }


def parameters(command, environment, policy, name):
    if policy is not None:
        stats = ["--stats", os.path.join(FOLDER, f"{name}-{policy}.jsonl")]
        command = [PROXY, *POLICIES[policy], *stats, "--", *command]
    environment = {**os.environ, **environment}
    return StdioServerParameters(command=command[0], args=command[1:], env=environment, cwd=FOLDER)


async def all_tools(client):
    tools, cursor = [], None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools += [dumped(tool) for tool in page.tools]
        cursor = page.next_cursor
        if not cursor:
            return tools


async def session(name, policy):
    """All answers of a server, in the order of the calls."""
    state = f"{name}-{policy or 'direct'}"
    command, environment, calls = servers(state)[name]
    answers = []
    names = [tool for tool, _ in calls]
    progress = []

    async def on_progress(done, total, message):
        progress.append([done, total])

    async with Client(parameters(command, environment, policy, name), read_timeout_seconds=60, mode="legacy") as client:
        tools = await all_tools(client)
        for tool, arguments in calls:
            answers.append(await answered(client.call_tool(tool, arguments, progress_callback=on_progress)))
        # Several at once: their answers come in any order.
        if name in ("lists", "pages", "everything"):
            answers += await asyncio.gather(*[answered(client.call_tool(tool, arguments)) for tool, arguments in calls])
            names += names
        if name == "lists":
            with anyio.move_on_after(0.5) as scope:
                await client.call_tool("slow", {})
            answers.append({"cancelled": scope.cancelled_caught})
            answers.append(dumped(await client.call_tool("plain", {})))
            names += ["slow", "plain"]
    answers.append({"progress": progress})
    return tools, [*names, "progress"], answers


def check_case(name, policy, tools, direct, through):
    """Fails where a result of a file is not rewritten, or too much of it is."""
    for tool, came, went in zip(tools, direct, through, strict=False):
        if "content" not in came:
            continue
        place = f"{name}, {policy}, {tool}: {went}"
        is_dropped = "structuredContent" in came and "structuredContent" not in went
        if name in (SUMMARY, UNDECLARED):
            expect(is_dropped, policy == "drop", place)
        if name == SUMMARY:
            expect([one == other for one, other in zip(went["content"], came["content"])][:2], [True, False], place)
        if name == INSIDE and tool in ("plain", "prefix", "suffix", "fence", "tags", "ndjson", "double"):
            text = went["content"][0]["text"]
            expect("GCF profile=generic" in text or "GCX1 " in text, True, place)
        if name == INSIDE and tool == "items_and_note":
            expect(len(json.dumps(went)) < len(json.dumps(came)), True, place)
        if name == INSIDE and tool == "embedded":
            expect(went["content"][0]["resource"]["text"].startswith(("GCF profile=generic", "GCX1 ")), True, place)


def check_init():
    """Where the proxy is not on PATH, its whole path is the command."""
    path = os.path.join(FOLDER, "mcp.json")
    shutil.copy(os.path.join(HERE, "../../../../wire-mcp/tests/testsuite/cases/init_cursor.json"), path)
    command = [PROXY, "init", "cursor", "--file", path, "--write"]
    subprocess.run(command, env={"PATH": FOLDER, "HOME": FOLDER}, check=True, stdout=subprocess.DEVNULL)
    with open(path) as file:
        written = json.load(file)["mcpServers"]["mem"]["command"]
    expect(os.path.isabs(written) and os.path.exists(written), True, f"init cursor: {written}")


async def modern(policy):
    """A call by the version of the protocol without a handshake."""
    command, environment, _ = servers("modern")["lists"]
    async with Client(parameters(command, environment, policy, "modern"), read_timeout_seconds=60) as client:
        await client.list_tools()
        return [], ["list_rows"], [dumped(await client.call_tool("list_rows", {}))], str(client.protocol_version)


async def main():
    os.makedirs(os.path.join(FOLDER, "files", "sub"), exist_ok=True)
    for n in range(6):
        with open(os.path.join(FOLDER, "files", "sub", f"part{n}.json"), "w") as file:
            json.dump([n], file)
    with open(os.path.join(FOLDER, "files", "data.json"), "w") as file:
        json.dump({"a": [1, 2, 3], "b": {"c": None}}, file, indent=4)
    write_database()
    for name in servers("none"):
        direct = await session(name, None)
        for policy in POLICIES:
            through = await session(name, policy)
            compare(name, policy, direct, through, lambda tool: group(name, tool))
            check_case(name, policy, direct[1], direct[2], through[2])
    check_init()
    direct = await modern(None)
    for policy in POLICIES:
        server = f"lists, {direct[-1]}"
        compare(server, policy, direct, await modern(policy), lambda tool: group(server, tool))


asyncio.run(main())

"""wire-graph with the official client for Python: python client.py WIRE_GRAPH WIRE_PROXY WIREFMT REPOSITORY"""

import asyncio
import base64
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

GRAPH, PROXY, WIREFMT, REPOSITORY = sys.argv[1:]
TREES = Path(REPOSITORY, "crates/wire-graph/tests/trees")
FORMATS = ["gcf", "json", "xml", "markdown", "gcx", "goon", "gcb"]
TASK = {"task_description": "show what a cart has"}
PACKS = [
    ("context_for_task", TASK),
    ("context_for_files", {"files": ["rust/src/cart.rs", "go/cart/cart.go"]}),
    ("blast_radius", {"symbol": "Cart::len", "depth": 3}),
]


def client(*command):
    return stdio_client(StdioServerParameters(command=command[0], args=[str(part) for part in command[1:]]))


def text(result):
    assert not result.is_error, result.content
    assert result.structured_content is None
    [block] = result.content
    return block.text if hasattr(block, "text") else base64.b64decode(block.resource.blob)


def problem(result):
    assert result.is_error, result.content
    return result.content[0].text


def check_schema(schema, path):
    """What some clients refuse a whole list of tools for."""
    if isinstance(schema, list):
        for n, part in enumerate(schema):
            check_schema(part, f"{path}[{n}]")
    if not isinstance(schema, dict):
        return
    for key in ("oneOf", "anyOf", "allOf", "const", "$ref", "$defs", "not"):
        assert key not in schema, f"{path}.{key}"
    assert not isinstance(schema.get("type"), list), path
    assert not str(schema.get("format", "")).startswith("uint"), path
    for key, part in schema.items():
        check_schema(part, f"{path}.{key}")


def pack(answer, format):
    """What all formats keep of a payload, by `wirefmt`."""
    data = answer if isinstance(answer, bytes) else answer.encode()
    command = [WIREFMT, "convert", "--from", format, "--to", "json", "-"]
    out = subprocess.run(command, input=data, capture_output=True, check=False)
    assert out.returncode == 0, (format, out.stderr.decode())
    payload = json.loads(out.stdout)
    symbols = {(s["qualified_name"], s["kind"], s["score"], s["distance"]) for s in payload["symbols"]}
    edges = {(e["source"], e["target"], e["edge_type"]) for e in payload.get("edges", [])}
    return symbols, edges


def root(answer):
    return next(word.split("=", 1)[1] for word in answer.split() if word.startswith(("pack_root=", "new_root=")))


async def questions(session, tree):
    tools = (await session.list_tools()).tools
    names = [tool.name for tool in tools]
    assert names == ["context_for_task", "context_for_files", "blast_radius", "semantic_diff", "graph_query"], names
    for tool in tools:
        check_schema(tool.input_schema, tool.name)
        assert tool.annotations.read_only_hint and tool.output_schema is None, tool
    for name, arguments in PACKS:
        answers = {}
        for format in FORMATS:
            answer = text(await session.call_tool(name, {**arguments, "format": format}))
            if format == "markdown":  # is for people: nothing reads it
                markdown = answer
            else:
                answers[format] = pack(answer, format)
        symbols, edges = answers["gcf"]
        assert symbols and edges and all(symbol[0] in markdown for symbol in symbols), name
        for format, answer in answers.items():
            assert answer == answers["gcf"], (name, format, answer, answers["gcf"])
    for format in ("goon", "json", "gcx"):
        arguments = {"symbol": "rust::cart::Cart", "format": format, "depth": 2}
        answer = text(await session.call_tool("graph_query", arguments))
        assert "impl Cart" not in answer and "rust/src/cart.rs" in answer, answer
    # Mistakes that a model can mend are results.
    for name, arguments, words in [
        ("blast_radius", {"symbol": "nobody"}, "no symbol is named"),
        ("blast_radius", {"symbol": "Cart"}, "expected one of"),
        ("blast_radius", {"symbol": "Cart::len", "depth": 9}, "expected 1 to 6"),
        ("context_for_task", {}, "task_description"),
        ("context_for_task", {**TASK, "budget": 3}, "token_budget"),
        ("context_for_task", {**TASK, "token_budget": 3}, "expected at least"),
        ("context_for_task", {**TASK, "token_budget": "x"}, "token_budget: invalid type"),
        ("context_for_files", {"files": ["a.rs", 3]}, "files[1]: invalid type"),
        ("context_for_task", {**TASK, "format": "toon"}, "expected one of"),
        ("context_for_files", {"files": ["../secret.rs"]}, "no file"),
        ("semantic_diff", {"from": "--output=x"}, "is not a revision"),
    ]:
        found = problem(await session.call_tool(name, arguments))
        assert words in found, (name, arguments, found)
    # What is held: unchanged, a delta, in full.
    first = text(await session.call_tool("context_for_task", TASK))
    same = text(await session.call_tool("context_for_task", {**TASK, "pack_root": root(first)}))
    assert len(same) < len(first) / 4 and root(same) == root(first), same
    mistyped = text(await session.call_tool("context_for_task", {**TASK, "pack_root": root(first)[:-1] + "?"}))
    assert mistyped == first
    source = tree / "rust/src/cart.rs"
    source.write_text(source.read_text() + "\n/// Shows what a cart has.\npub fn show_cart(cart: &Cart) -> usize {\n    cart.len()\n}\n")
    await asyncio.sleep(0.2)
    delta = text(await session.call_tool("context_for_task", {**TASK, "pack_root": root(first)}))
    now = text(await session.call_tool("context_for_task", TASK))
    assert "show_cart" in now and root(delta) == root(now) != root(first), delta
    assert "delta=true" in delta and len(delta) < len(now), delta


async def through_the_proxy(tree):
    """What is GCF already stays as it is."""
    async with client(GRAPH, tree) as direct, client(PROXY, "--", GRAPH, tree) as through:
        async with ClientSession(*direct) as direct, ClientSession(*through) as through:
            await direct.initialize()
            await through.initialize()
            for name, arguments in PACKS:
                answers = [text(await session.call_tool(name, arguments)) for session in (direct, through)]
                assert answers[0] == answers[1], name


async def revisions(tree):
    def git(*arguments):
        identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
        subprocess.run(["git", "-C", str(tree), *identity, *arguments], check=True, capture_output=True)

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    source = tree / "python/shop/prices.py"
    source.write_text(source.read_text() + "\n\ndef discount(items):\n    return total(items)\n")
    async with client(GRAPH, tree) as streams, ClientSession(*streams) as session:
        await session.initialize()
        found = text(await session.call_tool("semantic_diff", {"from": "HEAD", "format": "json"}))
        found = json.loads(found)
        names = [symbol["qualified_name"] for symbol in found["symbols"]]
        assert names == ["python.shop.prices.discount", "python.shop.prices.total"], names
        [edge] = found["edges"]
        assert (edge["source"], edge["target"], edge["status"]) == (*names, "added"), edge


async def this_repository():
    """How long the first answer and a question take: printed, not decided."""
    begun = time.time()
    async with client(GRAPH, REPOSITORY) as streams, ClientSession(*streams) as session:
        await session.initialize()
        await session.call_tool("context_for_task", {"task_description": "how is a pack root computed"})
        first = time.time() - begun
        times = []
        for n in range(20):
            begun = time.time()
            await session.call_tool("context_for_task", {"task_description": f"count tokens {n}", "token_budget": 2000})
            times.append(time.time() - begun)
        times.sort()
        print(f"first answer about this repository {first:.2f} s; a question {times[10] * 1000:.1f} ms (median of 20)")


async def main():
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "trees")
        shutil.copytree(TREES, tree)
        async with client(GRAPH, tree) as streams, ClientSession(*streams) as session:
            await session.initialize()
            await questions(session, tree)
        await through_the_proxy(tree)
        await revisions(tree)
    await this_repository()


asyncio.run(main())

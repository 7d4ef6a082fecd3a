"""wire-graph over HTTP with the official client for Python: python replicas.py WIRE_GRAPH REPOSITORY"""

import asyncio
import http.client
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

GRAPH, REPOSITORY = sys.argv[1:]
TASK = {"task_description": "show what a cart has"}


class Replica:
    """A server on a port of its own, which ends with the block."""

    def __init__(self, tree, *arguments):
        command = [GRAPH, str(tree), "--listen", "127.0.0.1:0", *arguments]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        for line in self.process.stderr:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/mcp", line):
                self.port = int(found[1])
                return self
        raise AssertionError("it does not listen")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(10) == 0

    def get(self, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read().decode()

    async def ask(self, mode="auto", tenant=None, **arguments):
        headers = {"x-tenant": tenant} if tenant else {}
        async with httpx2.AsyncClient(headers=headers) as web:
            transport = streamable_http_client(f"http://127.0.0.1:{self.port}/mcp", http_client=web)
            async with Client(transport, mode=mode) as client:
                result = await client.call_tool("context_for_task", {**TASK, **arguments})
                assert not result.is_error, result.content
                return result.content[0].text


def root(answer):
    return re.search(r"(?:new_root|pack_root)=(\S+)", answer)[1]


def edit(tree, name):
    source = tree / "rust/src/cart.rs"
    source.write_text(source.read_text() + f"\n/// Shows what a cart has.\npub fn {name}(cart: &Cart) -> usize {{\n    cart.len()\n}}\n")


async def main():
    with tempfile.TemporaryDirectory() as folder:
        tree, store = Path(folder, "trees"), f"folder:{folder}/packs"
        shutil.copytree(Path(REPOSITORY, "crates/wire-graph/tests/trees"), tree)
        shared = ["--store", store, "--tenant-header", "x-tenant"]
        # Two replicas, each version of the protocol; what one has sent, the other knows.
        with Replica(tree, *shared) as one, Replica(tree, *shared) as two:
            first = await one.ask("auto", "acme")
            assert await two.ask("legacy", "acme") == first
            edit(tree, "show_first")
            await asyncio.sleep(0.2)
            delta = await two.ask("legacy", "acme", pack_root=root(first))
            assert "delta=true" in delta, delta
            # Another tenant has nothing of it, and without one nobody is served.
            assert await two.ask("auto", "other", pack_root=root(first)) == await one.ask("auto", "acme")
            assert one.get("/mcp")[0] == 401
            assert one.get("/mcp", **{"x-tenant": "acme", "Origin": "https://evil.example"})[0] == 403
            assert one.get("/mcp", **{"x-tenant": "acme", "Host": "evil.example"})[0] in (403, 421)
            assert one.get("/metrics", **{"Sec-Fetch-Site": "cross-site"})[0] == 403
            assert one.get("/metrics", Host="evil.example")[0] == one.get("/metrics", Origin="https://evil.example")[0] == 403
            assert one.get("/")[0] == 404
            status, metrics = two.get("/metrics")
            assert status == 200 and 'wire_graph_answers_total{sent="delta"} 1' in metrics, metrics
            held = root(await one.ask("auto", "acme"))
        # Both are started anew.
        edit(tree, "show_second")
        with Replica(tree, *shared) as three:
            assert "delta=true" in await three.ask("auto", "acme", pack_root=held)
        refused = subprocess.run([GRAPH, str(tree), "--listen", "127.0.0.1:0", "--store", store], capture_output=True, text=True)
        assert refused.returncode == 1 and "--single-tenant" in refused.stderr, refused.stderr
        # One tenant, in memory.
        with Replica(tree, "--allow-host", "graph.internal", "--allow-origin", "https://a.example") as alone:
            # It is served, and has no streams to get.
            assert alone.get("/mcp", Host="graph.internal", Origin="https://a.example")[0] == 405
            first = await alone.ask()
            assert root(await alone.ask(pack_root=root(first))) == root(first)


asyncio.run(main())

"""The official clients over streamable HTTP: the same calls directly and through the proxy, which listens or has the server's URL; then
ten thousand calls, five hundred clients at once, and a server that is killed, frozen and started again.

Arguments: the proxy, the folder of the npm packages, an empty folder.
"""

import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from unittest.mock import AsyncMock

import anyio
import httpx2
from common import Process, answered, compare, dumped, expect, free_port, memory, plain
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

PROXY, NODE, FOLDER = sys.argv[1:4]
HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ["sse", "json", "stateless", "auth"]
POLICIES = ["keep", "drop"]
CALLS, AT_ONCE = 10_000, 32
CROWD = 500
# How much the proxy's memory may grow over the last nine of ten thousand calls, in KiB.
MOST_GROWTH = 8 << 10
TOKEN = {"Authorization": "Bearer right"}
TOOLS = [
    *[(name, {}) for name in ("list_issues", "list_rows", "list_names", "one_issue", "no_issues", "report", "plain", "picture", "fails", "steps")],
    ("list_issues", {"count": 1}),
    ("echoed", {"number": 7}),
    ("no_such_tool", {}),
]


def python_server(kind, port):
    return Process([sys.executable, os.path.join(HERE, "listening.py"), str(port), kind], port, os.path.join(FOLDER, f"{port}.log"))


def in_one_line(url, policy):
    """The proxy with the server's URL, over stdio."""
    arguments = [url, "--structured", policy, "--header-env", "Authorization=TOKEN"]
    return StdioServerParameters(command=PROXY, args=arguments, env={"TOKEN": TOKEN["Authorization"]})


def connected(url, mode, headers=None, auth=None, **more):
    if isinstance(url, StdioServerParameters):
        return Client(stdio_client(url), mode=mode, **more)
    if url.endswith("/older"):
        return Client(sse_client(url), mode=mode, **more)
    http = create_mcp_http_client(headers=headers, auth=auth)
    return Client(streamable_http_client(url, http_client=http), mode=mode, **more)


async def answers(url, mode, headers, tools):
    """What a client gets: the tools, the answer of each call, one after the other and all at once, and the version."""
    async with connected(url, mode, headers, read_timeout_seconds=60) as client:
        listed = [dumped(tool) for tool in (await client.list_tools()).tools]
        got = [await answered(client.call_tool(*call)) for call in tools]
        got += await asyncio.gather(*[answered(client.call_tool(*call)) for call in tools])
        return listed, [tool for tool, _ in tools] * 2, got, str(client.protocol_version)


async def compared(kind, direct_url, urls, tools, headers, modes=("legacy", "auto")):
    for mode in modes:
        direct = await answers(direct_url, mode, headers, tools)
        for policy, url in urls.items():
            compare(f"{kind}, Python, {direct[-1]}", policy, direct, await answers(url, mode, headers, tools))


def typescript(kind, direct_url, urls, folder):
    """The client of the TypeScript SDK. The folder says of which version."""

    def answers(url):
        command = ["node", os.path.join(HERE, "client.mjs"), os.path.join(NODE, "node_modules", folder), url]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout)

    direct = answers(direct_url)
    for policy, url in urls.items():
        compare(f"{kind}, TypeScript, {direct[-1]}", policy, direct, answers(url))


async def refused(url, auth=None):
    try:
        async with connected(url, "legacy", auth=auth) as client:
            await client.list_tools()
        return "nothing was refused"
    except BaseException as error:
        return plain(error)


async def signing_in(direct_url, url):
    """Without a token a client is refused, and one that would sign in is told what to configure."""
    expect(await refused(url), await refused(direct_url), "without a token")
    metadata = OAuthClientMetadata(client_name="test", redirect_uris=["http://127.0.0.1:1/callback"])
    empty = AsyncMock(**{"get_tokens.return_value": None, "get_client_info.return_value": None})
    provider = OAuthClientProvider(url, metadata, empty)
    told = await refused(url, provider)
    expect("as a command, which logs in" in told, True, told)


async def many(url, proxy):
    """Ten thousand calls, some at once: each answer is that of its call, and memory does not grow."""
    async with connected(url, "legacy", read_timeout_seconds=60) as client:
        await client.list_tools()
        numbers = iter(range(CALLS))
        wrong, used = [], []

        async def work():
            for number in numbers:
                result = await client.call_tool("echoed", {"number": number})
                text = "".join(block.text for block in result.content)
                if f"name {number}-11" not in text or result.structured_content["result"][0]["call"] != number:
                    wrong.append(number)
                if number % 1000 == 999:
                    used.append(memory(proxy.process)[1])

        start = time.monotonic()
        await asyncio.gather(*[work() for _ in range(AT_ONCE)])
        seconds = time.monotonic() - start
    print(f"{CALLS} calls, {AT_ONCE} at once: {CALLS / seconds:.0f} a second, {used[-1] - used[0]} KiB of memory more at the end, at most {MOST_GROWTH}")
    expect(wrong, [], "answers of other calls")
    expect(used[-1] - used[0] <= MOST_GROWTH, True, f"memory grows: {used} KiB")


async def crowd(url, seconds):
    """The times of the calls of 500 clients at once, each with a session of its own, and how many answers were another call's or lost."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "crowd", "version": "1"}}
    accept = {"Accept": "application/json, text/event-stream"}
    numbers, times, wrong = itertools.count(1), [], []
    # As a client does: a connection that was idle for long may be closed.
    limits = httpx2.Limits(max_connections=CROWD, max_keepalive_connections=CROWD, keepalive_expiry=3)
    async with httpx2.AsyncClient(limits=limits, timeout=60, headers=accept) as http:
        end = time.monotonic() + seconds

        async def post(headers, **frame):
            return (await http.post(url, headers=headers, json={"jsonrpc": "2.0", **frame})).raise_for_status()

        async def called(session, number):
            params = {"name": "echoed", "arguments": {"number": number}}
            answer = (await post(session, id=number, method="tools/call", params=params)).json()
            text = answer["result"]["content"][0]["text"]
            row = answer["result"]["structuredContent"]["result"][11]
            return answer["id"] == number and f"name {number}-11" in text and row["name"] == f"name {number}-11"

        async def client():
            begun = await post({}, id=0, method="initialize", params=hello)
            session = {"Mcp-Session-Id": begun.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-11-25"}
            await post(session, method="notifications/initialized")
            while time.monotonic() < end:
                number, start = next(numbers), time.monotonic()
                try:
                    is_right = await called(session, number)
                except Exception as error:
                    is_right = False
                    print(f"call {number}: {error!r} after {time.monotonic() - start:.1f} s", file=sys.stderr)
                times.append(time.monotonic() - start)
                if not is_right:
                    wrong.append(number)

        await asyncio.gather(*[client() for _ in range(CROWD)])
    return sorted(times), wrong


async def crowds(direct_url, url, proxy):
    """Some seconds of them through the proxy, and without it, to compare the times with."""
    direct, _ = await crowd(direct_url, 5)
    times, wrong = await crowd(url, 20)
    (before, slow_before), (half, slow) = [[round(1000 * each[len(each) * part // 100]) for part in (50, 99)] for each in (direct, times)]
    print(
        f"{CROWD} clients at once: {len(times) - len(wrong)} of {len(times)} answers are those of their calls; half within {half} ms and 99 % "
        f"within {slow} ms, directly {before} and {slow_before} ms; {memory(proxy.process)[1] >> 10} MiB"
    )
    expect(wrong, [], "answers of other calls, or none")


async def outcome(url, seconds, during):
    """What a client sees of a call during which something happens to the server."""
    async def called():
        async with connected(url, "legacy", read_timeout_seconds=4) as client:
            async with anyio.create_task_group() as group:
                async def later():
                    await anyio.sleep(0.7)
                    during()

                group.start_soon(later)
                try:
                    return "answered" if (await client.call_tool("waits", {"seconds": seconds})).content else "empty"
                except Exception as error:
                    return plain(error)

    try:
        # A client ends its session, for which it would wait long where the server is frozen.
        with anyio.fail_after(12):
            return await called()
    except BaseException as error:
        # Ending a session with a server that is gone.
        return plain(error)


async def faults(server, kind, direct_url, url):
    """The server is killed, frozen, and started again while a call is under way: a client sees the same with and without the proxy."""
    seen = []
    for each in (direct_url, url):
        killed = await outcome(each, 30, server.kill)
        server.start()
        again = await outcome(each, 0.1, lambda: None)
        frozen = await outcome(each, 2, lambda: server.process.send_signal(signal.SIGSTOP))
        server.process.send_signal(signal.SIGCONT)
        seen.append([killed, again, frozen, await outcome(each, 0.1, lambda: None)])
    for what, direct, through in zip(("killed", "started again", "frozen", "goes on"), *seen):
        # A dead server gives different messages; a client's timeout gives the same one.
        if any(each == "answered" or each.startswith("TimeoutError") for each in (direct, through)):
            expect(through, direct, f"{kind}, {what}")


async def main():
    processes = []
    try:
        ports = {kind: free_port() for kind in KINDS}
        servers = {kind: python_server(kind, port) for kind, port in ports.items()}
        processes += servers.values()
        ports["everything"] = free_port()
        everything = [os.path.join(NODE, "node_modules", ".bin", "mcp-server-everything"), "streamableHttp"]
        log = os.path.join(FOLDER, "log")
        processes.append(Process(everything, ports["everything"], log, PORT=str(ports["everything"])))
        config = os.path.join(FOLDER, "wire-proxy.toml")
        with open(config, "w") as file:
            for kind, port in ports.items():
                file.write(f'[servers.{kind}]\nupstream = "http://127.0.0.1:{port}/mcp"\n')
        proxies = {}
        for policy in POLICIES:
            port = free_port()
            command = [PROXY, "--config", config, "--structured", policy, "--listen", f"127.0.0.1:{port}", "--log", "info"]
            proxies[policy] = Process(command, port, log)
            processes.append(proxies[policy])

        def direct(kind):
            return f"http://127.0.0.1:{ports[kind]}/mcp"

        def through(kind):
            return {policy: f"http://127.0.0.1:{proxy.port}/{kind}" for policy, proxy in proxies.items()}

        for kind in KINDS:
            tools = [("list_rows", {})] if kind == "auth" else TOOLS
            headers = TOKEN if kind == "auth" else None
            await compared(kind, direct(kind), through(kind), tools, headers)
            one_line = {policy: in_one_line(direct(kind), policy) for policy in POLICIES}
            await compared(f"{kind}, by its URL", direct(kind), one_line, tools, headers)
        ports["older"] = free_port()
        processes.append(python_server("older", ports["older"]))
        older = f"http://127.0.0.1:{ports['older']}/older"
        # Versions with it begin by `initialize`.
        one_line = {policy: in_one_line(older, policy) for policy in POLICIES}
        await compared("the older transport, by its URL", older, one_line, TOOLS, None, ["legacy"])
        for kind in ("sse", "everything"):
            for folder in ("mcp-sdk-2025-06-18", "@modelcontextprotocol/sdk"):
                typescript(kind, direct(kind), through(kind), folder)
        await signing_in(direct("auth"), through("auth")["keep"])
        await many(through("json")["keep"], proxies["keep"])
        await crowds(direct("json"), through("json")["keep"], proxies["keep"])
        await asyncio.gather(*[faults(servers[kind], kind, direct(kind), through(kind)["keep"]) for kind in ("sse", "json")])
        lines = httpx2.get(f"http://127.0.0.1:{proxies['keep'].port}/metrics").text.splitlines()
        left = [line for line in lines if line.startswith("wire_proxy_requests_under_way") and not line.endswith(" 0")]
        expect(left, [], "requests under way")
    finally:
        for process in processes:
            process.kill()


asyncio.run(main())

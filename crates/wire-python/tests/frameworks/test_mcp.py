"""`wire_formats.mcp` with the servers and the client of the official SDK."""

from __future__ import annotations

import asyncio
import types
from typing import Any

import pytest

pytest.importorskip("mcp.server.mcpserver")

import mcp
from cases import ARGUMENTS, COMPACT, ROWS, TEXT, TOOLS, Order, broken, check, check_page, fails, run_page, tools
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import Image, MCPServer
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool

from wire_formats.mcp import CompactMiddleware


def typed() -> list[Order]:
    """Rows with a schema."""
    return [Order(id=n, name=f"name {n}") for n in range(6)]


def picture() -> Any:
    """A text and an image."""
    return [TEXT, Image(data=b"x", format="png")]


def widget() -> Any:
    """Rows that a user interface shows."""
    return ROWS


def server(*middleware: CompactMiddleware) -> MCPServer:
    made = MCPServer("shop", middleware=middleware)
    for tool in (*TOOLS.values(), typed, picture, fails):
        made.tool()(tool)
    made.tool(meta={"ui": {"resourceUri": "ui://shop/orders"}})(widget)
    return made


def call(served: Any, *names: str) -> list[CallToolResult]:
    """Results as a client gets them, which has listed the tools."""

    async def called() -> list[CallToolResult]:
        async with mcp.Client(served) as client:
            await client.list_tools()
            results = [await client.call_tool(name, ARGUMENTS.get(name, {})) for name in names]
            return [result for result in results if isinstance(result, CallToolResult)]

    return asyncio.run(called())


def texts(result: CallToolResult) -> str:
    """The texts as a model reads them: a block after the other."""
    return "\n".join(block.text for block in result.content if block.type == "text")


@tools
def test_texts(tool: str) -> None:
    [before], [after] = call(server(), tool), call(server(CompactMiddleware()), tool)
    if tool in ("list_orders", "dates", "models"):  # a block for each item becomes one
        assert (len(before.content), len(after.content)) == (6, 1)
    check(tool, texts(before), texts(after))
    assert after.structured_content == before.structured_content
    if tool == "list_orders":
        check_page("MCP SDK", texts(before), texts(after))


@pytest.mark.parametrize("tool", ["picture", "fails", "widget"])
def test_what_stays(tool: str) -> None:
    [before], [after] = call(server(), tool), call(server(CompactMiddleware()), tool)
    assert (after.is_error, after.structured_content) == (before.is_error, before.structured_content)
    if tool == "picture":
        assert (texts(after), after.content[1]) == (COMPACT, before.content[1])
    else:
        assert after == before


def test_structured_content_stays() -> None:
    [before], [after] = call(server(), "typed"), call(server(CompactMiddleware()), "typed")
    assert after.structured_content == before.structured_content is not None
    assert texts(after).startswith("GCF profile=generic\n## [6]{id,name,day}\n")


def test_the_low_level_server() -> None:
    async def listed(context: Any, params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[Tool(name="rows", input_schema={"type": "object"})])

    async def called(context: Any, params: CallToolRequestParams) -> CallToolResult:
        return CallToolResult(content=[TextContent(text=TEXT)], _meta={"page": 1})

    served = Server("shop", on_list_tools=listed, on_call_tool=called)
    served.middleware.append(CompactMiddleware())
    [result] = call(served, "rows")
    assert (texts(result), result.meta and result.meta["page"]) == (COMPACT, 1)


def test_nothing_that_a_server_answers_ends_a_call() -> None:
    def answer(method: str, result: Any, params: Any = None) -> Any:
        async def answered(context: Any) -> Any:
            return result

        context: Any = types.SimpleNamespace(method=method, params=params, session=types.SimpleNamespace(client_params=None))
        return asyncio.run(middleware(context, answered))

    middleware = CompactMiddleware()
    content = [{"type": "text", "text": TEXT}]
    for listed in ({"tools": None}, {}, {"tools": [{"name": "rows", "_meta": None}, {}]}, {"tools": [{"name": "rows", "_meta": None}]}):
        assert answer("tools/list", listed) is listed
    result = answer("tools/call", {"content": content, "_meta": None}, {"name": "rows"})
    assert result == {"content": [{"type": "text", "text": COMPACT}], "_meta": None}
    odd = {"content": content}
    assert answer("tools/call", odd, ["rows"]) is odd
    assert answer("tools/call", None) is None


def test_a_counter_that_fails_and_wrong_options() -> None:
    assert call(server(CompactMiddleware(counter=broken)), *TOOLS) == call(server(), *TOOLS)
    with pytest.raises(ValueError, match="counter is 'x'"):
        CompactMiddleware(counter="x")


def test_many_calls_in_one_session_give_the_same_texts() -> None:
    results = call(server(CompactMiddleware()), *TOOLS, *TOOLS)
    assert results[: len(TOOLS)] == results[len(TOOLS) :]


def test_page() -> None:
    assert texts(call(run_page("MCP SDK", server=server())["server"], "list_orders")[0]) == COMPACT

"""`wire_formats.fastmcp` with FastMCP, its client and that of the official SDK."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("fastmcp")

import mcp
from cases import ARGUMENTS, COMPACT, ROWS, TEXT, TOOLS, Order, broken, check, check_page, fails, run_page, tools
from fastmcp import Client, Context, FastMCP
from fastmcp.server import create_proxy
from fastmcp.server.middleware.response_limiting import ResponseLimitingMiddleware
from fastmcp.server.transforms.search import RegexSearchTransform
from fastmcp.tools.base import ToolResult
from fastmcp.utilities.types import Image
from mcp_types import CallToolResult, Implementation

from wire_formats.fastmcp import CompactMiddleware

CLIENTS = [Client, mcp.Client]


def typed() -> list[Order]:
    """Rows with a schema."""
    return [Order(id=n, name=f"name {n}") for n in range(6)]


def picture() -> Any:
    """A text and an image."""
    return [TEXT, Image(data=b"x", format="png")]


def widget() -> Any:
    """Rows that a user interface shows."""
    return ROWS


def server(*middleware: CompactMiddleware) -> FastMCP:
    made = FastMCP("shop")
    for tool in (*TOOLS.values(), typed, picture, fails):
        made.tool(tool)
    made.tool(widget, meta={"ui": {"resourceUri": "ui://shop/orders"}})
    for one in middleware:
        made.add_middleware(one)
    return made


def call(served: Any, tool: str, arguments: dict[str, Any] | None = None, client: Any = mcp.Client, **options: Any) -> CallToolResult:
    """A result as the client gets it, which has listed the tools."""
    return asyncio.run(called(served, tool, arguments or ARGUMENTS.get(tool, {}), client, options))


async def called(served: Any, tool: str, arguments: dict[str, Any], client: Any, options: dict[str, Any]) -> CallToolResult:
    async with client(served._mcp_server if client is mcp.Client else served, **options) as connected:
        await connected.list_tools()
        if client is Client:
            await connected.call_tool(tool, arguments, raise_on_error=False)  # makes an object of it
            return await connected.call_tool_mcp(tool, arguments)
        result = await connected.call_tool(tool, arguments)
        assert isinstance(result, CallToolResult)
        return result


def texts(result: CallToolResult) -> str:
    return "".join(block.text for block in result.content if block.type == "text")


@tools
def test_texts(tool: str) -> None:
    before, after = call(server(), tool), call(server(CompactMiddleware()), tool)
    check(tool, texts(before), texts(after))
    assert after.structured_content == before.structured_content
    if tool == "list_orders":
        check_page("FastMCP", texts(before), texts(after))


@pytest.mark.parametrize("structured", ["keep", "drop"])
@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("tool", [*TOOLS, "typed", "picture", "fails", "widget"])
def test_both_clients_accept_every_result(tool: str, client: Any, structured: Any) -> None:
    before, after = call(server(), tool, client=client), call(server(CompactMiddleware(structured=structured)), tool, client=client)
    assert after.is_error == before.is_error == (tool == "fails")
    if tool in TOOLS:
        check(tool, texts(before), texts(after))
    if structured == "keep" or tool in ("read_file", "load", "fails", "widget"):
        assert after.structured_content == before.structured_content
    if tool == "typed":
        assert texts(after).startswith("GCF profile=generic\n## [6]{id,name,day}\n")
        assert (after.structured_content is None) == (structured == "drop")
    if tool in ("picture", "fails", "widget"):
        assert after.content == before.content or tool == "picture"
    if tool == "picture":
        assert after.content[1] == before.content[1]


def test_drop_takes_schemas_off_the_list_and_other_modes_do_not() -> None:
    async def schemas(served: FastMCP) -> set[str]:
        async with Client(served) as client:
            return {tool.name for tool in await client.list_tools() if tool.output_schema is not None}

    assert "typed" in asyncio.run(schemas(server()))
    assert asyncio.run(schemas(server(CompactMiddleware()))) == asyncio.run(schemas(server()))
    assert asyncio.run(schemas(server(CompactMiddleware(structured="auto")))) == asyncio.run(schemas(server()))
    assert asyncio.run(schemas(server(CompactMiddleware(structured="drop")))) == set()


def test_auto_drops_for_clients_that_show_the_copy() -> None:
    served = server(CompactMiddleware(structured="auto"))
    shown = call(served, "typed", client_info=Implementation(name="claude-code", version="1"))
    unknown = call(served, "typed", client_info=Implementation(name="nobody", version="1"))
    assert shown.structured_content is None and texts(shown).startswith("GCF ")
    assert unknown.structured_content is not None and texts(unknown).startswith("GCF ")


def test_programs_get_json() -> None:
    served = server(CompactMiddleware(structured="drop"))

    @served.tool
    async def total(ctx: Context) -> str:
        """A tool that calls tools."""
        orders, more = await ctx.fastmcp.call_tool("list_orders", {}), await ctx.fastmcp.call_tool("typed", {})
        assert all(tool.output_schema for tool in await ctx.fastmcp.list_tools() if tool.name == "typed")
        assert more.structured_content is not None
        return f"{len(json.loads(orders.content[0].text))} orders"

    assert texts(call(served, "total")) == "6 orders"


def test_a_result_that_is_passed_on_is_that_of_the_tool_that_gave_it() -> None:
    served = server(CompactMiddleware())
    served.add_transform(RegexSearchTransform())
    assert texts(call(served, "call_tool", {"name": "list_orders", "arguments": {}})) == COMPACT
    assert texts(call(served, "call_tool", {"name": "read_file", "arguments": {}})) == TEXT


@pytest.mark.parametrize("structured", ["keep", "drop"])
def test_a_tool_that_calls_another_has_its_own_rules(structured: Any) -> None:
    def served(*middleware: CompactMiddleware) -> FastMCP:
        made = server(*middleware)

        async def outer(ctx: Context, path: str = "") -> str:
            """Rows of its own, after a call of another tool."""
            await ctx.fastmcp.call_tool("say", {})
            return TEXT

        for name in ("rows", "invoice"):
            made.tool(outer, name=name)
        made.tool(outer, name="shown", meta={"ui": {"resourceUri": "ui://shop/orders"}})
        return made

    compacts = served(CompactMiddleware(structured=structured, verbatim=["invoice"]))
    calls: list[tuple[str, dict[str, Any]]] = [("invoice", {}), ("shown", {}), ("rows", {"path": "orders.csv"})]
    for name, arguments in calls:
        before = call(served(), name, arguments, client=Client)
        assert call(compacts, name, arguments, client=Client).content == before.content
        if name == "shown":
            assert call(compacts, name, client=Client).structured_content == before.structured_content
    assert texts(call(compacts, "rows", client=Client)) == COMPACT


@pytest.mark.parametrize("options", [{}, {"structured": "drop"}, {"verbatim": ["ask"]}])
def test_a_result_that_is_passed_on_stays_by_the_rules_of_either(options: Any) -> None:
    served = server(CompactMiddleware(**options))

    @served.tool
    async def ask(ctx: Context, name: str) -> ToolResult:
        """The result of another tool, after one that does not matter."""
        await ctx.fastmcp.call_tool("say", {})
        return await ctx.fastmcp.call_tool(name, {})

    @served.tool
    async def text_of(ctx: Context, name: str) -> str:
        """The text of it."""
        [block] = (await ctx.fastmcp.call_tool(name, {})).content
        return str(getattr(block, "text"))

    assert (texts(call(served, "ask", {"name": "list_orders"})) == COMPACT) == ("verbatim" not in options)
    assert texts(call(served, "text_of", {"name": "list_orders"})) == COMPACT
    for tool in ("ask", "text_of"):
        assert texts(call(served, tool, {"name": "read_file"})) == TEXT
        assert texts(call(served, tool, {"name": "widget"})) == texts(call(server(), "widget"))


def test_mounted_and_proxied_servers() -> None:
    parent = FastMCP("parent")
    parent.mount(server(CompactMiddleware()), namespace="shop")
    parent.add_middleware(CompactMiddleware())
    proxy = create_proxy(server())
    proxy.add_middleware(CompactMiddleware(structured="drop"))
    assert texts(call(parent, "shop_list_orders")) == texts(call(proxy, "list_orders")) == COMPACT
    assert texts(call(parent, "shop_read_file")) == texts(call(proxy, "read_file")) == TEXT
    assert texts(call(parent, "shop_widget")) == texts(call(proxy, "widget")) == texts(call(server(), "widget"))


def test_metadata_stays_and_so_do_errors_that_are_returned() -> None:
    served = FastMCP("shop")
    served.tool(lambda: ToolResult(TEXT, {"result": ROWS}, meta={"page": 1}), name="rows")
    served.tool(lambda: ToolResult(TEXT, is_error=True), name="failed")
    served.add_middleware(CompactMiddleware(structured="drop"))
    result = call(served, "rows")
    assert (texts(result), result.meta and result.meta["page"], result.structured_content) == (COMPACT, 1, None)
    assert texts(call(served, "failed")) == TEXT


def test_middleware_that_limits_sizes_is_added_first() -> None:
    limits, compacts = ResponseLimitingMiddleware(max_size=200), CompactMiddleware()
    for middlewares in ([limits, compacts], [compacts, limits]):
        served = FastMCP("shop", middleware=middlewares)
        served.tool(TOOLS["indented"])
        assert texts(call(served, "indented")).startswith("GCF ") == isinstance(middlewares[1], CompactMiddleware)


def test_a_counter_that_fails_and_wrong_options() -> None:
    before, after = call(server(), "list_orders"), call(server(CompactMiddleware(counter=broken)), "list_orders")
    assert after == before
    with pytest.raises(ValueError, match='structured is "gone", expected "keep", "drop" or "auto"'):
        CompactMiddleware(structured="gone")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="counter is 'x'"):
        CompactMiddleware(counter="x")


def test_patterns_of_tools() -> None:
    assert texts(call(server(CompactMiddleware(verbatim=["list_*"])), "list_orders")) == texts(call(server(), "list_orders"))
    assert texts(call(server(CompactMiddleware(not_verbatim=["read_*"])), "read_file")) == COMPACT


def test_many_calls_in_one_session_give_the_same_texts() -> None:
    async def twice() -> list[list[str]]:
        async with Client(server(CompactMiddleware())) as client:
            return [[texts(await client.call_tool_mcp(tool, {})) for tool in TOOLS] for _ in range(2)]

    first, second = asyncio.run(twice())
    assert first == second


def test_page() -> None:
    served = run_page("FastMCP", mcp=server())["mcp"]
    assert texts(call(served, "list_orders")) == COMPACT

"""`tool_result` in servers: what a client gets with the decorator, and without."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import datetime
import decimal
import enum
import ipaddress
import json
import pathlib
import uuid
from collections.abc import Callable
from typing import Any

import mcp
import mcp_types
import numpy
import pandas
import polars
import pydantic
import pytest
from fastmcp import Client, FastMCP
from fastmcp.utilities.types import Image
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.server.mcpserver import MCPServer

from wire_formats import gcf, gcx, tool_result


@dataclasses.dataclass
class Point:
    x: int
    label: Any = None


class Model(pydantic.BaseModel):
    site: pydantic.HttpUrl
    took: datetime.timedelta
    data: bytes


class Colour(enum.Enum):
    RED = "red"


UTC = datetime.timezone.utc
FRAME = pandas.DataFrame({"n": [1, 2]}, index=["a", "b"])
AS_WITHOUT: Any = object()
# How a result is made, since some can be read only once, and what it is where the server without the decorator sends something else.
KINDS: dict[str, tuple[Callable[[], Any], Any]] = {
    "str": (lambda: "x [1]", AS_WITHOUT),
    "None": (lambda: None, AS_WITHOUT),
    "int": (lambda: 2**70, AS_WITHOUT),
    "float": (lambda: 0.5, AS_WITHOUT),
    "bool": (lambda: True, AS_WITHOUT),
    "dict": (lambda: {"a": 1, "b": [{"c": None}], "2": 0.5}, AS_WITHOUT),
    "rows": (lambda: [{"id": n, "name": f"name {n}"} for n in range(9)], AS_WITHOUT),
    "tuple": (lambda: (1, "a"), AS_WITHOUT),
    "set": (lambda: {5}, AS_WITHOUT),
    "set of several": (lambda: {"b", "a"}, ["a", "b"]),
    "frozenset": (lambda: {"of": frozenset([1])}, AS_WITHOUT),
    "deque": (lambda: collections.deque([1, 2]), AS_WITHOUT),
    "generator": (lambda: (n for n in range(3)), AS_WITHOUT),
    "iterators": (lambda: {"a": iter([1]), "b": map(str, [1]), "c": zip([1], [2])}, {"a": [1], "b": ["1"], "c": [[1, 2]]}),
    "dataclass": (lambda: Point(1, {2}), AS_WITHOUT),
    "model": (lambda: Model(site="https://a.b/c", took="P1DT5S", data=b"x"), AS_WITHOUT),  # type: ignore[arg-type]
    "enum": (lambda: Colour.RED, AS_WITHOUT),
    "UUID": (lambda: [uuid.UUID(int=5)], AS_WITHOUT),
    "Decimal": (lambda: [decimal.Decimal("1.10")], AS_WITHOUT),
    "date": (lambda: [datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3)], AS_WITHOUT),
    "datetime with a zone": (lambda: [datetime.datetime(2024, 1, 2, tzinfo=UTC)], ["2024-01-02T00:00:00+00:00"]),
    "time": (lambda: [datetime.time(1, 2), datetime.time(1, 2, 3, 4, UTC)], AS_WITHOUT),
    "timedelta": (lambda: [datetime.timedelta(400, 5, 6), -datetime.timedelta(1)], AS_WITHOUT),
    "Path": (lambda: [pathlib.Path("/a/b")], AS_WITHOUT),
    "one path": (lambda: pathlib.Path("/a/b"), AS_WITHOUT),
    "addresses": (lambda: [ipaddress.ip_address("::1"), ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_interface("10.0.0.1/8")], AS_WITHOUT),
    "bytes": (lambda: b"a text", AS_WITHOUT),
    "bytes inside": (lambda: {"a": b"x", "b": bytearray(b"y")}, AS_WITHOUT),
    "NumPy": (lambda: {"a": numpy.int64(5), "b": numpy.array([[1, 2]])}, {"a": 5, "b": [[1, 2]]}),
    "frame": (lambda: FRAME, [{"index": "a", "n": 1}, {"index": "b", "n": 2}]),
    "series": (lambda: {"n": FRAME["n"]}, {"n": [{"index": "a", "n": 1}, {"index": "b", "n": 2}]}),
    "Polars": (lambda: polars.DataFrame({"n": [1, 2]}), [{"n": 1}, {"n": 2}]),
    # What can't be written, and goes out as it is.
    "NaN": (lambda: {"a": float("nan")}, AS_WITHOUT),
    "keys": (lambda: {datetime.date(2024, 1, 2): 1, (1, 2): 2}, AS_WITHOUT),
    "keys that become one": (lambda: {"1": 1, 1: 2}, AS_WITHOUT),
    "others": (lambda: {"a": 1j, "b": range(3), "c": Point, "d": pydantic.HttpUrl("https://a.b")}, AS_WITHOUT),
    "others after a generator": (lambda: [(n for n in range(3)), range(3)], AS_WITHOUT),
    "half a pair": (lambda: "\ud800x"[1:], AS_WITHOUT),
}


def decoded(text: str) -> Any:
    if text.startswith("GCF "):
        return gcf.loads(text)
    if text.startswith("GCX1 "):
        return gcx.loads(text)
    try:
        return json.loads(text)
    except ValueError:
        return text


def server(tools: dict[str, Callable[..., Any]]) -> FastMCP[Any]:
    made: FastMCP[Any] = FastMCP("tests")
    for name, function in tools.items():
        made.tool(function, name=name)
    return made


def sdk_server(tools: dict[str, Callable[..., Any]]) -> MCPServer[Any]:
    made: MCPServer[Any] = MCPServer("tests")
    for name, function in tools.items():
        made.add_tool(function, name=name)
    return made


async def texts(client: Any, name: str, **arguments: Any) -> list[str]:
    result = await client.call_tool(name, arguments)
    assert not result.is_error
    return [block.text for block in result.content]


def both(make: Callable[[], Any]) -> dict[str, Callable[..., Any]]:
    return {"without": lambda: make(), "with": tool_result(lambda: make())}


@pytest.mark.parametrize("kind", KINDS)
def test_fastmcp(kind: str) -> None:
    make, expected = KINDS[kind]

    async def run() -> None:
        async with Client(server(both(make))) as client:
            without = await texts(client, "without")
            assert (await texts(client, "with") == []) == (without == [])
            for format in ("auto", "json", "gcf", "gcx") if without else ():
                [found] = await texts(client, "with", format=format)
                assert decoded(found) == (decoded(without[0]) if expected is AS_WITHOUT else expected)

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_the_official_sdk(kind: str) -> None:
    """It sends each item of a list as a text of its own, and the decorator all of them as one."""
    make, expected = KINDS[kind]

    async def run() -> None:
        async with mcp.Client(sdk_server(both(make))) as client:
            without, found = await texts(client, "without"), await texts(client, "with")
            if expected is not AS_WITHOUT:
                assert decoded(found[0]) == expected
            elif isinstance(make(), (list, tuple)) and len(found) == 1:
                assert decoded(found[0]) == [decoded(text) for text in without]
            else:
                assert [decoded(text) for text in found] == [decoded(text) for text in without]

    asyncio.run(run())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(VALUES | st.timedeltas() | st.dates() | st.uuids() | st.decimals(allow_nan=False, allow_infinity=False), min_size=1, max_size=4))
@settings(max_examples=20, deadline=None)
def test_any_list(value: Any) -> None:
    async def run() -> None:
        async with Client(server(both(lambda: value))) as client:
            [without], [found] = await texts(client, "without"), await texts(client, "with")
            assert decoded(found) == decoded(without)

    asyncio.run(run())


def test_content_is_sent_as_without() -> None:
    contents: list[Callable[[], Any]] = [
        lambda: Image(data=b"x", format="png"),
        lambda: ["hi", Image(data=b"x", format="png")],
        lambda: mcp_types.TextContent(type="text", text="[1]"),
        lambda: [mcp_types.TextContent(type="text", text="[1]"), mcp_types.ImageContent(type="image", data="eA==", mime_type="image/png")],
        lambda: mcp_types.CallToolResult(content=[], structured_content={"a": 1}),
    ]

    async def run() -> None:
        for make in contents:
            async with Client(server(both(make))) as client:
                without, found = await client.call_tool("without"), await client.call_tool("with", {"format": "gcf"})
                assert (found.content, found.structured_content) == (without.content, without.structured_content)

    asyncio.run(run())


def test_the_schema() -> None:
    """It is that of the function, and one more argument."""

    def search(city: str, limit: int = 3, tags: list[str] | None = None) -> list[dict[str, Any]]:
        """Orders of a city."""
        return [{"city": city, "limit": limit, "tags": tags}]

    async def run() -> None:
        async with Client(server({"without": search, "with": tool_result(search)})) as client:
            without, found = {tool.name: tool for tool in await client.list_tools()}.values()
            schema = json.loads(json.dumps(found.input_schema))
            added = schema["properties"].pop("format")
            assert schema == without.input_schema
            assert (added["enum"], added["default"]) == (["auto", "json", "gcf", "gcx"], "auto")
            assert found.description == without.description and found.output_schema is None
            assert await texts(client, "with", city="Rome", format="json") == ['[{"city":"Rome","limit":3,"tags":null}]']

    asyncio.run(run())

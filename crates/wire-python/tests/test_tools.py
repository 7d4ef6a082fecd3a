"""`tool_result`: what a decorated tool returns, and what frameworks see of it."""

from __future__ import annotations

import asyncio
import inspect
import json
import math
import pathlib
import typing
import uuid
import warnings
from dataclasses import dataclass
from typing import Any

import fastmcp
import mcp_types
import pyarrow
import pytest
from fastmcp.tools import ToolResult
from fastmcp.utilities.types import Image
from mcp.server.mcpserver import MCPServer

from wire_formats import gcf, gcx, smallest, tool_result

ROWS = [{"id": n, "city": "Rome"} for n in range(3)]


@tool_result
def users(city: str, *rest: int, limit: int = 3, **more: bool) -> list[dict[str, Any]]:
    """The users of a city."""
    return [{**row, "city": city} for row in ROWS[:limit]]


def test_what_a_model_may_have_to_quote_stays() -> None:
    rows = [{"id": number, "name": f"name {number}"} for number in range(6)]
    as_json = json.dumps(rows, separators=(",", ":"))

    @tool_result
    def read_file(path: str = "a") -> Any:
        return rows

    @tool_result(verbatim=False)
    def read_page() -> Any:
        return rows

    @tool_result
    def load(path: str, query: str = "") -> Any:
        return rows

    @tool_result
    def listed(word: str = "") -> Any:
        return {"content": word} if word else rows

    assert read_file() == as_json and read_file(format="gcf").startswith("GCF ")
    assert read_page().startswith("GCF ") and listed().startswith("GCF ")
    @tool_result
    def some(*paths: str, **more: Any) -> Any:
        return rows

    assert load("data.json") == load(path="data.json") == as_json
    assert load(pathlib.Path("data.json")) == load(("data.json", "a")) == load(["data.json", 1]) == as_json
    assert some("data.json") == some(path="data.json") == as_json and some("a", b=1).startswith("GCF ")
    assert some("data.json", query="a").startswith("GCF ")
    assert load("data.rs").startswith("GCF ")
    assert listed("x") == '{"content":"x"}'


def test_the_form_is_chosen_by_the_call() -> None:
    assert users("Rome") == smallest(ROWS).text
    assert users("Rome", format="auto") == users("Rome")
    assert users("Rome", limit=1, format="gcf") == gcf.dumps(ROWS[:1])
    assert users("Rome", format="gcx") == gcx.dumps(ROWS)
    assert users("Rome", format="json") == json.dumps(ROWS, separators=(",", ":"))
    with pytest.raises(ValueError, match="format is 'xml', expected one of auto, json, gcf, gcx"):
        users("Rome", format="xml")


def test_what_frameworks_see() -> None:
    signature = inspect.signature(users)
    assert list(signature.parameters) == ["city", "rest", "limit", "format", "more"]
    added = signature.parameters["format"]
    assert (added.default, added.kind) == ("auto", inspect.Parameter.KEYWORD_ONLY)
    assert signature.return_annotation is inspect.Signature.empty
    assert signature.parameters["city"].annotation is str
    hints = typing.get_type_hints(users)
    assert "return" not in hints
    assert typing.get_args(hints["format"]) == ("auto", "json", "gcf", "gcx")
    assert (users.__name__, users.__doc__) == ("users", "The users of a city.")


def test_async_tools_stay_async() -> None:
    @tool_result(format="gcf")
    async def load(count: int) -> Any:
        await asyncio.sleep(0)
        return ROWS[:count]

    assert inspect.iscoroutinefunction(load)
    assert asyncio.run(load(2)) == gcf.dumps(ROWS[:2])
    assert asyncio.run(load(2, format="json")) == json.dumps(ROWS[:2], separators=(",", ":"))


def test_methods_and_options() -> None:
    @dataclass
    class Store:
        rows: list[Any]

        @tool_result(argument="result_format", default=str, counter=len)
        def read(self, format: str) -> Any:
            return {"as": format, "rows": self.rows}

    text = Store([object]).read("csv", result_format="json")
    assert json.loads(text) == {"as": "csv", "rows": ["<class 'object'>"]}


@tool_result
def read(value: Any) -> Any:
    return value


def test_results_that_stay() -> None:
    assert read("as it is, [1]") == "as it is, [1]"
    assert read("as it is", format="gcx") == "as it is"
    # GCF can't hold it, JSON does.
    assert read([2**63], format="gcf") == "[9223372036854775808]"
    assert read(None) is None and read(None, format="json") == "null"
    for format in ("auto", "json", "gcf", "gcx"):
        assert "18446744073709551616" in read([2**64], format=format)


def test_bytes_are_text() -> None:
    """As FastMCP sends them."""
    assert read("größe".encode()) == "größe"
    assert read(b"\xff\x00") == "/wA="
    assert read({"a": b"x", "b": bytearray(b"y")}, format="json") == '{"a":"x","b":"y"}'
    rows = pyarrow.table({"a": [b"x"]})
    assert read(rows, format="json") == '[{"a":"x"}]'
    hexed = tool_result(default=bytes.hex)(lambda: {"a": b"x"})
    assert hexed(format="json") == '{"a":"78"}'


def test_texts_of_scalars_are_bare() -> None:
    path = pathlib.PurePosixPath("/a")
    for format in ("auto", "json", "gcf", "gcx"):
        assert read(path, format=format) == "/a"
        assert read(uuid.UUID(int=5), format=format) == str(uuid.UUID(int=5))
    assert read([path], format="json") == '["/a"]'


def test_what_can_not_be_written_goes_out_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    circle: list[Any] = []
    circle.append(circle)
    values = [[math.nan], {"a": object()}, {1.5: 1}, {"a": 1, 1: 2, "1": 3}, {"a": b"\xff"}, circle, {"a": "\ud800"}, [1j]]
    for value in values:
        for format in ("auto", "json", "gcf", "gcx"):
            caplog.clear()
            assert read(value, format=format) is value
            [record] = caplog.records
            assert (record.name, record.levelname) == ("wire_formats", "WARNING")
            assert "the result of read is returned as it is" in record.getMessage()

    def fails(value: Any) -> Any:
        raise ZeroDivisionError

    assert tool_result(default=fails)(lambda: values[1])() is values[1]
    assert tool_result(counter=fails)(lambda: values)() is values


def test_what_was_read_is_there_for_the_framework(caplog: pytest.LogCaptureFixture) -> None:
    """An iterator gives its items once, and the framework has to write them after all."""

    @dataclass(frozen=True)
    class Page:
        rows: Any

    def rows() -> Any:
        return (n for n in range(3))

    assert list(read(iter([1, object, 2]))) == [1, object, 2]
    found = read({"a": rows(), "b": [rows()], "c": (rows(), rows()), "d": Page([rows()]), "e": iter([rows(), object])})
    assert len(caplog.records) == 2
    assert [list(found["a"]), list(found["b"][0]), list(found["c"][1]), list(found["d"].rows[0])] == [[0, 1, 2]] * 4
    inner, last = found["e"]
    assert (list(inner), last) == ([0, 1, 2], object)


def test_errors_of_the_tool_stay_its_own() -> None:
    def failing() -> Any:
        yield 1
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        tool_result(failing)()
    with pytest.raises(ZeroDivisionError):
        read({"rows": failing()})


def test_content_of_frameworks_stays() -> None:
    for value in (mcp_types.TextContent(type="text", text="hi"), Image(data=b"x", format="png"), ToolResult(content="hi")):
        for result in (value, ["hi", value], [["hi"], (value,)]):
            assert read(result, format="gcf") is result


def test_what_can_be_read_once_is_read_once() -> None:
    @tool_result(default=list)
    def rows() -> Any:
        return {"rows": ({"id": n} for n in range(99))}

    expected = {"rows": [{"id": n} for n in range(99)]}
    assert gcf.loads(rows(format="gcf")) == expected == gcf.loads(rows())
    assert gcx.loads(rows(format="gcx")) == expected == json.loads(rows(format="json"))
    # GCF can't hold it: JSON has all of it, too.
    large = tool_result(default=list)(lambda: (n for n in (2**70, 1)))
    assert large(format="gcf") == f"[{2**70},1]"


def test_generators_are_arrays() -> None:
    @tool_result(format="gcx")
    def steps(count: int) -> Any:
        yield from range(count)

    assert gcx.loads(steps(3)) == [0, 1, 2]


def test_what_is_awaited_later() -> None:
    async def rows() -> Any:
        return ROWS

    assert asyncio.run(tool_result(lambda: rows())(format="gcf")) == gcf.dumps(ROWS)


def test_mistakes() -> None:
    async def steps() -> Any:
        yield 1

    def taken(format: str) -> None: ...

    with pytest.raises(TypeError, match="steps is an async generator"):
        tool_result(steps)
    with pytest.raises(ValueError, match=r'argument="result_format"'):
        tool_result(taken)
    with pytest.raises(ValueError, match="format is 'yaml'"):
        tool_result(format="yaml")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="pass options by name"):
        tool_result("gcf")  # type: ignore[call-overload]


def test_above_the_decorator_of_a_framework_it_warns() -> None:
    for decorate in (fastmcp.FastMCP("x").tool, MCPServer("x").tool()):
        with pytest.warns(UserWarning, match="orders is a tool of a framework already.*below the framework's decorator"):

            @tool_result
            @decorate
            def orders(city: str) -> Any:
                return ROWS

        with warnings.catch_warnings():
            warnings.simplefilter("error")

            @decorate
            @tool_result
            def users(city: str) -> Any:
                return ROWS

    with pytest.raises(TypeError, match="put it below the decorator of the framework"):
        tool_result(ToolResult("x"))  # type: ignore[call-overload]


def test_numbers_by_option() -> None:
    tool = tool_result(nan="null", digits=3, format="json")(lambda: [{"x": math.nan, "y": 1.23456}])
    assert tool() == '[{"x":null,"y":1.23}]'
    for options in ({"nan": "zero"}, {"digits": 0}, {"digits": "4"}):
        with pytest.raises(ValueError, match="^(nan|digits) is"):
            tool_result(**options)  # type: ignore[call-overload]


def test_types_that_are_not_there_yet() -> None:
    @tool_result
    def later(value: Undefined) -> Any:  # type: ignore[name-defined]  # noqa: F821
        return value

    assert later(1, format="json") == "1"
    assert inspect.signature(later).parameters["value"].annotation == "Undefined"

"""`tool_result`: what a decorated tool returns, and what frameworks see of it."""

from __future__ import annotations

import asyncio
import inspect
import json
import typing
from dataclasses import dataclass
from typing import Any

import pytest

from wire_formats import Error, gcf, gcx, smallest, tool_result

ROWS = [{"id": n, "city": "Rome"} for n in range(3)]


@tool_result
def users(city: str, *rest: int, limit: int = 3, **more: bool) -> list[dict[str, Any]]:
    """The users of a city."""
    return [{**row, "city": city} for row in ROWS[:limit]]


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


def test_results_that_stay() -> None:
    @tool_result
    def read(value: Any) -> Any:
        return value

    assert read("as it is, [1]") == "as it is, [1]"
    assert read("as it is", format="gcx") == "as it is"
    # GCF can't hold it, JSON does.
    assert read([2**63], format="gcf") == "[9223372036854775808]"
    assert read(None, format="json") == "null"
    for format in ("auto", "json", "gcf", "gcx"):
        assert "18446744073709551616" in read([2**64], format=format)
    with pytest.raises(Error) as caught:
        read([float("nan")], format="gcf")
    assert caught.value.path == "$[0]"
    with pytest.raises(TypeError, match="bytes"):
        read(b"")


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


def test_mistakes() -> None:
    def steps() -> Any:
        yield 1

    def taken(format: str) -> None: ...

    with pytest.raises(TypeError, match="steps is a generator"):
        tool_result(steps)
    with pytest.raises(ValueError, match=r'argument="result_format"'):
        tool_result(taken)
    with pytest.raises(ValueError, match="format is 'yaml'"):
        tool_result(format="yaml")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="pass options by name"):
        tool_result("gcf")  # type: ignore[call-overload]


def test_types_that_are_not_there_yet() -> None:
    @tool_result
    def later(value: Undefined) -> Any:  # type: ignore[name-defined]  # noqa: F821
        return value

    assert later(1, format="json") == "1"
    assert inspect.signature(later).parameters["value"].annotation == "Undefined"

"""Results of tools and laws that the tests of all frameworks share."""

from __future__ import annotations

import ast
import dataclasses
import datetime
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pydantic
import pytest

from wire_formats import count_tokens, gcf

PAGE = Path(__file__).resolve().parents[4] / "docs/frameworks.md"
ROWS = [{"id": n, "name": f"name {n}", "open": n % 2 == 0} for n in range(6)]
TEXT = json.dumps(ROWS)
# The text of the rows for models.
COMPACT = "GCF profile=generic\n## [6]{id,name,open}\n" + "".join(f"{n}|name {n}|{'true' if n % 2 == 0 else 'false'}\n" for n in range(6))


class Order(pydantic.BaseModel):
    id: int
    name: str
    day: datetime.date = datetime.date(2026, 1, 1)


@dataclasses.dataclass
class Frame:
    """Rows of which `str()` shows a part."""

    rows: list[dict[str, Any]]

    def __repr__(self) -> str:
        return f"{len(self.rows)} rows"


def list_orders() -> Any:
    """Rows."""
    return ROWS


def indented() -> Any:
    """Rows in a text."""
    return json.dumps(ROWS, indent=2)


def save() -> Any:
    """A small object."""
    return {"ok": True}


def say() -> Any:
    """A text."""
    return "Saved."


def nothing() -> Any:
    """None."""
    return None


def dates() -> Any:
    """Rows with dates."""
    return [{"day": datetime.date(2026, 1, n + 1), "n": n} for n in range(6)]


def models() -> Any:
    """Models of pydantic."""
    return [Order(id=n, name=f"name {n}") for n in range(6)]


def read_file() -> Any:
    """A text that a model may have to quote."""
    return TEXT


def load(path: str = "orders.json") -> Any:
    """What an argument names as a file."""
    return TEXT


def fails() -> Any:
    """An error."""
    raise ValueError(TEXT)


TOOLS: dict[str, Callable[..., Any]] = {
    tool.__name__: tool for tool in (list_orders, indented, save, say, nothing, dates, models, read_file, load)
}
ARGUMENTS = {"load": {"path": "orders.json"}}
# Tools whose results models read in another form.
CHANGED = {"list_orders", "indented", "dates", "models"}
# What the results are as JSON.
VALUES: dict[str, Any] = {
    "list_orders": ROWS,
    "indented": ROWS,
    "dates": [{"day": f"2026-01-0{n + 1}", "n": n} for n in range(6)],
    "models": [{"id": n, "name": f"name {n}", "day": "2026-01-01"} for n in range(6)],
}


def value_of(text: str) -> Any:
    """The value that a text says: GCF, JSON, or as Python writes it."""
    if text.startswith("GCF "):
        return gcf.loads(text)
    try:
        return json.loads(text)
    except ValueError:
        return ast.literal_eval(text)


def broken(text: str) -> int:
    """A counter that fails."""
    raise RuntimeError("the counter fails")


def check(tool: str, before: str, after: str) -> None:
    """What a model reads of a tool's result without the module and with it: the same value in fewer tokens, or the same text."""
    if tool not in CHANGED:
        assert after == ('{"ok":true}' if tool == "save" else before)
        return
    assert after.startswith("GCF profile=generic\n"), after
    assert value_of(after) == VALUES[tool]
    assert count_tokens(after, "o200k") < count_tokens(before, "o200k")


def check_turns(turns: Sequence[Sequence[Any]]) -> None:
    """What was sent is sent again as it was, so that a cache knows it."""
    assert len(turns) > 1
    for earlier, later in zip(turns, turns[1:]):
        assert later[: len(earlier)] == earlier


def check_page(title: str, before: str, after: str) -> None:
    """The page has the tokens of the rows."""
    line = f"{count_tokens(before, 'o200k')} → {count_tokens(after, 'o200k')}"
    [row] = re.findall(rf"^\| {re.escape(title)} \|.*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert line in row, f"{title}: {line}"


def run_page(title: str, **names: Any) -> dict[str, Any]:
    """Runs the code under a heading of the page with these names, and returns all names that are then there."""
    text = PAGE.read_text(encoding="utf-8")
    [section] = re.findall(rf"^### {re.escape(title)}$\n(.*?)(?=^#|\Z)", text, re.DOTALL | re.MULTILINE)
    blocks = re.findall(r"^```python\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    assert blocks, title
    for block in blocks:
        exec(compile(block, str(PAGE), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
    return names


tools = pytest.mark.parametrize("tool", TOOLS)

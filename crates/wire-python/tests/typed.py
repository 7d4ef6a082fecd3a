"""Uses of the package, for type checkers; run as a test of `test_typed.py`, too."""

# An error that is expected, and is none, is one.
# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING, Any

from typing_extensions import assert_type

import wire_formats
from wire_formats import Payload, Smallest, Table, count_tokens, gcb, gcf, gcx, goon, smallest, tool_result
from wire_formats.gcf import graph, keyed


def main() -> None:
    text: str = gcf.dumps({"a": 1}, default=str, spec="3.6")
    value: Any = gcf.loads(text.encode(), require_final_newline=True)
    assert value == {"a": 1}
    try:
        gcf.loads("")
    except gcf.Error as error:
        code: str = error.code
        line: int | None = error.line
        assert code and line == 1
    file = io.StringIO()
    gcf.dump([1], file)
    rows: str = gcx.dumps([{"id": 1}], "list", typed=True)
    assert gcx.loads(rows) == [{"id": 1}]
    nodes: str = goon.dumps({"query_type": "search", "nodes": [], "edges": []})
    assert goon.loads(nodes)["nodes"] == []
    payload: Payload = Payload.from_dict({"tool": "t", "symbols": [{"qualified_name": "a", "kind": "type"}]})
    data: bytes = gcb.dumps(payload)
    assert gcb.loads(data) == payload
    delta = graph.diff({"tool": "t"}, payload)
    if isinstance(delta, graph.Delta):
        tokens: int | None = delta.tokens
        assert tokens
    rows_set: keyed.KeyedSet = keyed.KeyedSet([{"id": 1}], key="id", default=str)
    sent: keyed.Update = keyed.Session(rows_set, full_every=2).next(rows_set)
    assert keyed.receive(sent.text, rows_set) == rows_set
    message = keyed.loads(rows_set.dumps_unchanged())
    if isinstance(message, keyed.Unchanged):
        count: int | None = message.count
        assert count == 1
    both: Payload = goon.loads_payload(goon.dumps_payload(gcx.loads_payload(gcx.dumps_payload(payload))))
    assert len(both) == 1
    found: Smallest = smallest([1, 2], counter=len)
    assert found.counter == "len"
    counted: int = count_tokens("a b", counter="estimate")
    assert counted == 2
    assert isinstance(wire_formats.__version__, str)
    table: Table = gcf.loads_arrow(gcf.dumps([{"id": 1}]))
    assert table.columns == ["id"]

    @tool_result
    def plain(count: int) -> list[int]:
        return [count]

    @tool_result(format="gcf", index=False)
    async def later(count: int) -> list[int]:
        return [count]

    @tool_result(argument="form")
    def named(format: str) -> list[str]:
        return [format]

    class Store:
        @tool_result
        def read(self, name: str) -> list[str]:
            return [name]

    assert_type(plain(1), str)
    assert_type(plain(1, format="json"), str)
    assert_type(asyncio.run(later(count=1)), str)
    assert_type(asyncio.run(later(1, format="gcx")), str)
    assert_type(named("csv", form="json"), str)
    assert_type(Store().read("a", format="gcf"), str)
    if TYPE_CHECKING:
        plain("1")  # pyright: ignore[reportArgumentType]
        plain()  # pyright: ignore[reportCallIssue]
        plain(1, format="xml")  # pyright: ignore[reportArgumentType]
        later(other=1)  # pyright: ignore[reportCallIssue]


if __name__ == "__main__":
    main()

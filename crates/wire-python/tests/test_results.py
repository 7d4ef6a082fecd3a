"""`compact`, and what the modules of frameworks share."""

from __future__ import annotations

import datetime
import json
import logging
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wire_formats import compact, count_tokens, gcf
from wire_formats._results import Results

ROWS = [{"id": number, "name": f"name {number}", "open": True} for number in range(6)]
GCF = gcf.dumps(ROWS)


@dataclass
class Order:
    id: int
    day: datetime.date


def test_objects_and_texts() -> None:
    assert compact(ROWS, "people") == compact(json.dumps(ROWS, indent=2), "people") == compact(repr(ROWS), "people") == GCF
    orders = [Order(number, datetime.date(2024, 1, number)) for number in range(1, 7)]
    assert compact(orders).startswith("GCF profile=generic\n## [6]{id,day}\n1|2024-01-01\n")
    assert compact({"ok": True}) == '{"ok":true}' and compact([]) == "[]"
    # Every digit of a text stays.
    assert "|1.10\n" not in compact('[{"id": 1, "v": 0.1000000000000000055511151231257827}, {"id": 2, "v": 2.0}]')
    # JSON inside of a text is opened where the tool is known.
    text = f"6 people:\n{json.dumps(ROWS)}"
    assert compact(text, "people") == f"6 people:\n{GCF}" and compact(text) is text


def test_what_stays_is_the_same_object() -> None:
    more = iter(ROWS)
    for value in (None, 3, 2.5, True, b"[]", "Saved.", "", more, Decimal(3), datetime.date(2024, 1, 1), {1: object()}):
        assert compact(value, "people") is value
    assert len(list(more)) == 6
    text = json.dumps(ROWS)
    for value in (ROWS, text):
        assert compact(value, "read_file") is compact(value, "files__get_page_content") is value
        assert compact(value, "load", {"path": "a.json"}) is compact(value, "load", '{"path":"a.json"}') is value
        assert compact(value, "load", {"path": "a.json", "query": "x"}) == GCF
    for value in ({"content": "a\nb"}, {"text": "x" * 300, "of": 1}):
        assert compact(value, "show") is value


def test_iterators_inside_can_be_read_again() -> None:
    for options in ({"verbatim": ["*"]}, {"counter": lambda text: 1 / 0}, {}):
        value = {"rows": (row for row in ROWS)}
        sent = compact(value, "people" if options else "read_file", **options)  # type: ignore[arg-type]
        assert sent is not value and list(sent["rows"]) == ROWS
    assert compact({"rows": (row for row in ROWS)}, "people") == compact({"rows": ROWS}, "people")
    odd = compact({"rows": iter(ROWS), "at": object()}, "people")
    assert list(odd["rows"]) == ROWS


def test_names_count_beyond_the_limits() -> None:
    large = [{"id": number, "name": "x" * 20} for number in range(120_000)]
    deep: Any = 1
    for _ in range(126):
        deep = {"a": deep}
    for value in (large, deep):
        assert compact(value, "read_file") is value and compact(value, "t", {"path": "a.csv"}) is value
        assert json.loads(compact(value, "t")) == value


def test_options() -> None:
    assert compact(ROWS, "people", verbatim=["peo*"]) is ROWS
    assert compact(ROWS, "read_file", not_verbatim=["read_*"]) == GCF
    assert compact(ROWS, "people", counter="words") == compact(ROWS, "people", counter="o200k") == compact(ROWS, "people", counter=len) == GCF
    # JSON is what has the fewest tokens if everything has the same.
    assert compact(ROWS, counter=lambda text: 1) == json.dumps(ROWS, separators=(",", ":"))
    with pytest.raises(ValueError, match="is not a pattern of names"):
        compact(ROWS, verbatim=["[a"])
    for options in ({"verbatim": "fetch_*"}, {"not_verbatim": "read_*"}):
        with pytest.raises(ValueError, match="expected a list of patterns"):
            compact(ROWS, **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="counter is 'gpt-4o'"):
        compact(ROWS, counter="gpt-4o")


def test_what_fails_is_returned_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    def fails(text: str) -> int:
        raise RuntimeError("no counter today")

    with caplog.at_level(logging.WARNING, "wire_formats"):
        assert compact(ROWS, "people", counter=fails) is ROWS
        assert compact(ROWS, "people", counter=lambda text: "many") is ROWS  # type: ignore[arg-type, return-value]
        assert compact({"at": object()}, "people")["at"] is not None
    assert [record.message.split(":")[0] for record in caplog.records] == ["the result of people is as it came"] * 3
    assert "no counter today" in caplog.text


def test_results_of_servers() -> None:
    results = Results()
    blocks = [{"type": "text", "text": json.dumps(row)} for row in ROWS]
    assert results.content(blocks, "people") == [{"type": "text", "text": GCF}]
    assert results.content(blocks, "people", structured={"result": ROWS}) == [{"type": "text", "text": GCF}]
    image = [{"type": "image", "data": "", "mimeType": "image/png"}]
    assert results.content([{"type": "text", "text": json.dumps(ROWS)}, *image], "people") == [{"type": "text", "text": GCF}, *image]
    assert results.content(image, "people") is image
    whole = {"content": [{"type": "text", "text": json.dumps(ROWS)}], "structuredContent": {"result": ROWS}}
    kept = results.result(whole, "people")
    assert kept == {**whole, "content": [{"type": "text", "text": GCF}]}
    assert Results(structured="drop").result(whole, "people") == {"content": [{"type": "text", "text": GCF}]}
    assert Results(structured="auto").result(whole, "people", client="claude-code") == {"content": [{"type": "text", "text": GCF}]}
    failed = {**whole, "isError": True}
    assert results.result(failed, "people") is failed


def test_conversations() -> None:
    class Message:
        def model_dump(self, **options: Any) -> Any:
            return {"role": "assistant", "tool_calls": [call("1", "people"), call("2", "read_file")]}

    def call(id: str, name: str) -> Any:
        return {"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}}

    text = json.dumps(ROWS)
    rows = [{"role": "user", "content": text}, Message(), {"role": "tool", "tool_call_id": "1", "content": text}, {"role": "tool", "tool_call_id": "2", "content": text}]
    sent = Results().rows(rows)
    assert [before is after for before, after in zip(rows, sent)] == [True, True, False, True]
    assert sent[2] == {"role": "tool", "tool_call_id": "1", "content": GCF} and rows[2]["content"] == text  # type: ignore[index]
    assert Results().rows(rows[:1]) == rows[:1]
    unheld = [{"role": "tool", "content": object()}]
    assert Results().rows(unheld) is unheld
    # A row that JSON can't hold changes no text before it.
    for odd in ({"role": "user", "content": float("nan")}, {"role": "user", "content": {1, 2}}, object()):
        assert Results().rows([*rows, odd]) == [*sent, odd]
        # It may be the call of a later one.
        assert Results().rows([odd, rows[2]]) == [odd, rows[2]] and Results().rows([rows[2]]) != [rows[2]]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5) | st.just("result"), inner, max_size=4) | st.lists(st.fixed_dictionaries({"id": st.integers(), "name": inner})),
    max_leaves=20,
)


@given(VALUES, st.sampled_from(["", "people", "read_file", "fetch_rows"]))
def test_a_model_reads_the_same_value(value: Any, name: str) -> None:
    for came in (value, json.dumps(value), json.dumps(value, indent=1, ensure_ascii=False)):
        sent = compact(came, name)
        assert compact(came, name) == sent and compact(sent, name) == sent
        if sent is came:
            continue
        back = gcf.loads(sent) if sent.startswith("GCF profile=generic\n") else json.loads(sent)
        assert back == value
        if isinstance(came, str):
            assert count_tokens(sent) <= count_tokens(came)

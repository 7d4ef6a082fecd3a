"""Laws over generated values, with `json` as the reference."""

from __future__ import annotations

import json
import math
import warnings
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pandas
import pytest
from corpus import same
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wire_formats import Error, Payload, gcb, gcf, gcx, smallest, tool_result
from wire_formats.gcf import graph

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
WORDS = st.text(st.sampled_from("abcXYZ_.09"), min_size=1)
# The formats write 1.0 and 1 alike, and both zeros, where columns have no types.
DOUBLES = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | DOUBLES | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5)
    | st.dictionaries(TEXTS, inner, max_size=5)
    | st.lists(st.fixed_dictionaries({"id": st.integers(0, 99), "v": inner}), max_size=4),
    max_leaves=25,
)


def canonical(value: Any) -> Any:
    """What GCF keeps of a number: its value, and not whether it is a double."""
    if isinstance(value, float) and value == int(value) and abs(value) < 2**63:
        return int(value)
    if isinstance(value, dict):
        return {key: canonical(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [canonical(inner) for inner in value]
    return value


@given(VALUES)
@settings(max_examples=400, deadline=None)
def test_gcf_gives_back_what_json_does(value: Any) -> None:
    reference = json.loads(json.dumps(value))
    for spec in ("3.5", "3.6"):
        text = gcf.dumps(value, spec=spec)
        assert canonical(gcf.loads(text)) == canonical(reference)
        assert gcf.loads(text.encode()) == gcf.loads(text)
        assert gcf.from_json(json.dumps(value), spec=spec) == text
        assert gcf.recover(text).value == gcf.loads(text)
    assert canonical(json.loads(gcf.to_json(text))) == canonical(reference)


@given(VALUES | st.integers())
@settings(max_examples=400, deadline=None)
def test_gcx_gives_back_what_json_does(value: Any) -> None:
    text = gcx.dumps(value)
    assert same(gcx.loads(text), json.loads(json.dumps(value)))
    assert gcx.from_json(json.dumps(value)) == text
    assert same(json.loads(gcx.to_json(text)), json.loads(json.dumps(value)))


@given(VALUES)
@settings(max_examples=100, deadline=None)
def test_the_smallest_text_holds_all(value: Any) -> None:
    found = smallest(value)
    # Of the forms with at most 5 % more tokens than the fewest, by an estimate, the first is taken.
    counts = {name: tokens for name, tokens in found.candidates.items() if isinstance(tokens, int)}
    near = [name for name, tokens in counts.items() if tokens <= (least := min(counts.values())) + 5 * least // 100]
    assert found.format == next(name for name in ("json", "gcf", "gcx") if name in near)
    assert found.tokens == counts[found.format]
    loads: Any = {"json": json.loads, "gcf": gcf.loads, "gcx": gcx.loads}[found.format]
    assert canonical(loads(found.text)) == canonical(value)


@given(st.text() | st.binary())
@settings(max_examples=400, deadline=None)
def test_any_input_is_read_or_an_error(data: Any) -> None:
    for prefix in ("", "GCF profile=generic\n", "GCX1 tool=t fields=a rows=1\n"):
        given_ = prefix + data if isinstance(data, str) else prefix.encode() + data
        for read in (gcf.loads, gcx.loads, gcf.recover, graph.loads, gcf.from_json):
            try:
                read(given_)
            except Error as error:
                assert error.code


NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=4)
COLUMNS: list[Any] = [
    st.integers(-(2**63), 2**63 - 1),
    st.booleans(),
    TEXTS.filter(lambda text: "\0" not in text),
    st.none() | st.integers(-9, 9),
    st.dates() | st.datetimes(timezones=st.none() | st.timezones()),
    st.times(timezones=st.none() | st.just(timezone.utc) | st.just(timezone(timedelta(hours=2)))),
    st.integers(-9, 9) | st.decimals(-9, 9, places=2) | st.decimals(-9, 9, places=1),
    VALUES,
]


@st.composite
def frames(draw: st.DrawFn) -> pandas.DataFrame:
    """Frames of columns of objects, with any kind of index."""
    count = draw(st.integers(0, 4))
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))

    def column(of: Any) -> Any:
        return pandas.Series(draw(st.lists(of, min_size=count, max_size=count)), dtype=object)

    frame = pandas.DataFrame({name: column(draw(st.sampled_from(COLUMNS))) for name in names})
    levels = draw(st.integers(0, 2))
    if levels == 0:
        return frame[::2] if draw(st.booleans()) else frame
    label = st.none() | NAMES.filter(lambda name: name not in names)
    labels = draw(st.lists(label, min_size=levels, max_size=levels, unique=True))
    index = [pandas.Index(column(draw(st.sampled_from(COLUMNS[:-1]))), name=name) for name in labels]
    return frame.set_index(index if levels == 2 else index[0])


@given(frames())
@example(pandas.DataFrame({"a": pandas.Series([0, 0.0], dtype=object), "b": pandas.Series([[0.0, False], []], dtype=object)}))
@example(pandas.DataFrame({"a": pandas.Series([0.0, False], dtype=object), "b": pandas.Series(["x " * 3000, ""], dtype=object)}))
@example(pandas.DataFrame({"a": pandas.Categorical([date(2020, 1, 1), datetime(2020, 1, 1, 5), None])}))
@example(pandas.DataFrame({"a": pandas.Categorical([Decimal("1.10"), Decimal("2")])}))
@settings(max_examples=200, deadline=None)
def test_a_frame_is_what_reset_index_gives(frame: pandas.DataFrame) -> None:
    default = isinstance(frame.index, pandas.RangeIndex) and (frame.index.start, frame.index.step, frame.index.name) == (0, 1, None)
    try:
        whole = frame if default else frame.reset_index()
    except ValueError:  # a label and a column have one name
        with pytest.raises(Error) as raised:
            gcf.dumps(frame)
        assert raised.value.code == "duplicate_key"
        return
    expected = whole.astype(object).where(whole.notna(), None).to_dict("records")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of frames without rows
        # The missing labels of an index are NaN.
        assert same(gcf.loads(gcf.dumps(frame, nan="null")), gcf.loads(gcf.dumps(expected)))
        assert same(gcx.loads(gcx.dumps(frame, nan="null")), gcx.loads(gcx.dumps(expected)))
        found = smallest(frame, nan="null")
        assert found.text == smallest(expected).text or not expected
        assert tool_result(nan="null", verbatim=False)(lambda: frame)() == found.text
        rows = frame.to_dict("records")
        assert same(gcf.loads(gcf.dumps(frame, index=False, nan="null")), gcf.loads(gcf.dumps(rows, nan="null")))


SYMBOLS = st.fixed_dictionaries(
    {
        "qualified_name": WORDS,
        "kind": st.sampled_from(["function", "type", "method"]),
        "score": st.integers(0, 100).map(lambda hundredths: hundredths / 100),
        "distance": st.integers(0, 4),
    }
)
PAYLOADS = st.builds(
    lambda symbols: {"tool": "t", "symbols": symbols},
    st.lists(SYMBOLS, max_size=8, unique_by=lambda symbol: (symbol["kind"], symbol["qualified_name"])),
)


@given(PAYLOADS, PAYLOADS)
@settings(max_examples=200, deadline=None)
def test_payloads(base: dict[str, Any], new: dict[str, Any]) -> None:
    payload = Payload.from_dict(base)
    assert Payload.from_dict(payload.to_dict()) == payload
    assert len(gcb.loads(gcb.dumps(payload))) == len(payload)
    assert graph.dumps(graph.loads(graph.dumps(base))) == graph.dumps(base)
    exchange = graph.Exchange(dialect="v3")
    replica = graph.Replica(exchange.answer(None, base).text)
    replica.receive(exchange.answer(replica.root, new).text)
    assert graph.pack_root(replica.payload, dialect="v3") == graph.pack_root(new, dialect="v3")


@given(st.lists(PAYLOADS, min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_sessions(payloads: list[dict[str, Any]]) -> None:
    session, reader = graph.Session(), graph.SessionReader()
    for payload in payloads:
        sent = session.dumps(payload)
        names = [symbol["qualified_name"] for symbol in reader.loads(sent.text).symbols]
        assert sorted(names) == sorted(symbol["qualified_name"] for symbol in payload["symbols"])
        session.confirm(sent)


def test_canonical() -> None:
    assert canonical([1.0, {"a": -0.0}, 1e300, math.pi]) == [1, {"a": 0}, 1e300, math.pi]

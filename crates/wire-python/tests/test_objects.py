"""Which Python objects are written, and as what (the table of types in docs/python.md)."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import ipaddress
import itertools
import math
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy
import pandas
import pydantic
import pytest
from corpus import same
from hypothesis import given as given_by
from hypothesis import strategies

import wire_formats
from wire_formats import gcb, gcf, gcx, goon
from wire_formats.gcf import graph, keyed


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Word(str, enum.Enum):
    YES = "yes"


@dataclasses.dataclass
class Point:
    x: int
    label: str | None = None


@dataclasses.dataclass(slots=True, frozen=True)
class Line:
    start: Point
    end: Point


class Model(pydantic.BaseModel):
    name: str
    when: datetime.date
    inner: list[Point] = []


class Pair(collections.namedtuple("Pair", "a b")):
    pass


class Text(str):
    pass


class Mapping(dict[str, Any]):
    pass


UTC = datetime.timezone.utc
WRITTEN = [
    (None, None),
    (True, True),
    (0, 0),
    (-(2**63), -(2**63)),
    (2**63 - 1, 2**63 - 1),
    (0.1, 0.1),
    (1e300, 1e300),
    ("", ""),
    ("größe 😀", "größe 😀"),
    ([], []),
    ((1, "a"), [1, "a"]),
    ({}, {}),
    (Pair(1, 2), [1, 2]),
    (Text("x"), "x"),
    (Mapping(a=1), {"a": 1}),
    (collections.OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
    (collections.defaultdict(int, a=1), {"a": 1}),
    (Colour.RED, "red"),
    (Level.HIGH, 3),
    (Word.YES, "yes"),
    (Point(1), {"x": 1, "label": None}),
    (Line(Point(1), Point(2, "b")), {"start": {"x": 1, "label": None}, "end": {"x": 2, "label": "b"}}),
    (Model(name="n", when=datetime.date(2024, 1, 2)), {"name": "n", "when": "2024-01-02", "inner": []}),
    (datetime.date(2024, 1, 2), "2024-01-02"),
    (datetime.datetime(2024, 1, 2, 3, 4, 5), "2024-01-02T03:04:05"),
    (datetime.datetime(2024, 1, 2, 3, 4, 5, 6, UTC), "2024-01-02T03:04:05.000006+00:00"),
    (uuid.UUID(int=5), "00000000-0000-0000-0000-000000000005"),
    (decimal.Decimal("1.10"), "1.10"),
    (decimal.Decimal("123456789012345678901234567890.5"), "123456789012345678901234567890.5"),
    ({1: "a", None: "b", False: "c", Level.HIGH: "d"}, {"1": "a", "null": "b", "false": "c", "3": "d"}),
    ({Word.YES: 1}, {"yes": 1}),
    ({"b", "a"}, ["a", "b"]),
    (frozenset([3, (2, 1), None, "x", True, 0.5]), ["x", 0.5, 3, [2, 1], None, True]),
    (set(), []),
    ({Colour.RED, datetime.date(2024, 1, 2)}, ["2024-01-02", "red"]),
    (collections.deque([1, 2], maxlen=2), [1, 2]),
    (pathlib.PurePosixPath("/a/b"), "/a/b"),
    (pathlib.PureWindowsPath("c:\\b"), "c:\\b"),
    (ipaddress.ip_address("1.2.3.4"), "1.2.3.4"),
    (ipaddress.ip_address("::1"), "::1"),
    (ipaddress.ip_network("10.0.0.0/8"), "10.0.0.0/8"),
    (ipaddress.ip_network("fe80::/10"), "fe80::/10"),
    (ipaddress.ip_interface("1.2.3.4/24"), "1.2.3.4/24"),
    (ipaddress.ip_interface("::1/64"), "::1/64"),
    (datetime.time(1, 2, 3), "01:02:03"),
    (datetime.time(1, 2, 3, 4), "01:02:03.000004"),
    (datetime.time(1, 2, 3, tzinfo=UTC), "01:02:03Z"),
    (datetime.time(1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=5, minutes=30))), "01:02:00+05:30"),
    (datetime.timedelta(0), "PT0S"),
    (datetime.timedelta(400, 3661, 100_000), "P1Y35DT1H1M1.1S"),
    (datetime.timedelta(-1, 1), "-PT23H59M59S"),
    (datetime.timedelta(365), "P1Y"),
    (numpy.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
    (numpy.array(5), 5),
    (numpy.array([None, "x", {1}], dtype=object), [None, "x", [1]]),
    (numpy.ma.masked_array([1, 2], mask=[False, True]), [1, None]),
    (numpy.int64(5), 5),
    (numpy.uint64(2**63 - 1), 2**63 - 1),
    (numpy.bool_(True), True),
    (numpy.float32(0.5), 0.5),
    (numpy.float64(0.1), 0.1),
    (numpy.str_("x"), "x"),
    (numpy.datetime64("2024-01-02"), "2024-01-02"),
    (numpy.datetime64("2024-01-02T03:04:05", "ns"), "2024-01-02T03:04:05"),
    (numpy.datetime64("2024-01-02T03:04:05.000000001", "ns"), "2024-01-02T03:04:05.000000001"),
    (numpy.datetime64("NaT"), None),
    (numpy.timedelta64(36, "h"), "P1DT12H"),
    (numpy.timedelta64(-5, "ns"), "-PT0.000000005S"),
    (numpy.array([["2024-01-02"]], dtype="datetime64[ns]"), [["2024-01-02T00:00:00"]]),
    (numpy.array("2024-01-02", dtype="datetime64[ns]"), "2024-01-02T00:00:00"),
    (pandas.Timedelta(1, "ns"), "PT0.000000001S"),
]


class Everything(pydantic.BaseModel):
    value: Any


@pytest.mark.parametrize("given", [given for given, _ in WRITTEN if isinstance(given, (datetime.time, datetime.timedelta, pathlib.Path))], ids=repr)
def test_times_and_paths_are_as_pydantic_writes_them(given: Any) -> None:
    if not isinstance(given, pandas.Timedelta):  # of which pydantic drops the nanoseconds
        assert gcf.loads(gcf.dumps(given)) == Everything(value=given).model_dump(mode="json")["value"]


@given_by(strategies.timedeltas())
def test_durations_are_as_pydantic_writes_them(given: datetime.timedelta) -> None:
    text = gcf.loads(gcf.dumps(given))
    assert text == Everything(value=given).model_dump(mode="json")["value"]
    assert gcf.loads(gcf.dumps(given), type=datetime.timedelta) == given


@given_by(strategies.times(timezones=strategies.none() | strategies.just(datetime.timezone.utc)))
def test_times_are_as_pydantic_writes_them(given: datetime.time) -> None:
    assert gcf.loads(gcf.dumps(given)) == Everything(value=given).model_dump(mode="json")["value"]
    assert gcf.loads(gcf.dumps(given), type=datetime.time) == given


def test_sets_are_the_same_in_each_process() -> None:
    """The order of a set's texts depends on the seed of their hashes."""
    script = "from wire_formats import gcf; print(gcf.dumps({'a': {str(n) for n in range(40)}}))"
    texts = {
        subprocess.run([sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in "123"
    }
    assert len(texts) == 1


class Tagged(pydantic.BaseModel):
    tags: set[Any]
    inner: list[frozenset[str]] = []


def test_sets_of_models_are_sorted() -> None:
    names = {f"n{number}" for number in range(40)}
    model = Tagged(tags={*names, 2, None}, inner=[frozenset(names)])
    for module in (gcf, gcx):
        assert module.loads(module.dumps({"a": model})) == {"a": {"tags": [*sorted(names), 2, None], "inner": [sorted(names)]}}
        with pytest.raises(module.Error) as raised:
            module.dumps([Tagged(tags={"x", math.inf})])
        assert raised.value.path == "$[0].tags[1]"


def test_what_a_set_can_not_hold() -> None:
    with pytest.raises(gcf.OutOfRangeError) as raised:
        gcf.dumps({"a": {2**70}})
    assert raised.value.path == "$.a"
    assert gcx.loads(gcx.dumps({"a": {2**70, 5}})) == {"a": [2**70, 5]}
    with pytest.raises(ValueError, match=r"^\$\.a: a number is NaN"):
        gcf.dumps({"a": {math.nan}})
    with pytest.raises(TypeError, match=r"^\$\.a\[1\]: an object of the type object"):
        gcf.dumps({"a": [1, {object()}]})
    # What an element gives only once is read once.
    assert gcf.loads(gcf.dumps({(n for n in (1, 2))})) == [[1, 2]]


ITERATORS: list[Any] = [
    lambda: (n for n in (1, 2)),
    lambda: iter([1, 2]),
    lambda: map(int, "12"),
    lambda: filter(None, (0, 1, 2)),
    lambda: itertools.chain([1], [2]),
    lambda: reversed([2, 1]),
]


def test_iterators_are_arrays() -> None:
    for made in ITERATORS:
        for module in (gcf, gcx):
            assert module.loads(module.dumps({"a": made(), "b": [made()]})) == {"a": [1, 2], "b": [[1, 2]]}

    def failing() -> Any:
        yield 1
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        gcf.dumps({"a": failing()})


def test_default_may_have_no_answer() -> None:
    with pytest.raises(TypeError, match=r"^\$\.a: an object of the type complex"):
        gcf.dumps({"a": 1j}, default=lambda value: NotImplemented)


@pytest.mark.parametrize(("given", "expected"), WRITTEN, ids=repr)
def test_what_is_written_as_what(given: Any, expected: Any) -> None:
    for module in (gcf, gcx):
        for wrap in (lambda v: v, lambda v: {"k": v}, lambda v: [[v]], lambda v: [{"k": v}, {"k": 1}]):
            found = module.loads(module.dumps(wrap(given)))
            assert found == wrap(expected)
            assert same(found, wrap(expected))
            if module is gcf:
                assert repr(found) == repr(wrap(expected))  # the order of keys, too


REFUSED = [
    b"bytes",
    bytearray(b"x"),
    object(),
    1j,
    range(3),
    numpy.longdouble(1),
    numpy.timedelta64(2, "Y"),
    Point,
    len,
]


@pytest.mark.parametrize("given", REFUSED, ids=lambda given: type(given).__name__)
def test_other_objects_are_a_type_error_with_the_path(given: Any) -> None:
    for module in (gcf, gcx):
        with pytest.raises(TypeError, match=r"^\$\.a\[1\]\[\"b c\"\]: .*default="):
            module.dumps({"a": [0, {"b c": given}]})
        text = module.dumps({"a": [0, {"b c": given}]}, default=lambda value: type(value).__name__)
        assert module.loads(text) == {"a": [0, {"b c": type(given).__name__}]}


@pytest.mark.parametrize("key", [1.5, (1,), b"k", Point, Colour.RED])
def test_other_keys_are_a_type_error(key: Any) -> None:
    with pytest.raises(TypeError, match=r"^\$\.a: a key is of the type"):
        gcf.dumps({"a": {key: 1}}, default=str)


@pytest.mark.parametrize("value", [{1: 1, "1": 2}, Mapping({None: 1, "null": 2}), {"a": 1, True: 1, "true": 2}])
def test_keys_that_become_one_are_an_error_of_json_too(value: Any) -> None:
    with pytest.raises(wire_formats.Error) as raised:
        wire_formats.smallest({"a": value})
    assert (raised.value.code, raised.value.path) == ("duplicate_key", "$.a")


def test_keys_that_become_one_are_an_error() -> None:
    with pytest.raises(gcf.Error) as raised:
        gcf.dumps({"a": {1: 1, "1": 2}})
    assert (raised.value.code, raised.value.path) == ("duplicate_key", "$.a")


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**30, 10**5000], ids=["2^63", "-2^63-1", "10^30", "10^5000"])
def test_integers_too_large(value: int) -> None:
    with pytest.raises(gcf.OutOfRangeError) as raised:
        gcf.dumps({"rows": [{"id": 1}, {"id": value}]})
    error = raised.value
    assert isinstance(error, OverflowError) and isinstance(error, gcf.Error) and isinstance(error, wire_formats.Error)
    assert isinstance(error, wire_formats.OutOfRangeError) and isinstance(error, ValueError)
    assert (error.code, error.path, error.line) == ("out_of_range", "$.rows[1].id", None)
    with pytest.raises(OverflowError):
        goon.dumps({"query_type": "search", "nodes": [{"type": "T", "id": 1, "properties": {"n": 10**30}}], "edges": []})
    if value < 10**4000:
        assert gcx.loads(gcx.dumps({"rows": [{"id": 1}, {"id": value}]})) == {"rows": [{"id": 1}, {"id": value}]}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, decimal.Decimal("NaN"), decimal.Decimal("Infinity")])
def test_numbers_that_are_not_finite(value: Any) -> None:
    for module, code in ((gcf, "out_of_range"), (gcx, "non_finite_number")):
        with pytest.raises(ValueError) as raised:
            module.dumps({"a": [value]})
        assert isinstance(raised.value, wire_formats.Error)
        assert not isinstance(raised.value, OverflowError)
        assert (raised.value.code, raised.value.path) == (code, "$.a[0]")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, decimal.Decimal("NaN"), numpy.float32("nan"), numpy.array([math.nan])])
def test_numbers_that_are_not_finite_are_null_by_option(value: Any) -> None:
    expected = [None] if isinstance(value, numpy.ndarray) else None
    for module in (gcf, gcx):
        assert module.loads(module.dumps({"a": value, "b": 1}, nan="null")) == {"a": expected, "b": 1}
        with pytest.raises(ValueError, match='nan is "zero", expected "error" or "null"'):
            module.dumps([1], nan="zero")
    assert wire_formats.smallest([value], nan="null").format == "json"
    nodes = [{"type": "T", "id": 1, "properties": {"n": math.nan}}]
    assert "null" in goon.dumps({"query_type": "search", "nodes": nodes, "edges": []}, nan="null")


def test_floats_of_other_sizes_have_their_own_digits() -> None:
    values = {
        "single": numpy.float32(0.1),
        "half": numpy.float16(0.1),
        "array": numpy.array([0.1, 1e10, -0.0], "f4"),
        "grid": numpy.array([[0.1, 2.5]], "f2"),
        "double": numpy.float64(0.1),
    }
    assert gcf.loads(gcf.dumps(values)) == {
        "single": 0.1, "half": 0.1, "array": [0.1, 1e10, 0.0], "grid": [[0.1, 2.5]], "double": 0.1,
    }  # fmt: skip
    numbers = numpy.random.default_rng(7).integers(0, 2**32, 2000, dtype="u4").view("f4")
    numbers = numbers[numpy.isfinite(numbers)]
    assert (numpy.array(gcf.loads(gcf.dumps(numbers)), "f4") == numbers).all()


def test_floats_are_rounded_by_option() -> None:
    value = {"a": 1.0606601717798212, "b": [123456.789, -0.000123456, 0.5, 7], "c": math.pi}
    expected = {"a": 1.061, "b": [123500.0, -0.0001235, 0.5, 7], "c": 3.142}
    for module in (gcf, gcx):
        assert module.loads(module.dumps(value, digits=4)) == expected
        for digits in (0, 18):
            with pytest.raises(ValueError, match="digits is out of range, expected a number from 1 to 17"):
                module.dumps(value, digits=digits)
    assert gcf.dumps(value, digits=17) == gcf.dumps(value)
    assert wire_formats.smallest(value, digits=4).losses == ("4 floats are rounded to 4 digits",)
    assert wire_formats.smallest({"a": 0.25}, digits=1).losses == ("1 float is rounded to 1 digit",)
    assert wire_formats.smallest({"a": 0.25}, digits=4).losses == wire_formats.smallest(value).losses == ()


def test_what_contains_itself_is_said_in_a_sentence() -> None:
    own: list[Any] = [1]
    own.append({"x": own})
    table: dict[str, Any] = {}
    table["a b"] = [table]
    deep: Any = 1
    for _ in range(140):
        deep = [deep, deep]
    for given, path, what in ((own, "$[1].x", "list"), ({"t": table}, '$.t["a b"][0]', "dict"), ([[], own], "$[1][1].x", "list")):
        for module in (gcf, gcx):
            with pytest.raises(module.Error) as raised:
                module.dumps(given)
            assert (raised.value.code, raised.value.path) == ("too_deep", path)
            assert str(raised.value) == f"{path}: the {what} contains itself"
    with pytest.raises(gcf.Error, match="deep"):
        gcf.dumps(deep)


def test_the_error_of_an_object_of_any_depth_takes_linear_time() -> None:
    whole: dict[str, Any] = {}
    inner = whole
    for _ in range(200_000):  # of which the square takes minutes
        inner["a"] = {}
        inner = inner["a"]
    with pytest.raises(gcf.Error) as raised:
        gcf.dumps(whole)
    assert (raised.value.code, raised.value.path) == ("too_deep", f"${'.a' * 127}")
    inner["a"] = whole
    with pytest.raises(gcf.Error) as raised:
        gcf.dumps(whole)
    assert (raised.value.code, raised.value.path) == ("too_deep", f"${'.a' * 200_001}")

def test_files_may_be_paths(tmp_path: Any) -> None:
    for module, value in ((gcf, {"a": "größe"}), (gcx, [{"a": 1}])):
        for path in (tmp_path / "value", str(tmp_path / "text")):
            module.dump(value, path)
            assert module.load(path) == value
            with open(path, newline="", encoding="utf-8") as file:
                assert file.read() == module.dumps(value)
    payload = {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "function"}]}
    wire_formats.gcb.dump(payload, tmp_path / "payload")
    assert len(wire_formats.gcb.load(tmp_path / "payload")) == 1
    gcf.graph.dump(payload, tmp_path / "graph")
    assert len(gcf.graph.load(tmp_path / "graph")) == 1


def test_what_was_found_is_shown() -> None:
    assert repr(gcf.recover("GCF profile=generic\na=1\n")) == "<Recovered: {'a': 1}, no repairs>"
    assert repr(gcf.recover("Sure:\nGCF profile=generic\na=1\n")) == "<Recovered: {'a': 1}, 1 repair: surrounding_text>"
    payload = {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "function"}]}
    assert repr(gcf.graph.recover(gcf.graph.dumps(payload))).startswith("<Recovered: <Payload")
    answer = gcf.graph.Exchange().answer(None, payload)
    assert repr(answer) == f"<Answer: full ({answer.reason}), {answer.tokens} of {answer.full_tokens} tokens, root {answer.root}>"


class Number(int):
    """It says of itself what it likes."""

    def __repr__(self) -> str:
        return "nine"

    __str__ = __repr__

    def __int__(self) -> int:
        return 7

    __index__ = __int__


class Fraction(float):
    def __float__(self) -> float:
        return 1.5

    def __repr__(self) -> str:
        return "a half"


class Items(list[Any]):
    def __iter__(self) -> Any:
        return iter([9, 9])

    def __len__(self) -> int:
        return 1


def test_subclasses_are_what_they_hold() -> None:
    given = {"a": Number(5), Number(6): Fraction(2.5), "c": Items([1, 2, 3])}
    assert gcf.loads(gcf.dumps(given)) == {"a": 5, "6": 2.5, "c": [1, 2, 3]}
    assert gcx.loads(gcx.dumps([Number(2**70)])) == [2**70]
    with pytest.raises(gcf.OutOfRangeError, match=f"an integer is {2**70}, expected"):
        gcf.dumps([Number(2**70)])


def test_keys_of_too_many_digits() -> None:
    for key in (10**5000, Number(10**5000)):
        for module in (gcf, gcx):
            with pytest.raises(module.OutOfRangeError, match="get_int_max_str_digits") as raised:
                module.dumps({"a": {key: 1}})
            assert (raised.value.code, raised.value.path) == ("out_of_range", "$.a")
    assert gcf.loads(gcf.dumps({10**50: 1})) == {str(10**50): 1}


class Odd(datetime.tzinfo):
    def utcoffset(self, _: Any) -> datetime.timedelta:
        return datetime.timedelta(hours=5, minutes=17, seconds=3, microseconds=5)


def test_an_offset_of_microseconds() -> None:
    when = datetime.datetime(2024, 1, 2, tzinfo=Odd())
    assert gcf.loads(gcf.dumps(when)) == when.isoformat() == "2024-01-02T00:00:00+05:17:03.000005"


@pytest.mark.parametrize(
    ("given", "code", "path", "said"),
    [
        ({"tool": "\ud800"}, "invalid_value", "$.tool", "half a surrogate pair"),
        ({"symbols": [{"kind": "k", "qualified_name": "a\udfff"}]}, "invalid_value", "$.symbols[0].qualified_name", "half a surrogate pair"),
        ({"tokens_used": -1}, "out_of_range", "$.tokens_used", "the member is -1, expected an integer from 0 to 18446744073709551615"),
        ({"tokens_used": 2**70}, "out_of_range", "$.tokens_used", f"the member is {2**70}, expected an integer from 0"),
        ({"token_budget": 10**5000}, "out_of_range", "$.token_budget", "the member is very long, expected"),
        ({"symbols": [{"kind": "k", "qualified_name": "a", "distance": 1.5}]}, "invalid_member", "$.symbols[0].distance", "the type float, "),
        ({"symbols": [{"kind": 3, "qualified_name": "a"}]}, "invalid_member", "$.symbols[0].kind", "the type int, expected a string"),
        ({"symbols": [{"kind": "k", "qualified_name": "a", "score": 10**400}]}, "out_of_range", "$.symbols[0].score", "expected a number"),
    ],
)  # fmt: skip
def test_members_of_payloads(given: Any, code: str, path: str, said: str) -> None:
    with pytest.raises(wire_formats.Error) as raised:
        wire_formats.Payload.from_dict(given)
    assert (raised.value.code, raised.value.path) == (code, path)
    assert said in str(raised.value)
    assert isinstance(raised.value, OverflowError) == (code == "out_of_range")


def test_surrogates() -> None:
    for given in ("\ud800", {"\ud800": 1}, ["a", "b\udfff"]):
        with pytest.raises(gcf.Error) as raised:
            gcf.dumps(given)
        assert raised.value.code == "invalid_value"
    with pytest.raises(gcf.Error) as raised:
        gcf.loads("GCF profile=generic\na=\ud800\n")
    assert raised.value.code == "invalid_utf8"


def test_errors_of_reading_have_a_place() -> None:
    text = "GCF profile=generic\n## a [2]{x,y}\n1|2\n1\n"
    for given in (text, text.encode(), bytearray(text.encode()), memoryview(text.encode())):
        with pytest.raises(gcf.Error) as raised:
            gcf.loads(given)
        error = raised.value
        assert (error.code, error.line, error.column, error.offset) == ("row_width_mismatch", 4, 1, 38)
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is gcf.Error
        assert (again.code, again.line, str(again)) == (error.code, error.line, str(error))
    with pytest.raises(gcf.Error) as raised:
        gcf.loads(b"GCF profile=generic\na=\xff\n")
    assert (raised.value.code, raised.value.line) == ("invalid_utf8", 2)
    with pytest.raises(TypeError, match="expected str, bytes"):
        gcf.loads(3)  # type: ignore[arg-type]


# Objects that change, call back, or hold themselves.


def test_every_error_is_of_its_format() -> None:
    with pytest.raises(gcx.OutOfRangeError) as raised:
        gcx.loads(gcx.from_json("[" + "9" * 5000 + "]"))
    assert raised.value.code == "out_of_range" and "5000 digits" in str(raised.value)
    for call in (graph.dumps, graph.pack_root, graph.Session().dumps, lambda given: graph.diff({}, given)):
        with pytest.raises(gcf.Error) as missing:
            call({"symbols": [{}]})
        assert (missing.value.code, missing.value.path) == ("missing_member", "$.symbols[0].kind")
    with pytest.raises(gcb.Error, match="kind"):
        gcb.dumps({"symbols": [{}]})
    with pytest.raises(gcf.Error):
        graph.Delta.from_dict({})
    with pytest.raises(gcx.Error):
        gcx.dumps_sections([{}])


def test_classes_that_are_collected_meanwhile() -> None:
    """The address of a class says which it is only while the class is there."""

    def default(number: Any) -> Any:
        name = f"f{int(number.imag)}"
        return dataclasses.make_dataclass("Made", [(name, int)])(1)

    given = [complex(0, n) for n in range(200)]
    assert gcx.loads(gcx.dumps(given, default=default)) == [{f"f{n}": 1} for n in range(200)]


class Boom(Exception):
    pass


def test_an_exception_in_default_comes_through() -> None:
    def default(_: Any) -> Any:
        raise Boom

    for module in (gcf, gcx):
        with pytest.raises(Boom):
            module.dumps([1, object()], default=default)
    with pytest.raises(ZeroDivisionError):
        gcf.dumps([Property()])


@dataclasses.dataclass
class Property:
    a: int = 1

    def __getattribute__(self, name: str) -> Any:
        if name == "a":
            return 1 // 0
        return super().__getattribute__(name)


def test_recursion_is_an_error() -> None:
    looped: list[Any] = []
    looped.append(looped)
    mapping: dict[str, Any] = {}
    mapping["me"] = [mapping]
    point = Point(1)
    point.x = point  # type: ignore[assignment]
    for given in (looped, mapping, point):
        for module in (gcf, gcx):
            with pytest.raises(wire_formats.Error) as raised:
                module.dumps(given)
            assert raised.value.code == "too_deep"
    with pytest.raises(gcf.Error) as raised:
        gcf.dumps(object(), default=lambda value: value)
    assert raised.value.code == "too_deep"
    with pytest.raises(goon.Error):
        goon.dumps(mapping)


def test_recursion_on_a_small_stack() -> None:
    """Such as threads of servers have; the main thread has 8 MB."""
    size = threading.stack_size(256 * 1024)
    try:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(test_recursion_is_an_error).result()
            pool.submit(test_depth).result()
            pool.submit(lambda: pytest.raises(wire_formats.Error, wire_formats.smallest, nested(400))).result()
            pool.submit(lambda: pytest.raises(TypeError, gcx.dumps, nested(40, Point))).result()
    finally:
        threading.stack_size(size)


def nested(depth: int, around: Any = lambda value: [value], value: Any = object()) -> Any:
    for _ in range(depth):
        value = around(value)
    return value


def test_depth() -> None:
    value: Any = 1
    for _ in range(127):
        value = [value]
    for module in (gcf, gcx):
        assert module.loads(module.dumps(value)) == value
        with pytest.raises(module.Error) as raised:
            module.dumps([value])
        assert raised.value.code == "too_deep"


AROUND: list[Any] = [
    lambda value: {"a": value},
    lambda value: (value,),
    lambda value: Point(value),
    lambda value: collections.OrderedDict(a=value),
    lambda value: frozenset([value]) if isinstance(value, int) else (value,),
]


@pytest.mark.parametrize("around", AROUND)
def test_depth_of_other_containers(around: Any) -> None:
    for module in (gcf, gcx):
        module.loads(module.dumps(nested(127, around, 1)))
        with pytest.raises(module.Error) as raised:
            module.dumps(nested(128, around, 1))
        assert raised.value.code == "too_deep"
    # What is written in place of another object is no level of its own.
    whole = enum.Enum("Whole", {"A": nested(126, around, 1)})
    assert gcx.loads(gcx.dumps([whole.A])) == gcx.loads(gcx.dumps([whole.A.value]))


def test_containers_that_change_meanwhile() -> None:
    def check(value: Any, change: Any, expected: Any) -> None:
        def default(_: Any) -> int:
            change()
            return 0

        for module in (gcf, gcx):
            try:
                text = module.dumps(value(), default=default)
            except RuntimeError as error:
                assert "changed" in str(error)
                continue
            assert module.loads(text) in expected

    held: dict[str, Any] = {}

    def mapping() -> Any:
        held.clear()
        held.update(a=object(), b=2, c=3)
        return held

    check(mapping, lambda: held.update(d=4), [])
    check(mapping, lambda: held.pop("c"), [])
    check(mapping, held.clear, [])
    check(mapping, lambda: (held.pop("a"), held.update(z=9)), [{"a": 0, "b": 2, "c": 3}])
    items: list[Any] = []

    def array() -> Any:
        items[:] = [object(), 1, 2]
        return items

    check(array, items.clear, [[0]])
    check(array, lambda: items.append(7) if len(items) < 9 else None, [[0, 1, 2], [0, 1, 2, 7]])


class Lying(dict[str, Any]):
    """A dict whose items are no pairs."""

    def items(self) -> Any:
        return [1, 2]


class Endless(dict[str, Any]):
    def items(self) -> Any:
        for index in range(10):
            yield str(index), index


def test_subclasses_that_say_what_they_like() -> None:
    with pytest.raises((TypeError, ValueError)):
        gcf.dumps(Lying(a=1))
    assert len(gcf.loads(gcf.dumps(Endless()))) == 10


def test_files(tmp_path: Any) -> None:
    path = tmp_path / "a.gcf"
    with path.open("w") as file:
        gcf.dump({"a": 1}, file)
    with path.open() as file:
        assert gcf.load(file) == {"a": 1}
    with path.open("rb") as file:
        assert gcf.load(file) == {"a": 1}


def test_options_that_do_not_exist() -> None:
    with pytest.raises(ValueError, match='expected "3.5" or "3.6"'):
        gcf.dumps(1, spec="4")
    with pytest.raises(ValueError, match="expected one of v1, v1.4, v3"):
        gcf.graph.dumps({}, dialect="v9")
    with pytest.raises(ValueError, match="expected one of 1.0.0"):
        goon.dumps({}, version="9")


def test_texts_of_another_module() -> None:
    generic, rows, answer = gcf.dumps({"a": 1}), gcx.dumps([{"a": 1}]), goon.dumps({"query_type": "search", "nodes": [], "edges": []})
    payload = {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "function"}]}
    table = keyed.KeyedSet([{"id": 1}], key="id").dumps()
    texts: dict[str, Any] = {
        "gcf": generic, "gcf.graph": graph.dumps(payload), "gcf.keyed": table, "gcx": rows, "goon": answer, "gcb": gcb.dumps(payload)
    }  # fmt: skip
    modules = {"gcf": gcf, "gcf.graph": graph, "gcf.keyed": keyed, "gcx": gcx, "goon": goon, "gcb": gcb}
    for name, module in modules.items():
        for of, text in texts.items():
            if of == name:
                module.loads(text)  # type: ignore[attr-defined]
                continue
            with pytest.raises(wire_formats.Error, match=f"which `wire_formats.{of}.loads` reads"):
                module.loads(text)  # type: ignore[attr-defined]
        with pytest.raises(wire_formats.Error, match="looks like JSON, which `json.loads` reads"):
            module.loads(' {"a": 1}')  # type: ignore[attr-defined]
    for read in (gcf.to_json, gcf.loads_arrow):
        with pytest.raises(gcf.Error, match="`wire_formats.gcx.loads`"):
            read(rows)
    for text in ("hello", ""):
        with pytest.raises(gcf.Error, match="GCF profile=generic.*gcf.graph.loads.*GCF tool="):
            gcf.loads(text)
    with pytest.raises(gcf.Error, match="`recover`"):
        gcf.loads("Here it is:\n" + generic)


def test_functions_that_each_format_has() -> None:
    for name in ("dumps", "loads", "dump", "load"):
        with pytest.raises(AttributeError, match=rf"use wire_formats\.gcf\.{name}, .*wire_formats\.gcb\.{name}$"):
            getattr(wire_formats, name)
    with pytest.raises(AttributeError, match=r"use wire_formats\.gcf\.recover$"):
        getattr(wire_formats, "recover")
    with pytest.raises(AttributeError, match="has no attribute 'nothing'$"):
        getattr(wire_formats, "nothing")


def test_what_counters_return_is_checked() -> None:
    for returned in (None, -1, "3", 1.5, True, math.nan):
        wrong: Any = lambda text, returned=returned: returned  # noqa: E731
        for call in (lambda: wire_formats.count_tokens("a", wrong), lambda: wire_formats.smallest([1], counter=wrong)):
            with pytest.raises(ValueError, match="counter returned .*, expected a number of tokens"):
                call()
    for formats in (5, "gcx", ["goon"], {"gcx"}):
        with pytest.raises(ValueError, match="formats is .*, expected a list of 'json', 'gcf', 'gcx'"):
            wire_formats.smallest([1], formats=formats)  # type: ignore[arg-type]
    found = wire_formats.smallest([1], formats=["gcx"])
    assert list(found.candidates) == ["json", "gcx"]
    with pytest.raises(ValueError, match="verbatim is 'no'"):
        wire_formats.tool_result(verbatim="no")  # type: ignore[call-overload]


def test_counters_that_are_none() -> None:
    for model, vocabulary in (("gpt-4o", "o200k"), ("GPT-5-mini", "o200k"), ("gpt-4-turbo", "cl100k"), ("openai/o3", "o200k")):
        for call in (wire_formats.count_tokens, wire_formats.smallest):
            with pytest.raises(ValueError, match=f"'estimate'.*'o200k'.*'cl100k'.*{model} uses the vocabulary {vocabulary}"):
                call("a", counter=model)
    with pytest.raises(ValueError, match="for another model pass a function"):
        wire_formats.count_tokens("a", counter="llama")
    with pytest.raises(ValueError, match="gpt-4o uses the vocabulary o200k"):
        wire_formats.tool_result(counter="gpt-4o")


def test_keyed_sets_are_equal_in_any_order() -> None:
    rows = [{"id": 1, "n": 5}, {"id": 2, "n": 1}, {"id": 3, "n": 7}]
    base = keyed.KeyedSet(rows, key="id")
    assert keyed.KeyedSet(rows[::-1], key="id") == base
    # A delta appends what it adds.
    next = keyed.KeyedSet([{"id": 9, "n": 5}, *rows[1:]], key="id")
    held = keyed.receive(base.delta_to(next).dumps(), base)
    assert (held == next, held.root == next.root) == (True, True)
    assert keyed.KeyedSet(rows[:2], key="id") != base != keyed.KeyedSet([*rows[:2], {"id": 3, "n": 8}], key="id")


def test_decimals_of_json_are_rounded_only_if_they_may() -> None:
    json = '{"a":[0.1,9007199254740993.0]}'
    query = '{"query_type":"search","nodes":[{"type":"T","id":1,"a":0.10000000000000001}]}'
    assert gcf.to_json(gcf.from_json(json)) == '{"a":[0.1,9.007199254740992e+15]}'
    for module, text, offset in ((gcf, json, 10), (gcx, json, 10), (goon, query, 55)):
        module.from_json(text)
        with pytest.raises(module.Error) as raised:
            module.from_json(text, exact=True)
        assert (raised.value.code, raised.value.offset) == ("inexact_number", offset)


def test_an_exchange_counts_changes_that_roots_do_not_cover() -> None:
    payload = {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "function", "score": 0.5}]}
    exchange = graph.Exchange()
    replica = graph.Replica(exchange.answer(None, payload).text)
    payload["symbols"][0]["score"] = 0.75
    answer = exchange.answer(replica.root, payload)
    assert (answer.outcome, answer.unseen_changes) == ("unchanged", 1)

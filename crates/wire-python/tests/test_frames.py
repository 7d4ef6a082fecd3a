"""DataFrames and Arrow tables as rows."""

from __future__ import annotations

import datetime
import decimal
import json
import sys
import uuid
import warnings
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest

import wire_formats
from wire_formats import Error, gcb, gcf, gcx, goon, smallest, tool_result
from wire_formats.gcf import keyed

ROWS = [
    {"id": 1, "name": "Ann", "score": 1.5, "ok": True, "day": "2024-01-02"},
    {"id": 2, "name": None, "score": -0.25, "ok": False, "day": "2024-12-31"},
]
COLUMNS = {
    "id": [1, 2],
    "name": ["Ann", None],
    "score": [1.5, -0.25],
    "ok": [True, False],
    "day": [datetime.date(2024, 1, 2), datetime.date(2024, 12, 31)],
}
FRAMES: dict[str, Any] = {
    "pandas": pandas.DataFrame(COLUMNS),
    "polars": polars.DataFrame(COLUMNS),
    "pyarrow": pyarrow.table(COLUMNS),
    "batch": pyarrow.record_batch(COLUMNS),
    "reader": None,
    "duckdb": None,
}


@pytest.mark.parametrize("name", FRAMES)
def test_frames_are_rows(name: str) -> None:
    def frame() -> Any:
        if name == "reader":  # read once
            return pyarrow.table(COLUMNS).to_reader()
        if name == "duckdb":
            columns = FRAMES["pyarrow"]  # which the query finds by its name
            return duckdb.sql("from columns")
        return FRAMES[name]

    for module in (gcf, gcx):
        assert module.loads(module.dumps(frame())) == ROWS
        assert module.loads(module.dumps({"users": frame(), "n": 2})) == {"users": ROWS, "n": 2}
    assert gcf.dumps(frame()) == gcf.dumps(ROWS)


TABLES: dict[str, Any] = {
    "pandas": pandas.DataFrame.from_arrow,
    "polars": polars.DataFrame,
    "pyarrow": pyarrow.table,
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("module", (gcf, gcx))
def test_frames_come_back(name: str, module: Any) -> None:
    frame = FRAMES[name]
    columns = [column for column in frame.columns] if name != "pyarrow" else frame.column_names
    frame = frame.select(columns[:-1]) if name != "pandas" else frame[columns[:-1]]
    back = TABLES[name](module.loads_arrow(module.dumps(frame)))
    assert type(back) is type(frame)
    table = pyarrow.table(back).select(columns[:-1])
    assert table.cast(pyarrow.table(frame).schema).to_pydict() == pyarrow.table(frame).to_pydict()
    # The text decides the types.
    table = pyarrow.table(module.loads_arrow(module.dumps(frame))).select(columns[:-1])
    assert [str(type) for type in table.schema.types] == ["int64", "string", "double", "bool"]


def test_duckdb_both_ways() -> None:
    rows = gcf.loads_arrow(gcf.dumps([{"id": 1, "name": "Ann"}, {"id": 2, "name": None}]))
    assert duckdb.sql("select name, id + 1 as next from rows order by id").fetchall() == [("Ann", 2), (None, 3)]
    found = duckdb.sql("from rows where id = 2")
    assert gcf.loads(gcf.dumps(found)) == [{"id": 2, "name": None}]
    # DuckDB reads objects of pandas in threads of its own, which need the GIL.
    frame = pandas.DataFrame({"a": range(300_000), "b": [f"text {n}" for n in range(300_000)]})
    frame["b"] = frame["b"].astype(object)
    assert len(gcf.loads(gcf.dumps(duckdb.sql("select * from frame where a % 3 = 0")))) == 100_000


def as_records(frame: Any) -> Any:
    """What pandas itself makes of a frame, with its labels."""
    return frame.reset_index().to_dict("records")


SALES = pandas.DataFrame({"city": ["Rome", "Oslo", "Rome"], "n": [1, 2, 3], "m": [0.5, 1.5, 2.5]})
LABELLED: dict[str, Any] = {
    "value_counts": SALES["city"].value_counts(),
    "groupby of a column": SALES.groupby("city")["n"].sum(),
    "groupby": SALES.groupby("city")[["n", "m"]].sum(),
    "groupby of two": SALES.groupby(["city", "n"])["m"].sum(),
    "describe": SALES.describe(),
    "describe of a column": SALES["n"].describe(),
    "selected": SALES[SALES["n"] > 1],
    "sorted": SALES.sort_values("n", ascending=False),
    "each second": SALES[::2],
    "named range": SALES.rename_axis("at"),
    "of text": SALES.set_index("city"),
    "two levels": SALES.set_index(["city", pandas.Index([7, 8, 9])]),
    "a column named index": SALES.rename(columns={"n": "index"}).tail(1),
    "categories": SALES.groupby(pandas.Categorical(SALES["city"]), observed=True)["n"].sum(),
    "of columns that are categories": pandas.crosstab(SALES["n"], pandas.Categorical(SALES["city"])),
    "labels of two types": pandas.crosstab(SALES["n"], SALES["city"], margins=True),
}


@pytest.mark.parametrize("name", LABELLED)
def test_labels_are_data(name: str) -> None:
    frame = LABELLED[name]
    if name == "of columns that are categories":  # to which pandas can add none
        frame = frame.set_axis(frame.columns.astype(str), axis=1)
    expected = as_records(frame)
    frame = LABELLED[name]
    for module in (gcf, gcx):
        assert module.loads(module.dumps(frame)) == expected
        assert module.loads(module.dumps({"in": [frame]})) == {"in": [expected]}
    assert decoded(smallest(frame).text) == expected
    assert decoded(tool_result(lambda: frame)()) == expected
    # The index is first.
    assert list(gcf.loads(gcf.dumps(frame))[0]) == list(expected[0])


def decoded(text: str) -> Any:
    if text.startswith("GCF "):
        return gcf.loads(text)
    return gcx.loads(text) if text.startswith("GCX1 ") else json.loads(text)


@pytest.mark.parametrize("name", LABELLED)
def test_labels_are_left_out_by_option(name: str) -> None:
    frame = LABELLED[name]
    expected = frame.tolist() if isinstance(frame, pandas.Series) else frame.to_dict("records")
    for module in (gcf, gcx):
        assert module.loads(module.dumps(frame, index=False)) == expected
    assert decoded(smallest(frame, index=False).text) == expected
    assert decoded(tool_result(index=False)(lambda: frame)()) == expected


def test_labels_in_other_verbs() -> None:
    rows = SALES.groupby("n")["city"].first()
    assert keyed.KeyedSet(rows, key="n").fields == ["n", "city"]
    assert keyed.KeyedSet(SALES.tail(2), key="n", index=False).fields == ["city", "n", "m"]
    assert keyed.KeyedSet(rows.head(0), key="n").fields == ["n", "city"]
    assert keyed.KeyedSet(rows.head(0), key="n", fields=["n"]).fields == ["n"]
    of = keyed.KeyedSet(rows, key="n")
    assert keyed.Delta(of, of.root, of.root, added=rows).added == as_records(rows)
    assert keyed.Delta(of, of.root, of.root, added=SALES[["city", "n"]].tail(1), index=False).added == [{"city": "Rome", "n": 3}]
    assert gcf.loads(gcf.dumps_in_groups(rows, key="n", group="city")) == gcf.loads(gcf.dumps_in_groups(as_records(rows), key="n", group="city"))
    response: dict[str, Any] = {"query_type": "aggregation", "columns": [{"name": "n", "function": "sum"}], "rows": SALES.groupby("city")["n"].sum()}
    response["group_columns"] = [{"name": "city", "kind": "property"}]
    assert goon.loads(goon.dumps(response))["rows"] == [{"city": "Oslo", "n": 2}, {"city": "Rome", "n": 4}]
    symbols = pandas.DataFrame({"qualified_name": ["a"], "kind": ["function"]})
    payload = {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "function"}]}
    assert gcb.dumps({"tool": "t", "symbols": symbols}) == gcb.dumps(payload)
    assert gcb.dumps({"tool": "t", "symbols": symbols.set_index("qualified_name")}) == gcb.dumps(payload)
    with pytest.raises(gcb.Error) as raised:
        gcb.dumps({"tool": "t", "symbols": symbols.rename_axis("kind")})
    assert raised.value.path == "$.symbols"


def test_columns_of_several_levels() -> None:
    grouped = SALES.groupby("city").agg({"n": ["sum", "max"]})
    expected = [{"city": "Oslo", "n.sum": 2, "n.max": 2}, {"city": "Rome", "n.sum": 4, "n.max": 3}]
    assert gcf.loads(gcf.dumps(grouped)) == expected == gcf.loads(gcf.dumps(grouped.reset_index()))
    three = pandas.DataFrame([[1]], columns=pandas.MultiIndex.from_tuples([("a", "", 2)]), index=["x"])
    assert gcf.loads(gcf.dumps(three)) == [{"index": "x", "a.2": 1}]
    joined = pandas.DataFrame([[1, 2]], columns=pandas.MultiIndex.from_tuples([("a.b", ""), ("a", "b")]))
    with pytest.raises(gcf.Error, match="two columns are named 'a.b'"):
        gcf.dumps(joined)


def test_a_series() -> None:
    values = pandas.Series([1.5, None], index=["a", "b"])
    assert gcf.loads(gcf.dumps(values, nan="null")) == [{"index": "a", "value": 1.5}, {"index": "b", "value": None}]
    assert gcf.loads(gcf.dumps(values.rename("share").rename_axis("city"), nan="null"))[0] == {"city": "a", "share": 1.5}
    # The labels of a default index are the places of the items.
    assert gcf.loads(gcf.dumps(pandas.Series([1, None], dtype="Int64"))) == [1, None]
    assert gcf.loads(gcf.dumps({"ids": pandas.Index([1, 2]), "one": pandas.array([1, None], dtype="Int64")})) == {"ids": [1, 2], "one": [1, None]}
    assert gcf.loads(gcf.dumps(pandas.MultiIndex.from_tuples([("a", 1)]))) == [["a", 1]]


@pytest.mark.parametrize("module", (gcf, gcx, wire_formats))
def test_names_that_are_there_twice(module: Any) -> None:
    dumps = smallest if module is wire_formats else module.dumps
    both = pandas.DataFrame({"a": [5]}, index=pandas.Index([7], name="a"))
    levels = pandas.DataFrame({"a": [5]}, index=pandas.MultiIndex.from_tuples([(1, 2)], names=["x", "x"]))
    for frame, said in (
        (both, "the index and a column are named 'a'.*index=False"),
        (both["a"], "the index and a column are named 'a'.*index=False"),
        (levels, "two levels of the index are named 'x'.*index=False"),
        (pandas.DataFrame([[1, 2]], columns=["a", "a"]), "two columns are named 'a'"),
        (pandas.DataFrame([[1, 2]], columns=[1, "1"]), "two columns are named '1'"),
        (pandas.DataFrame({"index": [1], "level_0": [2]}, index=[3]), "named 'level_0'"),
    ):
        with pytest.raises(module.Error, match=said) as raised:
            dumps({"t": frame})
        assert (raised.value.code, raised.value.path) == ("duplicate_key", "$.t")
    assert gcf.loads(gcf.dumps(both, index=False)) == [{"a": 5}]


def test_frames_without_rows_keep_their_columns() -> None:
    for frame in (SALES[SALES["n"] > 9], polars.DataFrame({"city": [], "n": [], "m": []}), pyarrow.table({"city": [], "n": [], "m": []})):
        assert gcf.dumps(frame) == "GCF profile=generic\n## [0]{city,n,m}\n"
        header = "GCX1 tool=value fields=city,n,m rows=0 typed=objects:string,string,string\n"
        assert gcx.dumps(frame) == header
        assert gcx.dumps(frame, "list") == "GCX1 tool=list fields=city,n,m rows=0\n"
        assert gcf.loads(gcf.dumps(frame)) == gcx.loads(gcx.dumps(frame)) == []
        found = smallest(frame)
        assert (found.format, found.text) == ("gcf", gcf.dumps(frame)) and isinstance(found.candidates["json"], Error)
        tool = tool_result(lambda: frame)
        assert (tool(), tool(format="gcx")) == (gcf.dumps(frame), header)
    grouped = SALES[SALES["n"] > 9].groupby("city")["n"].sum()
    assert gcf.dumps(grouped) == "GCF profile=generic\n## [0]{city,n}\n"


def test_columns_that_no_text_has_room_for() -> None:
    empty = SALES[SALES["n"] > 9]
    odd = pandas.DataFrame({"a>,b": []})
    calls: list[tuple[Any, str]] = [
        (lambda: gcf.dumps({"t": empty}), "GCF profile=generic\n## t [0]\n"),
        (lambda: gcx.dumps(empty, "search_symbols"), gcx.dumps([], "search_symbols")),
        (lambda: tool_result(lambda: empty)(format="json"), "[]"),
        (lambda: smallest([empty]).text, "[[]]"),
        (lambda: gcf.dumps(odd), gcf.dumps([])),
        (lambda: gcx.dumps(odd), gcx.dumps([])),
        (lambda: smallest(odd).text, "[]"),
        (lambda: tool_result(lambda: odd)(format="gcf"), "[]"),
    ]
    for call, expected in calls:
        with pytest.warns(UserWarning, match="a frame has no rows, and the text does not hold the names of its columns: "):
            assert call() == expected
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gcf.dumps(pandas.DataFrame()) == gcf.dumps([])
        with pytest.raises(UserWarning):
            gcf.dumps([empty])


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for frame in (SALES, SALES["n"]):
        with pytest.raises(ImportError, match="pip install pyarrow"):
            gcf.dumps({"t": frame})
    assert gcf.loads(gcf.dumps(polars.DataFrame({"a": [1]}))) == [{"a": 1}]


def test_tables_of_others_are_their_columns() -> None:
    """PyArrow has the index of pandas as a column, and metadata that says so."""
    table = pyarrow.Table.from_pandas(SALES[["n"]].set_axis(["x", "y", "z"]))
    assert gcf.loads(gcf.dumps(table)) == table.to_pylist()
    assert gcf.loads(gcf.dumps(pyarrow.table({"__index_level_0__": [1]}))) == [{"__index_level_0__": 1}]


def test_columns_of_objects() -> None:
    key = uuid.UUID(int=5)
    column = [1, "x", None, {"a": 1}, {"b": 2}, key, {3, 1}, 2**60, 0.5]
    for expected in (column[:3], [0.5, 2**60 + 1], [2**70], [{"a": 1}, {"b": 2}], [key], [[{"a": 1}, {"b": 2}]], [{3, 1}], column):
        written = gcx.loads(gcx.dumps(expected))
        frame = pandas.DataFrame({"when": pandas.date_range("2024-01-02", periods=len(expected)), "c": pandas.Series(expected, dtype=object)})
        for index in (True, False):
            found = gcx.loads(gcx.dumps(frame, index=index))
            assert [row["c"] for row in found] == written
            assert found[0]["when"] == "2024-01-02T00:00:00"
        assert gcx.loads(gcx.dumps(frame["c"])) == written
    sparse = pandas.DataFrame({"a": pandas.arrays.SparseArray([0, 1])})
    assert gcf.loads(gcf.dumps(sparse)) == [{"a": 0}, {"a": 1}]
    with pytest.raises(gcf.OutOfRangeError) as raised:
        gcf.dumps(pandas.DataFrame({"a": pandas.Series([2**70], dtype=object)}))
    assert raised.value.path == "$[0].a"


def test_columns_are_arrays() -> None:
    for column in (
        polars.Series([1, None]),
        pandas.Series([1, None], dtype="Int64"),
        pyarrow.chunked_array([[1], [None]]),
    ):
        for module in (gcf, gcx):
            assert module.loads(module.dumps({"ids": column})) == {"ids": [1, None]}
    days = pandas.Series([datetime.datetime(2024, 1, 2), None])
    assert gcf.loads(gcf.dumps(days)) == ["2024-01-02T00:00:00", None]
    records = polars.Series([{"a": 1}, None])
    assert gcf.loads(gcf.dumps(records)) == [{"a": 1}, None]
    with pytest.raises(gcf.Error) as caught:
        gcf.dumps({"x": polars.Series([1.0, float("inf")])})
    assert caught.value.path == "$.x[1]"
    assert gcf.loads(gcf.dumps(polars.Series([datetime.timedelta(1), None]))) == ["P1D", None]


def test_missing_values_are_null() -> None:
    assert gcf.loads(gcf.dumps([pandas.NaT, pandas.Timestamp(2024, 1, 2)])) == [None, "2024-01-02T00:00:00"]
    numbers = pandas.Series([1, None], dtype="Int64")
    for default in (None, str):
        assert gcf.loads(gcf.dumps(numbers.tolist(), default=default)) == gcf.loads(gcf.dumps(numbers)) == [1, None]


NOTHING: list[Any] = [None, {"x": None}, [None], [], [{"x": [None]}]]


@pytest.mark.parametrize("value", NOTHING, ids=repr)
def test_columns_of_nothing_but_null(value: Any) -> None:
    rows = [{"id": 1, "a": value}, {"id": 2, "a": None}]
    for frame in (polars.DataFrame(rows), pyarrow.Table.from_pylist(rows), pandas.DataFrame(rows)):
        assert gcf.loads(gcf.dumps({"rows": frame})) == {"rows": rows}
    assert gcf.loads(gcf.dumps(polars.Series([value, None]))) == [value, None]
    assert gcf.loads(gcf.dumps(polars.DataFrame({"a": []}))) == []
    pairs = polars.Series([[None, None]], dtype=polars.Array(polars.Null, 2))
    assert gcf.loads(gcf.dumps(pairs)) == [[None, None]]


def test_frames_that_break_their_promises() -> None:
    """Arrow's other implementations trust each other here; a wrong frame is an error, and crashes nothing."""
    text = pyarrow.Array.from_buffers(
        pyarrow.string(), 1, [None, pyarrow.py_buffer(bytes([0, 0, 0, 0, 1, 0, 0, 0])), pyarrow.py_buffer(b"\xff")]
    )
    wrong = [text]
    for key in (7, -1):
        keys = pyarrow.array([0, key], pyarrow.int8())
        wrong.append(pyarrow.DictionaryArray.from_arrays(keys, pyarrow.array(["x"]), safe=False))
    for column in wrong:
        for given in (pyarrow.table({"a": column}), pyarrow.chunked_array([column])):
            with pytest.raises(gcf.Error, match="a frame can't be read") as caught:
                gcf.dumps({"t": given})
            assert (caught.value.code, caught.value.path) == ("invalid_value", "$.t")

    def batches() -> Any:
        yield pyarrow.record_batch({"a": [1]})
        raise ZeroDivisionError("in the middle")

    reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("a", pyarrow.int64())]), batches())
    with pytest.raises(gcx.Error, match="in the middle"):
        gcx.dumps(reader)


def test_numbers_that_mean_something_else_are_refused() -> None:
    """A month is stored as a number of months, and a tensor as a list without its shape."""
    months = pyarrow.Table.from_pandas(pandas.DataFrame({"a": pandas.period_range("2024-01", periods=2, freq="M")}))
    with pytest.raises(TypeError, match=r"^\$\.t: .*pandas\.period.*cast it before"):
        gcf.dumps({"t": months})
    ages = pyarrow.Table.from_pandas(pandas.DataFrame({"a": pandas.arrays.IntervalArray.from_breaks([0, 18])}))
    with pytest.raises(TypeError, match=r"^\$: .*pandas\.interval.*cast it before"):
        gcf.dumps(ages)
    tensors = pyarrow.FixedShapeTensorArray.from_numpy_ndarray(numpy.zeros((2, 3, 4)))
    with pytest.raises(TypeError, match=r"^\$: .*fixed_shape_tensor"):
        gcx.dumps(pyarrow.table({"a": tensors}))
    flags = pyarrow.array([1, 0], pyarrow.bool8())
    nested = pyarrow.StructArray.from_arrays([flags], names=["f"])
    for column in (flags, nested, pyarrow.ListArray.from_arrays([0, 1], flags)):
        with pytest.raises(TypeError, match=r"^\$: .*arrow\.bool8"):
            gcx.dumps(pyarrow.table({"a": column}))


def test_periods_and_intervals_are_as_pandas_prints_them() -> None:
    months = pandas.period_range("2024-01", periods=2, freq="M")
    assert gcf.loads(gcf.dumps(pandas.DataFrame({"a": months}))) == [{"a": "2024-01"}, {"a": "2024-02"}]
    assert gcf.loads(gcf.dumps({"one": months[0], "all": list(months), "index": months})) == {
        "one": "2024-01",
        "all": ["2024-01", "2024-02"],
        "index": ["2024-01", "2024-02"],
    }
    missing = pandas.DataFrame({"a": pandas.Series([months[0], None], dtype="period[M]")})
    assert gcf.loads(gcf.dumps(missing)) == [{"a": "2024-01"}, {"a": None}]
    for closed, texts in (("left", ["[0, 18)", "[18, 65)"]), ("right", ["(0, 18]", "(18, 65]"]), ("both", ["[0, 18]", "[18, 65]"])):
        ages = pandas.arrays.IntervalArray.from_breaks([0, 18, 65], closed=closed)
        for column in (ages, pandas.Series(ages), pandas.Categorical(ages), pandas.IntervalIndex(ages)):
            assert gcf.loads(gcf.dumps(pandas.DataFrame({"a": column}))) == [{"a": text} for text in texts]
        assert gcf.loads(gcf.dumps(pandas.Series(ages))) == texts
        assert gcf.loads(gcf.dumps(pandas.DataFrame({"n": [1, 2]}, index=pandas.Index(ages, name="age")))) == [
            {"age": text, "n": number} for text, number in zip(texts, [1, 2])
        ]
        assert gcf.loads(gcf.dumps([ages[0]])) == texts[:1]
    counts = pandas.cut(pandas.Series([1, 20, 30]), [0, 18, 65]).value_counts()
    assert gcf.loads(gcf.dumps(counts)) == [{"index": "(18, 65]", "count": 2}, {"index": "(0, 18]", "count": 1}]


def test_uuids_of_arrow_are_texts() -> None:
    one = uuid.UUID(int=1)
    column = pyarrow.array([one.bytes, None], pyarrow.uuid())
    found = [{"id": str(one)}, {"id": None}]
    assert gcf.loads(gcf.dumps(pyarrow.table({"id": column}))) == found
    nested = pyarrow.StructArray.from_arrays([column], names=["id"])
    assert gcf.loads(gcf.dumps(pyarrow.table({"a": nested}))) == [{"a": row} for row in found]
    lists = pyarrow.ListArray.from_arrays([0, 1, 2], column)
    assert gcf.loads(gcf.dumps(pyarrow.table({"a": lists}))) == [{"a": [str(one)]}, {"a": [None]}]
    large = pyarrow.LargeListArray.from_arrays([0, 2], column)
    assert gcf.loads(gcf.dumps(pyarrow.table({"a": large}))) == [{"a": [str(one), None]}]
    assert gcf.loads(gcf.dumps(pyarrow.chunked_array([column]))) == [str(one), None]


def test_nan_of_pandas_is_that_of_others() -> None:
    nan = float("nan")
    for column in ([1.5, nan], numpy.array([1.5, nan], "f4"), pandas.Series([1.5, nan])):
        frame = pandas.DataFrame({"id": [1, 2], "x": column})
        for given in (frame, frame.set_index("id")):
            with pytest.raises(gcf.Error, match='NaN.*nan="null"') as raised:
                gcf.dumps(given)
            assert raised.value.path == "$[1].x"
            assert gcf.loads(gcf.dumps(given, nan="null")) == [{"id": 1, "x": 1.5}, {"id": 2, "x": None}]
        assert gcf.loads(gcf.dumps(frame["x"], nan="null")) == [1.5, None]
    # Where a type has missing values, or NaN stands for a missing text, it is null.
    for column in (pandas.array([1.5, None], "Float64"), ["a", nan], ["a", None], pandas.array([1, None], "Int64")):
        assert gcf.loads(gcf.dumps(pandas.DataFrame({"x": column})))[1] == {"x": None}
    assert gcf.loads(gcf.dumps(polars.DataFrame({"x": [1.5, nan]}), nan="null")) == [{"x": 1.5}, {"x": None}]


def test_the_offset_of_a_frame_stays() -> None:
    days = pandas.DataFrame({"day": pandas.to_datetime(["2026-01-01", "2026-07-01"]).tz_localize("Europe/Berlin")})
    expected = [{"day": "2026-01-01T00:00:00+01:00"}, {"day": "2026-07-01T00:00:00+02:00"}]
    assert gcf.loads(gcf.dumps(days)) == expected
    assert gcf.loads(gcf.dumps(days.to_dict("records"))) == expected
    assert gcf.loads(gcf.dumps(polars.from_pandas(days))) == expected


def test_frames_of_pandas() -> None:
    nullable = pandas.DataFrame({"n": pandas.array([1, None], dtype="Int64"), "c": pandas.Categorical(["x", None])})
    assert gcf.loads(gcf.dumps(nullable)) == [{"n": 1, "c": "x"}, {"n": None, "c": None}]
    levels = pandas.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=["x", "y"])
    assert gcf.loads(gcf.dumps(pandas.DataFrame({"v": [1, 2]}, index=levels))) == [{"x": "a", "y": 1, "v": 1}, {"x": "b", "y": 2, "v": 2}]
    assert gcf.loads(gcf.dumps(pandas.DataFrame())) == []
    assert gcf.loads(gcf.dumps(pandas.DataFrame([[1, 2]]))) == [{"0": 1, "1": 2}]


def test_streams_are_read_once() -> None:
    rows = [{"a": n} for n in range(99)]
    assert gcf.loads(smallest(pyarrow.Table.from_pylist(rows).to_reader()).text) == rows
    assert gcf.loads(smallest({"rows": (row for row in rows)}, default=list).text) == {"rows": rows}
    with pytest.raises(Error) as caught:
        smallest(pyarrow.table([[1], [2]], names=["a", "a"]))
    assert (caught.value.code, caught.value.path) == ("duplicate_key", "$[0]")


def test_dates_come_back_by_a_cast() -> None:
    table = pyarrow.table(gcf.loads_arrow(gcf.dumps(FRAMES["pyarrow"])))
    assert table.cast(FRAMES["pyarrow"].schema).equals(FRAMES["pyarrow"])
    frame = polars.DataFrame(gcf.loads_arrow(gcf.dumps(FRAMES["polars"]))).with_columns(polars.col("day").str.to_date())
    assert frame.equals(FRAMES["polars"])


def test_rows_that_nest_come_back() -> None:
    rows = [
        {"id": 1, "tags": ["a", "b"], "owner": {"name": "Ann", "ages": [1, None]}},
        {"id": None, "tags": [], "owner": {"name": "Bo", "ages": None}},
        {"id": 3, "tags": None, "owner": None},
    ]
    for module in (gcf, gcx):
        table = module.loads_arrow(module.dumps(rows))
        assert pyarrow.table(table).to_pylist() == rows
        assert polars.DataFrame(table).to_dicts() == rows
        assert module.loads(module.dumps(table)) == rows
        assert (len(table), bool(table), sorted(table.columns)) == (3, True, ["id", "owner", "tags"])
        assert pyarrow.schema(table).names == table.columns


def test_what_has_no_rows() -> None:
    for value in ([], [{}, {}]):
        for module in (gcf, gcx):
            table = module.loads_arrow(module.dumps(value))
            assert pyarrow.table(table).num_rows == len(value)
            assert bool(table) == bool(value)
    assert repr(gcf.loads_arrow(gcf.dumps([]))) == "<Table: 0 rows>"


def test_numbers_stay_the_same() -> None:
    def types(*values: Any) -> list[Any]:
        table = pyarrow.table(gcx.loads_arrow(gcx.dumps([{"a": value} for value in values])))
        assert table["a"].to_pylist() == list(values)
        return [str(type) for type in table.schema.types]

    assert types(1, None, -(2**63)) == ["int64"]
    assert types(1, 2**64 - 1) == ["uint64"]
    assert types(1, 0.5, 2**53, 2**62) == ["double"]
    assert types(True, None) == ["bool"]
    assert types(None, None) == ["null"]


@pytest.mark.parametrize(
    ("value", "code", "path", "said"),
    [
        ({"a": 1}, "invalid_value", "$", "expected an array of objects"),
        (7, "invalid_value", "$", "expected an array of objects"),
        ([{"a": 1}, 2], "invalid_value", "$[1]", "expected an object"),
        ([{"a": 1}, {"a": "x"}], "invalid_value", "$[1].a", "the value is a string, expected a number"),
        ([{"a": {"b c": [1, True]}}], "invalid_value", '$[0].a["b c"][1]', "a truth value"),
        ([{"a": 2**53 + 1}, {"a": 0.5}], "invalid_value", "$[0].a", "9007199254740993"),
        ([{"a": -1}, {"a": 2**63}], "out_of_range", "$[0].a", "expected an integer from 0"),
        ([{"b": 1, "a": 2**64}], "out_of_range", "$[0].a", "64 bits"),
    ],
)
def test_what_is_no_table(value: Any, code: str, path: str, said: str) -> None:
    with pytest.raises(gcx.Error) as caught:
        gcx.loads_arrow(gcx.dumps(value))
    assert (caught.value.code, caught.value.path) == (code, path)
    assert said in str(caught.value)
    assert isinstance(caught.value, OverflowError) == (code == "out_of_range")


def test_a_frame_is_no_type_of_loads() -> None:
    with pytest.raises(TypeError, match="loads_arrow"):
        gcf.loads(gcf.dumps([{"a": 1}]), type=polars.DataFrame)
    with pytest.raises(gcf.Error) as caught:
        gcf.loads_arrow("GCF profile=generic\n## [2]{id}\n1\n")
    assert caught.value.line is not None


def test_types_of_columns() -> None:
    utc = datetime.timezone.utc
    instant = datetime.datetime(2024, 1, 2, 3, 4, 5, 678, utc)
    given: list[tuple[Any, Any, Any]] = [
        (pyarrow.int8(), -1, -1),
        (pyarrow.int16(), -1, -1),
        (pyarrow.int32(), -1, -1),
        (pyarrow.int64(), -(2**63), -(2**63)),
        (pyarrow.uint8(), 255, 255),
        (pyarrow.uint16(), 1, 1),
        (pyarrow.uint32(), 2**32 - 1, 2**32 - 1),
        (pyarrow.uint64(), 2**63 - 1, 2**63 - 1),
        (pyarrow.float16(), 0.5, 0.5),
        (pyarrow.float16(), numpy.float16(0.1), 0.1),
        (pyarrow.float16(), numpy.float16(-65504), -65500),
        (pyarrow.float16(), numpy.float16(6e-8), 6e-8),
        (pyarrow.float32(), 0.1, 0.1),
        (pyarrow.float64(), 0.1, 0.1),
        (pyarrow.string(), "größe", "größe"),
        (pyarrow.large_string(), "x", "x"),
        (pyarrow.string_view(), "a longer text than twelve bytes", "a longer text than twelve bytes"),
        (pyarrow.bool_(), True, True),
        (pyarrow.null(), None, None),
        (pyarrow.date32(), datetime.date(1969, 12, 31), "1969-12-31"),
        (pyarrow.date64(), datetime.date(2024, 2, 29), "2024-02-29"),
        (pyarrow.timestamp("s"), datetime.datetime(2024, 1, 2), "2024-01-02T00:00:00"),
        (pyarrow.timestamp("ms"), datetime.datetime(1960, 1, 2, 3, 4, 5, 6000), "1960-01-02T03:04:05.006000"),
        (pyarrow.timestamp("us", "UTC"), instant, "2024-01-02T03:04:05.000678+00:00"),
        (pyarrow.timestamp("us", "+02:00"), instant, "2024-01-02T05:04:05.000678+02:00"),
        (pyarrow.timestamp("us", "Europe/Paris"), instant, "2024-01-02T04:04:05.000678+01:00"),
        (pyarrow.timestamp("s", "Europe/Paris"), instant.replace(month=7, microsecond=0), "2024-07-02T05:04:05+02:00"),
        (pyarrow.timestamp("s", "Asia/Kolkata"), instant.replace(year=1960, microsecond=0), "1960-01-02T08:34:05+05:30"),
        (pyarrow.timestamp("s", "Nowhere/Land"), instant.replace(microsecond=0), "2024-01-02T03:04:05+00:00"),
        (pyarrow.timestamp("ns"), pandas.Timestamp("2024-01-02T03:04:05.000000001"), "2024-01-02T03:04:05.000000001"),
        (pyarrow.time32("s"), datetime.time(1, 2, 3), "01:02:03"),
        (pyarrow.time32("ms"), datetime.time(1, 2, 3, 4000), "01:02:03.004000"),
        (pyarrow.time64("us"), datetime.time(23, 59, 59, 999999), "23:59:59.999999"),
        (pyarrow.time64("ns"), datetime.time(0), "00:00:00"),
        (pyarrow.duration("s"), datetime.timedelta(400, 3661), "P1Y35DT1H1M1S"),
        (pyarrow.duration("ms"), datetime.timedelta(milliseconds=-1500), "-PT1.5S"),
        (pyarrow.duration("us"), datetime.timedelta(0), "PT0S"),
        (pyarrow.duration("ns"), pandas.Timedelta(1, "ns"), "PT0.000000001S"),
        (pyarrow.decimal128(20, 2), decimal.Decimal("1.10"), "1.10"),
        (pyarrow.decimal256(50, 1), decimal.Decimal("-7.5"), "-7.5"),
        (pyarrow.list_(pyarrow.int64()), [1, None, 3], [1, None, 3]),
        (pyarrow.large_list(pyarrow.string()), ["a"], ["a"]),
        (pyarrow.list_(pyarrow.int8(), 2), [1, 2], [1, 2]),
        (pyarrow.struct([("a", pyarrow.int8()), ("b", pyarrow.string())]), {"a": 1, "b": None}, {"a": 1, "b": None}),
        (pyarrow.dictionary(pyarrow.int8(), pyarrow.string()), "word", "word"),
    ]
    for type_, value, expected in given:
        table = pyarrow.table({"c": pyarrow.array([value, None], type_)})
        found = gcf.loads(gcf.dumps(table))
        assert found == [{"c": expected}, {"c": None}], type_
        assert repr(found[0]["c"]) == repr(expected), type_


def test_what_frames_can_not_say() -> None:
    with pytest.raises(OverflowError) as overflow:
        gcf.dumps({"t": pyarrow.table({"n": pyarrow.array([1, 2**64 - 1], pyarrow.uint64())})})
    assert overflow.value.path == "$.t[1].n"  # type: ignore[attr-defined]
    assert gcx.loads(gcx.dumps(pyarrow.table({"n": pyarrow.array([2**64 - 1], pyarrow.uint64())}))) == [{"n": 2**64 - 1}]
    with pytest.raises(gcf.Error) as raised:
        gcf.dumps(polars.DataFrame({"x": [1.0, float("nan")]}))
    assert (raised.value.code, raised.value.path) == ("out_of_range", "$[1].x")
    table = pyarrow.table({"b": [b"x"]})
    with pytest.raises(TypeError, match=r"^\$\[0\]\.b: .*bytes.*default="):
        gcf.dumps(table)
    assert gcf.loads(gcf.dumps(table, default=bytes.decode)) == [{"b": "x"}]
    with pytest.raises(gcf.Error, match="twice"):
        gcf.dumps(pyarrow.table([[1], [2]], names=["a", "a"]))


class NotReally:
    """It says that it is a frame."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return 1


class Raises:
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        raise ZeroDivisionError


def test_what_is_no_frame() -> None:
    with pytest.raises(TypeError):
        gcf.dumps(NotReally())
    with pytest.raises(ZeroDivisionError):
        gcf.dumps(Raises())
    assert gcf.loads(gcf.dumps(pyarrow.table({"a": pyarrow.array([], pyarrow.int8())}))) == []
    chunked = pyarrow.table({"a": pyarrow.chunked_array([[1, 2], [], [3]])})
    assert gcf.loads(gcf.dumps(chunked)) == [{"a": 1}, {"a": 2}, {"a": 3}]
    assert gcf.loads(gcf.dumps(chunked.slice(1, 2))) == [{"a": 2}, {"a": 3}]

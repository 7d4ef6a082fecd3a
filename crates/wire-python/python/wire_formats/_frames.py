"""What has to be done to a frame before it can be read."""

from __future__ import annotations

import datetime
import sys
import warnings
from collections import Counter
from importlib import import_module
from typing import Any

# What pyarrow raises for a column without a type in Arrow, such as one of complex numbers.
_UNFIT = (NotImplementedError, OverflowError, TypeError, ValueError)
# The types whose objects are the same in Arrow, if a column has no other.
_KEPT = {bool, int, float, str, bytes, datetime.date, datetime.timedelta}


def readable(frame: Any, index: bool) -> tuple[Any, str | None]:
    """What is read in place of a frame: an object with the Arrow C stream interface, or a list; and why it can't be.

    A frame or series of pandas becomes what its `reset_index` returns, without a default index; all others stay.
    """
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(frame, (pandas.DataFrame, pandas.Series)):
        return frame, None
    try:
        pyarrow = import_module("pyarrow")
    except ImportError as error:
        message = "frames of pandas are read by pyarrow, which can't be imported: run `pip install pyarrow`"
        raise ImportError(message, name="pyarrow") from error
    has_index = index and not _is_default(frame.index, pandas)
    if isinstance(frame, pandas.Series):
        if not has_index:
            return _column(_as_text(frame, pandas), pyarrow), None
        frame = frame.to_frame("value" if frame.name is None else frame.name)
    columns = [_label(name) for name in frame.columns]
    levels = _levels(frame.index, columns) if has_index else []
    names = levels + columns
    if len(set(names)) < len(names):
        return None, _twice(levels, columns)
    frame = frame.set_axis(columns, axis=1)
    frame = frame.reset_index(names=levels) if levels else frame
    for place, name in enumerate(names):
        if _is_span(frame[name].dtype, pandas):
            frame.isetitem(place, _as_text(frame[name], pandas))
    if not any(_is_changed(frame[name]) for name in names):
        try:
            table = pyarrow.Table.from_pandas(frame, preserve_index=False)
            for place, name in enumerate(names):
                if _has_nan(frame[name]):
                    table = table.set_column(place, name, _column(frame[name], pyarrow))
            return table, None
        except _UNFIT:
            pass
    values = [_column(frame[name], pyarrow) for name in names]
    lists = [column if isinstance(column, list) else column.to_pylist() for column in values]
    return [dict(zip(names, row)) for row in zip(*lists)], None


def warn_of_columns(names: list[str]) -> None:
    """Warns that a text does not hold the columns of a frame."""
    message = f"a frame has no rows, and the text does not hold the names of its columns: {', '.join(names)}"
    warnings.warn(message, stacklevel=2)


def _is_default(index: Any, pandas: Any) -> bool:
    """Whether pandas made the index: the numbers of the rows."""
    return isinstance(index, pandas.RangeIndex) and (index.name, index.start, index.step) == (None, 0, 1)


def _label(name: Any) -> str:
    """The name of a column or of a level. Those of two levels are tuples, in which an empty part says nothing."""
    return ".".join(str(part) for part in name if part != "") if isinstance(name, tuple) else str(name)


def _levels(index: Any, columns: list[str]) -> list[str]:
    """The names of the levels of an index, as `reset_index` makes them."""
    if index.nlevels > 1:
        return [f"level_{place}" if name is None else _label(name) for place, name in enumerate(index.names)]
    if index.name is None:
        return ["level_0" if "index" in columns else "index"]
    return [_label(index.name)]


def _twice(levels: list[str], columns: list[str]) -> str:
    """Why names that appear twice are an error."""
    twice = next(name for name, count in Counter(levels + columns).items() if count > 1)
    if twice not in levels:
        return f"two columns are named {twice!r}; rename one of them"
    of = "the index and a column" if twice in columns else "two levels of the index"
    return f"{of} are named {twice!r}; rename one of them, or pass `index=False`"


def _is_span(dtype: Any, pandas: Any) -> bool:
    """Whether a column is of periods, which Arrow has as numbers, or of intervals, of which it does not say which end is closed."""
    if isinstance(dtype, pandas.CategoricalDtype):
        dtype = dtype.categories.dtype
    return isinstance(dtype, (pandas.PeriodDtype, pandas.IntervalDtype))


def _as_text(column: Any, pandas: Any) -> Any:
    """A column, in which periods and intervals are texts, as pandas prints them."""
    return column.astype(object).map(str, na_action="ignore") if _is_span(column.dtype, pandas) else column


def _has_nan(column: Any) -> bool:
    """Whether a column of doubles has NaN, which would be null in Arrow. It is missing in all columns of other types."""
    # The types of extensions have missing values of their own.
    return type(column.dtype).__module__.partition(".")[0] == "numpy" and column.dtype.kind == "f" and bool(column.hasnans)


def _column(column: Any, pyarrow: Any) -> Any:
    """A column of pandas as one of Arrow, or as a list if its values are of several types."""
    if _has_nan(column):
        return pyarrow.chunked_array([pyarrow.array(column.to_numpy(), from_pandas=False)])
    if not _is_changed(column):
        try:
            array = pyarrow.Array.from_pandas(column)
            return array if isinstance(array, pyarrow.ChunkedArray) else pyarrow.chunked_array([array])
        except _UNFIT:
            pass
    return column.astype(object).where(column.notna(), None).tolist()


def _is_changed(column: Any) -> bool:
    """Whether Arrow may make something else of a column's objects: of integers beside floats it makes floats, of a time beside dates a
    date, and of a UUID bytes; decimals get one number of digits, times lose their zones, and each dict gets the keys of all."""
    values = getattr(column.dtype, "categories", column)
    if values.dtype != object:
        return False
    types = set(map(type, values.dropna()))
    return len(types) > 1 or not types <= _KEPT


def without_null(frame: Any) -> Any:
    """A frame or series of Polars whose columns of the type Null are of another type, since Polars exports those with a buffer that
    Arrow has no place for; None for everything else."""
    if type(frame).__module__.partition(".")[0] != "polars":
        return None
    import polars

    def other(type: Any) -> Any:
        if type == polars.Null:
            return polars.Boolean
        if isinstance(type, polars.List):
            return polars.List(other(type.inner))
        if isinstance(type, polars.Array):
            return polars.Array(other(type.inner), type.size)
        if isinstance(type, polars.Struct):
            return polars.Struct({field.name: other(field.dtype) for field in type.fields})
        return type

    if isinstance(frame, polars.Series):
        return frame.cast(other(frame.dtype))
    if isinstance(frame, polars.DataFrame):
        return frame.cast({name: other(type) for name, type in frame.schema.items()})
    return None

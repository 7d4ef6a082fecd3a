"""GCF: any object as text for language models.

>>> from wire_formats import gcf
>>> text = gcf.dumps({"users": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]})
>>> gcf.loads(text)
{'users': [{'id': 1, 'name': 'Ann'}, {'id': 2, 'name': 'Bo'}]}

Graphs have a form of their own, which is shorter: see `wire_formats.gcf.graph`. Tables that are sent again and again are
`wire_formats.gcf.keyed`.
"""

import os
from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeVar, final, overload

from wire_formats import Table, _errors

from . import graph as graph
from . import keyed as keyed

_T = TypeVar("_T")

class Error(_errors.Error):
    """What GCF says is wrong: see `wire_formats.Error`."""

class OutOfRangeError(Error, _errors.OutOfRangeError):
    """An integer that GCF can't represent."""

class _Writer(Protocol):
    def write(self, data: str, /) -> Any: ...

class _Reader(Protocol):
    def read(self) -> str | bytes: ...

def dumps(
    obj: Any, *, default: Callable[[Any], Any] | None = None, index: bool = True, nan: Literal["error", "null"] = "error", digits: int | None = None, spec: str = "3.5", flatten: bool = True
) -> str:
    """An object as GCF.

    >>> from wire_formats import gcf
    >>> print(gcf.dumps({"users": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]}), end="")
    GCF profile=generic
    ## users [2]{id,name}
    1|Ann
    2|Bo

    `default` is called with an object of any other type and returns what to write instead.
    `index=False` leaves out the index of a pandas frame or series. `nan="null"` writes null for NaN
    and infinities, which are an error otherwise. `digits` rounds floats to so many significant digits,
    from 1 to 17: a loss that nothing states but `smallest`. `spec` is the version of the
    specification: "3.5", which every reader reads, or "3.6". `flatten=False` writes objects in rows
    as attachments and never as columns.

    Raises `gcf.Error` with the path for a value that GCF can't represent; for an integer beyond 64
    bits it is also an `OverflowError`. Raises `TypeError` for an object of another type. The GIL is
    not released, because Python objects are read.
    """

def dump(
    obj: Any, fp: _Writer | str | os.PathLike[str], /, *, default: Callable[[Any], Any] | None = None, index: bool = True, nan: Literal["error", "null"] = "error", digits: int | None = None, spec: str = "3.5", flatten: bool = True
) -> None:
    """Writes what `dumps` gives to `fp`, a file that takes text or a path. Options are those of `dumps`."""

@overload
def loads(s: str | bytes | bytearray | memoryview, *, type: type[_T], require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> _T:
    """The object of a text in GCF.

    >>> from wire_formats import gcf
    >>> gcf.loads("GCF profile=generic\\nports[2]: 8080,8443\\n")
    {'ports': [8080, 8443]}

    `type` is a dataclass, a pydantic model, or a type of them as `list[Model]`, and what comes back
    is of it. `require_final_newline` refuses a text whose last line has no line ending.
    `line_bytes` bounds the length of a line (64 MiB), and `items` the number of lines (16,777,216).

    Raises `gcf.Error` with the code, line, column and offset of what is wrong. The GIL is released
    while the text is read.
    """

@overload
def loads(s: str | bytes | bytearray | memoryview, *, type: Any = None, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> Any: ...
def loads_arrow(s: str | bytes | bytearray | memoryview, *, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> Table:
    """The rows of a text in GCF as Arrow columns, without Python's objects in between.

    >>> from wire_formats import gcf
    >>> gcf.loads_arrow("GCF profile=generic\\n## [2]{id,name}\\n1|Ann\\n2|Bo\\n")
    <Table: 2 rows of id, name>

    `polars.DataFrame`, `pandas.DataFrame.from_arrow`, `pyarrow.table` and whatever else has the
    Arrow C stream interface take it. Columns are integers, doubles, truth values, strings, lists or
    structs; an absent member is null. Dates are strings, as they were written: cast them
    afterwards. `require_final_newline`, `line_bytes` and `items` are as in `loads`.

    Raises `gcf.Error` if the text is not an array of objects, or a column has values of two kinds,
    with the path.
    """

@overload
def load(fp: _Reader | str | os.PathLike[str], /, *, type: type[_T], require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> _T:
    """Reads all of `fp`, a file of text or bytes or a path, and returns what `loads` does. Options are those of `loads`."""

@overload
def load(fp: _Reader | str | os.PathLike[str], /, *, type: Any = None, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> Any: ...
def dumps_in_groups(obj: Any, *, key: str, group: str, default: Callable[[Any], Any] | None = None, index: bool = True, nan: Literal["error", "null"] = "error", digits: int | None = None) -> str:
    """Encodes flat objects with their rows in groups, so that a value that many rows share is written
    once for each group.

    `group` is the field of that value, and `key` a field that is different in every object. The
    order of the groups is that of their first objects. Readers of specification 3.6 read it.
    """

def from_json(
    s: str | bytes | bytearray | memoryview, *, spec: str = "3.5", exact: bool = False
) -> str:
    """JSON text as GCF, without objects in between.

    >>> from wire_formats import gcf
    >>> gcf.from_json('{"ports": [8080, 8443]}')
    'GCF profile=generic\\nports[2]: 8080,8443\\n'

    A decimal that is not a double is rounded; with `exact=True` it is an error, "inexact_number".

    Raises `gcf.Error` with the place in the JSON text: "json_syntax", "duplicate_key",
    "out_of_range", "too_deep". The GIL is released meanwhile.
    """

def to_json(s: str | bytes | bytearray | memoryview) -> str:
    """A text in GCF as minified JSON, without objects in between.

    >>> from wire_formats import gcf
    >>> gcf.to_json("GCF profile=generic\\nports[2]: 8080,8443\\n")
    '{"ports":[8080,8443]}'

    Raises `gcf.Error` as `loads` does. The GIL is released meanwhile.
    """

def recover(answer: str | bytes | bytearray | memoryview) -> Recovered:
    """Finds the value in a model's answer, and repairs what is nearly one. Nothing is invented, and
    every repair is reported.

    >>> from wire_formats import gcf
    >>> rows = "GCF profile=generic\\n## users [3]{id,name}\\n1|Ann\\n2|Bo\\n"
    >>> found = gcf.recover("Sure:\\n```\\n" + rows + "```\\n")
    >>> found.value
    {'users': [{'id': 1, 'name': 'Ann'}, {'id': 2, 'name': 'Bo'}]}
    >>> [repair.code for repair in found.repairs]
    ['surrounding_text', 'code_fence', 'wrong_count', 'code_fence']

    Raises `gcf.Error` where there is nothing to recover. The GIL is released meanwhile.
    """

@final
class Recovered:
    """A value that was found in a model's answer."""

    @property
    def value(self) -> Any:
        """The value."""

    @property
    def repairs(self) -> list[Repair]:
        """Everything that was repaired or left out, in the order of the answer."""

@final
class Repair:
    """One thing that was repaired or left out."""

    @property
    def line(self) -> int:
        """The line of the answer, from 1."""

    @property
    def offset(self) -> int:
        """The number of bytes before the line."""

    @property
    def code(self) -> str:
        """What was done, by a stable name as "code_fence"."""

    @property
    def reason(self) -> str | None:
        """Why a line was left out: the code of an error. None for other repairs."""

    @property
    def is_loss(self) -> bool:
        """Whether something that the text says is not in the result."""

__all__ = [
    "Error",
    "OutOfRangeError",
    "Recovered",
    "Repair",
    "dump",
    "dumps",
    "dumps_in_groups",
    "from_json",
    "graph",
    "keyed",
    "load",
    "loads",
    "loads_arrow",
    "recover",
    "to_json",
]

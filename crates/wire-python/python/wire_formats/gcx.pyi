"""GCX1: rows as text, and the responses of tools by their layouts.

>>> from wire_formats import gcx
>>> gcx.loads(gcx.dumps([{"id": "a", "size": 1.5}, {"id": "b", "size": None}]))
[{'id': 'a', 'size': 1.5}, {'id': 'b', 'size': None}]
"""

import os
from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeVar, overload

from . import Payload, Table, _errors

_T = TypeVar("_T")

class Error(_errors.Error):
    """What GCX says is wrong: see `wire_formats.Error`."""

class OutOfRangeError(Error, _errors.OutOfRangeError):
    """An integer that GCX can't represent."""

class _Writer(Protocol):
    def write(self, data: str, /) -> Any: ...

class _Reader(Protocol):
    def read(self) -> str | bytes: ...

def dumps(
    obj: Any,
    tool: str | None = None,
    *,
    default: Callable[[Any], Any] | None = None,
    index: bool = True,
    nan: Literal["error", "null"] = "error",
    digits: int | None = None,
    typed: bool = False,
    extra_columns: bool = False,
    escape_commas: bool = False,
) -> str:
    """An object as GCX1.

    >>> from wire_formats import gcx
    >>> gcx.dumps([{"id": "a", "size": 1.5}, {"id": "b", "size": None}])
    'GCX1 tool=value fields=id,size rows=2 typed=objects:string,float?\\na\\t1.5\\nb\\t\\n'

    Without `tool` the header has the types of the columns, so the text decodes to an equal object.
    With the name of a tool that has a layout (fixed columns), a response that fits the layout is
    written by it, and any other with types. A tool without a layout has the plain form, which does
    not distinguish None, "" and a missing member, nor "1" and 1; `typed=True` adds the types.

    `extra_columns` writes members outside of the layout after its columns; `escape_commas` allows
    commas in the names of fields. `default`, `index`, `nan` and `digits` are as in `gcf.dumps`.
    Integers keep all of their digits.

    Raises `gcx.Error` with the path for a value that GCX1 can't represent, and `TypeError` for an
    object of another type. The GIL is not released.
    """

def dump(
    obj: Any,
    fp: _Writer | str | os.PathLike[str],
    /,
    tool: str | None = None,
    *,
    default: Callable[[Any], Any] | None = None,
    index: bool = True,
    nan: Literal["error", "null"] = "error",
    digits: int | None = None,
    typed: bool = False,
    extra_columns: bool = False,
    escape_commas: bool = False,
) -> None:
    """Writes what `dumps` gives to `fp`, a file that takes text or a path. Options are those of `dumps`."""

def dumps_layout(
    obj: Any,
    tool: str,
    *,
    default: Callable[[Any], Any] | None = None,
    index: bool = True,
    nan: Literal["error", "null"] = "error",
    digits: int | None = None,
    extra_columns: bool = False,
    escape_commas: bool = False,
) -> tuple[str, list[str]]:
    """The response of a tool by its layout, and the paths of the members that the layout has no place
    for, which are left out.

    >>> from wire_formats import gcx
    >>> gcx.dumps_layout({"results": [], "took_ms": 3}, "search_symbols")[1]
    ['took_ms']
    """

@overload
def loads(s: str | bytes | bytearray | memoryview, *, type: type[_T], require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> _T:
    """The object of a text in GCX1, of whichever tool. With `type`, a dataclass, a pydantic model or a
    type of them, it is of that.

    Integers keep all of their digits, as in `to_json`. `line_bytes` bounds the length of a line (64
    MiB), and `items` the number of rows, of columns and of metadata (16,777,216).

    Raises `gcx.Error` with the code, line, column and offset of what is wrong. The GIL is released
    while the text is read.
    """

@overload
def loads(s: str | bytes | bytearray | memoryview, *, type: Any = None, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> Any: ...
def loads_arrow(s: str | bytes | bytearray | memoryview, *, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> Table:
    """The rows of a text in GCX1 as Arrow columns, without Python's objects in between: see
    `gcf.loads_arrow`.

    >>> from wire_formats import gcx
    >>> gcx.loads_arrow(gcx.dumps([{"id": "a", "size": 1.5}, {"id": "b", "size": None}]))
    <Table: 2 rows of id, size>

    Raises `gcx.Error` if the text is not an array of objects, or a column has values of two kinds,
    with the path.
    """

@overload
def load(fp: _Reader | str | os.PathLike[str], /, *, type: type[_T], require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> _T:
    """Reads all of `fp`, a file of text or bytes or a path, and returns what `loads` does. Options are those of `loads`."""

@overload
def load(fp: _Reader | str | os.PathLike[str], /, *, type: Any = None, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> Any: ...
def loads_sections(
    s: str | bytes | bytearray | memoryview, *, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None
) -> list[dict[str, Any]]:
    """The rows of each section of a text, as strings.

    A section is a dict of `tool`, `fields`, `meta`, `declared` (the declared number of rows, or
    None) and `rows`, each a list of cells.
    """

def dumps_sections(sections: list[dict[str, Any]], *, escape_commas: bool = False) -> str:
    """Writes sections of rows, as `loads_sections` returns them, as text. `comments`, a list of
    strings, are written after the header.
    """

def from_json(
    s: str | bytes | bytearray | memoryview,
    tool: str | None = None,
    *,
    typed: bool = False,
    extra_columns: bool = False,
    escape_commas: bool = False,
    exact: bool = False,
) -> str:
    """JSON text as GCX1: see `dumps` for `tool` and the options. Integers keep all of their digits.

    >>> from wire_formats import gcx
    >>> gcx.from_json('[{"id": 18446744073709551616}]')
    'GCX1 tool=value fields=id rows=1 typed=objects:integer\\n18446744073709551616\\n'

    A decimal that is not a double is rounded; with `exact=True` it is an error, "inexact_number".

    Raises `gcx.Error` with the code "json_syntax" and the position if the text is not JSON. The GIL
    is released meanwhile.
    """

def to_json(s: str | bytes | bytearray | memoryview) -> str:
    """A text in GCX1 as minified JSON. Integers keep all of their digits.

    Raises `gcx.Error` as `loads` does. The GIL is released meanwhile.
    """

def dumps_payload(payload: Payload | dict[str, Any]) -> str:
    """A payload of a graph as GCX1: a section of symbols, and one of edges. `gcf.graph` uses fewer
    tokens.
    """

def loads_payload(s: str | bytes | bytearray | memoryview, *, line_bytes: int | None = None, items: int | None = None) -> Payload:
    """The payload of a text of `dumps_payload`.

    Raises `gcx.Error` with the code, line, column and offset of what is wrong.
    """

__all__ = [
    "Error",
    "OutOfRangeError",
    "dump",
    "dumps",
    "dumps_payload",
    "dumps_layout",
    "dumps_sections",
    "from_json",
    "load",
    "loads",
    "loads_payload",
    "loads_arrow",
    "loads_sections",
    "to_json",
]

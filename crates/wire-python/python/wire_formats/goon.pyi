"""GOON: responses of graph queries as text."""

import os
from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeVar, overload

from wire_formats import Payload

from . import _errors

_T = TypeVar("_T")

class Error(_errors.Error):
    """What GOON says is wrong: see `wire_formats.Error`."""

class OutOfRangeError(Error, _errors.OutOfRangeError):
    """An integer that GOON can't represent."""

class _Writer(Protocol):
    def write(self, data: str, /) -> Any: ...

class _Reader(Protocol):
    def read(self) -> str | bytes: ...

def dumps(
    obj: Any,
    *,
    default: Callable[[Any], Any] | None = None,
    index: bool = True,
    nan: Literal["error", "null"] = "error",
    digits: int | None = None,
    version: str = "1.0.0",
    quote_numbers: bool = False,
    long_text: int | None = None,
    other_text: int | None = None,
    truncation: bool = True,
    drop_unrepresentable: bool = False,
) -> str:
    """The response of a graph query as GOON.

    >>> from wire_formats import goon
    >>> nodes = [{"type": "User", "id": 8, "properties": {"name": "Ann"}}]
    >>> text = goon.dumps({"query_type": "search", "nodes": nodes, "edges": []})
    >>> goon.loads(text)["nodes"][0]["id"]
    8

    `obj` is the JSON form of a response. `version` is "1.0.0" or "4.0.1". Long texts are cut, as
    the format asks for: after `long_text` characters in `body`, `description`, `name`, `note` and
    `title`, and after `other_text` elsewhere; `truncation=False` cuts nothing. `quote_numbers`
    writes texts that look like numbers in quotes. `drop_unrepresentable` leaves out what the
    version has no place for, which is an error otherwise. `default`, `index`,
    `nan` and `digits` are as in `gcf.dumps`.

    Raises `goon.Error` for an object that is not a response, and for values that GOON can't
    represent.
    """

def dump(
    obj: Any,
    fp: _Writer | str | os.PathLike[str],
    /,
    *,
    default: Callable[[Any], Any] | None = None,
    index: bool = True,
    nan: Literal["error", "null"] = "error",
    digits: int | None = None,
    version: str = "1.0.0",
    quote_numbers: bool = False,
    long_text: int | None = None,
    other_text: int | None = None,
    truncation: bool = True,
    drop_unrepresentable: bool = False,
) -> None:
    """Writes what `dumps` gives to `fp`, a file that takes text or a path. Options are those of `dumps`."""

@overload
def loads(s: str | bytes | bytearray | memoryview, *, type: type[_T], line_bytes: int | None = None, items: int | None = None) -> _T:
    """The JSON form of a response in GOON. With `type`, a dataclass, a pydantic model or a type of
    them, it is of that.

    `line_bytes` bounds the length of a line (64 MiB), and `items` the number of nodes, edges and
    rows (16,777,216).

    Raises `goon.Error` with the code, line, column and offset of what is wrong.
    """

@overload
def loads(s: str | bytes | bytearray | memoryview, *, type: Any = None, line_bytes: int | None = None, items: int | None = None) -> Any: ...
@overload
def load(fp: _Reader | str | os.PathLike[str], /, *, type: type[_T], line_bytes: int | None = None, items: int | None = None) -> _T:
    """Reads all of `fp`, a file of text or bytes or a path, and returns what `loads` does. Options are those of `loads`."""

@overload
def load(fp: _Reader | str | os.PathLike[str], /, *, type: Any = None, line_bytes: int | None = None, items: int | None = None) -> Any: ...
def from_json(
    s: str | bytes | bytearray | memoryview,
    *,
    version: str = "1.0.0",
    quote_numbers: bool = False,
    long_text: int | None = None,
    other_text: int | None = None,
    truncation: bool = True,
    drop_unrepresentable: bool = False,
    exact: bool = False,
) -> str:
    """The JSON text of a response as GOON: see `dumps` for the options.

    A decimal that is not a double is rounded; with `exact=True` it is an error, "inexact_number".

    Raises `goon.Error` with the place in the JSON text. The GIL is released meanwhile.
    """

def to_json(s: str | bytes | bytearray | memoryview) -> str:
    """A text in GOON as the JSON text of its response.

    Raises `goon.Error` as `loads` does. The GIL is released meanwhile.
    """

def dumps_payload(payload: Payload | dict[str, Any]) -> str:
    """A payload of a graph as GOON. The tool, the tokens, the pack root and the status of edges are
    dropped; `gcf.graph` keeps them.
    """

def loads_payload(s: str | bytes | bytearray | memoryview, *, line_bytes: int | None = None, items: int | None = None) -> Payload:
    """The payload of a text of `dumps_payload`.

    Raises `goon.Error` with the code, line, column and offset of what is wrong.
    """

__all__ = [
    "Error",
    "OutOfRangeError",
    "dump",
    "dumps",
    "dumps_payload",
    "from_json",
    "load",
    "loads",
    "loads_payload",
    "to_json",
]

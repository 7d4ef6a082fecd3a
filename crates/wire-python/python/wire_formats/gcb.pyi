"""GCB1: payloads of graphs as bytes, for services and caches."""

import os
from typing import Any, Protocol

from wire_formats import Payload

from . import _errors

class Error(_errors.Error):
    """What GCB says is wrong: see `wire_formats.Error`."""

class OutOfRangeError(Error, _errors.OutOfRangeError):
    """An integer that GCB can't represent."""

class _Writer(Protocol):
    def write(self, data: bytes, /) -> Any: ...

class _Reader(Protocol):
    def read(self) -> bytes: ...

def dumps(payload: Payload | dict[str, Any]) -> bytes:
    """A payload as GCB1, which is bytes.

    >>> from wire_formats import gcb
    >>> symbols = [{"qualified_name": "a", "kind": "function", "score": 0.5}]
    >>> data = gcb.dumps({"tool": "t", "symbols": symbols})
    >>> gcb.loads(data).symbols[0]["score"]
    0.5

    Raises `gcb.Error` for a payload that GCB1 can't represent.
    """

def dump(payload: Payload | dict[str, Any], fp: _Writer | str | os.PathLike[str], /) -> None:
    """Writes what `dumps` gives to `fp`, a file that takes bytes or a path. Options are those of `dumps`."""

def loads(
    data: str | bytes | bytearray | memoryview,
    *,
    unknown_ids_as_words: bool = False,
    line_bytes: int | None = None,
    items: int | None = None,
) -> Payload:
    """The payload of bytes in GCB1.

    `unknown_ids_as_words` reads an id that is in no table as the word `unknown_N`. `line_bytes`
    bounds the length of a string (1 MiB), and `items` the number of symbols, and of edges
    (16,777,216).

    Raises `gcb.Error` with the code and offset of what is wrong.
    """

def load(
    fp: _Reader | str | os.PathLike[str],
    /,
    *,
    unknown_ids_as_words: bool = False,
    line_bytes: int | None = None,
    items: int | None = None,
) -> Payload:
    """Reads all of `fp`, a file of bytes or a path, and returns what `loads` does. Options are those of `loads`."""

__all__ = [
    "Error",
    "OutOfRangeError",
    "dump",
    "dumps",
    "load",
    "loads",
]

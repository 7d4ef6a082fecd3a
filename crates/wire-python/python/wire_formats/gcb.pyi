from typing import Any, Protocol

from wire_formats import Payload

from . import _errors

class Error(_errors.Error): ...
class OutOfRangeError(Error, _errors.OutOfRangeError): ...

class _Writer(Protocol):
    def write(self, data: bytes, /) -> Any: ...

class _Reader(Protocol):
    def read(self) -> bytes: ...

def dumps(payload: Payload | dict[str, Any]) -> bytes: ...
def dump(payload: Payload | dict[str, Any], fp: _Writer, /) -> None: ...
def loads(
    data: str | bytes | bytearray | memoryview,
    *,
    unknown_ids_as_words: bool = False,
    line_bytes: int | None = None,
    items: int | None = None,
) -> Payload: ...
def load(
    fp: _Reader,
    /,
    *,
    unknown_ids_as_words: bool = False,
    line_bytes: int | None = None,
    items: int | None = None,
) -> Payload: ...

__all__ = [
    "Error",
    "OutOfRangeError",
    "dump",
    "dumps",
    "load",
    "loads",
]

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, overload

from wire_formats import Payload

from . import _errors

_T = TypeVar("_T")

class Error(_errors.Error): ...
class OutOfRangeError(Error, _errors.OutOfRangeError): ...

class _Writer(Protocol):
    def write(self, data: str, /) -> Any: ...

class _Reader(Protocol):
    def read(self) -> str | bytes: ...

def dumps(
    obj: Any,
    *,
    default: Callable[[Any], Any] | None = None,
    version: str = "1.0.0",
    quote_numbers: bool = False,
    long_text: int | None = None,
    other_text: int | None = None,
    truncation: bool = True,
    drop_unrepresentable: bool = False,
) -> str: ...
def dump(
    obj: Any,
    fp: _Writer,
    /,
    *,
    default: Callable[[Any], Any] | None = None,
    version: str = "1.0.0",
    quote_numbers: bool = False,
    long_text: int | None = None,
    other_text: int | None = None,
    truncation: bool = True,
    drop_unrepresentable: bool = False,
) -> None: ...
@overload
def loads(s: str | bytes | bytearray | memoryview, *, type: type[_T], line_bytes: int | None = None, items: int | None = None) -> _T: ...
@overload
def loads(s: str | bytes | bytearray | memoryview, *, type: Any = None, line_bytes: int | None = None, items: int | None = None) -> Any: ...
@overload
def load(fp: _Reader, /, *, type: type[_T], line_bytes: int | None = None, items: int | None = None) -> _T: ...
@overload
def load(fp: _Reader, /, *, type: Any = None, line_bytes: int | None = None, items: int | None = None) -> Any: ...
def from_json(
    s: str | bytes | bytearray | memoryview,
    *,
    version: str = "1.0.0",
    quote_numbers: bool = False,
    long_text: int | None = None,
    other_text: int | None = None,
    truncation: bool = True,
    drop_unrepresentable: bool = False,
) -> str: ...
def to_json(s: str | bytes | bytearray | memoryview) -> str: ...
def dumps_payload(payload: Payload | dict[str, Any]) -> str: ...
def loads_payload(s: str | bytes | bytearray | memoryview, *, line_bytes: int | None = None, items: int | None = None) -> Payload: ...

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

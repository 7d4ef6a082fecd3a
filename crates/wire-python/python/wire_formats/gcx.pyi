from collections.abc import Callable
from typing import Any, Protocol, TypeVar, overload

from . import Payload, Table, _errors

_T = TypeVar("_T")

class Error(_errors.Error): ...
class OutOfRangeError(Error, _errors.OutOfRangeError): ...

class _Writer(Protocol):
    def write(self, data: str, /) -> Any: ...

class _Reader(Protocol):
    def read(self) -> str | bytes: ...

def dumps(
    obj: Any,
    tool: str | None = None,
    *,
    default: Callable[[Any], Any] | None = None,
    typed: bool = False,
    extra_columns: bool = False,
    escape_commas: bool = False,
) -> str: ...
def dump(
    obj: Any,
    fp: _Writer,
    /,
    tool: str | None = None,
    *,
    default: Callable[[Any], Any] | None = None,
    typed: bool = False,
    extra_columns: bool = False,
    escape_commas: bool = False,
) -> None: ...
def dumps_layout(
    obj: Any,
    tool: str,
    *,
    default: Callable[[Any], Any] | None = None,
    extra_columns: bool = False,
    escape_commas: bool = False,
) -> tuple[str, list[str]]: ...
@overload
def loads(s: str | bytes | bytearray | memoryview, *, type: type[_T], require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> _T: ...
@overload
def loads(s: str | bytes | bytearray | memoryview, *, type: Any = None, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> Any: ...
def loads_arrow(s: str | bytes | bytearray | memoryview, *, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> Table: ...
@overload
def load(fp: _Reader, /, *, type: type[_T], require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> _T: ...
@overload
def load(fp: _Reader, /, *, type: Any = None, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> Any: ...
def loads_sections(
    s: str | bytes | bytearray | memoryview, *, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None
) -> list[dict[str, Any]]: ...
def dumps_sections(sections: list[dict[str, Any]], *, escape_commas: bool = False) -> str: ...
def from_json(
    s: str | bytes | bytearray | memoryview,
    tool: str | None = None,
    *,
    typed: bool = False,
    extra_columns: bool = False,
    escape_commas: bool = False,
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

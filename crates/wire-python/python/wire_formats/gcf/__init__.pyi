from collections.abc import Callable
from typing import Any, Protocol, TypeVar, final, overload

from wire_formats import Table, _errors

from . import graph as graph
from . import keyed as keyed

_T = TypeVar("_T")

class Error(_errors.Error): ...
class OutOfRangeError(Error, _errors.OutOfRangeError): ...

class _Writer(Protocol):
    def write(self, data: str, /) -> Any: ...

class _Reader(Protocol):
    def read(self) -> str | bytes: ...

def dumps(
    obj: Any, *, default: Callable[[Any], Any] | None = None, spec: str = "3.5", flatten: bool = True
) -> str: ...
def dump(
    obj: Any, fp: _Writer, /, *, default: Callable[[Any], Any] | None = None, spec: str = "3.5", flatten: bool = True
) -> None: ...
@overload
def loads(s: str | bytes | bytearray | memoryview, *, type: type[_T], require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> _T: ...
@overload
def loads(s: str | bytes | bytearray | memoryview, *, type: Any = None, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> Any: ...
def loads_arrow(s: str | bytes | bytearray | memoryview, *, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> Table: ...
@overload
def load(fp: _Reader, /, *, type: type[_T], require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> _T: ...
@overload
def load(fp: _Reader, /, *, type: Any = None, require_final_newline: bool = False, line_bytes: int | None = None, items: int | None = None) -> Any: ...
def dumps_in_groups(obj: Any, *, key: str, group: str, default: Callable[[Any], Any] | None = None) -> str: ...
def from_json(s: str | bytes | bytearray | memoryview, *, spec: str = "3.5") -> str: ...
def to_json(s: str | bytes | bytearray | memoryview) -> str: ...
def recover(answer: str | bytes | bytearray | memoryview) -> Recovered: ...
@final
class Recovered:
    @property
    def value(self) -> Any: ...
    @property
    def repairs(self) -> list[Repair]: ...

@final
class Repair:
    @property
    def line(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def code(self) -> str: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def is_loss(self) -> bool: ...

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

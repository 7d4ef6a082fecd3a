from typing import Any, final

from . import gcb as gcb
from . import gcf as gcf
from . import gcx as gcx
from . import goon as goon
from ._errors import Error as Error
from ._errors import OutOfRangeError as OutOfRangeError
from ._tokens import Smallest as Smallest
from ._tokens import count_tokens as count_tokens
from ._tokens import smallest as smallest
from ._tools import tool_result as tool_result

__version__: str

@final
class Payload:
    @staticmethod
    def from_dict(value: dict[str, Any]) -> Payload: ...
    def to_dict(self, *, indices: bool = False) -> dict[str, Any]: ...
    @property
    def tool(self) -> str: ...
    @property
    def tokens_used(self) -> int: ...
    @property
    def token_budget(self) -> int: ...
    @property
    def pack_root(self) -> str | None: ...
    @property
    def symbols(self) -> list[dict[str, Any]]: ...
    @property
    def edges(self) -> list[dict[str, Any]]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Table:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    @property
    def columns(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

__all__ = [
    "Error",
    "OutOfRangeError",
    "Payload",
    "Smallest",
    "Table",
    "count_tokens",
    "gcb",
    "gcf",
    "gcx",
    "goon",
    "smallest",
    "tool_result",
]

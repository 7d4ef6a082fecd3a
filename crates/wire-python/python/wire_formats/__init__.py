"""Compact text for language models, and bytes for services.

>>> from wire_formats import gcf
>>> print(gcf.dumps({"users": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]}), end="")
GCF profile=generic
## users [2]{id,name}
1|Ann
2|Bo

Each format is a module with `dumps`, `loads`, `dump` and `load`: `gcf` for any object, `gcf.graph` for graphs, `gcx` for rows and
responses of tools, `goon` for responses of graph queries, `gcb` for graphs as bytes. `smallest` chooses the format that uses the
fewest tokens, and `count_tokens` counts them. `@tool_result` makes the result of an agent's tool such a text,
and `compact` that of any tool.
"""

from typing import Any

from . import gcb, gcf, gcx, goon
from ._errors import Error, OutOfRangeError
from ._results import compact
from ._tokens import Smallest, count_tokens, smallest
from ._tools import tool_result
from ._wire_formats import top as _native
from ._wire_formats import version as __version__

Payload = _native.Payload
Table = _native.Table



def __getattr__(name: str) -> Any:
    of = [f"wire_formats.{module.__name__.rpartition('.')[2]}.{name}" for module in (gcf, gcx, goon, gcb) if name in module.__all__]
    if of and name not in ("Error", "OutOfRangeError"):
        raise AttributeError(f"module {__name__!r} has no {name!r}, since each format has its own: use {', '.join(of)}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Error",
    "OutOfRangeError",
    "Payload",
    "Smallest",
    "Table",
    "compact",
    "count_tokens",
    "gcb",
    "gcf",
    "gcx",
    "goon",
    "smallest",
    "tool_result",
]

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

from typing import Any, final

from . import gcb as gcb
from . import gcf as gcf
from . import gcx as gcx
from . import goon as goon
from ._errors import Error as Error
from ._errors import OutOfRangeError as OutOfRangeError
from ._results import compact as compact
from ._tokens import Smallest as Smallest
from ._tokens import count_tokens as count_tokens
from ._tokens import smallest as smallest
from ._tools import tool_result as tool_result

__version__: str

@final
class Payload:
    """A graph payload: symbols, and edges between them.

    >>> from wire_formats import Payload
    >>> payload = Payload.from_dict({
    ...     "tool": "context",
    ...     "symbols": [
    ...         {"qualified_name": "pkg.Auth", "kind": "type", "score": 0.9},
    ...         {"qualified_name": "pkg.Login", "kind": "function", "score": 0.7, "distance": 1},
    ...     ],
    ...     "edges": [{"source": "pkg.Login", "target": "pkg.Auth", "edge_type": "calls"}],
    ... })
    >>> len(payload), payload.edges[0]["source"]
    (2, 1)

    A payload never changes, so that threads may share it.
    """

    @staticmethod
    def from_dict(value: dict[str, Any]) -> Payload:
        """The payload of its JSON form. The ends of edges are qualified names, or indices into
        `symbols`.

        A symbol needs `qualified_name` and `kind`, an edge `source`, `target` and `edge_type`; all
        other members have defaults. Members of other names are ignored. Raises `wire_formats.Error`
        for a member that is missing or of another type, and for an edge to no symbol.
        """

    def to_dict(self, *, indices: bool = False) -> dict[str, Any]:
        """The JSON form, as a dict. Edges are by name; with `indices=True` they are by the index of
        their symbols, which says which of two symbols of one name is meant.
        """

    @property
    def tool(self) -> str:
        """The tool that made the payload."""

    @property
    def tokens_used(self) -> int:
        """The number of tokens that the payload uses."""

    @property
    def token_budget(self) -> int:
        """The number of tokens that it had to stay within."""

    @property
    def pack_root(self) -> str | None:
        """The identity that the payload states, or None."""

    @property
    def symbols(self) -> list[dict[str, Any]]:
        """The symbols, as dicts."""

    @property
    def edges(self) -> list[dict[str, Any]]:
        """The edges, as dicts; `source` and `target` are indices into `symbols`."""

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Table:
    """Rows as columns. Libraries that read the Arrow C stream interface accept it, without copying.

    >>> from wire_formats import gcf
    >>> table = gcf.loads_arrow(gcf.dumps([{"id": 1, "name": "Ann"}, {"id": 2, "name": None}]))
    >>> table
    <Table: 2 rows of id, name>

    `polars.DataFrame(table)`, `pandas.DataFrame.from_arrow(table)`, `pyarrow.table(table)`;
    `duckdb.sql("from rows")` where `rows` is the variable
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    @property
    def columns(self) -> list[str]:
        """The names of the columns."""

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

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

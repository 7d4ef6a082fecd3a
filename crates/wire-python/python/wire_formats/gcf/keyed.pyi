"""GCF for tables that are sent again and again: sets of rows with a key, and what changes between calls.

>>> from wire_formats.gcf import keyed
>>> session = keyed.Session(keyed.KeyedSet([{"id": 1, "n": "x"}, {"id": 2, "n": "y"}], key="id"))
>>> held = keyed.receive(session.full())
>>> sent = session.next(keyed.KeyedSet([{"id": 1, "n": "x"}, {"id": 2, "n": "z"}], key="id"))
>>> sent.is_full, keyed.receive(sent.text, held).rows()
(False, [{'id': 1, 'n': 'x'}, {'id': 2, 'n': 'z'}])

Each text states the root of the set, so that a reader notices what it missed.
"""

from collections.abc import Callable
from typing import Any, Literal, final

from . import Error as Error
from . import OutOfRangeError as OutOfRangeError

def loads(s: str | bytes | bytearray | memoryview, *, line_bytes: int | None = None, items: int | None = None) -> KeyedSet | Delta | Unchanged:
    """What a text is: a `KeyedSet`, a `Delta`, or `Unchanged`.

    Raises `gcf.Error` with the code, line, column and offset of what is wrong. The GIL is released
    while the text is read.
    """

def receive(
    s: str | bytes | bytearray | memoryview, held: KeyedSet | None = None, *, line_bytes: int | None = None, items: int | None = None
) -> KeyedSet:
    """Returns the set of a consumer after a text: the full set, or `held` with a delta applied.

    Raises `gcf.Error` for a text that can't be read, or that is about another set than `held`.
    `held` is unchanged then; ask for the full set. The GIL is released.
    """

@final
class KeyedSet:
    """Rows of scalars with the same fields, one of which, the key, no two rows have alike.

    >>> from wire_formats.gcf import keyed
    >>> base = keyed.KeyedSet([{"id": 1, "n": "x"}, {"id": 2, "n": "y"}], key="id")
    >>> next = keyed.KeyedSet([{"id": 1, "n": "x"}, {"id": 2, "n": "z"}], key="id")
    >>> delta = base.delta_to(next)
    >>> keyed.receive(delta.dumps(), base) == next
    True

    `rows` is an array of objects, a frame, or an object of objects by their keys. `fields` are the
    fields in their order, which an array without rows needs; `name` is the name of the table in the
    text; `index=False` leaves out the index of a pandas frame. Two sets with the same rows in
    another order are equal. Raises `gcf.Error` with the code "not_keyed" or "duplicate_key" for other rows.
    """

    def __new__(
        cls, rows: Any, *, key: str, fields: list[str] | None = None, name: str | None = None, default: Callable[[Any], Any] | None = None, index: bool = True, nan: Literal["error", "null"] = "error", digits: int | None = None
    ) -> KeyedSet: ...
    def dumps(self, *, tool: str | None = None) -> str:
        """The whole set as text; `tool` is the tool whose answer it is. The GIL is released meanwhile."""

    def dumps_unchanged(self) -> str:
        """The text that says that the set has not changed."""

    def delta_to(self, next: KeyedSet) -> Delta:
        """What turns this set into the next one. Raises `gcf.Error` with the code "schema_change"
        where the fields differ: send the whole set then.
        """

    def apply(self, delta: Delta) -> KeyedSet:
        """The set that a delta makes of this one. Nothing is applied in part."""

    def rows(self) -> list[dict[str, Any]]:
        """The rows, as dicts."""

    @property
    def root(self) -> str:
        """The root: the identity of the rows, in whatever order they are."""

    @property
    def key(self) -> str:
        """The name of the key."""

    @property
    def fields(self) -> list[str]:
        """The names of the fields, the key among them."""

    @property
    def name(self) -> str:
        """The name of the table in the text."""

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Delta:
    """What changes one keyed set into another. `KeyedSet.delta_to` makes one; a producer that knows
    what changed makes it from the rows.

    `of` is a set with the key and the fields; its rows don't count. `removed` is a list of keys.
    `tokens` and `full_tokens` are those of the delta and of the whole set, for the savings in the
    text.
    """

    def __new__(
        cls,
        of: KeyedSet,
        base_root: str,
        new_root: str,
        *,
        added: Any = None,
        changed: Any = None,
        removed: list[Any] | None = None,
        tool: str | None = None,
        tokens: int | None = None,
        full_tokens: int | None = None,
        default: Callable[[Any], Any] | None = None,
        index: bool = True,
        nan: Literal["error", "null"] = "error",
        digits: int | None = None,
    ) -> Delta: ...
    def dumps(self) -> str:
        """The delta as text. The GIL is released meanwhile."""

    def is_worth_it(self, full: KeyedSet) -> bool:
        """Whether its text is less than 60 % of that of the whole set, in bytes."""

    @property
    def added(self) -> list[dict[str, Any]]:
        """The rows that the base does not have."""

    @property
    def changed(self) -> list[dict[str, Any]]:
        """The rows that replace those with the same key."""

    @property
    def removed(self) -> list[dict[str, Any]]:
        """The rows that are gone, each with its key alone."""

    @property
    def base_root(self) -> str:
        """The root of the set that it applies to."""

    @property
    def new_root(self) -> str:
        """The root of the set that comes out."""

    @property
    def tool(self) -> str | None:
        """The tool, or None."""

    @property
    def savings(self) -> int | None:
        """What it saves against the whole set, in percent, if that is stated."""

    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Session:
    """A producer that sends a set again and again, as the whole or as what changed.

    The whole set goes out on every turn that `full_every` divides, since models lose track of long
    chains of deltas; with `size_guard=True` as soon as the deltas are as many bytes as the whole
    set. Send `full()` first, and then what `next` makes of each set.
    """

    def __new__(cls, base: KeyedSet, *, full_every: int = 15, size_guard: bool = False, tool: str | None = None) -> Session: ...
    def full(self) -> str:
        """The text of the whole set that the consumer has."""

    def next(self, set: KeyedSet) -> Update:
        """The text that makes `set` of what the consumer has."""

@final
class Update:
    """What a session sends next."""

    @property
    def text(self) -> str:
        """The text."""

    @property
    def is_full(self) -> bool:
        """Whether it is the whole set and no delta."""

@final
class Unchanged:
    """The set is still the one of this root."""

    @property
    def root(self) -> str:
        """The root."""

    @property
    def count(self) -> int | None:
        """The number of rows, or None."""

__all__ = ["Delta", "Error", "KeyedSet", "OutOfRangeError", "Session", "Unchanged", "Update", "loads", "receive"]

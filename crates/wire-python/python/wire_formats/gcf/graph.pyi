"""GCF for graphs: payloads of symbols and edges, and what changes between calls.

Payloads are `wire_formats.Payload`, or dicts of its JSON form.
"""

import os
from typing import Any, Literal, Protocol, final

from wire_formats import Payload

from . import Error as Error
from . import OutOfRangeError as OutOfRangeError
from . import Repair

class _Writer(Protocol):
    def write(self, data: str, /) -> Any: ...

class _Reader(Protocol):
    def read(self) -> str | bytes: ...

def dumps(payload: Payload | dict[str, Any], *, dialect: str = "v1", replace_white_space: str | None = None, stream: str | None = None) -> str:
    """A payload as GCF.

    >>> from wire_formats.gcf import graph
    >>> symbols = [{"qualified_name": "a", "kind": "function", "score": 0.5}]
    >>> print(graph.dumps({"tool": "t", "symbols": symbols}), end="")
    GCF tool=t budget=0 tokens=0 symbols=1
    ## targets
    @0 fn a 0.50 structural

    `dialect` is the version of the format: "v1", "v1.4" or "v3". `replace_white_space` is a
    character that is written in place of white space in names, which is an error otherwise.
    `stream` is the form of a producer that does not know the counts at first, with the counts after
    the rows: "positional" or "labeled".

    Raises `gcf.Error` for a payload that GCF can't represent.
    """

def dump(
    payload: Payload | dict[str, Any], fp: _Writer | str | os.PathLike[str], /, *, dialect: str = "v1", replace_white_space: str | None = None, stream: str | None = None
) -> None:
    """Writes what `dumps` gives to `fp`, a file that takes text or a path. Options are those of `dumps`."""

def loads(
    s: str | bytes | bytearray | memoryview,
    *,
    require_final_newline: bool = False,
    line_bytes: int | None = None,
    items: int | None = None,
) -> Payload:
    """The payload of a text in any dialect.

    `line_bytes` bounds the length of a line (1 MiB), and `items` the number of symbols, and of
    edges (16,777,216).

    Raises `gcf.Error` with the code, line, column and offset of what is wrong.
    """

def load(
    fp: _Reader | str | os.PathLike[str],
    /,
    *,
    require_final_newline: bool = False,
    line_bytes: int | None = None,
    items: int | None = None,
) -> Payload:
    """Reads all of `fp`, a file of text or bytes or a path, and returns what `loads` does. Options are those of `loads`."""

def loads_lenient(
    s: str | bytes | bytearray | memoryview,
    *,
    require_final_newline: bool = False,
    line_bytes: int | None = None,
    items: int | None = None,
) -> tuple[Payload, dict[str, Any]]:
    """The payload of what can be read of a text, and a report as a dict of what was left out.

    Raises `gcf.Error` where not even the header can be read.
    """

def recover(
    answer: str | bytes | bytearray | memoryview, *, line_bytes: int | None = None, items: int | None = None
) -> Recovered:
    """Finds the payload in a model's answer, and repairs what is nearly one.

    Raises `gcf.Error` where there is none.
    """

def pack_root(
    payload: Payload | dict[str, Any], *, dialect: str = "v1", root: str | None = None, as_given: bool = False
) -> str:
    """The root of a payload: its identity, as exchanges and deltas contain it.

    By default it is the root of the payload as the text of `dialect` carries it, with scores of two
    decimals; `as_given=True` hashes the payload as it is. `root` is the algorithm: "identity" or
    "pack-root-v1"; None for the one of the dialect.
    """

def diff(
    base: Payload | dict[str, Any], new: Payload | dict[str, Any], *, dialect: str = "v1", root: str | None = None, distances: bool = False
) -> Delta | SendFull:
    """The delta between two payloads as texts of `dialect` carry them; `SendFull` where none can say
    what changed. `distances` says that the delta will be written with them, so that its tokens are
    right.
    """

@final
class Recovered:
    """A payload that was found in a model's answer."""

    @property
    def payload(self) -> Payload:
        """The payload."""

    @property
    def repairs(self) -> list[Repair]:
        """Everything that was repaired or left out, in the order of the answer."""

    @property
    def declared_symbols(self) -> int | None:
        """The number of symbols that the text declares, or None."""

    @property
    def found_symbols(self) -> int:
        """The number of symbols in the payload."""

    @property
    def declared_edges(self) -> int | None:
        """The number of edges that the text declares, or None."""

    @property
    def found_edges(self) -> int:
        """The number of edges in the payload."""

    @property
    def last_good_line(self) -> int:
        """The last line of the answer that was taken in, from 1; 0 if there is none."""

@final
class Delta:
    """What changes one payload, the base, into another.

    >>> from wire_formats.gcf import graph
    >>> base = {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "function"}]}
    >>> new = {"tool": "t", "symbols": [{"qualified_name": "b", "kind": "function"}]}
    >>> delta = graph.diff(base, new)
    >>> delta.apply(base).symbols[0]["qualified_name"]
    'b'
    """

    @staticmethod
    def loads(s: str | bytes | bytearray | memoryview, *, line_bytes: int | None = None, items: int | None = None) -> Delta:
        """The delta of a text."""

    @staticmethod
    def from_dict(value: dict[str, Any]) -> Delta:
        """The delta of the dict that `to_dict` gives."""

    def to_dict(self) -> dict[str, Any]:
        """The delta as a dict; `tokens` is there if it is stated."""

    def dumps(self, *, dialect: str = "v1", root: str | None = None, distances: bool = False, replace_white_space: str | None = None) -> str:
        """The delta as text."""

    def apply(self, base: Payload | dict[str, Any]) -> Payload:
        """The payload that the delta makes of `base`. Nothing is applied in part.

        Raises `gcf.Error` where `base` is not what the delta was made for, and where something else
        than `new_root` comes out.
        """

    def is_worth_it(self, threshold: float = 0.6) -> bool:
        """Whether it uses fewer tokens than this part of the full payload."""

    @property
    def tool(self) -> str:
        """The tool that made the new payload."""

    @property
    def base_root(self) -> str:
        """The root of the base."""

    @property
    def new_root(self) -> str:
        """The root of what comes out."""

    @property
    def tokens(self) -> int | None:
        """The number of tokens of the delta, if it is stated."""

    @property
    def savings(self) -> int | None:
        """What it saves against the full payload, in percent, if that is stated."""

    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class SendFull:
    """No delta can say what changed: send the payload in full."""

    @property
    def code(self) -> str:
        """Why, by a stable name as "edge_status"."""

    @property
    def reason(self) -> str:
        """Why, in words."""

@final
class Sent:
    """What a session wrote."""

    @property
    def text(self) -> str:
        """The text to send."""

    @property
    def sent_as(self) -> Literal["session", "full", "plain"]:
        """"session": with references; "full": without, and the session starts over; "plain": a delta,
        which needs no session.
        """

    @property
    def reason(self) -> str | None:
        """Why it is sent in full, by a stable name; None otherwise."""

    @property
    def declared(self) -> int:
        """The number of symbols that are declared in the session."""

    @property
    def referenced(self) -> int:
        """The number of symbols that refer to earlier declarations."""

@final
class Session:
    """The side of a session that writes: symbols that the reader has are referred to by their ids.

    Confirm what arrived, since only that is referred to later. Times are seconds of a clock that
    never goes back; without `now` the time since the session was made is taken.
    """

    def __new__(
        cls,
        *,
        dialect: str = "v1",
        root: str | None = None,
        compute_roots: bool = False,
        redeclare_changed: bool = False,
        max_ids: int | None = None,
        replace_white_space: str | None = None,
    ) -> Session: ...
    def dumps(self, payload: Payload | dict[str, Any], *, now: float | None = None) -> Sent:
        """Writes a payload."""

    def dumps_delta(self, delta: Delta, *, now: float | None = None) -> Sent:
        """Writes a delta."""

    def confirm(self, sent: Sent) -> None:
        """The reader has it."""

    def roll_back(self, sent: Sent) -> None:
        """The reader did not get it."""

    def reset(self) -> None:
        """Forgets everything; the reader has to, too."""

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

@final
class SessionReader:
    """The side of a session that reads: references become the symbols of earlier texts."""

    def __new__(
        cls,
        *,
        max_ids: int | None = None,
        require_symbol_count: bool = False,
        check_roots: bool = True,
        line_bytes: int | None = None,
        items: int | None = None,
    ) -> SessionReader: ...
    def loads(self, s: str | bytes | bytearray | memoryview) -> Payload:
        """The whole payload of a text of the session."""

    def apply_delta(self, s: str | bytes | bytearray | memoryview, base: Payload | dict[str, Any]) -> Payload:
        """The payload that a delta of the session makes of `base`."""

    def reset(self) -> None:
        """Forgets everything, when the writer was asked to start over."""

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

@final
class Answer:
    """What an exchange answers."""

    @property
    def text(self) -> str:
        """The text to send."""

    @property
    def outcome(self) -> Literal["unchanged", "delta", "full"]:
        """"unchanged", "delta" or "full"."""

    @property
    def reason(self) -> str | None:
        """Why it is sent in full, by a stable name; None otherwise."""

    @property
    def root(self) -> str:
        """The root of the current payload."""

    @property
    def tokens(self) -> int:
        """The number of tokens of the answer, by the counter of the exchange."""

    @property
    def full_tokens(self) -> int:
        """The number of tokens of the full payload."""

    @property
    def unseen_changes(self) -> int:
        """How many symbols have another score, provenance, distance or kind, although the answer does
        not say so, because identity roots do not cover these.
        """

@final
class Exchange:
    """The server side of an exchange: it sends only what the client does not have yet.

    >>> from wire_formats.gcf import graph
    >>> payload = {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "function"}]}
    >>> exchange = graph.Exchange()
    >>> first = exchange.answer(None, payload)
    >>> replica = graph.Replica(first.text)
    >>> exchange.answer(replica.root, payload).outcome
    'unchanged'
    """

    def __new__(cls, *, dialect: str = "v1", root: str | None = None, threshold: float = 0.6, counter: str = "estimate") -> Exchange: ...
    def answer(self, held: str | None, payload: Payload | dict[str, Any]) -> Answer:
        """Answers a client whose payload has the root `held`; None if it has no payload."""

@final
class Replica:
    """A client's copy of a payload, which answers of an exchange keep up to date.

    An answer that can't be applied raises `gcf.Error`. The old payload is kept and `root` is None,
    so the next request asks for the full payload.
    """

    def __new__(cls, answer: str | bytes | bytearray | memoryview) -> Replica: ...
    def receive(self, answer: str | bytes | bytearray | memoryview) -> None:
        """Takes an answer."""

    @property
    def payload(self) -> Payload:
        """The payload."""

    @property
    def root(self) -> str | None:
        """The root to send with the next request: that of the payload, or None to ask for the full
        payload.
        """

__all__ = [
    "Answer",
    "Delta",
    "Error",
    "Exchange",
    "OutOfRangeError",
    "Recovered",
    "Replica",
    "SendFull",
    "Sent",
    "Session",
    "SessionReader",
    "diff",
    "dump",
    "dumps",
    "load",
    "loads",
    "loads_lenient",
    "pack_root",
    "recover",
]

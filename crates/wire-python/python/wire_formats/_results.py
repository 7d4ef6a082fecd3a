"""Results of tools as models read them: `compact`, and what the modules of frameworks share."""

from __future__ import annotations

import json
import logging
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from ._tokens import Counter, counter_of, is_estimate
from ._tools import Read, is_of_framework, text_of_bytes, unread
from ._wire_formats import top as _native

if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack
else:
    Unpack = getattr(typing, "Unpack", None)  # since Python 3.11

_T = TypeVar("_T")


class Options(TypedDict, total=False):
    """Options of `compact` and of the modules of frameworks."""

    counter: Counter
    verbatim: Sequence[str]
    not_verbatim: Sequence[str]


def compact(value: Any, name: str = "", arguments: str | Mapping[str, Any] | None = None, **options: Unpack[Options]) -> Any:
    """The result of a tool as a model should read it: a text with few tokens, or the very same object.

    >>> from wire_formats import compact
    >>> print(compact([{"id": id, "name": name} for id, name in enumerate(["Ann", "Bo", "Cy", "Di"])], "people"), end="")
    GCF profile=generic
    ## [4]{id,name}
    0|Ann
    1|Bo
    2|Cy
    3|Di
    >>> compact({"ok": True}, "save"), compact("Saved.", "save")
    ('{"ok":true}', 'Saved.')

    An object becomes GCF or minified JSON. A str that is data becomes GCF, minified JSON, or stays. The same object is returned for
    what else there is: None, numbers, iterators, content of frameworks, what can't be written, and what a model may have to quote exactly, by
    the `name` of the tool and the `arguments` of the call, as the proxy has it. `verbatim` and `not_verbatim` are patterns of names
    of tools whose results stay always, or never, as `["fetch_*"]`. Without a name JSON inside of a text stays. `counter` is as in `count_tokens`.

    Nothing raises but wrong options: what fails is returned as it came, with a warning in the log `wire_formats`. The same
    arguments give the same text each time.
    """
    return Results(**options).value(value, name, arguments)


class Results:
    """What a module of a framework does with results, by options that are checked once."""

    def __init__(self, *, counter: Counter = "estimate", verbatim: Sequence[str] = (), not_verbatim: Sequence[str] = (), structured: str = "keep") -> None:
        if isinstance(verbatim, str) or isinstance(not_verbatim, str):
            raise ValueError("verbatim or not_verbatim is a str, expected a list of patterns, as ['fetch_*']")
        self._native = _native.Rewriter(counter_of(counter), is_estimate(counter), structured, verbatim, not_verbatim)

    def value(self, value: Any, name: str = "", arguments: str | Mapping[str, Any] | None = None) -> Any:
        """What `compact` gives."""
        read: Read = []
        text = value if isinstance(value, str) else made_or(None, name, lambda: json_of(value, read))
        found = made_or(value, name, lambda: text and self._native.text(text, name, _json_of(arguments), is_value=text is not value))
        return unread(value, read) if found is value else found

    def content(self, blocks: list[Any], name: str, arguments: str | Mapping[str, Any] | None = None, structured: Any = None) -> list[Any]:
        """The same of the blocks of an MCP result, which become one where each is an item of a list; the same list if it stays."""
        result = {"content": blocks, "structuredContent": structured}
        made = self.result(result, name, arguments, texts_alone=True)
        return blocks if made is result else made["content"]

    def result(self, result: dict[str, Any], name: str, arguments: str | Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """The same of an MCP result, by the name of the `client`."""
        return made_or(result, name, lambda: json.loads(self._native.result(json.dumps(result), name, _json_of(arguments), **more) or "null"))

    def rows(self, rows: Sequence[Any]) -> Sequence[Any]:
        """The rows of a conversation as APIs have them; those that stay are the very same, and so are the rows if all stay."""
        sent = f"[{','.join(map(_json_of_row, rows))}]"
        text = made_or(sent, "a conversation", lambda: self._native.rows(sent))
        if text is sent:
            return rows
        pairs = zip(rows, json.loads(sent), json.loads(text), strict=True)
        return [row if before == after else after for row, before, after in pairs]


def drops(structured: str, client: str | None, meta: Mapping[str, Any] | None) -> bool:
    """Whether results of a tool with this `_meta` lose their structured content, so that lists have to show it without a schema."""
    rows = [{"id": 1}, {"id": 2}, {"id": 3}]
    result = {"content": [{"type": "text", "text": json.dumps(rows)}], "structuredContent": {"result": rows}, "_meta": meta}
    return "structuredContent" not in Results(structured=structured).result(result, "rows", client=client)


def json_of(value: Any, read: Read | None = None) -> str | None:
    """An object as JSON; None for what is no array or object, or content of a framework.

    Iterators inside are appended to `read`, since they can't be read again.
    """
    if value is None or isinstance(value, (bool, int, float, bytes, Iterator)) or is_of_framework(value):
        return None
    text, columns, _ = _native.dumps_json(value, default=text_of_bytes, columns=True, read=read)
    return None if columns or text[:1] not in "[{" else str(text)


def made_or(value: _T, name: str, make: Callable[[], Any]) -> _T:
    """What is made; the value itself if it stays, or if making it fails."""
    try:
        return value if (made := make()) is None else made
    except Exception as error:  # no call of a tool fails because of us
        logging.getLogger("wire_formats").warning("the result of %s is as it came: %s", name or "a tool", error)
        return value


def _json_of(arguments: str | Mapping[str, Any] | None) -> str | None:
    return arguments if arguments is None or isinstance(arguments, str) else json.dumps(arguments, default=str)


def _json_of_row(row: Any) -> str:
    """A row of a conversation; one that JSON can't hold is a call that can't be read, whose results stay."""
    return made_or('{"tool_calls":[0]}', "a row", lambda: json.dumps(row, default=lambda of: of.model_dump(mode="json", exclude_none=True), allow_nan=False))

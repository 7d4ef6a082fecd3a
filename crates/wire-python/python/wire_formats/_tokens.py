"""Tokens: counting them, and the format that uses the fewest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Union

from . import gcf, gcx
from ._errors import Error
from ._wire_formats import top as _native

Counter = Union[str, Callable[[str], int]]

# Counters by their names and aliases; what is not here is a vocabulary of the other wheel.
_WORDS = ("estimate", "word-punctuation")
_VOCABULARIES = {"o200k": "o200k_base", "o200k_base": "o200k_base", "cl100k": "cl100k_base", "cl100k_base": "cl100k_base"}


def _counter(counter: Counter) -> tuple[str, Callable[[str], int]]:
    """The name of a counter, and the counter."""
    if callable(counter):
        return getattr(counter, "__name__", type(counter).__name__), counter
    if counter in _WORDS:
        return "word-punctuation", _native.count_words
    if counter not in _VOCABULARIES:
        names = ", ".join((*_WORDS, *_VOCABULARIES))
        raise ValueError(f"counter is {counter!r}, expected a callable or one of {names}")
    try:
        vocabularies = import_module("wire_formats_tokens")
    except ModuleNotFoundError as error:
        if error.name != "wire_formats_tokens":
            raise
        message = (
            f"the vocabulary {_VOCABULARIES[counter]} is a package of its own: "
            'in the repository run `pip install crates/wire-python/tokens`, or pass counter="estimate" for an estimate'
        )
        raise ImportError(message, name="wire_formats_tokens") from None
    name = _VOCABULARIES[counter]
    return name, lambda text: int(vocabularies.count(text, name))


def count_tokens(text: str | bytes, counter: Counter = "o200k") -> int:
    """The number of tokens of a text.

    >>> from wire_formats import count_tokens
    >>> count_tokens("GCF tool=t", counter="estimate")
    4

    `counter` is a vocabulary, "o200k" or "cl100k", which is in the package `wire-formats-tokens`; "estimate", which
    is always there (a token is a run of letters, digits, `_` and `.`, or another visible character); or a callable of yours. Nothing is
    downloaded. The GIL is released meanwhile.
    """
    if isinstance(text, bytes):
        text = text.decode()
    return _counter(counter)[1](text)


@dataclass(frozen=True)
class Smallest:
    """The text that uses the fewest tokens, and why it was taken."""

    text: str
    """The text."""
    format: str
    """Its format: "json" (minified), "gcf" or "gcx"."""
    tokens: int
    """The number of its tokens."""
    counter: str
    """The name of what counted."""
    candidates: dict[str, int | Error]
    """The number of tokens of each format, or why it can't represent the object."""
    reason: str
    """Why this one was taken, in words."""

    def __str__(self) -> str:
        return self.text


def smallest(
    obj: Any, *, counter: Counter = "estimate", default: Callable[[Any], Any] | None = None
) -> Smallest:
    """The object as text, in the format that uses the fewest tokens.

    >>> from wire_formats import smallest
    >>> found = smallest([{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}])
    >>> found.format, found.reason
    ('gcf', 'gcf by word-punctuation, since it uses the fewest tokens: json 33 tokens, gcf 20 tokens, gcx 23 tokens')

    Candidates are minified JSON, GCF and GCX1 with types; each keeps all of the object. On a tie the first one is chosen, so
    that minified JSON is replaced only by what is smaller. `counter` is as in `count_tokens`; the default is the estimate. The
    object is read once, as JSON; so the errors in `candidates` have places in the JSON text.

    Raises `TypeError` for an object that can't be written, and `wire_formats.Error` if JSON can't represent it.
    """
    name, count = _counter(counter)
    # Once: a generator, a stream and `default` may give their items only once.
    text = _native.dumps_json(obj, default=default)
    tokens, format, json_text = count(text), "json", text
    candidates: dict[str, int | Error] = {format: tokens}
    for other, from_json in (("gcf", gcf.from_json), ("gcx", gcx.from_json)):
        try:
            made_text = from_json(json_text)
        except Error as error:
            candidates[other] = error
            continue
        candidates[other] = made_tokens = count(made_text)
        if made_tokens < tokens:
            tokens, format, text = made_tokens, other, made_text
    found = ", ".join(
        f"{name} can't represent it ({made.code})" if isinstance(made, Error) else f"{name} {made} tokens"
        for name, made in candidates.items()
    )
    why = "since no other format uses fewer tokens" if format == "json" else "since it uses the fewest tokens"
    return Smallest(text, format, tokens, name, candidates, f"{format} by {name}, {why}: {found}")

"""Tokens: counting them, and the format that uses the fewest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from operator import index as as_index
from typing import Any, Literal, SupportsIndex, Union

from . import gcf, gcx
from ._errors import Error
from ._frames import warn_of_columns
from ._wire_formats import top as _native

Counter = Union[str, Callable[[str], int]]
Nan = Literal["error", "null"]

# Estimates by their names and aliases; what is not here is a vocabulary of the other wheel.
_ESTIMATES = {"estimate": "runs", "runs": "runs", "words": "word-punctuation", "word-punctuation": "word-punctuation"}
_FORMATS = ("json", "gcf", "gcx")
_VOCABULARIES = {"o200k": "o200k_base", "o200k_base": "o200k_base", "cl100k": "cl100k_base", "cl100k_base": "cl100k_base"}
# The vocabularies of models, by what their names begin with.
_MODELS = {
    "o200k": ("gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "chatgpt-4o", "o1", "o3", "o4", "gpt-oss"),
    "cl100k": ("gpt-4", "gpt-3.5", "text-embedding-3", "text-embedding-ada"),
}


def _unknown(counter: object) -> str:
    """Why something is no counter, and which one a model has."""
    names = ", ".join(repr(name) for name in (*_ESTIMATES, *_VOCABULARIES))
    message = f"counter is {counter!r}, expected a callable or one of {names}"
    model = str(counter).lower().rpartition("/")[2]
    for vocabulary, starts in _MODELS.items():
        if model.startswith(starts):
            return f'{message}; {counter} uses the vocabulary {vocabulary}: pass counter="{vocabulary}"'
    return f"{message}; for another model pass a function from str to int"


def _checked(count: object) -> int:
    """What a counter of the caller returned, which must be a number of tokens."""
    if isinstance(count, SupportsIndex) and not isinstance(count, bool) and as_index(count) >= 0:
        return as_index(count)
    raise ValueError(f"counter returned {count!r}, expected a number of tokens")


def counter_of(counter: Counter) -> tuple[str, Callable[[str], int]]:
    """The name of a counter, and the counter."""
    if callable(counter):
        return getattr(counter, "__name__", type(counter).__name__), lambda text: _checked(counter(text))
    if counter in _ESTIMATES:
        return _ESTIMATES[counter], partial(_native.estimate, _ESTIMATES[counter])
    if counter not in _VOCABULARIES:
        raise ValueError(_unknown(counter))
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


def is_estimate(counter: Counter) -> bool:
    """Whether it is the name of an estimate."""
    return isinstance(counter, str) and counter in _ESTIMATES


def count_tokens(text: str | bytes, counter: Counter = "estimate") -> int:
    """The number of tokens of a text.

    >>> from wire_formats import count_tokens
    >>> count_tokens("GCF tool=t")
    4

    `counter` is "estimate", also "runs", which is always there and for most texts within 15 % of the vocabulary of GPT-4o; a vocabulary,
    "o200k" or "cl100k", which is in the package `wire-formats-tokens`; a callable of yours; or "word-punctuation", the estimate in the
    headers of GCF. Nothing is downloaded. The GIL is released meanwhile.
    """
    if isinstance(text, bytes):
        text = text.decode()
    return counter_of(counter)[1](text)


@dataclass(frozen=True)
class Smallest:
    """The text that uses the fewest tokens, or nearly as few, and why it was taken."""

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
    losses: tuple[str, ...] = ()
    """What the text does not have of the object, in words: floats that `digits` rounded."""

    def __str__(self) -> str:
        return self.text


def smallest(
    obj: Any,
    *,
    counter: Counter = "estimate",
    formats: Sequence[str] | None = None,
    default: Callable[[Any], Any] | None = None,
    index: bool = True,
    nan: Nan = "error",
    digits: int | None = None,
) -> Smallest:
    """The object as text, in the format that uses the fewest tokens.

    >>> from wire_formats import smallest
    >>> found = smallest([{"id": id, "name": name} for id, name in enumerate(["Ann", "Bo", "Cleo", "Dev"])])
    >>> found.format, found.reason
    ('gcf', 'gcf by runs, since it uses the fewest tokens: json 34 tokens; gcf 30 tokens')

    Candidates are minified JSON and `formats`, by default GCF; "gcx" is GCX1 with types. Each keeps all of the object. Of those with at most
    3 % more than the fewest tokens (5 % by an estimate) the first one is chosen, so that minified JSON is replaced only by what saves
    something. `counter` is as in `count_tokens`.
    `default`, `index`, `nan` and `digits` are as in `gcf.dumps`. The object is read once, as JSON; so the errors in `candidates` have places in
    the JSON text.

    Raises `TypeError` for an object that can't be written, and `wire_formats.Error` if JSON can't represent it.
    """
    # Once: a generator, a stream and `default` may give their items only once.
    text, columns, rounded = _native.dumps_json(obj, default=default, index=index, nan=nan, digits=digits, columns=True)
    found = smallest_of(text, columns, counter, checked_formats(formats))
    if not rounded:
        return found
    floats = "1 float is" if rounded == 1 else f"{rounded} floats are"
    digits_in_words = "1 digit" if digits == 1 else f"{digits} digits"
    return replace(found, losses=(f"{floats} rounded to {digits_in_words}",))


def checked_formats(formats: Sequence[str] | None) -> list[str]:
    """The formats to choose from, in their order."""
    is_list = formats is None or isinstance(formats, Sequence) and not isinstance(formats, str)
    asked = _native.forms() if formats is None else ["json", *(formats if is_list else ())]
    if not is_list or any(format not in _FORMATS for format in asked):
        raise ValueError(f"formats is {formats!r}, expected a list of {', '.join(map(repr, _FORMATS))}")
    return [format for format in _FORMATS if format in asked]


def smallest_of(json_text: str, columns: list[str] | None, counter: Counter, formats: list[str]) -> Smallest:
    """The same of a JSON text, and of the names of columns that `text_in` takes."""
    name, count = counter_of(counter)
    candidates: dict[str, int | Error] = {}
    texts: dict[str, str] = {}
    for format in formats:
        try:
            texts[format] = text_in(format, json_text, columns)
        except Error as error:
            candidates[format] = error
            continue
        candidates[format] = count(texts[format])
    counts = [(format, len(text.encode()), candidates[format]) for format, text in texts.items()]
    chosen = _native.choose(name, is_estimate(counter), counts)
    if chosen is None:  # no format can hold the names of the columns
        warn_of_columns(columns or [])
        return smallest_of(json_text, None, counter, formats)
    format, reason = chosen
    refused = [f"{name} can't represent it ({made.code})" for name, made in candidates.items() if isinstance(made, Error)]
    tokens = candidates[format]
    assert isinstance(tokens, int)
    return Smallest(texts[format], format, tokens, name, candidates, "; ".join([reason, *refused]))


def text_in(format: str, json_text: str, columns: list[str] | None) -> str:
    """A JSON text in a format; or the names of the columns of a frame without rows."""
    if columns:
        text = _native.without_rows(format, columns)
        if text is None:
            raise Error(f"{format} can't hold the names of the columns of a frame without rows", "invalid_value")
        return str(text)
    if format == "json":
        return json_text
    return gcf.from_json(json_text, exact=True) if format == "gcf" else gcx.from_json(json_text, exact=True)

"""Models of pydantic as what JSON holds."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Any


def dump(model: Any, default: Callable[[Any], Any] | None) -> tuple[Any, list[str | int] | None, str]:
    """What pydantic makes of a model for JSON, with the names of the aliases, so that the model reads it again.

    pydantic writes NaN and infinities as None; the path to the first of them and its text are returned, since they are an error here.
    """
    options: dict[str, Any] = {} if default is None else {"fallback": default}
    made = model.model_dump(mode="json", by_alias=True, **options)
    lost = _lost(made, model.model_dump(by_alias=True)) if _has_none(made) else None
    return made, lost and lost[0], lost[1] if lost else ""


def _has_none(made: Any) -> bool:
    if isinstance(made, dict):
        return any(_has_none(value) for value in made.values())
    if isinstance(made, list):
        return any(_has_none(value) for value in made)
    return made is None


def _lost(made: Any, value: Any) -> tuple[list[str | int], str] | None:
    """Where a number is None in what was made."""
    if made is None:
        return ([], str(value)) if isinstance(value, float) and not math.isfinite(value) else None
    steps: Any = ()
    if isinstance(made, dict) and isinstance(value, dict) and len(made) == len(value):
        steps = zip(made, made.values(), value.values())
    elif isinstance(made, list) and isinstance(value, (list, tuple, set, frozenset, deque)) and len(made) == len(value):
        steps = zip(range(len(made)), made, value)
    for step, inner, before in steps:
        found = _lost(inner, before)
        if found:
            return [step, *found[0]], found[1]
    return None

"""Models of pydantic as what JSON holds."""

from __future__ import annotations

import json
import math
from collections import deque
from collections.abc import Callable
from typing import Any


def dump(model: Any, default: Callable[[Any], Any] | None) -> tuple[Any, list[str | int] | None, str]:
    """What pydantic makes of a model for JSON, with the names of the aliases, so that the model reads it again.

    pydantic writes NaN and infinities as None; the path to the first of them and its text are returned, since they are an error here.
    It writes sets in an order that another process has not, so that they are sorted.
    """
    options: dict[str, Any] = {} if default is None else {"fallback": default}
    made = model.model_dump(mode="json", by_alias=True, **options)
    lost = _compare(made, model.model_dump(by_alias=True)) if _may_differ(made) else None
    return made, lost and lost[0], lost[1] if lost else ""


def _may_differ(made: Any) -> bool:
    """Whether there is a None, or an array that may have been a set."""
    if isinstance(made, dict):
        return any(_may_differ(value) for value in made.values())
    if isinstance(made, list):
        return len(made) > 1 or any(_may_differ(value) for value in made)
    return made is None


def _compare(made: Any, value: Any) -> tuple[list[str | int], str] | None:
    """Sorts the arrays that were sets, and says where a number is None in what was made."""
    if made is None:
        return ([], str(value)) if isinstance(value, float) and not math.isfinite(value) else None
    steps: Any = ()
    if isinstance(made, dict) and isinstance(value, dict) and len(made) == len(value):
        steps = zip(made, made.values(), value.values())
    elif isinstance(made, list) and isinstance(value, (set, frozenset)):
        made.sort(key=lambda item: json.dumps(item, ensure_ascii=False, separators=(",", ":")))
        lost = [item for item in value if isinstance(item, float) and not math.isfinite(item)]
        return ([made.index(None)], str(lost[0])) if lost and None in made else None
    elif isinstance(made, list) and isinstance(value, (list, tuple, deque)) and len(made) == len(value):
        steps = zip(range(len(made)), made, value)
    for step, inner, before in steps:
        found = _compare(inner, before)
        if found:
            return [step, *found[0]], found[1]
    return None

"""`dump` and `load`: the same as `dumps` and `loads`, over files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def dump_with(dumps: Callable[..., Any], module: str, said: str) -> Callable[..., None]:
    def dump(obj: Any, fp: Any, /, *arguments: Any, **options: Any) -> None:
        fp.write(dumps(obj, *arguments, **options))

    dump.__module__ = module
    dump.__qualname__ = "dump"
    dump.__doc__ = f"Writes what `dumps` gives to `fp`, {said}. Options are those of `dumps`."
    return dump


def load_with(loads: Callable[..., Any], module: str, said: str) -> Callable[..., Any]:
    def load(fp: Any, /, **options: Any) -> Any:
        return loads(fp.read(), **options)

    load.__module__ = module
    load.__qualname__ = "load"
    load.__doc__ = f"Reads all of `fp`, {said}, and returns what `loads` does. Options are those of `loads`."
    return load

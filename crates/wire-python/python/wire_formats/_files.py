"""`dump` and `load`: the same as `dumps` and `loads`, over files."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any


def dump_with(dumps: Callable[..., Any], module: str, said: str) -> Callable[..., None]:
    def dump(obj: Any, fp: Any, /, *arguments: Any, **options: Any) -> None:
        data = dumps(obj, *arguments, **options)
        if not isinstance(fp, (str, os.PathLike)):
            fp.write(data)
            return
        with open(fp, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)

    dump.__module__ = module
    dump.__qualname__ = "dump"
    dump.__doc__ = f"Writes what `dumps` gives to `fp`, {said} or a path. Options are those of `dumps`."
    return dump


def load_with(loads: Callable[..., Any], module: str, said: str) -> Callable[..., Any]:
    def load(fp: Any, /, **options: Any) -> Any:
        if not isinstance(fp, (str, os.PathLike)):
            return loads(fp.read(), **options)
        with open(fp, "rb") as file:
            return loads(file.read(), **options)

    load.__module__ = module
    load.__qualname__ = "load"
    load.__doc__ = f"Reads all of `fp`, {said} or a path, and returns what `loads` does. Options are those of `loads`."
    return load

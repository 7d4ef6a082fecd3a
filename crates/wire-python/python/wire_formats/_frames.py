"""What has to be done to a frame before it can be read."""

from __future__ import annotations

from typing import Any


def without_null(frame: Any) -> Any:
    """A frame or series of Polars whose columns of the type Null are of another type, since Polars exports those with a buffer that
    Arrow has no place for; None for everything else."""
    if type(frame).__module__.partition(".")[0] != "polars":
        return None
    import polars

    def other(type: Any) -> Any:
        if type == polars.Null:
            return polars.Boolean
        if isinstance(type, polars.List):
            return polars.List(other(type.inner))
        if isinstance(type, polars.Array):
            return polars.Array(other(type.inner), type.size)
        if isinstance(type, polars.Struct):
            return polars.Struct({field.name: other(field.dtype) for field in type.fields})
        return type

    if isinstance(frame, polars.Series):
        return frame.cast(other(frame.dtype))
    if isinstance(frame, polars.DataFrame):
        return frame.cast({name: other(type) for name, type in frame.schema.items()})
    return None

"""The exceptions of the formats."""

from __future__ import annotations

from typing import Any


class Error(ValueError):
    """What a format says is wrong.

    `code` is a stable name, as "row_width_mismatch". Of a text that can't be read, `line` and `column` count from 1, the column in
    characters, and `offset` counts bytes of UTF-8 from 0; a binary format has an offset alone. Of an object that can't be written,
    `path` is where it is, as "$.orders[2].id". What does not apply is None.
    """

    code: str
    line: int | None
    column: int | None
    offset: int | None
    path: str | None

    def __init__(
        self,
        message: str,
        code: str = "",
        line: int | None = None,
        column: int | None = None,
        offset: int | None = None,
        path: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.line = line
        self.column = column
        self.offset = offset
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        place = (self.code, self.line, self.column, self.offset, self.path)
        return (type(self), (self.args[0], *place))


class OutOfRangeError(Error, OverflowError):
    """An integer does not fit."""


def _classes(module: str) -> tuple[type[Error], type[Error]]:
    """The class of a format's errors, and the one of integers that do not fit."""
    where = f"wire_formats.{module}"
    said = {"__module__": where, "__doc__": f"What {module.upper()} says is wrong: see `wire_formats.Error`."}
    error = type("Error", (Error,), said)
    doc = f"An integer that {module.upper()} can't represent."
    overflow = type("OutOfRangeError", (error, OutOfRangeError), {"__module__": where, "__doc__": doc})
    return error, overflow


Error.__module__ = OutOfRangeError.__module__ = "wire_formats"
# By format; what is of none, as a payload that can't be made, has the base classes.
CLASSES = {module: _classes(module) for module in ("gcf", "gcb", "gcx", "goon")}
CLASSES["json"] = (Error, OutOfRangeError)


def make(
    format: str,
    code: str,
    message: str,
    line: int | None,
    column: int | None,
    offset: int | None,
    path: str | None,
    overflow: bool,
) -> Error:
    """The exception that the extension module raises."""
    if path is not None:
        message = f"{path}: {message}"
    return CLASSES[format][overflow](message, code, line, column, offset, path)

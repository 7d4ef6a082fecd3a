"""Values as objects of a type: `loads(text, type=Model)`."""

from __future__ import annotations

import collections
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import functools
import ipaddress
import math
import pathlib
import re
import types
import typing
import uuid
from typing import Any, Type

from ._errors import CLASSES, Error

_SEQUENCES = (list, tuple, set, frozenset, collections.deque, collections.abc.Sequence, collections.abc.Iterable)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
# A duration as `_values.duration` writes it.
_DURATION = re.compile(
    r"(-?)P(?=.)(?:(\d+)Y)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,6}))?S)?)?", re.ASCII
)


def _duration(text: str) -> datetime.timedelta:
    found = _DURATION.fullmatch(text)
    if found is None:
        raise ValueError(text)
    years, days, hours, minutes, seconds = (int(found[place] or 0) for place in range(2, 7))
    fraction = int((found[7] or "").ljust(6, "0"))
    length = datetime.timedelta(
        days=365 * years + days, hours=hours, minutes=minutes, seconds=seconds, microseconds=fraction
    )
    return -length if found[1] else length


# What is written as a text, and how that is read.
_FROM_TEXT: dict[Any, Any] = {
    datetime.datetime: datetime.datetime.fromisoformat,
    datetime.date: datetime.date.fromisoformat,
    datetime.time: lambda text: datetime.time.fromisoformat(re.sub("Z$", "+00:00", text)),
    datetime.timedelta: _duration,
    uuid.UUID: uuid.UUID,
    decimal.Decimal: decimal.Decimal,
    **{
        kind: kind
        for kind in (
            pathlib.Path,
            pathlib.PurePath,
            pathlib.PurePosixPath,
            pathlib.PureWindowsPath,
            ipaddress.IPv4Address,
            ipaddress.IPv6Address,
            ipaddress.IPv4Network,
            ipaddress.IPv6Network,
            ipaddress.IPv4Interface,
            ipaddress.IPv6Interface,
        )
    },
}


def convert(value: Any, type: Any, format: str) -> Any:
    """The value as an object of the type; what does not fit is an error of the format, with its path."""
    return _convert(value, type, "$", CLASSES[format][0])


def _convert(value: Any, type: Any, path: str, error: Type[Error]) -> Any:
    def wrong(expected: str) -> Error:
        return error(f"{path}: the value is {_shown(value)}, expected {expected}", "invalid_value", path=path)

    origin = typing.get_origin(type)
    if origin is typing.Annotated:
        return _convert(value, typing.get_args(type)[0], path, error)
    if type is Any or type is object:
        return value
    if isinstance(type, typing.TypeVar):  # of a generic class without arguments
        return value
    if isinstance(type, typing.NewType):
        return _convert(value, type.__supertype__, path, error)
    if hasattr(type, "model_validate"):  # pydantic says itself what is wrong
        return type.model_validate(value)
    if type is None or type is types.NoneType:
        if value is not None:
            raise wrong("None")
        return None
    if origin is typing.Union or origin is types.UnionType:
        return _one_of(value, typing.get_args(type), wrong, path, error)
    if origin is typing.Literal:
        for choice in typing.get_args(type):
            if choice == value and isinstance(choice, bool) == isinstance(value, bool):
                return choice
        raise wrong(f"one of {', '.join(map(repr, typing.get_args(type)))}")
    base = origin or type
    if base in _MAPPINGS:
        if not isinstance(value, dict):
            raise wrong("an object")
        keys, values = typing.get_args(type) or (Any, Any)
        made = {
            _key(key, keys, path, error): _convert(inner, values, f"{path}[{key!r}]", error)
            for key, inner in value.items()
        }
        if len(made) != len(value):
            raise error(f"{path}: two keys are the same {keys.__name__}, expected each once", "duplicate_key", path=path)
        return made
    if base in _SEQUENCES:
        if not isinstance(value, list):
            raise wrong("an array")
        return _sequence(value, type, base, wrong, path, error)
    if dataclasses.is_dataclass(base) and isinstance(base, _CLASS):
        if not isinstance(value, dict):
            raise wrong(f"an object for {base.__name__}")
        return _dataclass(value, base, typing.get_args(type), path, error)
    if _is_typed_dict(base):
        if not isinstance(value, dict):
            raise wrong(f"an object for {base.__name__}")
        return _typed_dict(value, base, typing.get_args(type), path, error)
    if isinstance(base, _CLASS) and issubclass(base, tuple) and hasattr(base, "_fields"):
        if not isinstance(value, list) or len(value) != len(base._fields):
            raise wrong(f"an array of {len(base._fields)} values for {base.__name__}")
        hints = _hints(base, typing.get_args(type))
        return base(
            *(_convert(inner, hints.get(name, Any), f"{path}[{index}]", error) for index, (name, inner) in enumerate(zip(base._fields, value)))
        )
    if isinstance(type, _CLASS) and issubclass(type, enum.Enum):
        try:
            return type(value)
        except ValueError:
            raise wrong(f"one of {', '.join(repr(member.value) for member in type)}") from None
    if type in _FROM_TEXT:
        if type is decimal.Decimal and isinstance(value, (int, float)) and not isinstance(value, bool):
            return decimal.Decimal(str(value))
        if not isinstance(value, str):
            raise wrong(f"the text of a {type.__name__}")
        try:
            return _FROM_TEXT[type](value)
        except (ValueError, OverflowError, decimal.InvalidOperation):
            raise wrong(f"the text of a {type.__name__}") from None
    if type is float and isinstance(value, int) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if number != value:
            raise error(f"{path}: the integer is {_shown(value)}, which no float is exactly", "out_of_range", path=path)
        return number
    if type in (int, float, str, bool):
        # A truth value is no integer, although it is an instance of one.
        if not isinstance(value, type) or (type is int and isinstance(value, bool)):
            raise wrong(type.__name__)
        return value
    if hasattr(type, "__arrow_c_stream__"):
        raise TypeError(f"{path}: {type.__name__} is a frame, which takes the rows that `loads_arrow` reads")
    raise TypeError(f"{path}: the type {type!r} can't be read; give a dataclass, a pydantic model or a type of them")


_CLASS = type


def _shown(value: Any) -> str:
    said = repr(value)
    return said if len(said) <= 60 else f"{said[:57]}..."


def _one_of(value: Any, choices: tuple[Any, ...], wrong: Any, path: str, error: Type[Error]) -> Any:
    if value is None and types.NoneType in choices:
        return None
    # What is of a choice as it stands comes first, so that "1" is not made a number where a text is allowed.
    for choice in choices:
        if isinstance(choice, _CLASS) and choice in (int, float, str, bool) and type(value) is choice:
            return value
    last: Exception | None = None
    others = [choice for choice in choices if choice is not types.NoneType]
    for choice in others:
        try:
            return _convert(value, choice, path, error)
        except ValueError as failed:
            last = failed
    if len(others) == 1 and last is not None:
        raise last
    raise wrong("one of " + ", ".join(getattr(choice, "__name__", repr(choice)) for choice in choices))


def _key(key: str, type: Any, path: str, error: Type[Error]) -> Any:
    """A key: integers, None and truth values were written as text."""
    if type is int:
        try:
            number = int(key)
        except ValueError:
            number = None
        if number is None or str(number) != key:
            raise error(f"{path}: the key is {key!r}, expected an integer", "invalid_value", path=path)
        return number
    if type is bool and key in ("true", "false"):
        return key == "true"
    return _convert(key, type, path, error)


def _sequence(value: list[Any], type: Any, base: Any, wrong: Any, path: str, error: Type[Error]) -> Any:
    arguments = typing.get_args(type)
    if base is tuple and arguments and arguments[-1] is not Ellipsis:
        if len(arguments) != len(value):
            raise wrong(f"{len(arguments)} values")
        return tuple(
            _convert(inner, argument, f"{path}[{index}]", error)
            for index, (inner, argument) in enumerate(zip(value, arguments))
        )
    inner_type = arguments[0] if arguments else Any
    items = [_convert(inner, inner_type, f"{path}[{index}]", error) for index, inner in enumerate(value)]
    return base(items) if base in (tuple, set, frozenset, collections.deque) else items


def _is_typed_dict(type: Any) -> bool:
    # Those of `typing_extensions` are of a class of its own.
    return isinstance(type, _CLASS) and hasattr(type, "__required_keys__") and hasattr(type, "__total__")


def _bound(hint: Any, known: dict[Any, Any]) -> Any:
    """A type with the arguments of its type variables."""
    if isinstance(hint, typing.TypeVar):
        return known.get(hint, hint)
    parameters = getattr(hint, "__parameters__", ())
    if not parameters or isinstance(hint, _CLASS):
        return hint
    return hint[tuple(known.get(parameter, parameter) for parameter in parameters)]


def _hints(type: Any, arguments: tuple[Any, ...]) -> dict[str, Any]:
    """The types of the fields of a class; those of a generic one, and of its generic bases, with their arguments."""
    hints = typing.get_type_hints(type, include_extras=True)
    # What each class calls by the names of its type variables.
    known: dict[Any, dict[Any, Any]] = {}

    def learn(of: Any, given: tuple[Any, ...]) -> None:
        known[of] = dict(zip(getattr(of, "__parameters__", ()), given))
        for base in getattr(of, "__orig_bases__", ()):
            origin = typing.get_origin(base)
            if isinstance(origin, _CLASS) and origin is not typing.Generic:
                learn(origin, tuple(_bound(argument, known[of]) for argument in typing.get_args(base)))

    learn(type, arguments)
    # A TypedDict has no bases when it runs, so that its own names count.
    classes = getattr(type, "__mro__", (type,))
    for name, hint in hints.items():
        owner = next((of for of in classes if name in getattr(of, "__annotations__", {})), type)
        hints[name] = _bound(hint, known.get(owner, {}))
    return hints


@functools.lru_cache(maxsize=256)
def _fields(type: Any, arguments: tuple[Any, ...]) -> dict[str, tuple[Any, bool, bool]]:
    """The fields of a dataclass: the type of each, whether it is required, and whether `__init__` takes it."""
    hints = _hints(type, arguments)
    missing = dataclasses.MISSING
    fields = {
        field.name: (hints[field.name], field.default is missing and field.default_factory is missing, field.init)
        for field in dataclasses.fields(type)
    }
    for name, hint in hints.items():
        if isinstance(hint, dataclasses.InitVar):
            if not hasattr(type, name):
                message = f"{type.__name__} can't be read: it needs the InitVar {name!r}, which is not written; give it a default"
                raise TypeError(message)
            fields[name] = (hint.type, False, True)
    return fields


def _unknown(value: dict[str, Any], known: typing.Collection[str], type: Any, path: str, error: Type[Error]) -> None:
    for name in value:
        if name not in known:
            raise error(f"{path}: {type.__name__} has no field {name!r}", "invalid_value", path=path)


def _dataclass(value: dict[str, Any], type: Any, of: tuple[Any, ...], path: str, error: Type[Error]) -> Any:
    fields = _fields(type, of)
    _unknown(value, fields, type, path, error)
    arguments: dict[str, Any] = {}
    later: dict[str, Any] = {}
    for name, (hint, required, init) in fields.items():
        if name in value:
            (arguments if init else later)[name] = _convert(value[name], hint, f"{path}.{name}", error)
        elif required and init:
            raise error(f"{path}: the field {name!r} is missing", "invalid_value", path=path)
    made = type(**arguments)
    for name, inner in later.items():
        object.__setattr__(made, name, inner)
    return made


def _typed_dict(value: dict[str, Any], type: Any, of: tuple[Any, ...], path: str, error: Type[Error]) -> Any:
    hints = _hints(type, of)
    _unknown(value, hints, type, path, error)
    for name, hint in hints.items():
        # A type that was a string when the class was made says only now whether it is required.
        said = getattr(typing.get_origin(hint), "_name", None)
        required = said == "Required" if said in ("Required", "NotRequired") else name in type.__required_keys__
        if required and name not in value:
            raise error(f"{path}: the key {name!r} is missing", "invalid_value", path=path)
    return {name: _convert(inner, _item(hints[name]), f"{path}.{name}", error) for name, inner in value.items()}


def _item(hint: Any) -> Any:
    """The type of a key's value, without `Required` and its like."""
    while getattr(typing.get_origin(hint), "_name", None) in ("Required", "NotRequired", "ReadOnly"):
        hint = typing.get_args(hint)[0]
    return hint

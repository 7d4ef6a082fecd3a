"""Results of tools as text: `tool_result`."""

from __future__ import annotations

import base64
import copy
import dataclasses
import functools
import gc
import inspect
import json
import logging
import os
import typing
import warnings
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Annotated, Any, Literal, ParamSpec, Protocol, TypeVar, overload

from ._errors import Error
from ._frames import warn_of_columns
from ._tokens import Counter, Nan, checked_formats, counter_of, smallest_of, text_in
from ._wire_formats import top as _native

_P = ParamSpec("_P")
_T = TypeVar("_T")
Format = Literal["auto", "json", "gcf", "gcx"]

FORMATS: tuple[str, ...] = typing.get_args(Format)
# Frameworks show this to the model beside the argument.
DESCRIPTION = "Form of the result: auto (fewest tokens), json, gcf or gcx"
# Modules whose objects are content for the framework: images, blocks of text, whole results.
FRAMEWORKS = ("mcp.", "mcp_types.", "fastmcp.", "prefab_ui.", "langchain_core.messages.", "langgraph.types.", "agents.tool.")

_logger = logging.getLogger("wire_formats")


class Tool(Protocol[_P]):
    """A decorated function: its arguments, and `format`."""

    @overload
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> str: ...
    @overload
    def __call__(self, *args: Any, format: Format, **kwargs: Any) -> str: ...
    def __get__(self, instance: Any, owner: Any, /) -> Callable[..., str]:
        """The method of an object."""
        ...


class AsyncTool(Protocol[_P]):
    """A decorated async function: its arguments, and `format`."""

    @overload
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> Coroutine[Any, Any, str]: ...
    @overload
    def __call__(self, *args: Any, format: Format, **kwargs: Any) -> Coroutine[Any, Any, str]: ...
    def __get__(self, instance: Any, owner: Any, /) -> Callable[..., Coroutine[Any, Any, str]]:
        """The method of an object."""
        ...


class Decorator(Protocol):
    """What `tool_result` with options gives."""

    @overload
    def __call__(self, function: Callable[_P, Awaitable[Any]], /) -> AsyncTool[_P]: ...
    @overload
    def __call__(self, function: Callable[_P, Any], /) -> Tool[_P]: ...


class NamingDecorator(Protocol):
    """What `tool_result` gives with another name for the argument, which types can't say."""

    @overload
    def __call__(self, function: Callable[..., Awaitable[Any]], /) -> Callable[..., Coroutine[Any, Any, str]]: ...
    @overload
    def __call__(self, function: Callable[..., Any], /) -> Callable[..., str]: ...


@overload
def tool_result(function: Callable[_P, Awaitable[Any]], /) -> AsyncTool[_P]: ...
@overload
def tool_result(function: Callable[_P, Any], /) -> Tool[_P]: ...
@overload
def tool_result(
    function: None = None,
    /,
    *,
    format: Format = "auto",
    counter: Counter = "estimate",
    formats: Sequence[str] | None = None,
    verbatim: bool | None = None,
    default: Callable[[Any], Any] | None = None,
    index: bool = True,
    nan: Nan = "error",
    digits: int | None = None,
) -> Decorator: ...
@overload
def tool_result(
    function: None = None,
    /,
    *,
    format: Format = "auto",
    argument: str,
    counter: Counter = "estimate",
    formats: Sequence[str] | None = None,
    verbatim: bool | None = None,
    default: Callable[[Any], Any] | None = None,
    index: bool = True,
    nan: Nan = "error",
    digits: int | None = None,
) -> NamingDecorator: ...
def tool_result(
    function: Callable[..., Any] | None = None,
    /,
    *,
    format: Format = "auto",
    argument: str = "format",
    counter: Counter = "estimate",
    formats: Sequence[str] | None = None,
    verbatim: bool | None = None,
    default: Callable[[Any], Any] | None = None,
    index: bool = True,
    nan: Nan = "error",
    digits: int | None = None,
) -> Any:
    """A tool whose result is text with few tokens, and whose caller may choose the form by the argument `format`.

    >>> from wire_formats import tool_result
    >>> @tool_result
    ... def users(city: str):
    ...     "The users of a city."
    ...     return [{"id": id, "city": city} for id in range(4)]
    >>> print(users("Rome"), end="")
    GCF profile=generic
    ## [4]{id,city}
    0|Rome
    1|Rome
    2|Rome
    3|Rome
    >>> users("Rome", format="json")
    '[{"id":0,"city":"Rome"},{"id":1,"city":"Rome"},{"id":2,"city":"Rome"},{"id":3,"city":"Rome"}]'

    The tool is a function, or an async one, that returns any object of `dumps`; a str is returned as it is, and bytes as text.
    Content of the frameworks, such as an image, is returned as it is. So is what can't be written, with a warning in the log
    `wire_formats`: the framework then sends it as it does without the decorator. Put the decorator below that of the framework,
    as `@mcp.tool`, which then finds the argument in the signature. There is no return type in it, so that frameworks don't send
    the text a second time as structured content.

    What a model may have to quote exactly stays JSON, unless the caller asks for a form: the result of a tool that reads a file by the
    words of its name (`read_file`, `get_page`) or by an argument that ends in `.json` or the like, and one that is mostly one long text.
    With `verbatim=True` all results of the tool stay JSON, with `verbatim=False` none.

    `format` is the default: "auto" chooses the one with the fewest tokens by `counter` and of `formats`, as `smallest` does. An object that the
    chosen format can't represent is sent as JSON. `argument` is another name for the argument; `default`, `index`, `nan`
    and `digits` are as in `gcf.dumps`.

    Raises `TypeError` for an async generator, and `ValueError` where the tool has an argument of that name.
    """
    _checked(format)
    if verbatim not in (None, True, False):
        raise ValueError(f"verbatim is {verbatim!r}, expected True, False or None")
    counter_of(counter)  # an unknown one is an error here, and not in each call
    options = _Options(format, argument, counter, checked_formats(formats), verbatim, default, index, _nan(nan), _digits(digits))
    if function is None:
        return lambda function: _decorated(function, options)
    return _decorated(function, options)


@dataclasses.dataclass(frozen=True)
class _Options:
    format: str
    argument: str
    counter: Counter
    formats: list[str]
    verbatim: bool | None
    default: Callable[[Any], Any] | None
    index: bool
    nan: Nan
    digits: int | None


def _nan(nan: Nan) -> Nan:
    if nan not in typing.get_args(Nan):
        raise ValueError(f"nan is {nan!r}, expected 'error' or 'null'")
    return nan


def _digits(digits: int | None) -> int | None:
    if digits is not None and digits not in range(1, 18):
        raise ValueError(f"digits is {digits!r}, expected a number from 1 to 17")
    return digits


def _checked(format: str) -> str:
    if format not in FORMATS:
        raise ValueError(f"format is {format!r}, expected one of {', '.join(FORMATS)}")
    return format


# Iterators that were read, and their items: nobody could read them again.
Read = list[tuple[Any, "list[Any] | None"]]


def _result(value: Any, format: str, name: str, given: dict[str, Any], options: _Options) -> Any:
    """The text of a result; or the result itself, if it is one for the framework or can't be written."""
    if isinstance(value, str) or is_of_framework(value):
        return value
    if value is None and format == "auto":  # servers send no content for it
        return value
    if isinstance(value, bytes):  # as FastMCP sends them
        try:
            return value.decode()
        except UnicodeDecodeError:
            return base64.b64encode(value).decode()
    read: Read = []
    try:
        return _text(value, format, name, given, options, read)
    except Exception as error:
        if any(items is None for _, items in read):  # the tool's own iterator failed
            raise
        _logger.warning("the result of %s is returned as it is, since it can't be written as text: %s", name, error)
        return unread(value, read)


def _text(value: Any, format: str, name: str, given: dict[str, Any], options: _Options, read: Read) -> str:
    default = options.default or text_of_bytes
    has_columns = format != "json"
    # Once: a generator, a stream and `default` may give their items only once.
    choices = {"default": default, "index": options.index, "nan": options.nan, "digits": options.digits}
    text, columns, _ = _native.dumps_json(value, **choices, columns=has_columns, read=read)
    if text.startswith('"'):  # a path, a date: FastMCP sends the string itself, too
        return str(json.loads(text))
    if format == "auto" and _is_verbatim(text, name, given, options):
        return str(text)
    if format == "auto":
        return smallest_of(text, columns, options.counter, options.formats).text
    try:
        return text_in(format, text, columns)
    except Error:  # only JSON holds it
        if columns:
            warn_of_columns(columns)
        return str(text)


def _is_verbatim(text: str, name: str, given: dict[str, Any], options: _Options) -> bool:
    """Whether a model may have to quote the result exactly."""
    if options.verbatim is not None:
        return options.verbatim
    return bool(_native.left_verbatim(name, json.dumps({key: _texts_of(value) for key, value in given.items()}), text))


def _texts_of(value: Any) -> list[str]:
    """The texts of an argument, which may name a file."""
    items = value if isinstance(value, (list, tuple)) else [value]
    return [str(item) for item in items if isinstance(item, (str, os.PathLike))]


def text_of_bytes(value: Any) -> Any:
    """Bytes inside of a result are the text of their UTF-8, as FastMCP has them."""
    return value.decode() if isinstance(value, (bytes, bytearray)) else NotImplemented


def is_of_framework(value: Any, levels: int = 3) -> bool:
    """Whether it is content of a framework, or a list with some; the official SDK takes lists of lists."""
    if not isinstance(value, (list, tuple)):
        return _is_class_of_framework(type(value))
    # A class at a time, since results may be long.
    kinds = set(map(type, value))
    if any(_is_class_of_framework(kind) for kind in kinds):
        return True
    nested = levels > 1 and any(issubclass(kind, (list, tuple)) for kind in kinds)
    return nested and any(is_of_framework(item, levels - 1) for item in value if isinstance(item, (list, tuple)))


def _is_class_of_framework(kind: type[Any]) -> bool:
    return any(f"{base.__module__}.".startswith(FRAMEWORKS) for base in kind.__mro__)


def _is_registered(function: Any) -> bool:
    """Whether a framework has the function as a tool: it is an object of the framework, or one of those holds it."""
    if _is_class_of_framework(type(function)):
        return True
    holders = (holder for found in gc.get_referrers(function) for holder in (gc.get_referrers(found) if type(found) is dict else [found]))
    # Modules, frames and classes of a framework hold functions, too.
    kinds = (type(holder) for holder in holders)
    return any(_is_class_of_framework(kind) and "Tool" in kind.__name__ for kind in kinds)


def unread(value: _T, read: Read) -> _T:
    """The value with iterators in place of those that were read; the very same value if none was."""
    made: _T = _unread(value, {id(iterator): items for iterator, items in read}) if read else value
    return made


def _unread(value: Any, read: dict[int, list[Any] | None]) -> Any:
    if id(value) in read:
        return (_unread(item, read) for item in read[id(value)] or [])
    if type(value) is dict:
        return {key: _unread(inner, read) for key, inner in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_unread(inner, read) for inner in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        made = copy.copy(value)
        for field in dataclasses.fields(value):
            object.__setattr__(made, field.name, _unread(getattr(value, field.name), read))
        return made
    return value


def _decorated(function: Callable[..., Any], options: _Options) -> Callable[..., Any]:
    name = getattr(function, "__name__", type(function).__name__)
    argument, format = options.argument, options.format
    if not callable(function):
        order = "; put it below the decorator of the framework" if _is_class_of_framework(type(function)) else "; pass options by name"
        raise TypeError(f"tool_result is for a function, not for {function!r}{order}")
    if _is_registered(function):
        message = f"{name} is a tool of a framework already, which calls it without tool_result: put @tool_result below the framework's decorator"
        warnings.warn(message, stacklevel=4)
    if inspect.isasyncgenfunction(function):
        raise TypeError(f"{name} is an async generator, which has no result; return a list")
    signature = inspect.signature(function)
    if argument in signature.parameters:
        message = f'{name} has an argument {argument!r} of its own; choose another name by @tool_result(argument="result_format")'
        raise ValueError(message)

    def given(arguments: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        """The arguments by their names; those of a wrong call, which fails, as far as they have some."""
        try:
            bound = signature.bind(*arguments, **named).arguments
        except TypeError:
            return named
        # What `**more` takes has names of its own.
        more = [parameter.name for parameter in signature.parameters.values() if parameter.kind is inspect.Parameter.VAR_KEYWORD]
        return {**bound, **{key: value for name in more for key, value in bound.get(name, {}).items()}}

    async def later(value: Awaitable[Any], chosen: str, by_name: dict[str, Any]) -> Any:
        return _result(await value, chosen, name, by_name, options)

    call: Any
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)):

        async def asynchronous(*arguments: Any, **named: Any) -> Any:
            chosen = _checked(named.pop(argument, format))
            return await later(function(*arguments, **named), chosen, given(arguments, named))

        call = asynchronous
    else:

        def synchronous(*arguments: Any, **named: Any) -> Any:
            chosen = _checked(named.pop(argument, format))
            value = function(*arguments, **named)
            by_name = given(arguments, named)
            return later(value, chosen, by_name) if inspect.isawaitable(value) else _result(value, chosen, name, by_name, options)

        call = synchronous
    functools.update_wrapper(call, function)

    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except Exception:  # a name that is not there yet: whoever needs the types resolves them
        hints = dict(getattr(function, "__annotations__", {}))
    hints.pop("return", None)
    chosen = Annotated[Format, DESCRIPTION]
    parameters = [
        parameter.replace(annotation=hints.get(parameter.name, parameter.annotation))
        for parameter in signature.parameters.values()
    ]
    added = inspect.Parameter(argument, inspect.Parameter.KEYWORD_ONLY, default=format, annotation=chosen)
    rest = [parameter for parameter in parameters if parameter.kind is inspect.Parameter.VAR_KEYWORD]
    parameters = [*(parameter for parameter in parameters if parameter not in rest), added, *rest]
    call.__signature__ = inspect.Signature(parameters)
    call.__annotations__ = {**hints, argument: chosen}
    made: Callable[..., Any] = call
    return made

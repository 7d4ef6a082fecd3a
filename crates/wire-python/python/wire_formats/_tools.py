"""Results of tools as text: `tool_result`."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Awaitable, Callable, Coroutine
from typing import Annotated, Any, Literal, Protocol, overload

from . import gcf, gcx
from ._errors import Error
from ._tokens import Counter, smallest
from ._wire_formats import top as _native

Format = Literal["auto", "json", "gcf", "gcx"]

FORMATS: tuple[str, ...] = typing.get_args(Format)
# Frameworks show this to the model beside the argument.
DESCRIPTION = "Form of the result: auto (fewest tokens), json, gcf or gcx"


class Decorator(Protocol):
    """What `tool_result` with options gives."""

    @overload
    def __call__(self, function: Callable[..., Awaitable[Any]], /) -> Callable[..., Coroutine[Any, Any, str]]: ...
    @overload
    def __call__(self, function: Callable[..., Any], /) -> Callable[..., str]: ...


@overload
def tool_result(function: Callable[..., Awaitable[Any]], /) -> Callable[..., Coroutine[Any, Any, str]]: ...
@overload
def tool_result(function: Callable[..., Any], /) -> Callable[..., str]: ...
@overload
def tool_result(
    function: None = None,
    /,
    *,
    format: Format = "auto",
    argument: str = "format",
    counter: Counter = "estimate",
    default: Callable[[Any], Any] | None = None,
) -> Decorator: ...
def tool_result(
    function: Callable[..., Any] | None = None,
    /,
    *,
    format: Format = "auto",
    argument: str = "format",
    counter: Counter = "estimate",
    default: Callable[[Any], Any] | None = None,
) -> Any:
    """A tool whose result is text with few tokens, and whose caller may choose the form by the argument `format`.

    >>> from wire_formats import tool_result
    >>> @tool_result
    ... def users(city: str):
    ...     "The users of a city."
    ...     return [{"id": 1, "city": city}, {"id": 2, "city": city}]
    >>> print(users("Rome"), end="")
    GCF profile=generic
    ## [2]{id,city}
    1|Rome
    2|Rome
    >>> users("Rome", format="json")
    '[{"id":1,"city":"Rome"},{"id":2,"city":"Rome"}]'

    The tool is a function, or an async one, that returns any object of `dumps`; a str is returned as it is. Put the decorator
    below that of the framework, as `@mcp.tool`, which then finds the argument in the signature. There is no return type in it, so
    that frameworks don't send the text a second time as structured content.

    `format` is the default: "auto" chooses the one with the fewest tokens by `counter`, as `smallest` does. An object that the chosen format
    can't represent is sent as JSON. `argument` is another name for the argument; `default` is as in `dumps`.

    Raises `TypeError` for a generator, and `ValueError` where the tool has an argument of that name.
    """
    _checked(format)
    if function is None:
        return lambda function: _decorated(function, format, argument, counter, default)
    return _decorated(function, format, argument, counter, default)


def _checked(format: str) -> str:
    if format not in FORMATS:
        raise ValueError(f"format is {format!r}, expected one of {', '.join(FORMATS)}")
    return format


def _text(value: Any, format: str, counter: Counter, default: Callable[[Any], Any] | None) -> str:
    if isinstance(value, str):
        return value
    if format == "auto":
        return smallest(value, counter=counter, default=default).text
    # Once: a generator, a stream and `default` may give their items only once.
    text = str(_native.dumps_json(value, default=default))
    if format == "json":
        return text
    try:
        return gcf.from_json(text) if format == "gcf" else gcx.from_json(text)
    except Error:  # only JSON holds it
        return text


def _decorated(
    function: Callable[..., Any],
    format: str,
    argument: str,
    counter: Counter,
    default: Callable[[Any], Any] | None,
) -> Callable[..., Any]:
    name = getattr(function, "__name__", type(function).__name__)
    if not callable(function):
        raise TypeError(f"tool_result is for a function, not for {function!r}; pass options by name")
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError(f"{name} is a generator, which has no result; return a list")
    signature = inspect.signature(function)
    if argument in signature.parameters:
        message = f'{name} has an argument {argument!r} of its own; choose another name by @tool_result(argument="result_format")'
        raise ValueError(message)

    def text(value: Any, chosen: str) -> str:
        return _text(value, chosen, counter, default)

    call: Any
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)):

        async def asynchronous(*arguments: Any, **named: Any) -> str:
            chosen = _checked(named.pop(argument, format))
            return text(await function(*arguments, **named), chosen)

        call = asynchronous
    else:

        def synchronous(*arguments: Any, **named: Any) -> str:
            chosen = _checked(named.pop(argument, format))
            return text(function(*arguments, **named), chosen)

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

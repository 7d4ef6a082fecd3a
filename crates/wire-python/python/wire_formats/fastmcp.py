"""FastMCP 4: results of tools in fewer tokens, by `mcp.add_middleware(CompactMiddleware())`."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any, Literal

import mcp_types
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools.base import Tool, ToolResult

from ._results import Options, Results, Unpack, drops, made_or

Structured = Literal["keep", "drop", "auto"]
_Call = tuple[str, Any, dict[str, Any]]  # the name, the arguments, and the `_meta` of the tool
# The calls by a tool while it is called, with the results, which programs read.
_inside: ContextVar[list[tuple[_Call, Any]] | None] = ContextVar("wire_formats.fastmcp", default=None)


class CompactMiddleware(Middleware):
    """The texts of results in fewer tokens.

        mcp.add_middleware(CompactMiddleware(structured="auto"))

    A list of blocks, one for each item, becomes one block. Errors, images and questions to the user stay, and so do results of tools
    that read files, that have a user interface, or that are called by tools.

    `structured` is about the second copy, `structured_content`: "keep" leaves it; "drop" removes it where the text says the same, and
    takes the schemas of outputs off the list of tools, since clients expect the copy where they see a schema; "auto" does so for clients
    that are known to show it to the model. The other options are those of `wire_formats.compact`.
    """

    def __init__(self, *, structured: Structured = "keep", **options: Unpack[Options]) -> None:
        self._structured: Structured = structured
        self._results = Results(structured=structured, **options)

    async def on_list_tools(self, context: MiddlewareContext[Any], call_next: CallNext[Any, Sequence[Tool]]) -> Sequence[Tool]:
        tools = await call_next(context)
        if _inside.get() is not None:  # programs get the copy, too
            return tools
        client = _client(context)
        return [tool.model_copy(update={"output_schema": None}) if drops(self._structured, client, tool.meta) else tool for tool in tools]

    async def on_call_tool(self, context: MiddlewareContext[Any], call_next: CallNext[Any, ToolResult]) -> ToolResult:
        call, outer = await _call(context), _inside.get()
        if outer is not None:
            result = await call_next(context)
            outer.append((call, result))
            return result
        inner: list[tuple[_Call, Any]] = []
        token = _inside.set(inner)
        try:
            result = await call_next(context)
        finally:
            _inside.reset(token)
        if type(result) is not ToolResult or result.is_error:
            return result
        return made_or(result, call[0], lambda: self._made(result, call, inner, _client(context)))

    def _made(self, result: ToolResult, call: _Call, inner: list[tuple[_Call, Any]], client: str | None) -> ToolResult:
        sent: dict[str, Any] = {"content": [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in result.content]}
        sent |= {} if result.structured_content is None else {"structuredContent": result.structured_content}
        made = sent
        # A result that a tool passes on, as `call_tool` does after a search for tools, stays if the rules of either keep it.
        for name, arguments, meta in [*(of for of, given in inner if getattr(given, "content", None) == result.content), call]:
            sent["_meta"] = {**meta, **(result.meta or {})}  # which says whether there is a user interface
            made = self._results.result(sent, name, arguments, client=client)
            if made is sent:
                return result
        content = mcp_types.CallToolResult.model_validate({"content": made["content"]}).content
        gone = {} if "structuredContent" in made else {"structured_content": None}
        return result.model_copy(update={"content": content, **gone})


async def _call(context: MiddlewareContext[Any]) -> _Call:
    message, server = context.message, context.fastmcp_context
    try:
        tool = await server.fastmcp.get_tool(message.name) if server else None
    except Exception:  # the call itself says what is wrong
        tool = None
    # User interfaces alone call tools that can't be found by their names.
    return message.name, message.arguments, (tool.meta or {}) if tool else {"visibility": "app"}


def _client(context: MiddlewareContext[Any]) -> str | None:
    """The name of the client, if it is known."""
    try:
        session: Any = context.fastmcp_context and context.fastmcp_context.session
        return str(session.client_params.client_info.name)
    except (AttributeError, RuntimeError):
        return None

"""FastMCP 4: results of tools in fewer tokens, by `mcp.add_middleware(CompactMiddleware())`."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

import mcp_types
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools.base import Tool, ToolResult

from ._results import Options, Results, Structured, Unpack, drops, made_or

# The calls by a tool while it is called, whose results programs read: names, arguments, and what `_meta` says of the tools.
_Call = tuple[str, Any, dict[str, Any]]
_inside: ContextVar[list[_Call] | None] = ContextVar("wire_formats.fastmcp", default=None)


class CompactMiddleware(Middleware):
    """The texts of results in fewer tokens.

        mcp.add_middleware(CompactMiddleware(structured="auto"))

    A list of blocks, one for each item, becomes one block. Errors, images and questions to the user stay, and so do results of tools
    that read files, that have a user interface, or that are called by tools.

    `structured` is about the second copy, `structured_content`: "keep" leaves it; "drop" removes it where the text says the same, and
    takes the schemas of outputs off the list of tools, since clients expect the copy where they see a schema; "auto" does so for
    clients that are known to show it to the model. The other options are those of `wire_formats.compact`.
    """

    def __init__(self, *, structured: Structured = "keep", **options: Unpack[Options]) -> None:
        drops(structured, None)  # a wrong one is an error here
        self._structured: Structured = structured
        self._results = Results(**options)

    async def on_list_tools(self, context: MiddlewareContext[Any], call_next: CallNext[Any, Sequence[Tool]]) -> Sequence[Tool]:
        tools = await call_next(context)
        if _inside.get() is not None:  # programs get the copy, too
            return tools
        client = _client(context)
        gone = [drops(self._structured, client, tool.meta) for tool in tools]
        return [tool.model_copy(update={"output_schema": None}) if is_gone else tool for tool, is_gone in zip(tools, gone)]

    async def on_call_tool(self, context: MiddlewareContext[Any], call_next: CallNext[Any, ToolResult]) -> ToolResult:
        call, outer = await _call(context), _inside.get()
        if outer is not None:
            outer.append(call)
            return await call_next(context)
        inner: list[_Call] = []
        token = _inside.set(inner)
        try:
            result = await call_next(context)
        finally:
            _inside.reset(token)
        if type(result) is not ToolResult or result.is_error:
            return result
        # A tool that calls one other may pass its result on, as `call_tool` does after a search for tools.
        of = inner[0] if len(inner) == 1 else call
        return made_or(result, of[0], lambda: self._made(result, of, _client(context)))

    def _made(self, result: ToolResult, call: _Call, client: str | None) -> ToolResult:
        name, arguments, meta = call
        sent: dict[str, Any] = {"content": [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in result.content]}
        sent["_meta"] = {**meta, **(result.meta or {})}  # which says whether there is a user interface
        if result.structured_content is not None:
            sent["structuredContent"] = result.structured_content
        made = self._results.result(sent, name, arguments, structured=self._structured, client=client)
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

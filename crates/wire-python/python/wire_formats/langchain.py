"""LangChain 1: results of tools in fewer tokens, by `create_agent(model, tools, middleware=[CompactMiddleware()])`."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest
from langchain_core.messages import AIMessage, ToolCall, ToolMessage
from langchain_core.tools import StructuredTool

from ._results import Options, Results, Unpack, json_of, made_or

if TYPE_CHECKING:
    from langchain_mcp_adapters.interceptors import ToolCallInterceptor


class CompactMiddleware(AgentMiddleware[Any, Any, Any]):
    """What the model reads of results, in fewer tokens; the state, the stream and the user keep what the tools gave.

    Put it first: middleware after it sees JSON, then. Errors, images, artifacts and results of tools that read files stay. Objects of which
    LangChain keeps the Python text, as models and dates, are kept as JSON. Options are those of `wire_formats.compact`.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        super().__init__()
        self._results = Results(**options)

    def wrap_model_call(self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Any]) -> Any:
        return handler(self._sent(request))

    async def awrap_model_call(self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[Any]]) -> Any:
        return await handler(self._sent(request))

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        return handler(_with_json(request))

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        return await handler(_with_json(request))

    def _sent(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        calls: dict[str | None, ToolCall] = {}
        messages, unread = list[Any](), set[str | None]()  # calls whose arguments are no JSON
        for message in request.messages:
            if isinstance(message, AIMessage):
                calls.update({call["id"]: call for call in message.tool_calls})
                unread.update(call["id"] for call in message.invalid_tool_calls)
            elif isinstance(message, ToolMessage) and message.status != "error" and message.tool_call_id not in unread:
                message = self._message(message, calls.get(message.tool_call_id))
            messages.append(message)
        return request.override(messages=messages)

    def _message(self, message: ToolMessage, call: ToolCall | None) -> ToolMessage:
        old: Any = message.content
        arguments, called = (call["args"], call["name"]) if call else (None, None)
        names = {*filter(None, (called, message.name))} or {""}  # each may keep the result

        def content(name: str) -> Any:
            if isinstance(old, str):
                return self._results.value(old, name, arguments)
            artifact = message.artifact if isinstance(message.artifact, dict) else {}  # blocks, as of MCP servers
            return list(map(_item, old, self._results.content(list(map(_block, old)), name, arguments, artifact.get("structured_content"))))

        def made() -> ToolMessage:
            new = list(map(content, sorted(names)))
            return message if old in new else message.model_copy(update={"content": new[0]})

        return made_or(message, max(names), made)


def compact_interceptor(**options: Unpack[Options]) -> ToolCallInterceptor:
    """The same of MCP servers, for graphs of one's own: `MultiServerMCPClient(servers, tool_interceptors=[compact_interceptor()])`.

    The state has these texts, too. Errors, images, structured content and results of tools that read files stay.
    """
    from mcp.types import CallToolResult

    results = Results(**options)

    async def compacted(request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        result = await handler(request)
        if not isinstance(result, CallToolResult) or result.isError:
            return result

        def made() -> CallToolResult:
            sent = result.model_dump(mode="json", by_alias=True, exclude_none=True, include={"content"})
            content = results.content(sent["content"], request.name, request.args, result.structuredContent)
            return result.model_copy(update={"content": CallToolResult.model_validate({"content": content}).content})

        return made_or(result, request.name, made)

    return compacted


def _block(item: str | dict[str, Any]) -> dict[str, Any]:
    """A block without the id, which is LangChain's own, and without the data of images."""
    if isinstance(item, str):
        return {"type": "text", "text": item}
    return {key: item[key] for key in item if key != "id"} if item.get("type") == "text" else {"type": item.get("type")}


def _item(item: str | dict[str, Any], block: dict[str, Any]) -> str | dict[str, Any]:
    return str(block["text"]) if isinstance(item, str) else {**item, "text": block["text"]} if "text" in block else item


def _with_json(request: Any) -> Any:
    """The call of a tool whose result is JSON where LangChain would keep `str()` of it."""
    tool = request.tool
    if type(tool) is not StructuredTool or tool.response_format != "content" or tool.return_direct:
        return request

    def text(value: Any) -> Any:
        try:
            json.dumps(value)
            return value
        except Exception:
            made = made_or(value, tool.name, lambda: json_of(value))
            return made if len(str(made)) <= 2 * len(str(value)) else value  # a frame, of which `str()` shows a part

    async def awaited(value: Awaitable[Any]) -> Any:
        return text(await value)

    own: dict[str, Any] = {"func": tool.func, "coroutine": tool.coroutine}
    if (function := tool.func) is not None:
        own["func"] = functools.wraps(function)(lambda *args, **named: text(function(*args, **named)))
    if (coroutine := tool.coroutine) is not None:
        own["coroutine"] = functools.wraps(coroutine)(lambda *args, **named: awaited(coroutine(*args, **named)))
    return request.override(tool=tool.model_copy(update=own))

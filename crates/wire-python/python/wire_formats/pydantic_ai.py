"""Pydantic AI 2: results of tools in fewer tokens, by `Agent(model, capabilities=[Compact()])`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic_ai.capabilities import AbstractCapability, WrapModelRequestHandler
from pydantic_ai.messages import ModelResponse, ToolCallPart, ToolReturnPart

from ._results import Options, Results, Unpack, made_or


class Compact(AbstractCapability[Any]):
    """What the model reads of results, in fewer tokens; the history, events and the user keep what the tools gave.

    Failures, retries, files such as images, and results of tools that read files stay. The options are those of `wire_formats.compact`.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        self._results = Results(**options)

    async def wrap_model_request(self, ctx: Any, *, request_context: Any, handler: WrapModelRequestHandler) -> ModelResponse:
        calls: dict[str, ToolCallPart] = {}
        messages = []
        for message in request_context.messages:
            calls |= {part.tool_call_id: part for part in message.parts if isinstance(part, ToolCallPart)}
            parts: Any = [self._part(part, calls) if isinstance(part, ToolReturnPart) else part for part in message.parts]
            messages.append(message if all(new is old for new, old in zip(parts, message.parts)) else replace(message, parts=parts))
        return await handler(replace(request_context, messages=messages))

    def _part(self, part: ToolReturnPart, calls: dict[str, ToolCallPart]) -> ToolReturnPart:
        call = calls.get(part.tool_call_id)

        def made() -> ToolReturnPart:
            if part.outcome != "success" or part.tool_kind is not None or part.files:
                return part
            before = part.model_response_str()
            after = self._results.value(before, part.tool_name, call.args_as_json_str() if call else None)
            return part if after is before else replace(part, content=after)

        return made_or(part, part.tool_name, made)

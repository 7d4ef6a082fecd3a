"""OpenAI Agents SDK: results of tools in fewer tokens, by `CompactAgent(...)` in place of `Agent(...)`."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from agents import Agent, FunctionTool, RunContextWrapper, TContext, Tool
from agents.run_config import CallModelData, ModelInputData

from ._results import Options, Results, Unpack

_Tool = TypeVar("_Tool")


@dataclass
class CompactAgent(Agent[TContext]):
    """An agent with `compact_tool` for each of its tools, also for those of MCP servers.

        agent = CompactAgent(name="orders", tools=[orders], compact={"counter": "o200k"})

    Tools whose result may be the final output stay: those that `StopAtTools` names, and all with another `tool_use_behavior` than
    "run_llm_again". `compact` has the options of `wire_formats.compact`.
    """

    compact: Options = field(default_factory=Options, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()  # type: ignore[no-untyped-call]
        Results(**self.compact)  # wrong options are an error here

    async def get_all_tools(self, run_context: RunContextWrapper[Any]) -> list[Tool]:
        tools, behavior = await super().get_all_tools(run_context), self.tool_use_behavior
        if behavior != "run_llm_again" and not isinstance(behavior, dict):
            return tools
        last = behavior.get("stop_at_tool_names", []) if isinstance(behavior, dict) else []
        return [tool if tool.name in last else compact_tool(tool, **self.compact) for tool in tools]


def compact_tool(tool: _Tool, **options: Unpack[Options]) -> _Tool:
    """A function tool whose results are texts with few tokens, before the SDK makes `str()` of them.

    Images, files, errors in words and results of tools that read files stay, and so does what a program of the model reads. Other kinds
    of tools, agents as tools, and tools with a schema of the output are returned as they are. Options are those of `wire_formats.compact`.
    """
    if not isinstance(tool, FunctionTool) or tool.output_json_schema is not None or tool._is_agent_tool:
        return tool
    results, invoke, name = Results(**options), tool.on_invoke_tool, tool.name

    async def invoked(context: Any, arguments: str) -> Any:
        value = await invoke(context, arguments)
        blocks = value if isinstance(value, list) else [value]
        # Errors are texts with words before what was raised.
        is_prose = isinstance(value, str) and value.lstrip()[:1] not in ("[", "{")
        if is_prose or getattr(context.tool_call, "caller", None) is not None:
            return value
        if blocks and all(isinstance(block, dict) and block.get("type") in ("text", "image", "file") for block in blocks):
            made = results.content(blocks, name, arguments)  # of an MCP server
            return made if isinstance(value, list) else made[0]
        made = results.value(value, name, arguments)
        return made if len(str(made)) <= 2 * len(str(value)) else value  # a frame, of which `str()` shows a part

    made = copy.copy(tool)
    made.on_invoke_tool = invoked
    return made


class CompactFilter:
    """What the model reads of results that are texts, in fewer tokens; sessions and items keep what the tools gave.

        result = await Runner.run(agent, "…", run_config=RunConfig(call_model_input_filter=CompactFilter()))

    Models and dates are Python texts here, and stay. The options are those of `wire_formats.compact`.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        options["verbatim"] = [*options.get("verbatim", ()), "transfer_to_*"]  # handoffs
        self._results = Results(**options)

    def __call__(self, data: CallModelData[Any]) -> ModelInputData:
        rows: list[Any] = data.model_data.input
        # Of an output without its call the tool is not known, and some calls are those of programs of the model.
        calls = {str(row.get("call_id")) for row in rows if isinstance(row, dict) and "name" in row and not row.get("caller")}
        pairs = zip(rows, self._results.rows(rows), strict=True)
        made: list[Any] = [new if isinstance(old, dict) and str(old.get("call_id")) in calls else old for old, new in pairs]
        return replace(data.model_data, input=made)

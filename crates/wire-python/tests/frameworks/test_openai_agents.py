"""`wire_formats.openai_agents` with agents of the SDK and its fake model."""

from __future__ import annotations

import asyncio
import json
import time
import types
from typing import Any

import pytest

pytest.importorskip("agents")

import mcp.types
from agents import (
    Agent,
    FunctionTool,
    RunConfig,
    Runner,
    SQLiteSession,
    StopAtTools,
    ToolOutputImage,
    ToolOutputText,
    WebSearchTool,
    function_tool,
    set_tracing_disabled,
)
from agents.mcp import MCPServer
from agents.run_config import CallModelData, ModelInputData
from agents.testing import ScriptedModel, assistant_message, function_call
from cases import ARGUMENTS, COMPACT, ROWS, TEXT, Frame, TOOLS, broken, check, check_page, check_turns, fails, run_page, tools, value_of

from wire_formats.openai_agents import CompactAgent, CompactFilter, compact_tool

set_tracing_disabled(True)


def picture() -> Any:
    """A text and an image."""
    return [ToolOutputText(text=TEXT), ToolOutputImage(image_url="data:image/png;base64,eA==")]


async def later() -> Any:
    """Rows, after a while."""
    return ROWS


OWN = [function_tool(tool) for tool in (*TOOLS.values(), picture, later, fails)]


def model(*calls: str) -> ScriptedModel:
    """A model that calls these tools, one a turn."""
    turns: list[Any] = [[function_call(name, ARGUMENTS.get(name, {}), call_id=f"c{n}")] for n, name in enumerate(calls)]
    return ScriptedModel([*turns, [assistant_message("done")]])


def outputs(sent: Any) -> list[Any]:
    """What the model reads of results."""
    return [item["output"] for item in sent if isinstance(item, dict) and item.get("type") == "function_call_output"]


def run(*calls: str, kind: Any = Agent, tools: Any = OWN, filter: Any = None, **options: Any) -> tuple[list[Any], ScriptedModel, Any]:
    scripted = model(*calls)
    agent = kind(name="a", model=scripted, tools=tools, **options)
    done = Runner.run_sync(agent, "go", max_turns=20, run_config=RunConfig(call_model_input_filter=filter))
    return outputs(scripted.calls[-1].input), scripted, done


@tools
def test_texts(tool: str) -> None:
    [before], [after] = run(tool)[0], run(tool, kind=CompactAgent)[0]
    if tool in ("dates", "models"):  # Python, of which no model makes values
        assert before.startswith("[{'day': datetime.date(" if tool == "dates" else "[Order(")
        before = json.dumps(value_of(after))
    if tool == "save":
        assert before == "{'ok': True}"
    check(tool, before, after)
    assert run(tool, tools=[compact_tool(one) for one in OWN])[0] == [after]
    if tool == "list_orders":
        check_page("OpenAI Agents", before, after)


@tools
def test_texts_by_the_filter(tool: str) -> None:
    [before], [after] = run(tool)[0], run(tool, filter=CompactFilter())[0]
    if tool in ("list_orders", "indented"):
        check(tool, before, after)
    else:
        assert after == before or value_of(after) == value_of(before)


@pytest.mark.parametrize("tool", ["picture", "fails"])
def test_what_stays(tool: str) -> None:
    before, _, _ = run(tool)
    assert run(tool, kind=CompactAgent)[0] == before
    [after] = run(tool, filter=CompactFilter())[0]
    if tool == "picture":
        assert ([block["type"] for block in after], after[1]) == (["input_text", "input_image"], before[0][1])


def test_what_goes_to_the_user_stays() -> None:
    for behavior in ("stop_on_first_tool", StopAtTools(stop_at_tool_names=["list_orders"])):
        _, _, done = run("list_orders", kind=CompactAgent, tool_use_behavior=behavior)
        assert done.final_output == ROWS or done.final_output == str(ROWS)
    stops = StopAtTools(stop_at_tool_names=["save"])
    assert run("list_orders", kind=CompactAgent, tool_use_behavior=stops)[0] == [COMPACT]


def test_agents_as_tools_and_handoffs() -> None:
    inner = CompactAgent(name="inner", model=ScriptedModel([[assistant_message(TEXT)]]))
    scripted = ScriptedModel([[function_call("ask", {"input": "x"}, call_id="c")], [assistant_message("done")]])
    Runner.run_sync(CompactAgent(name="a", model=scripted, tools=[inner.as_tool("ask", "asks")]), "go")
    assert outputs(scripted.calls[-1].input) == [TEXT]

    last = CompactAgent(name="b", model=model("list_orders"), tools=OWN)
    first = CompactAgent(name="a", model=ScriptedModel([[function_call("transfer_to_b", {}, call_id="t")]]), handoffs=[last])
    config = RunConfig(call_model_input_filter=CompactFilter())
    done = Runner.run_sync(first, "go", run_config=config)
    assert done.last_agent is last
    assert isinstance(last.model, ScriptedModel)
    assert outputs(last.model.calls[-1].input) == ['{"assistant": "b"}', COMPACT]
    assert isinstance(last.clone(name="c"), CompactAgent)


@pytest.mark.parametrize("with_filter", [False, True])
def test_turns_are_the_same_again(with_filter: bool) -> None:
    options: dict[str, Any] = {"filter": CompactFilter()} if with_filter else {"kind": CompactAgent}
    texts, scripted, _ = run(*TOOLS, **options)
    check_turns([outputs(call.input) for call in scripted.calls])
    check_turns([call.input for call in scripted.calls])

    async def streamed() -> list[Any]:
        other = model(*TOOLS)
        agent = options.get("kind", Agent)(name="a", model=other, tools=OWN)
        result = Runner.run_streamed(agent, "go", max_turns=20, run_config=RunConfig(call_model_input_filter=options.get("filter")))
        async for _ in result.stream_events():
            pass
        return outputs(other.calls[-1].input)

    assert asyncio.run(streamed()) == texts


def test_a_session_keeps_what_the_tool_gave() -> None:
    async def twice() -> tuple[list[Any], list[Any]]:
        session, scripted = SQLiteSession("s"), model("indented")
        scripted.enqueue([assistant_message("more")])
        agent, config = Agent(name="a", model=scripted, tools=OWN), RunConfig(call_model_input_filter=CompactFilter())
        for word in ("go", "more"):
            await Runner.run(agent, word, session=session, run_config=config)
        return outputs(await session.get_items()), [outputs(call.input) for call in scripted.calls[1:]]

    kept, sent = asyncio.run(twice())
    assert kept == [TOOLS["indented"]()]
    assert sent == [[COMPACT], [COMPACT]]


def test_a_history_that_is_stored_and_read_again() -> None:
    config = RunConfig(call_model_input_filter=CompactFilter())
    scripted = model("indented", "list_orders")
    done = Runner.run_sync(Agent(name="a", model=scripted, tools=OWN), "go", run_config=config)
    more = model()
    again = json.loads(json.dumps(done.to_input_list()))
    Runner.run_sync(Agent(name="a", model=more), [*again, {"role": "user", "content": "more"}], run_config=config)
    check_turns([outputs(scripted.calls[-1].input), outputs(more.calls[-1].input)])
    assert outputs(more.calls[-1].input)[0] == COMPACT


def test_the_filter_leaves_results_whose_call_is_at_the_provider() -> None:
    rows: list[Any] = [{"type": "function_call_output", "call_id": "c", "output": TEXT}]
    assert CompactFilter()(CallModelData(ModelInputData(rows, None), Agent(name="a"), None)).input == rows
    scripted = model("indented")
    config = RunConfig(call_model_input_filter=CompactFilter())
    Runner.run_sync(CompactAgent(name="a", model=scripted, tools=OWN), "go", conversation_id="conversation", run_config=config)
    assert outputs(scripted.calls[-1].input) == [COMPACT]


def test_texts_of_errors_and_parts_of_objects_stay() -> None:
    def failed() -> Any:
        """An error that is written by the program."""
        raise ValueError(TEXT)

    def frame() -> Any:
        """An object whose Python text is a part of it."""
        return Frame([dict(row) for row in ROWS * 50])

    own = [function_tool(failed, failure_error_function=lambda context, error: f"It failed: {error}"), function_tool(frame)]
    assert run("failed", "frame", kind=CompactAgent, tools=own)[0] == [f"It failed: {TEXT}", "300 rows"]
    # As the module says: of JSON nobody knows that it is an error.
    own = [function_tool(failed, failure_error_function=lambda context, error: str(error))]
    assert run("failed", kind=CompactAgent, tools=own)[0] == [COMPACT]


def test_programs_of_the_model_get_json() -> None:
    rows: list[Any] = [
        {"type": "function_call", "call_id": "c", "name": "list_orders", "arguments": "{}", "caller": {"type": "program", "id": "p"}},
        {"type": "function_call_output", "call_id": "c", "output": TEXT, "caller": {"type": "program", "id": "p"}},
    ]
    data = CallModelData(ModelInputData(rows, None), Agent(name="a"), None)
    assert CompactFilter()(data).input == rows


def invoked(value: Any, caller: Any = None) -> Any:
    """What a tool gives for this value, to the model or to a program of it."""

    async def invoke(context: Any, arguments: str) -> Any:
        return value

    tool = FunctionTool(name="rows", description="", params_json_schema={}, on_invoke_tool=invoke, strict_json_schema=False)
    context: Any = types.SimpleNamespace(tool_call=types.SimpleNamespace(caller=caller))
    return asyncio.run(compact_tool(tool).on_invoke_tool(context, "{}"))


def test_kinds_of_results() -> None:
    assert invoked(ROWS) == invoked(TEXT) == COMPACT
    assert invoked(ROWS, caller={"type": "program"}) is ROWS
    assert invoked({"type": "text", "text": TEXT}) == {"type": "text", "text": COMPACT}
    for value in (5, None, b"x", ToolOutputText(text=TEXT)):
        assert invoked(value) is value


def test_iterators_are_read_once() -> None:
    value = {"orders": iter(ROWS)}
    assert invoked(value) is value  # of which the SDK shows what it shows without the module
    assert value_of(invoked({"numbers": (n for n in range(9)), "kind": "x" * 80})) == {"numbers": [*range(9)], "kind": "x" * 80}


def test_objects_that_can_not_be_written_stay() -> None:
    value = {"it": object()}
    assert invoked(value) is value


def test_the_time_for_a_conversation_grows_with_its_rows() -> None:
    rows: list[Any] = []
    for n in range(10_000):
        rows.append({"type": "function_call", "call_id": f"c{n}", "name": "say", "arguments": "{}"})
        rows.append({"type": "function_call_output", "call_id": f"c{n}", "output": "Saved."})
    start = time.process_time()
    assert CompactFilter()(CallModelData(ModelInputData(rows, None), Agent(name="a"), None)).input == rows
    assert time.process_time() - start < 1


def test_tools_that_stay() -> None:
    async def invoke(context: Any, arguments: str) -> Any: ...

    tool = FunctionTool(name="a", description="", params_json_schema={}, on_invoke_tool=invoke, output_json_schema={"type": "object"})
    assert compact_tool(tool) is tool
    search = WebSearchTool()
    assert compact_tool(search) is search


class Shop(MCPServer):
    """A server in this process."""

    name = "shop"

    async def connect(self) -> None: ...
    async def cleanup(self) -> None: ...
    async def list_prompts(self) -> Any: ...
    async def get_prompt(self, name: str, arguments: Any = None) -> Any: ...

    async def list_tools(self, *rest: Any) -> Any:
        return [mcp.types.Tool(name=name, input_schema={"type": "object"}) for name in ("rows", "text", "failed", "read_file")]

    async def call_tool(self, tool_name: str, arguments: Any, meta: Any = None) -> Any:
        texts = [json.dumps(row) for row in ROWS] if tool_name == "rows" else [TEXT]
        return mcp.types.CallToolResult(content=[mcp.types.TextContent(text=text) for text in texts], is_error=tool_name == "failed")


def test_tools_of_servers() -> None:
    calls = ("rows", "text", "read_file")
    before = run(*calls, tools=[], mcp_servers=[Shop()])[0]
    after = run(*calls, kind=CompactAgent, tools=[], mcp_servers=[Shop()])[0]
    assert [len(blocks) for blocks in before] == [6, 1, 1]
    texts = ["".join(block["text"] for block in blocks) for blocks in after]
    assert texts == [COMPACT, COMPACT, TEXT]
    assert [len(blocks) for blocks in after] == [1, 1, 1]


def test_a_counter_that_fails_and_wrong_options() -> None:
    before = run(*TOOLS)[0]
    assert run(*TOOLS, kind=CompactAgent, compact={"counter": broken})[0] == before
    assert run(*TOOLS, filter=CompactFilter(counter=broken))[0] == before
    with pytest.raises(ValueError, match="counter is 'x'"):
        CompactAgent(name="a", compact={"counter": "x"})
    with pytest.raises(ValueError, match="counter is 'x'"):
        CompactFilter(counter="x")


def test_page() -> None:
    scripted = model("list_orders")
    names = run_page("OpenAI Agents", model=scripted, tools=OWN)
    Runner.run_sync(names["agent"], "go")
    assert outputs(scripted.calls[-1].input) == [COMPACT]

"""`wire_formats.langchain` with agents of LangChain, a fake model, and tools of MCP servers."""

from __future__ import annotations

import asyncio
import datetime
import json
from typing import Any

import pytest

pytest.importorskip("langchain")

import pydantic
from cases import ARGUMENTS, COMPACT, ROWS, TEXT, TOOLS, Frame, broken, check, check_page, check_turns, fails, run_page, tools, value_of
from langchain.agents import create_agent
from langchain.agents.structured_output import ToolStrategy
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage, messages_from_dict, messages_to_dict
from langchain_core.tools import StructuredTool, ToolException
from langchain_mcp_adapters.tools import load_mcp_tools
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt
from mcp.server.fastmcp import FastMCP
from mcp.shared.memory import create_connected_server_and_client_session as connected

from wire_formats.langchain import CompactMiddleware, compact_interceptor


class Model(GenericFakeChatModel):
    """A model that says what it is told to, and keeps what it reads."""

    read: list[list[Any]] = []

    def bind_tools(self, tools: Any, **options: Any) -> Model:
        return self

    def _generate(self, messages: Any, *rest: Any, **options: Any) -> Any:
        self.read.append([message.model_dump() for message in messages])
        return super()._generate(messages, *rest, **options)

    def results(self) -> list[Any]:
        """The contents of results in the last turn."""
        return [message["content"] for message in self.read[-1] if message["type"] == "tool"]


def model(*calls: str) -> Model:
    """A model that calls these tools, one a turn."""
    turns = [AIMessage("", tool_calls=[{"name": name, "args": ARGUMENTS.get(name, {}), "id": f"c{n}"}]) for n, name in enumerate(calls)]
    return Model(messages=iter([*turns, AIMessage("done")]), read=[])


def picture() -> Any:
    """A text and an image."""
    return [{"type": "text", "text": TEXT}, {"type": "image", "base64": "eA==", "mime_type": "image/png"}]


def failed() -> Any:
    """An error that the model reads."""
    raise ToolException(TEXT)


def command() -> Any:
    """A change of the state."""
    return Command(update={"messages": [ToolMessage(TEXT, tool_call_id="c0", name="command")]})


def with_artifact() -> Any:
    """Rows, and an object for the program."""
    return ROWS, {"kept": ROWS}


OWN = [
    *map(StructuredTool.from_function, [*TOOLS.values(), picture, command, fails]),
    StructuredTool.from_function(failed, handle_tool_error=True),
    StructuredTool.from_function(with_artifact, response_format="content_and_artifact"),
    StructuredTool.from_function(lambda: ROWS, name="direct", description="For the user.", return_direct=True),
    StructuredTool.from_function(TOOLS["dates"], name="direct_dates", return_direct=True),
]
GO = {"messages": [HumanMessage("go")]}


def run(*calls: str, middleware: Any = (), **options: Any) -> tuple[Model, Any]:
    fake = model(*calls)
    return fake, create_agent(fake, OWN, middleware=list(middleware), **options).invoke(GO)


def result_of(state: Any) -> ToolMessage:
    [message] = [message for message in state["messages"] if isinstance(message, ToolMessage)]
    return message


@tools
def test_texts(tool: str) -> None:
    (before, kept), (after, state) = run(tool), run(tool, middleware=[CompactMiddleware()])
    check(tool, before.results()[0], after.results()[0]) if tool not in ("dates", "models") else None
    if tool in ("dates", "models"):  # without the module they are Python, of which no model makes values
        assert value_of(after.results()[0]) == value_of(result_of(state).content)
        assert after.results()[0].startswith("GCF ") and json.loads(result_of(state).content)
    else:
        assert result_of(state).content == result_of(kept).content == before.results()[0]
    if tool == "list_orders":
        check_page("LangChain", before.results()[0], after.results()[0])


@pytest.mark.parametrize("tool", ["failed", "picture", "command", "with_artifact"])
def test_the_state_stays(tool: str) -> None:
    (before, kept), (after, state) = run(tool), run(tool, middleware=[CompactMiddleware()])
    assert result_of(state).model_dump(exclude={"id"}) == result_of(kept).model_dump(exclude={"id"})
    [was], [now] = before.results(), after.results()
    if tool == "failed":
        assert now == was == TEXT
    elif tool == "picture":
        assert (now[0]["text"], now[1]) == (COMPACT, was[1])
    else:
        assert now == COMPACT


def test_what_goes_to_the_user_stays() -> None:
    for tool in ("direct", "direct_dates"):
        (_, before), (_, after) = run(tool), run(tool, middleware=[CompactMiddleware()])
        assert after["messages"][-1].content == before["messages"][-1].content

    class Answer(pydantic.BaseModel):
        count: int

    turns = [
        AIMessage("", tool_calls=[{"name": "list_orders", "args": {}, "id": "a"}]),
        AIMessage("", tool_calls=[{"name": "Answer", "args": {"count": 6}, "id": "b"}]),
    ]
    fake = Model(messages=iter(turns), read=[])
    state = create_agent(fake, OWN, middleware=[CompactMiddleware()], response_format=ToolStrategy(Answer)).invoke(GO)
    assert state["structured_response"] == Answer(count=6)
    assert fake.results() == [COMPACT]


def test_errors_end_a_run_as_without_the_module() -> None:
    for middleware in ([], [CompactMiddleware()]):
        with pytest.raises(ValueError) as raised:
            run("fails", middleware=middleware)
        assert str(raised.value) == TEXT


def test_errors_of_arguments_and_parts_of_objects_stay() -> None:
    def needs(count: int) -> Any:
        """A tool with an argument."""

    def frame() -> Any:
        """An object whose Python text is a part of it."""
        return Frame([dict(row) for row in ROWS * 50])

    read = []
    for middleware in ([], [CompactMiddleware()]):
        fake = model("needs", "frame")
        create_agent(fake, [StructuredTool.from_function(tool) for tool in (needs, frame)], middleware=middleware).invoke(GO)
        read.append(fake.results())
    assert read[0] == read[1]
    assert "Field required" in read[0][0] and read[0][1] == "300 rows"


def test_a_tool_that_asks_the_user_goes_on() -> None:
    def ask() -> Any:
        """A question, and then rows with dates."""
        return [{"day": datetime.date(2026, 1, 1), "answer": interrupt("Which?")}] * 6

    fake = model("ask")
    agent = create_agent(fake, [StructuredTool.from_function(ask)], middleware=[CompactMiddleware()], checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "1"}}
    assert agent.invoke(GO, config)["__interrupt__"][0].value == "Which?"
    agent.invoke(Command(resume="all"), config)
    assert value_of(fake.results()[0]) == [{"day": "2026-01-01", "answer": "all"}] * 6


def test_calls_at_once() -> None:
    calls = [{"name": name, "args": ARGUMENTS.get(name, {}), "id": name} for name in ("read_file", "list_orders", "load")]
    fake = Model(messages=iter([AIMessage("", tool_calls=calls), AIMessage("done")]), read=[])
    create_agent(fake, OWN, middleware=[CompactMiddleware()]).invoke(GO)
    assert fake.results() == [TEXT, COMPACT, TEXT]


def test_turns_are_the_same_again() -> None:
    fake, state = run(*TOOLS, middleware=[CompactMiddleware()])
    assert len(fake.read) == len(TOOLS) + 1
    check_turns(fake.read)

    async def later() -> Model:
        other = model(*TOOLS)
        await create_agent(other, OWN, middleware=[CompactMiddleware()]).ainvoke(GO)
        return other

    asynchronous = asyncio.run(later())
    check_turns(asynchronous.read)
    assert asynchronous.results() == fake.results()

    # The history is stored, and read by another process.
    again = messages_from_dict(json.loads(json.dumps(messages_to_dict(state["messages"]))))
    more = model()
    create_agent(more, OWN, middleware=[CompactMiddleware()]).invoke({"messages": [*again, HumanMessage("more")]})
    assert more.results() == fake.results()


def test_streams_have_what_the_tool_gave() -> None:
    fake = model("list_orders")
    agent = create_agent(fake, OWN, middleware=[CompactMiddleware()])
    [message] = [update["tools"]["messages"][0] for update in agent.stream(GO, stream_mode="updates") if "tools" in update]
    assert (message.content, fake.results()) == (TEXT, [COMPACT])


def test_a_counter_that_fails_and_wrong_options() -> None:
    before, after = run(*TOOLS)[0].results(), run(*TOOLS, middleware=[CompactMiddleware(counter=broken)])[0].results()
    names = [name for name in TOOLS if name not in ("dates", "models")]
    assert dict(zip(TOOLS, after)).items() >= {name: dict(zip(TOOLS, before))[name] for name in names}.items()
    with pytest.raises(ValueError, match="counter is 'x'"):
        CompactMiddleware(counter="x")


def test_a_result_without_its_call_is_read_by_the_rule_of_its_name() -> None:
    history = [HumanMessage("go"), ToolMessage(TEXT, tool_call_id="z"), ToolMessage(TEXT, tool_call_id="y", name="read_file")]
    fake = model()
    create_agent(fake, OWN, middleware=[CompactMiddleware()]).invoke({"messages": history})
    assert fake.results() == [COMPACT, TEXT]


def read(call: AIMessage, name: str | None = None) -> Any:
    """What the model reads of the result of this call, whose own name is this."""
    fake = model()
    history = [HumanMessage("go"), call, ToolMessage(TEXT, tool_call_id="z", name=name)]
    create_agent(fake, OWN, middleware=[CompactMiddleware()]).invoke({"messages": history})
    return fake.results()[0]


def test_a_result_whose_call_can_not_be_read_stays() -> None:
    invalid: Any = {"name": "load", "args": '{"path": "a.cs', "id": "z", "error": None, "type": "invalid_tool_call"}
    assert read(AIMessage("", invalid_tool_calls=[invalid])) == TEXT


@pytest.mark.parametrize("called", ["list_orders", "read_file"])
@pytest.mark.parametrize("name", ["list_orders", "read_file", None])
def test_a_result_stays_if_its_name_or_that_of_its_call_keeps_it(called: str, name: str | None) -> None:
    call = AIMessage("", tool_calls=[{"name": called, "args": {}, "id": "z"}])
    assert read(call, name) == (TEXT if "read_file" in (called, name) else COMPACT)


def test_iterators_are_read_once() -> None:
    def numbers() -> Any:
        """Numbers that are there once."""
        return {"numbers": (n for n in range(9)), "kind": "x" * 80}

    fake = model("numbers")
    create_agent(fake, [StructuredTool.from_function(numbers)], middleware=[CompactMiddleware()]).invoke(GO)
    assert value_of(fake.results()[0]) == {"numbers": [*range(9)], "kind": "x" * 80}


def mixed() -> list[dict[str, Any]]:
    """Objects with several names, which are a list by the structured content alone."""
    return [{"id": n, "name": f"name {n}"} if n % 3 else {"id": n, "open": True} for n in range(12)]


def shop() -> Any:
    made = FastMCP("shop")
    for tool in (*TOOLS.values(), fails, mixed):
        made.tool()(tool)
    return made._mcp_server


@tools
def test_tools_of_servers(tool: str) -> None:
    """Their results are blocks, of which each has an id of LangChain's."""

    async def results() -> list[str]:
        read = []
        async with connected(shop()) as session:
            for interceptors, middleware in (([], []), ([], [CompactMiddleware()]), ([compact_interceptor()], [])):
                fake = model(tool)
                loaded = await load_mcp_tools(session, tool_interceptors=interceptors)
                state = await create_agent(fake, loaded, middleware=middleware).ainvoke(GO)
                read.append("\n".join(block["text"] for block in fake.results()[0]))
                if middleware and tool in ("list_orders", "dates", "models"):
                    assert (len(result_of(state).content), len(fake.results()[0])) == (6, 1)
        return read

    before, request, result = asyncio.run(results())
    check(tool, before, request)
    assert result == request


def test_lists_of_servers_that_have_structured_content() -> None:
    async def results() -> list[Any]:
        async with connected(shop()) as session:
            fakes = [model("mixed"), model("mixed")]
            for fake, interceptors, middleware in zip(fakes, ([], [compact_interceptor()]), ([CompactMiddleware()], [])):
                loaded = await load_mcp_tools(session, tool_interceptors=interceptors)
                await create_agent(fake, loaded, middleware=middleware).ainvoke(GO)
            return [fake.results()[0] for fake in fakes]

    for blocks in asyncio.run(results()):
        assert [value_of(block["text"]) for block in blocks] == [mixed()]


def test_errors_of_servers_stay() -> None:
    async def results() -> list[Any]:
        async with connected(shop()) as session:
            tools = [await load_mcp_tools(session, tool_interceptors=found) for found in ([], [compact_interceptor()])]
            [before, after] = [next(tool for tool in found if tool.name == "fails") for found in tools]
            return [await tool.ainvoke({"type": "tool_call", "id": "1", "name": "fails", "args": {}}) for tool in (before, after)]

    before, after = asyncio.run(results())
    assert (after.status, after.content[0]["text"]) == (before.status, before.content[0]["text"])
    assert TEXT in after.content[0]["text"]


def test_page() -> None:
    fake = model("list_orders")
    run_page("LangChain", model=fake, tools=OWN)["agent"].invoke(GO)
    assert fake.results() == [COMPACT]

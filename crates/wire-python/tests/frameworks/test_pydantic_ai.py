"""`wire_formats.pydantic_ai` with agents of Pydantic AI, its fake models, and tools of an MCP server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

pytest.importorskip("pydantic_ai")

from cases import ARGUMENTS, COMPACT, ROWS, TEXT, TOOLS, Order, broken, check, check_page, check_turns, run_page, tools
from fastmcp import FastMCP
from pydantic import BaseModel
from pydantic_ai import Agent, BinaryContent, ModelRetry, ToolReturn
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import (
    FunctionToolResultEvent,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.models.test import TestModel

from wire_formats.pydantic_ai import Compact


def text_of(part: Any) -> str:
    if isinstance(part, ToolReturnPart):
        return part.model_response_str()
    return str(part.tool_name if isinstance(part, ToolCallPart) else part.content)


class Model:
    """A model that calls these tools, one a turn, and keeps what it reads."""

    def __init__(self, *calls: str) -> None:
        self.calls, self.read = calls, list[list[str]]()

    def turn(self, messages: list[ModelMessage]) -> int:
        parts = [part for message in messages for part in message.parts]
        self.read.append([text_of(part) for part in parts])
        return sum(isinstance(message, ModelResponse) for message in messages)

    def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        turn = self.turn(messages)
        if turn < len(self.calls):
            name = self.calls[turn]
            return ModelResponse([ToolCallPart(name, ARGUMENTS.get(name, {}), tool_call_id=f"c{turn}")])
        return ModelResponse([TextPart("done")])

    async def stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        turn = self.turn(messages)
        if turn < len(self.calls):
            name = self.calls[turn]
            yield {0: DeltaToolCall(name, json.dumps(ARGUMENTS.get(name, {})), tool_call_id=f"c{turn}")}
        else:
            yield "done"

    def made(self) -> FunctionModel:
        return FunctionModel(self.answer, stream_function=self.stream)


def picture() -> Any:
    """A text and an image."""
    return [TEXT, BinaryContent(b"x", media_type="image/png")]


def failed() -> Any:
    """A failure that the model reads."""
    raise ToolFailed(TEXT)


def retry() -> Any:
    """A call that has to be made again."""
    raise ModelRetry(TEXT)


def rich() -> Any:
    """Rows, with an object for the program."""
    return ToolReturn(ROWS, content="see above", metadata={"kept": ROWS})


OWN = [*TOOLS.values(), picture, failed, retry, rich]


def results(messages: list[ModelMessage]) -> list[ToolReturnPart[Any]]:
    return [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]


def run(*calls: str, compact: bool | Compact = True) -> tuple[list[str], list[ModelMessage], list[list[str]]]:
    """What the model reads of the results, the history, and what it reads at each turn."""
    model = Model(*calls)
    capabilities = [compact if isinstance(compact, Compact) else Compact()] if compact else []
    done = Agent(model.made(), tools=OWN, capabilities=capabilities).run_sync("go")
    # A call and its result after what the user says.
    return model.read[-1][2 : 2 * len(calls) + 1 : 2], done.all_messages(), model.read


@tools
def test_texts(tool: str) -> None:
    ([before], kept, _), ([after], history, _) = run(tool, compact=False), run(tool)
    check(tool, before, after)
    assert [part.content for part in results(history)] == [part.content for part in results(kept)]
    if tool == "list_orders":
        check_page("Pydantic AI", before, after)


@pytest.mark.parametrize("tool", ["picture", "failed", "retry"])
def test_what_stays(tool: str) -> None:
    assert run(tool)[0] == run(tool, compact=False)[0]


@pytest.mark.parametrize("options", [{"outcome": "failed"}, {"outcome": "denied"}, {"tool_kind": "tool-search"}, {}])
def test_parts_of_a_history(options: Any) -> None:
    content = {"discovered_tools": [{"name": f"tool{n}", "description": "a tool"} for n in range(9)]}
    part: Any = ToolReturnPart("rows", content, tool_call_id="c", **options)
    history = [ModelResponse([ToolCallPart("rows", {}, tool_call_id="c")]), ModelRequest([part])]
    read = []
    for capabilities in ([], [Compact()]):
        model = Model()
        Agent(model.made(), capabilities=capabilities).run_sync("go", message_history=history)
        read.append(model.read[-1][1])
    assert (read[0] == read[1]) == bool(options)


def test_what_is_for_the_program_stays() -> None:
    [text], history, _ = run("rich")
    [part] = results(history)
    assert (text, part.content, part.metadata) == (COMPACT, ROWS, {"kept": ROWS})
    model = TestModel(custom_output_args={"id": 1, "name": "Ann"})
    done = Agent(model, tools=OWN[:1], output_type=Order, capabilities=[Compact()]).run_sync("go")
    assert done.output == Order(id=1, name="Ann")


def test_turns_are_the_same_again() -> None:
    texts, history, turns = run(*TOOLS)
    check_turns(turns)
    # The history is read by another process: what were models are objects now.
    for again in (history, ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(history))):
        model = Model(*TOOLS)
        Agent(model.made(), tools=OWN, capabilities=[Compact()]).run_sync("more", message_history=again)
        check_turns([turns[-1], model.read[-1]])


def test_streams() -> None:
    async def streamed() -> tuple[list[list[str]], list[Any]]:
        model, shown = Model(*TOOLS), []
        async with Agent(model.made(), tools=OWN, capabilities=[Compact()]).run_stream_events("go") as events:
            async for event in events:
                if isinstance(event, FunctionToolResultEvent):
                    shown.append(event.part.content)
        return model.read, shown

    turns, shown = asyncio.run(streamed())
    check_turns(turns)
    assert turns[-1][2] == COMPACT
    assert shown[0] == ROWS


def test_objects_that_can_not_be_compared() -> None:
    class Basket(BaseModel):
        orders: list[Any]

        def __eq__(self, other: object) -> bool:
            raise TypeError("a basket is not compared")

    def basket() -> Any:
        """A model with an operator of its own."""
        return Basket(orders=ROWS)

    model = Model("basket")
    done = Agent(model.made(), tools=[basket], capabilities=[Compact()]).run_sync("go")
    assert model.read[-1][2].startswith("GCF profile=generic\n## orders [6]{id,name,open}\n")
    assert isinstance(results(done.all_messages())[0].content, Basket)


def test_a_counter_that_fails_and_wrong_options() -> None:
    assert run(*TOOLS, compact=Compact(counter=broken))[0] == run(*TOOLS, compact=False)[0]
    with pytest.raises(ValueError, match="counter is 'x'"):
        Compact(counter="x")


def test_tools_of_servers() -> None:
    async def read(*capabilities: Compact) -> list[str]:
        served = FastMCP("shop")
        for tool in TOOLS.values():
            served.tool(tool)
        model = Model(*TOOLS)
        await Agent(model.made(), toolsets=[MCPToolset(served)], capabilities=capabilities).run("go")
        return model.read[-1][2::2]

    before, after = asyncio.run(read()), asyncio.run(read(Compact()))
    for tool, was, now in zip(TOOLS, before, after, strict=True):
        check(tool, was, now)


def test_page() -> None:
    model = Model("list_orders")
    run_page("Pydantic AI", model=model.made(), tools=OWN)["agent"].run_sync("go")
    assert model.read[-1][2] == COMPACT

"""The recipe of the page for Agno, with an agent of it and a model in this process."""

from __future__ import annotations

import asyncio
import functools
import json
from typing import Any

import pytest

pytest.importorskip("agno")

import httpx
from agno.agent import Agent
from agno.models.openai import OpenAIChat
from cases import ARGUMENTS, TOOLS, check, check_page, check_turns, run_page, value_of

NAMES = list(TOOLS)


def later(tool: Any) -> Any:
    """The tool as one that is waited for."""

    @functools.wraps(tool)
    async def waited(*arguments: Any, **named: Any) -> Any:
        await asyncio.sleep(0)
        return tool(*arguments, **named)

    return waited


def run(with_recipe: bool, is_async: bool = False, tools: Any = tuple(TOOLS.values())) -> list[list[str]]:
    read: list[list[str]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        read.append([message["content"] for message in json.loads(request.content)["messages"] if message["role"] == "tool"])
        done = len(read[-1])
        message: dict[str, Any] = {"role": "assistant", "content": "done"}
        if done < len(NAMES):
            function = {"name": NAMES[done], "arguments": json.dumps(ARGUMENTS.get(NAMES[done], {}))}
            message |= {"content": None, "tool_calls": [{"id": f"c{done}", "type": "function", "function": function}]}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        completion = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        return httpx.Response(200, json=completion)

    transport = httpx.MockTransport(answer)
    client: Any = httpx.AsyncClient(transport=transport) if is_async else httpx.Client(transport=transport)
    agent = Agent(model=OpenAIChat(id="gpt-4o", api_key="x", http_client=client), tools=list(tools), telemetry=False)
    if with_recipe:
        run_page("Agno", agent=agent)
    if is_async:
        asyncio.run(agent.arun("go"))
    else:
        agent.run("go")
    return read


def test_recipe() -> None:
    before, turns = run(False)[-1], run(True)
    check_turns(turns)
    for tool, was, now in zip(TOOLS, before, turns[-1], strict=True):
        if tool == "save":
            assert (was, now) == ("{'ok': True}", '{"ok":true}')
        else:
            check(tool, was if tool not in ("dates", "models") else was + "\n" + json.dumps(value_of(now)), now)
    check_page("Agno", before[0], turns[-1][0])
    assert run(True, is_async=True)[-1] == turns[-1]
    assert run(True, is_async=True, tools=map(later, TOOLS.values()))[-1] == turns[-1]

"""The recipe of the page for Google ADK, with an agent of it and a fake model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

pytest.importorskip("google.adk")

from cases import ARGUMENTS, CHANGED, ROWS, TOOLS, VALUES, check_page, check_turns, run_page, value_of
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

# What models of Google get is an object; what else a tool gives is `{"result": …}`.
NAMES = [*TOOLS, "fails", "grouped"]


def fails() -> Any:
    """An error."""
    return {"error": ROWS}


def grouped() -> Any:
    """Rows in an object."""
    return {"rows": ROWS, "total": 6}


class Model(BaseLlm):
    read: list[list[Any]] = []

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncIterator[LlmResponse]:
        parts = [part for content in llm_request.contents for part in content.parts]
        self.read.append([json.loads(json.dumps(part.function_response.response, default=str)) for part in parts if part.function_response])
        done = len(self.read[-1])
        call = done < len(NAMES) and types.Part.from_function_call(name=NAMES[done], args=ARGUMENTS.get(NAMES[done], {}))
        yield LlmResponse(content=types.Content(role="model", parts=[call or types.Part.from_text(text="done")]))


def run(with_recipe: bool) -> list[list[Any]]:
    model = Model(model="fake", read=[])
    agent = LlmAgent(name="a", model=model, tools=[*TOOLS.values(), fails, grouped])
    if with_recipe:
        run_page("Google ADK", agent=agent)

    async def ran() -> None:
        runner = InMemoryRunner(agent=agent, app_name="app")
        session = await runner.session_service.create_session(app_name="app", user_id="u")
        message = types.Content(role="user", parts=[types.Part.from_text(text="go")])
        async for _ in runner.run_async(user_id="u", session_id=session.id, new_message=message):
            pass

    asyncio.run(ran())
    return model.read


def test_recipe() -> None:
    before, turns = run(False)[-1], run(True)
    check_turns(turns)
    for tool, was, now in zip(NAMES, before, turns[-1], strict=True):
        if tool in CHANGED or tool == "grouped":
            assert now["result"].startswith("GCF "), tool
            assert value_of(now["result"]) == (was if tool == "grouped" else VALUES[tool])
        else:
            assert now == was, tool
    check_page("Google ADK", json.dumps(before[0]), json.dumps(turns[-1][0]))

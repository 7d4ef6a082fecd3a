"""The recipe of the page for CrewAI, with an agent of it and a fake model."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("crewai")

from cases import ARGUMENTS, TOOLS, check, check_page, check_turns, run_page, value_of
from crewai import Agent, BaseLLM
from crewai.hooks import clear_after_tool_call_hooks
from crewai.tools import tool

NAMES = list(TOOLS)


class Model(BaseLLM):
    read: list[list[str]] = []

    def supports_function_calling(self) -> bool:
        return True

    def call(self, messages: Any, *rest: Any, **options: Any) -> Any:
        self.read.append([message["content"] for message in messages if message["role"] == "tool"])
        done = len(self.read[-1])
        if done == len(NAMES):
            return "done"
        function = {"name": NAMES[done], "arguments": json.dumps(ARGUMENTS.get(NAMES[done], {}))}
        return [{"id": f"c{done}", "type": "function", "function": function}]


def run(with_recipe: bool) -> list[list[str]]:
    model = Model(model="fake", read=[])
    if with_recipe:
        run_page("CrewAI")
    try:
        Agent(role="a", goal="g", backstory="b", llm=model, tools=[tool(name)(function) for name, function in TOOLS.items()]).kickoff("go")
    finally:
        clear_after_tool_call_hooks()
    return model.read


def test_recipe() -> None:
    before, turns = run(False)[-1], run(True)
    check_turns(turns)
    for name, was, now in zip(TOOLS, before, turns[-1], strict=True):
        if name == "save":
            assert (was, now) == ("{'ok': True}", '{"ok":true}')
        else:
            check(name, was if name not in ("dates", "models") else was + "\n" + json.dumps(value_of(now)), now)
    check_page("CrewAI", before[0], turns[-1][0])

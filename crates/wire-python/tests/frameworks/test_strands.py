"""The recipe of the page for Strands, with an agent of it and a fake model."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

pytest.importorskip("strands")

from cases import ARGUMENTS, TEXT, TOOLS, check, check_page, check_turns, fails, run_page, value_of
from strands import Agent, tool
from strands.models import Model

NAMES = [*TOOLS, "fails", "shaped"]


@tool
def shaped() -> dict[str, Any]:
    """Rows, and an image."""
    return {"status": "success", "content": [{"json": json.loads(TEXT)}, {"image": {"format": "png", "source": {"bytes": b"x"}}}]}


class Fake(Model):
    def __init__(self) -> None:
        self.read: list[list[Any]] = []

    def update_config(self, **config: Any) -> None: ...
    def get_config(self) -> Any: ...
    def structured_output(self, *rest: Any, **options: Any) -> Any: ...

    async def stream(self, messages: Any, *rest: Any, **options: Any) -> AsyncIterator[Any]:
        results = [block["toolResult"] for message in messages for block in message["content"] if "toolResult" in block]
        self.read.append(json.loads(json.dumps(results, default=str)))
        done = len(results)
        yield {"messageStart": {"role": "assistant"}}
        if done < len(NAMES):
            yield {"contentBlockStart": {"start": {"toolUse": {"toolUseId": f"t{done}", "name": NAMES[done]}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(ARGUMENTS.get(NAMES[done], {}))}}}}
        else:
            yield {"contentBlockDelta": {"delta": {"text": "done"}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if done < len(NAMES) else "end_turn"}}


def run(with_recipe: bool) -> list[list[Any]]:
    model = Fake()
    agent = Agent(model=model, tools=[*map(tool, TOOLS.values()), tool(fails), shaped], callback_handler=None)
    if with_recipe:
        run_page("Strands", agent=agent)
    agent("go")
    return model.read


def text_of(result: Any) -> str:
    [block] = result["content"]
    return str(block.get("text"))


def test_recipe() -> None:
    before, turns = run(False)[-1], run(True)
    check_turns(turns)
    for name, was, now in zip(TOOLS, before, turns[-1]):
        if name in ("dates", "models"):  # Python already
            assert text_of(now) == text_of(was) or value_of(text_of(now)) == value_of(text_of(was))
        else:
            check(name, text_of(was), text_of(now))
    failed, with_image = turns[-1][-2:]
    assert (failed, failed["status"]) == (before[-2], "error")
    assert with_image["content"][0]["text"].startswith("GCF ") and with_image["content"][1] == before[-1]["content"][1]
    check_page("Strands", text_of(before[0]), text_of(turns[-1][0]))

"""The tool loop of the Anthropic SDK, with results in few tokens: `python anthropic_loop.py`.

It needs ANTHROPIC_API_KEY; `python fake_model.py anthropic_loop.py` runs it without one, against a server on this machine.
"""

import json
import os

from anthropic import Anthropic

from wire_formats import count_tokens, tool_result

MODEL = os.environ.get("ANTHROPIC_MODEL", "claude-sonnet-5")
QUESTION = "How many open orders are there, and what is their total?"
TURNS = 8


@tool_result
def list_orders(status: str = "open"):
    return [{"id": n, "status": status, "customer": f"C-{n * 7 % 40}", "total": 10.5 * n} for n in range(1, 31)]


TOOLS = {"list_orders": list_orders}
SCHEMAS = [
    {
        "name": "list_orders",
        "description": "The orders of a status.",
        "input_schema": {
            "type": "object",
            "properties": {
                "status": {"type": "string"},
                "format": {"type": "string", "enum": ["auto", "json", "gcf", "gcx"], "description": "Form of the result"},
            },
        },
    }
]


def main() -> None:
    client = Anthropic(timeout=60)
    messages = [{"role": "user", "content": QUESTION}]
    for _ in range(TURNS):
        answer = client.messages.create(model=MODEL, max_tokens=1000, messages=messages, tools=SCHEMAS)
        calls = [block for block in answer.content if block.type == "tool_use"]
        if not calls:
            print("answer:", "".join(block.text for block in answer.content if block.type == "text"))
            return
        messages.append({"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in answer.content]})
        results = []
        for call in calls:
            text = TOOLS[call.name](**call.input)
            as_json = TOOLS[call.name](**{**call.input, "format": "json"})
            print(f"{call.name}({json.dumps(call.input)}): {count_tokens(text, 'o200k')} tokens, {count_tokens(as_json, 'o200k')} as JSON")
            results.append({"type": "tool_result", "tool_use_id": call.id, "content": text})
        messages.append({"role": "user", "content": results})
    raise SystemExit(f"error: no answer in {TURNS} turns")


if __name__ == "__main__":
    main()

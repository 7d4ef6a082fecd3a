"""The tool loop of the OpenAI SDK, with results in few tokens: `python openai_loop.py`.

It needs OPENAI_API_KEY; `python fake_model.py openai_loop.py` runs it without one, against a server on this machine.
"""

import json
import os

from openai import OpenAI

from wire_formats import count_tokens, tool_result

MODEL = os.environ.get("OPENAI_MODEL", "gpt-5.6-luna")
QUESTION = "How many open orders are there, and what is their total?"
TURNS = 8


@tool_result
def list_orders(status: str = "open"):
    return [{"id": n, "status": status, "customer": f"C-{n * 7 % 40}", "total": 10.5 * n} for n in range(1, 31)]


TOOLS = {"list_orders": list_orders}
SCHEMAS = [
    {
        "type": "function",
        "function": {
            "name": "list_orders",
            "description": "The orders of a status.",
            "parameters": {
                "type": "object",
                "properties": {
                    "status": {"type": "string"},
                    "format": {"type": "string", "enum": ["auto", "json", "gcf", "gcx"], "description": "Form of the result"},
                },
            },
        },
    }
]


def main() -> None:
    client = OpenAI(timeout=60)
    messages = [{"role": "user", "content": QUESTION}]
    for _ in range(TURNS):
        message = client.chat.completions.create(model=MODEL, messages=messages, tools=SCHEMAS).choices[0].message
        if not message.tool_calls:
            print("answer:", message.content)
            return
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            arguments = json.loads(call.function.arguments)
            text = TOOLS[call.function.name](**arguments)
            as_json = TOOLS[call.function.name](**{**arguments, "format": "json"})
            print(f"{call.function.name}({call.function.arguments}): {count_tokens(text, 'o200k')} tokens, {count_tokens(as_json, 'o200k')} as JSON")
            messages.append({"role": "tool", "tool_call_id": call.id, "content": text})
    raise SystemExit(f"error: no answer in {TURNS} turns")


if __name__ == "__main__":
    main()

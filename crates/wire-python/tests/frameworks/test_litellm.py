"""`wire_formats.litellm` with LiteLLM and a provider in this process."""

from __future__ import annotations

import asyncio
import copy
import http.server
import json
import threading
from collections.abc import Iterator
from typing import Any

import pydantic
import pytest

litellm = pytest.importorskip("litellm")

from cases import ARGUMENTS, COMPACT, TEXT, TOOLS, broken, check, check_page, check_turns, run_page, tools

from wire_formats.litellm import CompactLogger

USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2, "input_tokens": 1, "output_tokens": 1}
MESSAGE = {"role": "assistant", "content": "done"}
CHOICE = {"index": 0, "finish_reason": "stop"}
CHAT = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [CHOICE | {"message": MESSAGE}]}
CHUNK = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [CHOICE | {"delta": MESSAGE}]}
BLOCK = {"type": "text", "text": "done"}
ANTHROPIC = {"id": "1", "type": "message", "role": "assistant", "model": "m", "content": [BLOCK], "stop_reason": "end_turn"}
ITEM = {"type": "message", "id": "1", "role": "assistant", "status": "completed", "content": [BLOCK | {"type": "output_text", "annotations": []}]}
RESPONSE = {"id": "1", "object": "response", "created_at": 1, "model": "m", "status": "completed", "output": [ITEM]}
RESPONSE |= {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}


class Provider(http.server.ThreadingHTTPServer):
    """A provider that answers each request, and keeps it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.requests: list[dict[str, Any]] = []
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Answering(http.server.BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(request)
        is_stream = request.get("stream", False)
        answer = RESPONSE if "responses" in self.path else ANTHROPIC if "messages" in self.path else CHAT
        body = json.dumps(answer | {"usage": USAGE}).encode()
        if is_stream:
            body = f"data: {json.dumps(CHUNK)}\n\ndata: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if is_stream else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        """Nothing is written."""


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as made:
        yield made
        made.shutdown()
    litellm.callbacks = []


def text_of(tool: str) -> str:
    """The text of a result, as agents write it."""
    value = TOOLS[tool]()
    return value if isinstance(value, str) else json.dumps(pydantic.TypeAdapter(Any).dump_python(value, mode="json"))


def conversation(*calls: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for n, name in enumerate(calls):
        function = {"name": name, "arguments": json.dumps(ARGUMENTS.get(name, {}))}
        rows.append({"role": "assistant", "content": None, "tool_calls": [{"id": f"c{n}", "type": "function", "function": function}]})
        rows.append({"role": "tool", "tool_call_id": f"c{n}", "content": text_of(name)})
    return rows


def sent(provider: Provider, messages: list[Any], **options: Any) -> list[dict[str, Any]]:
    """The messages as the provider gets them."""

    async def complete() -> None:
        answer = await litellm.acompletion(model="openai/gpt-4o", messages=messages, api_base=provider.address, api_key="x", **options)
        if options.get("stream"):
            assert [chunk.choices[0].delta.content async for chunk in answer][0] == "done"
        else:
            assert answer.choices[0].message.content == "done"

    asyncio.run(complete())
    got: list[dict[str, Any]] = provider.requests.pop()["messages"]
    return got


def results(messages: list[dict[str, Any]]) -> list[Any]:
    return [message["content"] for message in messages if message["role"] == "tool"]


@tools
def test_texts(tool: str, provider: Provider) -> None:
    messages = conversation(tool)
    [before] = results(sent(provider, messages))
    litellm.callbacks = [CompactLogger()]
    [after] = results(sent(provider, messages))
    check(tool, before, after)
    assert messages == conversation(tool)
    if tool == "list_orders":
        check_page("LiteLLM", before, after)


@pytest.mark.parametrize("stream", [False, True])
def test_turns_are_the_same_again(stream: bool, provider: Provider) -> None:
    litellm.callbacks = [CompactLogger()]
    names = list(TOOLS)
    turns = [sent(provider, conversation(*names[:count]), stream=stream) for count in range(len(names) + 1)]
    check_turns(turns)
    assert results(turns[-1])[0] == COMPACT
    # The history is stored, and read again.
    check_turns([turns[-1], sent(provider, [*json.loads(json.dumps(conversation(*names))), {"role": "user", "content": "more"}])])


def test_messages_of_the_library_and_routers(provider: Provider) -> None:
    litellm.callbacks = [CompactLogger()]
    rows = conversation("list_orders")
    rows[1] = litellm.Message(**rows[1])
    assert results(sent(provider, rows)) == [COMPACT]
    deployment = {"model_name": "m", "litellm_params": {"model": "openai/gpt-4o", "api_base": provider.address, "api_key": "x"}}
    asyncio.run(litellm.Router(model_list=[deployment]).acompletion(model="m", messages=rows))
    assert results(provider.requests.pop()["messages"]) == [COMPACT]


def test_images_stay(provider: Provider) -> None:
    rows = conversation("list_orders")
    rows[-1]["content"] = [{"type": "text", "text": TEXT}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,eA=="}}]
    before = sent(provider, rows)
    litellm.callbacks = [CompactLogger()]
    after = sent(provider, rows)
    assert json.dumps(before).replace(json.dumps(TEXT), json.dumps(COMPACT)) == json.dumps(after)
    assert "eA==" in json.dumps(after)


def test_messages_of_anthropic(provider: Provider) -> None:
    litellm.callbacks = [CompactLogger()]
    calls = [{"type": "tool_use", "id": one, "name": "list_orders", "input": {}} for one in "ab"]
    given = [{"type": "tool_result", "tool_use_id": one, "content": TEXT, "is_error": one == "b"} for one in "ab"]
    rows = [{"role": "user", "content": "go"}, {"role": "assistant", "content": calls}, {"role": "user", "content": given}]
    before = copy.deepcopy(rows)
    options = {"model": "anthropic/claude-sonnet-4", "max_tokens": 9, "api_base": provider.address, "api_key": "x"}
    asyncio.run(litellm.anthropic.messages.acreate(messages=rows, **options))
    [first, second] = provider.requests.pop()["messages"][-1]["content"]
    assert (first["content"], second["content"], rows) == (COMPACT, TEXT, before)


def test_responses(provider: Provider) -> None:
    litellm.callbacks = [CompactLogger()]
    rows = [
        {"role": "user", "content": "go"},
        {"type": "function_call", "call_id": "a", "name": "list_orders", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": TEXT},
    ]
    asyncio.run(litellm.aresponses(model="openai/gpt-4o", input=rows, api_base=provider.address, api_key="x"))
    assert provider.requests.pop()["input"][-1]["output"] == COMPACT


@pytest.mark.parametrize("earlier", [{"previous_response_id": "resp_1"}, {"conversation": "conv_1"}])
def test_responses_whose_calls_the_provider_has(provider: Provider, earlier: dict[str, str]) -> None:
    litellm.callbacks = [CompactLogger()]
    rows = [{"type": "function_call_output", "call_id": "a", "output": TEXT}]
    asyncio.run(litellm.aresponses(model="openai/gpt-4o", input=rows, api_base=provider.address, api_key="x", **earlier))
    assert provider.requests.pop()["input"][-1]["output"] == TEXT
    made = asyncio.run(CompactLogger().async_pre_call_hook(None, None, {"model": "m", "input": rows, **earlier}, "aresponses"))
    assert made["input"] == rows


def test_the_hook_of_the_proxy_server() -> None:
    data = {"model": "m", "messages": conversation("list_orders", "read_file")}
    made = asyncio.run(CompactLogger().async_pre_call_hook(None, None, data, "acompletion"))
    assert results(made["messages"]) == [COMPACT, TEXT]
    assert results(data["messages"]) == [TEXT, TEXT]


def test_calls_without_a_hook(provider: Provider) -> None:
    """As the page says; where this fails, the page is to be corrected."""
    litellm.callbacks = [CompactLogger()]
    asyncio.run(litellm.acompletion("openai/gpt-4o", conversation("list_orders"), api_base=provider.address, api_key="x"))
    assert results(provider.requests.pop()["messages"]) == [TEXT]
    litellm.callbacks = [CompactLogger()]
    litellm.completion(model="openai/gpt-4o", messages=conversation("list_orders"), api_base=provider.address, api_key="x")
    assert results(provider.requests.pop()["messages"]) == [TEXT]


def test_a_counter_that_fails_and_wrong_options(provider: Provider) -> None:
    litellm.callbacks = [CompactLogger(counter=broken)]
    assert results(sent(provider, conversation(*TOOLS))) == [text_of(tool) for tool in TOOLS]
    with pytest.raises(ValueError, match="counter is 'x'"):
        CompactLogger(counter="x")


def test_page(provider: Provider) -> None:
    run_page("LiteLLM")
    assert results(sent(provider, conversation("list_orders"))) == [COMPACT]

"""`wire-proxy serve` behind LiteLLM's proxy, with a model's API and an MCP server that record what comes to them.

Arguments: wire-proxy, an empty folder, the page with the configuration, and for each LiteLLM the folders of its packages, joined by `:`.
Every server listens on the loopback, and ends with this program.
"""

import contextlib
import http.server
import json
import os
import random
import re
import statistics
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import model as apis
from common import Process, free_port

PROXY, STATE, PAGE, *LITELLMS = sys.argv[1:]
TOKEN = "a token for tests"
IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
# How long LiteLLM waits for a guardrail, by the page; what is slow takes longer.
WAITS, SLOW = 5, 7


def rows(count, city="Rome"):
    return [{"id": n, "name": f"user {n}", "city": city, "active": n % 3 > 0} for n in range(count)]


USERS, OTHERS = json.dumps(rows(12), indent=1), json.dumps(rows(9, "Oslo"))
HEAD = "GCF profile=generic\n## [12]{id,name,city,active}\n"


# --- servers --------------------------------------------------------------------------------------------------------------------------


class Server(http.server.ThreadingHTTPServer):
    """A server whose answers are those of a function of the path and the body; it keeps what was asked."""

    daemon_threads = True

    def __init__(self, answer):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer, self.asked, self.url = answer, [], f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, address):
        """Whoever asked may have gone away."""


class Handler(apis.Handler):
    def do_POST(self):
        body = self.read()
        status, kind, answer = self.server.answer(self.path, dict(self.headers), body)
        self.server.asked.append((self.path, body))
        self.reply(answer, kind, status)

    def end_headers(self):
        # Else a connection would still be served when nobody listens any more.
        self.send_header("Connection", "close")
        super().end_headers()

    def do_GET(self):
        self.send_error(405)


def answer(value, status=200, kind="application/json"):
    return status, kind, value if isinstance(value, bytes) else json.dumps(value).encode()


def model(path, _, body):
    """What the APIs of OpenAI and Anthropic answer: that all is done, or what the member `user` says."""
    asked = json.loads(body)
    api = next(api for end, api in apis.PATHS.items() if end in path)
    whole, events = api(asked, None)
    if events:
        return answer(apis.stream(events), kind="text/event-stream")
    if "choices" in whole:
        whole["choices"][0]["message"]["content"] = asked.get("user", apis.DONE)
    return answer(whole)


def tools(_, __, body):
    """A server of MCP with one tool."""
    asked = json.loads(body)
    results = {
        "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "demo", "version": "1"}},
        "tools/list": {"tools": [{"name": "users", "description": "d", "inputSchema": {"type": "object", "properties": {}}}]},
        "tools/call": {"content": [{"type": "text", "text": USERS}]},
    }
    if "id" not in asked:
        return answer(b"", 202)
    return answer({"jsonrpc": "2.0", "id": asked["id"], "result": results.get(asked["method"], {})})


class Door:
    """Between LiteLLM and the engine: passes what is sent, or fails as it is told to, for paths that begin so."""

    def __init__(self, engine):
        self.engine, self.fails, self.path = engine, None, ""
        self.server = Server(self.answer)

    def answer(self, path, headers, body):
        fails = self.fails if path.startswith(self.path) else None
        if fails == "500":
            return answer(b"boom", 500)
        if fails == "slow":
            time.sleep(SLOW)
        if fails == "no JSON":
            return answer(b"no JSON", kind="text/plain")
        headers = {name: value for name, value in headers.items() if name.lower() not in ("host", "content-length", "connection")}
        status, text = post(self.engine + path, body, headers)
        if fails in ("shorter", "longer", "empty"):
            value = json.loads(text)
            value["messages"] = {"shorter": value["messages"][:-1], "longer": value["messages"] * 2, "empty": []}[fails]
            text = json.dumps(value)
        return answer(text.encode(), status)


def post(url, body, headers=None, wait=60):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json"} | (headers or {}))
    try:
        with urllib.request.urlopen(request, timeout=wait) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


# --- programs -------------------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def engine():
    """`wire-proxy serve`, its URL and its process."""
    command = [PROXY, "serve", "127.0.0.1:0", "--token-env", "WIRE_TOKEN"]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | {"WIRE_TOKEN": TOKEN})
    try:
        yield child.stderr.readline().split()[-1], child
    finally:
        child.kill()
        child.wait()


def configuration(door, model, tools, is_new):
    """The configuration of the page, in front of these servers, and with the guardrails that it warns of."""
    with open(PAGE) as file:
        all_versions, new_ones, *_ = re.findall(r"```yaml\n(.*?)```", file.read(), re.DOTALL)
    text = (all_versions + (new_ones if is_new else "")).replace("http://127.0.0.1:8787", door)
    headroom = "litellm_params: {guardrail: headroom, mode: pre_call, api_base: '%s', api_key: os.environ/WIRE_TOKEN, ccr_retrieval: false" % door
    return f"""{text}
  - guardrail_name: open
    {headroom}, unreachable_fallback: fail_open, timeout: {WAITS}}}
  - guardrail_name: closed
    {headroom}, timeout: {WAITS}}}
  - guardrail_name: answers
    litellm_params: {{guardrail: generic_guardrail_api, mode: post_call, api_base: '{door}', api_key: os.environ/WIRE_TOKEN}}
model_list:
  - {{model_name: gpt, litellm_params: {{model: openai/gpt-4o, api_base: {model}/v1, api_key: none}}}}
  - {{model_name: claude, litellm_params: {{model: anthropic/claude-sonnet-4-5, api_base: {model}, api_key: none}}}}
mcp_servers:
  demo: {{transport: http, url: {tools}/mcp, allow_all_keys: true}}
general_settings: {{master_key: sk-1234, dangerously_permit_weak_or_unset_master_key: true}}
"""


@contextlib.contextmanager
def litellm(folders, config):
    """LiteLLM's proxy from these folders, its URL and its log."""
    name = os.path.join(STATE, "litellm")
    with open(name + ".yaml", "w") as file:
        file.write(config)
    port = free_port()
    code = f"import os, sys; os.chdir({STATE!r}); from litellm import run_server; sys.exit(run_server())"
    command = [sys.executable, "-c", code, "--config", name + ".yaml", "--host", "127.0.0.1", "--port", str(port)]
    quiet = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False", "WIRE_TOKEN": TOKEN}
    process = Process(command, port, name + ".log", PYTHONPATH=folders, PYTHONSAFEPATH="1", **quiet)
    try:
        yield f"http://127.0.0.1:{port}", name + ".log"
    finally:
        process.kill()


# --- conversations --------------------------------------------------------------------------------------------------------------------


def called(call, name, arguments):
    return {"id": call, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def chat(results):
    """A conversation of the chat API with these results."""
    out = [{"role": "system", "content": "sys"}, {"role": "user", "content": "Who? " + USERS}]
    for number, result in enumerate(results):
        out.append({"role": "assistant", "content": None, "tool_calls": [called(f"c{number}", "get_users", {"page": number})]})
        out.append({"role": "tool", "tool_call_id": f"c{number}", "content": result})
        if number % 3 == 2:
            out += [{"role": "assistant", "content": USERS}, {"role": "user", "content": f"and {number}?"}]
    return out


def messages(conversation, is_marked):
    """The same for Anthropic, with the mark of a cache on the last block, as coding agents set it."""
    out = []
    for row in conversation[1:]:
        if row["role"] == "tool":
            result = row["content"] if isinstance(row["content"], str) else [*row["content"], image()]
            out.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": row["tool_call_id"], "content": result}]})
        elif row.get("tool_calls"):
            uses = [(call["id"], call["function"]) for call in row["tool_calls"]]
            uses = [{"type": "tool_use", "id": id, "name": own["name"], "input": json.loads(own["arguments"])} for id, own in uses]
            out.append({"role": "assistant", "content": uses})
        else:
            out.append({"role": row["role"], "content": [{"type": "text", "text": row["content"]}]})
    if is_marked:
        out[-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
    return out


def image():
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": IMAGE}}


def texts(conversation):
    """The texts of the results in a request, as the model's API got it."""
    for row in conversation:
        content = row.get("content")
        if row.get("role") == "tool":
            yield from flat(content)
        elif row.get("type") == "function_call_output":
            yield from flat(row["output"])
        elif isinstance(content, list):
            for block in content:
                if block.get("type") == "tool_result":
                    yield from flat(block["content"])


def flat(content):
    return [content] if isinstance(content, str) else [part["text"] for part in content if "text" in part]


def without_marks(conversation):
    conversation = json.loads(json.dumps(conversation))
    for row in conversation:
        for block in row["content"] if isinstance(row.get("content"), list) else []:
            block.pop("cache_control", None)
    return [json.dumps(row, sort_keys=True) for row in conversation]


# --- checks ---------------------------------------------------------------------------------------------------------------------------


class Run:
    """One LiteLLM, and what is behind it."""

    def __init__(self, url, log, door, upstream):
        self.url, self.log, self.door, self.upstream = url, log, door, upstream

    def ask(self, path, body, wait=60):
        """The status and text of an answer, and the requests that the model's API got."""
        known = len(self.upstream.asked)
        status, text = post(self.url + path, body, {"authorization": "Bearer sk-1234"}, wait)
        return status, text, [json.loads(body) for _, body in self.upstream.asked[known:]]

    def sent(self, path, body):
        status, text, asked = self.ask(path, body)
        assert status == 200 and len(asked) == 1, (status, text[:500], len(asked))
        return asked[0]

    def every_api(self):
        conversation = chat([USERS, [{"type": "text", "text": OTHERS}, {"type": "text", "text": "and a note"}]])
        conversation.append({"role": "user", "content": "and now?"})
        for stream in [False, True]:
            got = self.sent("/v1/chat/completions", {"model": "gpt", "messages": conversation, "stream": stream})["messages"]
            first, second, note = texts(got)
            assert first.startswith(HEAD) and second.startswith("GCF profile=generic\n## [9]") and note == "and a note", got
            assert got[1] == conversation[1], "what people say is changed"
        for is_marked in [False, True]:
            own = messages(conversation, is_marked)
            got = self.sent("/v1/messages", {"model": "claude", "max_tokens": 9, "messages": own})["messages"]
            assert [text[:3] for text in texts(got)] == ["GCF", "GCF", "and"], got
            assert json.dumps(got).count(IMAGE) == 1 and json.dumps(got).count("ephemeral") == int(is_marked), got
        items = [{"role": "user", "content": "who?"}, {"type": "function_call", "call_id": "1", "name": "get_users", "arguments": "{}"}]
        items.append({"type": "function_call_output", "call_id": "1", "output": USERS})
        got = self.sent("/v1/responses", {"model": "gpt", "input": items})["input"]
        assert list(texts(got))[0].startswith(HEAD), got

    def answers_of_models(self):
        """What a model answers is no result of a tool."""
        body = {"model": "gpt", "messages": [{"role": "user", "content": "JSON, please"}], "user": USERS, "guardrails": ["answers"]}
        status, text, _ = self.ask("/v1/chat/completions", body)
        assert status == 200 and json.loads(text)["choices"][0]["message"]["content"] == USERS, text
        assert any(json.loads(body).get("input_type") == "response" for _, body in self.door.server.asked), "no answer was shown"

    def prefixes(self):
        """How many requests of growing conversations there were, and the bytes of results that came and went."""
        requests = came = went = 0
        for seed in range(4):
            chance = random.Random(seed)
            whole = chat([json.dumps(rows(chance.randint(1, 9), f"city {chance.randint(0, 9)}")) for _ in range(6)])
            for path, is_marked in [("/v1/chat/completions", False), ("/v1/messages", False), ("/v1/messages", True)]:
                before = []
                for end in [at + 1 for at, row in enumerate(whole) if row["role"] in ("user", "tool")]:
                    own = whole[:end] if path.endswith("completions") else messages(whole[:end], is_marked)
                    name = "gpt" if path.endswith("completions") else "claude"
                    got = self.sent(path, {"model": name, "max_tokens": 9, "messages": own})["messages"]
                    now = without_marks(got)
                    assert now[: len(before)] == before, "the beginning of a conversation changed"
                    before, requests = now, requests + 1
                    came += sum(map(len, texts(own)))
                    went += sum(map(len, texts(got)))
        assert went < 0.8 * came, (came, went)
        return requests, came, went

    def failures(self):
        """Statuses of answers when the engine fails, by guardrail, and how long they took."""
        # The guardrail `headroom` holds the last call and its result back.
        body = {"model": "gpt", "messages": [*chat([USERS, OTHERS, USERS]), {"role": "user", "content": "and?"}]}
        expected = [("wire", fails, 200) for fails in ("500", "slow", "no JSON")]
        expected += [("open", fails, 200) for fails in ("500", "slow", "no JSON", "shorter", "longer", "empty")]
        expected += [("closed", fails, 502) for fails in ("500", "slow")]
        for guardrail, fails, wanted in expected:
            self.door.fails, self.door.path = fails, "/beta" if guardrail == "wire" else "/v1/compress"
            known = len(self.door.server.asked)
            start = time.monotonic()
            status, text, asked = self.ask("/v1/chat/completions", body | {"guardrails": [guardrail]})
            assert status == wanted and len(asked) == int(wanted == 200), (guardrail, fails, status, text[:300])
            assert all(len(own["messages"]) == len(body["messages"]) for own in asked)
            assert fails == "slow" or any(own.startswith(self.door.path) for own, _ in self.door.server.asked[known:])
            print(f"  {guardrail}: {fails}: {status} after {time.monotonic() - start:.1f} s")
        self.door.fails = None
        large = json.dumps(rows(300_000))
        start = time.monotonic()
        status, _, asked = self.ask("/v1/chat/completions", body | {"messages": chat([USERS, large])}, 120)
        assert status == 200 and len(asked) == 1, status
        print(f"  a result of {len(large):,} bytes: {status} after {time.monotonic() - start:.1f} s")
        self.door.server.shutdown()
        self.door.server.server_close()
        status, _, asked = self.ask("/v1/chat/completions", body)
        assert status == 200 and list(texts(asked[0]["messages"])) == [USERS, OTHERS, USERS], (status, asked)
        print("  nobody listens: 200")
        with open(self.log) as log:
            assert "user 11" not in log.read(), "LiteLLM has logged contents"

    def results_of_mcp(self):
        """The text of a result by LiteLLM's gateway for MCP."""
        status, text, _ = self.ask("/mcp-rest/tools/call", {"server_id": "demo", "name": "demo-users", "arguments": {}})
        assert status == 200, text
        return json.loads(text)["content"][0]["text"]


def load(url, child):
    """The time of answers of a warm engine, and what 20 MB take."""
    chance = random.Random(1)
    results = [json.dumps(rows(chance.randint(6, 34), f"city {chance.randint(0, 9)}")) for _ in range(53)]
    conversation = chat(results)
    while len(conversation) < 200:
        conversation.append({"role": "user", "content": "and then?"})
    body = json.dumps({"messages": conversation}).encode()
    headers = {"x-api-key": TOKEN}
    seconds = []
    for _ in range(220):
        start = time.perf_counter()
        status, text = post(url + "/v1/compress", body, headers)
        seconds.append(time.perf_counter() - start)
        assert status == 200
    answer = json.loads(text)
    seconds = sorted(seconds[20:])
    print(f"{len(conversation)} messages, {len(results)} results, {len(body):,} bytes: p50 {statistics.median(seconds) * 1e3:.1f} ms, p99 {seconds[197] * 1e3:.1f} ms, {answer['tokens_before']:,} -> {answer['tokens_after']:,} tokens")
    large = json.dumps({"messages": chat([json.dumps(rows(2_000)) for _ in range(125)])}).encode()
    start = time.perf_counter()
    status, _ = post(url + "/v1/compress", large, headers)
    assert status == 200
    print(f"{len(large):,} bytes: {time.perf_counter() - start:.2f} s, {peak(child)} at most")


def peak(child):
    try:
        with open(f"/proc/{child.pid}/status") as file:
            return re.search(r"VmHWM:\s*(\d+)", file.read())[1] + " KiB"
    except OSError:
        return "memory not known"


def main():
    with engine() as (url, child):
        load(url, child)
        for folders in LITELLMS:
            version = subprocess.run(
                [sys.executable, "-c", "import importlib.metadata as m; print(m.version('litellm'))"],
                env=os.environ | {"PYTHONPATH": folders}, capture_output=True, text=True, check=True,
            ).stdout.strip()
            # Older ones start without a guardrail whose mode they don't know.
            is_new = tuple(map(int, version.split(".")[:2])) >= (1, 110)
            door, upstream, mcp = Door(url), Server(model), Server(tools)
            with litellm(folders, configuration(door.server.url, upstream.url, mcp.url, is_new)) as (address, log):
                run = Run(address, log, door, upstream)
                print(f"LiteLLM {version}:")
                run.every_api()
                run.answers_of_models()
                print("  results of tools in chat, messages and responses are rewritten, and nothing else is")
                requests, came, went = run.prefixes()
                print(f"  {requests} requests of growing conversations, no beginning changed; results {came:,} -> {went:,} bytes")
                assert run.results_of_mcp().startswith("GCF" if is_new else "["), "a result of its MCP gateway"
                run.failures()


main()

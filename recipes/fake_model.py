"""A model on this machine, for trying the loops without a key: `python fake_model.py openai_loop.py`.

It speaks enough of both protocols for a loop: asked with a question it calls the first tool, once as it is and once with
`format`; then it reads what came, as a model would, and answers. It listens on the loopback only, while the script runs.
"""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from wire_formats import gcf, gcx

LARGEST = 1_000_000
CALLS = [{"status": "open"}, {"status": "open", "format": "gcf"}]


def read(text: str) -> object:
    """A result in whichever form."""
    if text.startswith("GCF "):
        return gcf.loads(text)
    return gcx.loads(text) if text.startswith("GCX1 ") else json.loads(text)


def answer(results: list[str]) -> str:
    orders = [read(text) for text in results]
    if any(found != orders[0] for found in orders):
        return "The results differ."
    return f"{len(orders[0])} open orders, {sum(order['total'] for order in orders[0])} in total."


def openai(request: dict) -> dict:
    results = [message["content"] for message in request["messages"] if message["role"] == "tool"]
    message = {"role": "assistant", "content": None}
    if len(results) < len(CALLS):
        function = {"name": request["tools"][0]["function"]["name"], "arguments": json.dumps(CALLS[len(results)])}
        message["tool_calls"] = [{"id": f"call-{len(results)}", "type": "function", "function": function}]
    else:
        message["content"] = answer(results)
    choice = {"index": 0, "finish_reason": "tool_calls" if "tool_calls" in message else "stop", "message": message}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": request["model"], "choices": [choice]}


def anthropic(request: dict) -> dict:
    results = [
        block["content"]
        for message in request["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result"
    ]
    if len(results) < len(CALLS):
        name = request["tools"][0]["name"]
        block = {"type": "tool_use", "id": f"call-{len(results)}", "name": name, "input": CALLS[len(results)]}
    else:
        block = {"type": "text", "text": answer(results)}
    return {
        "id": "m", "type": "message", "role": "assistant", "model": request["model"], "content": [block],
        "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": 0, "output_tokens": 0},
    }  # fmt: skip


ROUTES = {"/v1/chat/completions": openai, "/v1/messages": anthropic}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", "0"))
        respond = ROUTES.get(self.path.partition("?")[0])
        if respond is None or size > LARGEST:
            self.send_error(404 if respond is None else 413)
            return
        body = json.dumps(respond(json.loads(self.rfile.read(size)))).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python fake_model.py openai_loop.py|anthropic_loop.py, or a path")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    environment = {
        **os.environ,
        "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "none",
        "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none",
        "NO_PROXY": "127.0.0.1",
    }  # fmt: skip
    given = Path(sys.argv[1])
    script = given if given.exists() else Path(__file__).with_name(given.name)
    sys.exit(subprocess.run([sys.executable, str(script)], env=environment, timeout=120).returncode)


if __name__ == "__main__":
    main()

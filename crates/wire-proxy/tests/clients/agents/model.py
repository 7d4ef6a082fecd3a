"""A model on the loopback that follows a script: chat completions and Responses of OpenAI, Messages of Anthropic, Gemini.

Arguments: the script, the log. It prints its port. The script is a list of calls of tools, as the client names them. The call
with the number n is made while the conversation has n results; after the last one the model says that it is done. So retries
and side requests, which offer no tools, do no harm. The log has each request, as a line of JSON.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DONE = "All done."


def results(body):
    """The results of tools in a request, as the model gets them: a text, or a list of parts."""
    out = []
    for message in body.get("messages") or []:
        content = message.get("content")
        if message.get("role") == "tool":
            out.append(content)
        for part in content if isinstance(content, list) else []:
            if isinstance(part, dict) and part.get("type") == "tool_result":
                out.append(part.get("content"))
    items = body.get("input")
    for item in items if isinstance(items, list) else []:
        if str(item.get("type")).endswith("_output"):
            out.append(item.get("output", item))
    for content in body.get("contents") or []:
        out += [part["functionResponse"].get("response") for part in content.get("parts", []) if "functionResponse" in part]
    return out


def next_call(body):
    """The number of the next call, and the call; `None` after the last one."""
    if not body.get("tools") and '"additional_tools"' not in json.dumps(body):
        return None
    with open(sys.argv[1]) as file:
        script = json.load(file)
    number = len(results(body))
    return (number, script[number]) if number < len(script) else None


def completions(body, call):
    chunk = {"id": "c1", "created": 1, "model": body.get("model")}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    message = {"role": "assistant", "content": None if call else DONE}
    if call:
        number, call = call
        function = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
        message["tool_calls"] = [{"index": 0, "id": f"call_{number}", "type": "function", "function": function}]
    reason = "tool_calls" if call else "stop"
    if not body.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return {**chunk, "object": "chat.completion", "choices": [choice], "usage": usage}, []
    chunk["object"] = "chat.completion.chunk"
    first = {"index": 0, "delta": message, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": reason}
    events = [{**chunk, "choices": [first]}, {**chunk, "choices": [last]}, {**chunk, "choices": [], "usage": usage}]
    return None, [*events, "[DONE]"]


def responses(body, call):
    text = {"type": "output_text", "text": DONE, "annotations": []}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [text]}
    if call:
        number, call = call
        item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": call["name"], "status": "completed"}
        item["arguments"] = json.dumps(call["arguments"])
        item |= {name: call[name] for name in ["namespace"] if name in call}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15, **details}
    answer = {"id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": body.get("model")}
    answer |= {"output": [item], "parallel_tool_calls": False, "tool_choice": "auto", "tools": [], "usage": usage}
    if not body.get("stream"):
        return answer, []
    return None, [
        {"type": "response.created", "response": {**answer, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": answer},
    ]


def messages(body, call):
    block, empty, delta = {"type": "text", "text": DONE}, {"type": "text", "text": ""}, {"type": "text_delta", "text": DONE}
    if call:
        number, call = call
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": call["name"], "input": call["arguments"]}
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call["arguments"])}
    usage = {"input_tokens": 10, "output_tokens": 5}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model"), "stop_sequence": None, "usage": usage}
    reason = "tool_use" if call else "end_turn"
    if not body.get("stream"):
        return {**message, "content": [block], "stop_reason": reason}, []
    return None, [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ]


def gemini(body, call):
    text = DONE
    if "json" in str((body.get("generationConfig") or {}).get("responseMimeType")):
        # Gemini CLI asks which model to take, and who speaks next.
        text = json.dumps({"reasoning": "done", "next_speaker": "user", "model_choice": "flash", "complexity_score": 1, "complexity_reasoning": "x"})
    part = {"text": text}
    if call:
        number, call = call
        function = {"name": call["name"], "args": call["arguments"], "id": f"call_{number}"}
        part = {"functionCall": function, "thoughtSignature": "c2ln"}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    answer = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake"}
    return answer, [answer]


def stream(events):
    lines = []
    for event in events:
        if isinstance(event, dict) and "type" in event:
            lines.append(f"event: {event['type']}\n")
        lines.append(f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n")
    return "".join(lines).encode()


PATHS = {"/chat/completions": completions, "/responses": responses, "/messages": messages, "enerateContent": gemini}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def log_message(self, *_):
        pass

    def reply(self, data, kind="application/json", status=200):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_HEAD(self):
        self.reply(b"")

    def do_GET(self):
        self.reply(json.dumps({"object": "list", "data": [{"id": "fake-model", "object": "model"}], "models": []}).encode())

    def read(self):
        if not self.headers.get("transfer-encoding"):
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        out = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            out += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return out

    def do_POST(self):
        try:
            body = json.loads(self.read())
        except ValueError:
            body = {}
        path = self.path.split("?")[0]
        with open(sys.argv[2], "a") as file:
            file.write(json.dumps({"path": path, "body": body, "results": results(body)}) + "\n")
        answer = next((answer for end, answer in PATHS.items() if end in path), None)
        if answer is None or "count" in path.lower():
            size = len(json.dumps(body)) // 4
            return self.reply(json.dumps({"input_tokens": size, "totalTokens": size}).encode())
        whole, events = answer(body, next_call(body))
        if whole and "stream" not in path:
            return self.reply(json.dumps(whole).encode())
        self.reply(stream(events), "text/event-stream")


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()

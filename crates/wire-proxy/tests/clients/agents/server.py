"""An MCP server on stdio with the tools of a scenario. Arguments: the scenario's module, the log of what the client sends."""

import importlib
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
SCENARIO, LOG = importlib.import_module(sys.argv[1]), sys.argv[2]


def result(method, params):
    if method == "initialize":
        capabilities = {"tools": {"listChanged": True}}
        server = {"name": "fake", "version": "1.0.0"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": capabilities, "serverInfo": server, "instructions": SCENARIO.INSTRUCTIONS}
    if method == "tools/list":
        return {"tools": [{"name": name, "description": f"The tool {name}.", **tool} for name, (tool, _) in SCENARIO.TOOLS.items()]}
    if method == "tools/call" and params["name"] in SCENARIO.TOOLS:
        answer = SCENARIO.TOOLS[params["name"]][1]
        return answer(params.get("arguments") or {}) if callable(answer) else answer
    return {} if method == "ping" else None


for line in sys.stdin:
    if not line.strip():
        continue
    message = json.loads(line)
    with open(LOG, "a") as file:
        file.write(line)
    if "id" not in message or "method" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    found = result(message["method"], message.get("params") or {})
    answer |= {"error": {"code": -32601, "message": "Method not found"}} if found is None else {"result": found}
    print(json.dumps(answer), flush=True)

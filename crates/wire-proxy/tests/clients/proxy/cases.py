"""An MCP server on stdio whose tools and results are a file. Argument: the file."""

import json
import sys

with open(sys.argv[1]) as file:
    case = json.load(file)

for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    method, params = request["method"], request.get("params") or {}
    if method == "initialize":
        server = {"name": "cases", "version": "1"}
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": server}
    elif method == "tools/list":
        result = {"tools": case["tools"]}
    else:
        result = case["results"][params["name"]] if method == "tools/call" else {}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)

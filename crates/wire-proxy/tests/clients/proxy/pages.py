"""A server whose tools come in pages."""

import asyncio
import json

import mcp.types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

NAMES = [f"rows_{n}" for n in range(7)]
ROWS = [{"id": n, "name": f"name {n}", "note": None} for n in range(20)]


async def on_list_tools(context, params):
    start = int(params.cursor) if params and params.cursor else 0
    schema = {"type": "object"}
    tools = [types.Tool(name=name, input_schema=schema, output_schema=schema) for name in NAMES[start : start + 3]]
    more = str(start + 3) if start + 3 < len(NAMES) else None
    return types.ListToolsResult(tools=tools, next_cursor=more)


async def on_call_tool(context, params):
    value = {"rows": ROWS, "tool": params.name}
    text = types.TextContent(type="text", text=json.dumps(value, indent=2))
    return types.CallToolResult(content=[text], structured_content=value)


async def main():
    server = Server("pages", on_list_tools=on_list_tools, on_call_tool=on_call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


asyncio.run(main())

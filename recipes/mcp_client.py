"""Calls the tools of `mcp_server.py` with the official MCP client: `python mcp_client.py`."""

import asyncio
import json
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters

from wire_formats import count_tokens, gcf

SERVER = StdioServerParameters(command=sys.executable, args=[str(Path(__file__).with_name("mcp_server.py"))])


async def main() -> None:
    async with Client(SERVER, read_timeout_seconds=60) as client:
        for tool in (await client.list_tools()).tools:
            print(f"{tool.name}: format is {json.dumps(tool.input_schema['properties']['format'], sort_keys=True)}")
        texts = {}
        for format in ("json", "auto", "gcf", "gcx"):
            result = await client.call_tool("list_orders", {"limit": 20, "format": format})
            assert not result.is_error and result.structured_content is None
            [block] = result.content
            texts[format] = block.text
            print(f"list_orders, format={format}: {count_tokens(block.text, 'o200k')} tokens")
        assert gcf.loads(texts["gcf"]) == json.loads(texts["json"])
        result = await client.call_tool("list_orders", {"limit": 2})
        print(result.content[0].text, end="")
        result = await client.call_tool("get_order", {"id": 7})
        print(result.content[0].text, end="\n")
        result = await client.call_tool("get_order", {"id": 7, "format": "xml"})
        print("format=xml is an error:", result.is_error)


if __name__ == "__main__":
    asyncio.run(main())

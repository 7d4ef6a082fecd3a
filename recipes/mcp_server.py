"""An MCP server whose callers choose the form of results: `python mcp_server.py` speaks over stdio.

`tool_result` adds the argument `format` to the tool. By default a result goes out in what uses the fewest tokens.
"""

from fastmcp import FastMCP

import wire_formats

mcp = FastMCP("orders")
CITIES = ["Rome", "Oslo", "Lima"]


@mcp.tool
@wire_formats.tool_result
def list_orders(status: str = "open", limit: int = 20):
    """The orders of a status, newest first."""
    return [
        {"id": 1000 - n, "status": status, "customer": f"C-{n * 7 % 40}", "city": CITIES[n % 3], "total": 10.5 * n}
        for n in range(limit)
    ]


@mcp.tool
@wire_formats.tool_result
async def get_order(id: int):
    """One order."""
    return {"id": id, "status": "open", "lines": [{"sku": "S-1", "count": 2}, {"sku": "S-9", "count": 1}]}


if __name__ == "__main__":
    mcp.run(show_banner=False, log_level="ERROR")

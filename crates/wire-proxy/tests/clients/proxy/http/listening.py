"""The server of the Python SDK over streamable HTTP.

Arguments: the port, and how it answers: `sse`, `json`, `stateless`, `auth`, which wants a token, or `older`, by the
transport of 2024-11-05.
"""

import asyncio
import sys

import uvicorn
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer
from server import list_rows, server

PORT, KIND = int(sys.argv[1]), sys.argv[2]


@server.tool()
async def echoed(number: int) -> list[dict]:
    """Rows that say which call they are of."""
    if number % 7 == 0:
        await asyncio.sleep(0.002)
    return [{"call": number, "row": row, "name": f"name {number}-{row}"} for row in range(12)]


@server.tool()
async def waits(seconds: float) -> list[dict]:
    """Rows that take a while."""
    await asyncio.sleep(seconds)
    return [{"call": n, "name": f"name {n}"} for n in range(20)]


class Tokens:
    async def verify_token(self, token):
        return AccessToken(token=token, client_id="c", scopes=["user"]) if token == "right" else None


if KIND == "auth":
    url = f"http://127.0.0.1:{PORT}"
    settings = AuthSettings(issuer_url=url, resource_server_url=f"{url}/mcp", required_scopes=["user"], validate_token_resource=False)
    server = MCPServer("auth", token_verifier=Tokens(), auth=settings)
    server.add_tool(list_rows)

app = server.sse_app(sse_path="/older") if KIND == "older" else server.streamable_http_app(json_response=KIND == "json", stateless_http=KIND == "stateless")
# A busy uvicorn closes connections that it thinks are idle although a request lies in them; by default after 5 s.
uvicorn.run(app, port=PORT, timeout_keep_alive=120)

"""The official SDK 2 of MCP: results of tools in fewer tokens, by `server.middleware.append(CompactMiddleware())`."""

from __future__ import annotations

from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

from ._results import Options, Results, Unpack


class CompactMiddleware:
    """The texts of results in fewer tokens, for `Server` and `MCPServer`, as `MCPServer("orders", middleware=[CompactMiddleware()])`.

    A list of blocks, one for each item, becomes one block. Errors, images and structured content stay, and so do results of tools that
    read files, and of tools with a user interface, once a client has listed them. The options are those of `wire_formats.compact`.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        self._results = Results(**options)
        self._metas: dict[str, dict[str, Any]] = {}

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """What the server answers: results of tools with other texts, if those have fewer tokens."""
        result = await call_next(ctx)
        if ctx.method == "tools/list" and isinstance(result, dict):
            self._metas |= {tool["name"]: tool["_meta"] for tool in result.get("tools", ()) if "_meta" in tool}
        if ctx.method != "tools/call" or not isinstance(result, dict):
            return result
        params, client = ctx.params or {}, ctx.session.client_params
        name = params.get("name", "")
        # The `_meta` of the tool says whether there is a user interface.
        sent = {**result, "_meta": {**self._metas.get(name, {}), **result.get("_meta", {})}}
        made = self._results.result(sent, name, params.get("arguments"), client=client.client_info.name if client else None)
        return result if made is sent else {**result, "content": made["content"]}

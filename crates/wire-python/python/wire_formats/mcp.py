"""The official SDK 2 of MCP: results of tools in fewer tokens, by `server.middleware.append(CompactMiddleware())`."""

from __future__ import annotations

from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

from ._results import Options, Results, Unpack, made_or


class CompactMiddleware:
    """The texts of results in fewer tokens, for `Server` and `MCPServer`, as `MCPServer("orders", middleware=[CompactMiddleware()])`.

    A list of blocks, one for each item, becomes one block. Errors, images and structured content stay, and so do results of tools that
    read files, and of tools with a user interface, once a client has listed them. The options are those of `wire_formats.compact`.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        self._results = Results(**options)
        self._metas: dict[str, dict[str, Any]] = {}

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        result = await call_next(ctx)
        return made_or(result, ctx.method, lambda: self._made(ctx, result)) if isinstance(result, dict) else result

    def _made(self, ctx: ServerRequestContext[Any, Any], result: dict[str, Any]) -> dict[str, Any]:
        if ctx.method == "tools/list":
            self._metas |= {tool["name"]: tool.get("_meta") or {} for tool in result["tools"]}
        if ctx.method != "tools/call":
            return result
        params, client = ctx.params or {}, ctx.session.client_params
        name = params.get("name", "")
        sent = {**result, "_meta": {**self._metas.get(name, {}), **(result.get("_meta") or {})}}  # says if it has a user interface
        made = self._results.result(sent, name, params.get("arguments"), client=client.client_info.name if client else None)
        return result if made is sent else {**result, "content": made["content"]}

"""LiteLLM: results of tools in fewer tokens, by `litellm.callbacks.append(CompactLogger())`."""

from __future__ import annotations

from typing import Any

from litellm.integrations.custom_logger import CustomLogger

from ._results import Options, Results, Unpack


class CompactLogger(CustomLogger):
    """What models are sent of results, in fewer tokens; the caller's messages stay as they are.

    It works in `acompletion(model=..., messages=...)` and alike, with `messages` by name, in routers, and in the proxy server. LiteLLM
    calls no hook in `completion`. Errors, images and results of tools that read files stay. Options are those of `wire_formats.compact`.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        super().__init__()
        self._results = Results(**options)

    async def async_pre_call_deployment_hook(self, kwargs: dict[str, Any], call_type: Any) -> dict[str, Any]:
        return self._made(kwargs)

    async def async_pre_call_hook(self, user_api_key_dict: Any, cache: Any, data: dict[str, Any], call_type: Any) -> dict[str, Any]:
        return self._made(data)

    def _made(self, data: dict[str, Any]) -> dict[str, Any]:
        """Messages of OpenAI and Anthropic are in `messages`, those of the Responses API in `input`."""
        rows = {name: data[name] for name in ("messages", "input") if isinstance(data.get(name), list)}
        return {**data, **{name: self._results.rows(row) for name, row in rows.items()}}

"""LiteLLM: results of tools in fewer tokens, by `litellm.callbacks.append(CompactLogger())`."""

from __future__ import annotations

from typing import Any

from litellm.integrations.custom_logger import CustomLogger

from ._results import Options, Results, Unpack


class CompactLogger(CustomLogger):
    """What models are sent of results, in fewer tokens; the caller's messages stay as they are.

    It works in `acompletion(model=..., messages=...)` and alike, with `messages` by name, in routers, and in the proxy server, not in
    `completion`, which calls no hook. Errors, images, results of tools that read files, and `input` whose calls the provider has (by
    `previous_response_id` or `conversation`) stay. Options are those of `wire_formats.compact`.
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
        names = ("messages", "input")[: 1 if data.get("previous_response_id") or data.get("conversation") else 2]
        rows = {name: data[name] for name in names if isinstance(data.get(name), list)}
        return {**data, **{name: self._results.rows(row) for name, row in rows.items()}}

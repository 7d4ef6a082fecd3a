"""Tests that each run in an environment with their framework; the others leave them out."""

from __future__ import annotations

import os
import socket
from typing import Any

import pytest

# Before any framework is imported.
os.environ |= {
    "CREWAI_DISABLE_TELEMETRY": "true",
    "CREWAI_TRACING_ENABLED": "false",
    "LANGSMITH_TRACING": "false",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "OTEL_SDK_DISABLED": "true",
}


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever calls another machine fails."""
    connect = socket.socket.connect

    def local(self: socket.socket, address: Any) -> None:
        assert self.family == getattr(socket, "AF_UNIX", None) or address[0] in ("127.0.0.1", "::1", "localhost"), f"a test calls {address}"
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", local)

"""Options of `pytest`."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--calls", type=int, default=20_000, help="how often each verb is called where memory is watched (default: 20000)")

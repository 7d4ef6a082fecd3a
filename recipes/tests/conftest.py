"""Options of `pytest`: what the recipes print is compared with `expected/`, and written there with `--bless`."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="write what recipes print instead of comparing it")
    parser.addoption("--documents", type=int, default=10_000, help="how many documents Spark works on (default: 10000)")

"""What is documented: every public name has help, and its examples run."""

from __future__ import annotations

import doctest
import inspect
import types
from typing import Any

import pytest

import wire_formats
from wire_formats import gcb, gcf, gcx, goon
from wire_formats.gcf import graph, keyed

MODULES = [wire_formats, gcf, graph, keyed, gcx, goon, gcb]


def documented() -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for module in MODULES:
        found.append((module.__name__, module))
        for name in module.__all__:
            thing = getattr(module, name)
            if isinstance(thing, types.ModuleType):
                continue
            found.append((f"{module.__name__}.{name}", thing))
            if isinstance(thing, type):
                members = [(key, value) for key, value in vars(thing).items() if not key.startswith("_")]
                found += [(f"{module.__name__}.{name}.{key}", value) for key, value in members]
    return found


DOCUMENTED = documented()
# Attributes of exceptions and of dataclasses are described where they are declared.
PLAIN = (str, int, type(None), types.MemberDescriptorType)


@pytest.mark.parametrize(("name", "thing"), DOCUMENTED, ids=[name for name, _ in DOCUMENTED])
def test_help(name: str, thing: Any) -> None:
    if isinstance(thing, PLAIN):
        return
    said = inspect.getdoc(thing)
    assert said, f"{name} says nothing of itself"
    if callable(thing) and not isinstance(thing, type):
        assert inspect.signature(thing) is not None


def test_examples() -> None:
    attempted = 0
    for name, thing in DOCUMENTED:
        said = inspect.getdoc(thing) or ""
        if ">>>" not in said or isinstance(thing, PLAIN):
            continue
        test = doctest.DocTestParser().get_doctest(said, {}, name, None, 0)
        runner = doctest.DocTestRunner()
        runner.run(test)
        assert runner.failures == 0, name
        attempted += runner.tries
    assert attempted > 20

"""What is documented: every public name has help, and its examples run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import docstrings
import pytest

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parents[1]
MODULES = [importlib.import_module(f"wire_formats{name}") for name in docstrings.MODULES if "._" not in name]


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


def test_the_stub_has_every_module() -> None:
    native = importlib.import_module("wire_formats._wire_formats")
    modules = {name for name, value in vars(native).items() if isinstance(value, types.ModuleType)}
    stub = Path(str(native.__file__)).with_name("_wire_formats.pyi").read_text(encoding="utf-8")
    assert modules == set(re.findall(r"^(\w+): Any$", stub, re.MULTILINE))


@pytest.mark.parametrize("name", docstrings.MODULES)
def test_stubs_say_what_help_says(name: str) -> None:
    module = importlib.import_module(f"wire_formats{name}")
    text = docstrings.stub(module).read_text(encoding="utf-8")
    assert text == docstrings.with_docstrings(text, module), docstrings.__doc__


PAGES = [ROOT / "docs/python.md", ROOT / "docs/recipes.md", PACKAGE / "README.md", PACKAGE / "tokens/README.md"]


def blocks(page: Path, language: str) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert found or language != "python", page
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name + "/" + page.name)
def test_code_of_pages(page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It runs, a page from top to bottom; what is printed is in the comments after it."""
    # Dataclasses look for the module that they are of.
    module = types.ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), vars(module))
        printed = capsys.readouterr().out
        expected = [line.removeprefix("# ") for line in block.splitlines() if line.startswith("# ")]
        if expected:
            assert printed.split() == "\n".join(expected).split()


def test_commands_of_pages(tmp_path: Path) -> None:
    """The commands that make no environment: what is written into a file, and how it is converted."""
    [install] = [block for block in blocks(PAGES[0], "console") if "data.json" in block]
    commands = [line for line in install.splitlines() if "data.json" in line]
    script = "\n".join(commands).replace("venv/bin/python", sys.executable)
    done = subprocess.run(["sh", "-e", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("GCF profile=generic\n## users [2]{id,name}\n")


def test_folders_that_are_installed_are_there() -> None:
    named = {folder for page in PAGES for folder in re.findall(r"pip install \.?/?(crates/[\w/-]+)", page.read_text(encoding="utf-8"))}
    assert named == {"crates/wire-python", "crates/wire-python/tokens"}
    assert all((ROOT / folder / "pyproject.toml").is_file() for folder in named)


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

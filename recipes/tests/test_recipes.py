"""Each recipe runs, and prints what it is expected to."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RECIPES = Path(__file__).resolve().parent.parent
EXPECTED = Path(__file__).resolve().parent / "expected"


def printed(folder: Path, *arguments: str) -> str:
    command = [sys.executable, str(RECIPES / arguments[0]), *arguments[1:]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("mcp", ["mcp_client.py"]),
        ("langchain", ["langchain_tool.py"]),
        ("openai", ["fake_model.py", "openai_loop.py"]),
        ("anthropic", ["fake_model.py", "anthropic_loop.py"]),
        ("frame", ["frame_page.py", "page.html"]),
    ],
)
def test_what_it_prints(name: str, arguments: list[str], tmp_path: Path, pytestconfig: pytest.Config) -> None:
    said = printed(tmp_path, *arguments)
    expected = EXPECTED / f"{name}.txt"
    if pytestconfig.getoption("--bless"):
        expected.write_text(said, encoding="utf-8")
    assert said == expected.read_text(encoding="utf-8")


def test_the_page_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one.html", "two.html"):
        printed(tmp_path, "frame_page.py", name)
    page = (tmp_path / "one.html").read_bytes()
    assert page == (tmp_path / "two.html").read_bytes()
    assert page.count(b"<svg") == 1 and page.count(b"<rect") == 6 and b"GCF profile=generic" in page


def test_each_recipe_has_a_test() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    # These are run by others.
    helpers = {"mcp_server.py", "documents.py", "recount_page.py"}
    recipes = {path.name for path in RECIPES.rglob("*.py") if path.parent.name != "tests"}
    assert [name for name in sorted(recipes - helpers) if name not in tests] == []

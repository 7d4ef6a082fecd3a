"""The recipes that write questions for `wire-eval comprehension --questions`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "evaluation"


def run(recipe: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, FOLDER / recipe, *arguments], capture_output=True, encoding="utf-8", timeout=60)


def lines(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def suite(folder: Path, scorer: dict[str, Any]) -> Path:
    """A clone with the questions of a suite, whose last has this scorer."""
    questions = [
        {"id": "a", "question": "Which city is it?", "expected": "Ås", "tags": ["field"], "scorer": {"type": "exact", "trim": True}},
        {"id": "b", "question": "How many people?", "expected": 7, "tags": ["filter", "agg"], "scorer": {"type": "number", "tolerance": 0}},
        {"id": "c", "question": "How large is it?", "expected": 1.5, "tags": ["field"], "scorer": scorer},
    ]
    (folder / "suites").mkdir()
    text = json.dumps({"cases": [{"id": "x", "input": {"city": "Ås"}, "questions": questions}]})
    (folder / "suites/formats.suite.json").write_text(text, encoding="utf-8")
    return folder


def test_a_suite_of_others_becomes_questions(tmp_path: Path) -> None:
    found = lines(run("siemato.py", suite(tmp_path, {"type": "number", "tolerance": 0.01})))
    assert [line["answer"] for line in found] == ["Ås", 7, {"number": 1.5, "tolerance": 0.01}]
    assert found[1] == {"data": {"city": "Ås"}, "question": "How many people?", "answer": 7, "kind": "filter agg"}


def test_an_unknown_scorer_is_an_error(tmp_path: Path) -> None:
    done = run("siemato.py", suite(tmp_path, {"type": "judge"}))
    assert done.returncode == 1 and "c: its scorer is judge, expected exact or number" in done.stderr


def test_constants_are_of_every_row_and_other_columns_are_not() -> None:
    found = lines(run("constants.py", "--tables", "5", "--rows", "4", "--each", "2"))
    assert found == lines(run("constants.py", "--tables", "5", "--rows", "4", "--each", "2"))
    assert [line["kind"] for line in found] == ["constant", "constant", "column", "column"] * 5
    for line in found:
        words = line["question"].rstrip("?").split(" ")
        name, key, value = words[3], words[8], " ".join(words[10:])
        values = [row[name] for row in line["data"]]
        assert len(values) == 4 and (len(set(values)) == 1) == (line["kind"] == "constant")
        assert [row[name] for row in line["data"] if str(row[key]) == value] == [line["answer"]]

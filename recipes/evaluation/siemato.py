"""The questions of a third party's benchmark for `wire-eval comprehension --questions`: `python siemato.py CLONE > questions.jsonl`.

CLONE is a git clone of siemato/retrieval-format-bench: six data sets with eight questions each. Its answers are taken as they are.
"""

import argparse
import json
from pathlib import Path
from typing import Any


def answer(question: dict[str, Any]) -> Any:
    """The right answer: a text, a number, or a number with a tolerance."""
    expected, scorer = question["expected"], question["scorer"]
    if scorer["type"] == "number":
        return {"number": expected, "tolerance": scorer["tolerance"]} if scorer["tolerance"] else expected
    if scorer["type"] != "exact":
        raise SystemExit(f"{question['id']}: its scorer is {scorer['type']}, expected exact or number")
    return expected


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("clone", type=Path, help="a git clone of siemato/retrieval-format-bench")
    suite = json.loads((parser.parse_args().clone / "suites/formats.suite.json").read_text(encoding="utf-8"))
    for case in suite["cases"]:
        for question in case["questions"]:
            line = {"data": case["input"], "question": question["question"], "answer": answer(question), "kind": " ".join(question["tags"])}
            print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main()

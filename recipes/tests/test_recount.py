"""The recipe that counts published answers of large models again (`recount.py`), on small logs of our own in each of the four shapes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "recipes/evaluation"
sys.path.insert(0, str(FOLDER))

import recount  # noqa: E402
import recount_page  # noqa: E402

CASES = json.loads((ROOT / "eval/wire-eval/src/question/cases.json").read_text("utf-8"))


def judged(case: dict, answer: str) -> bool | None:
    """Our verdict; of several right names, one is enough."""
    ((kind, truth),) = case["truth"].items()
    wants = truth if kind == "name" else [", ".join(truth)] if kind == "names" else [{True: "yes", False: "no"}.get(truth, truth)]
    verdicts = [recount.score(want, answer)[0] for want in wants]
    return None if None in verdicts else any(verdicts)


@pytest.mark.parametrize("agree", [True, False])
def test_cases_shared_with_wire_eval_are_judged_as_they_say(agree: bool) -> None:
    cases = CASES["agree" if agree else "differ"]
    for case in cases:
        for verdict in ("right", "wrong", "unanswered"):
            for answer in case.get(verdict, []):
                expected = None if verdict == "unanswered" else (verdict == "right") == agree
                assert judged(case, answer) is expected, (case["truth"], answer)
    assert sum(len(case["right"]) + len(case["wrong"]) for case in cases) >= (80 if agree else 15)


def test_rules_of_these_logs() -> None:
    right = [
        ("starter", '{"tier": "starter"}', ""), ("function", "fn", ""), ("2025-01-05", "2025-01-05T00:00:00Z", ""), ("0.53", "53%", ""),
        ("96503", "96502.6", "mean"), ("open", "I looked at each row of the table, and the one that was asked about says at last: open", ""),
        ("0.98", "0.980", ""), ("true", "Yes", ""), ("no", "0", ""), ("no", "no — no", ""), ("yes", "True, yes", ""),
        ("yes", "Yes, no doubt about it", ""), ("2024-01-02", "2024-01-02 10:00:00.000+00:00", ""),
    ]  # fmt: skip
    wrong = [
        ("96503", "96502.4", "mean"), ("96503", "96502.6", ""), ("0.98", "0.97", ""), ("open", "row 5 is open", ""), ("yes", "none", ""),
        ("2024-01-02T10:00", "2024-01-02T23:59", ""), ("2024-01-02T10:00", "2024-01-02", ""), ("2024-01-02", "2024-01-023", ""),
        ("2024-01-02", "2024-01-02, 2024-01-03", ""), ("true", "true, false", ""), ("false", "False or true", ""), ("yes", "yes/no", ""),
    ]  # fmt: skip
    assert all(recount.score(*one)[0] is True for one in right)
    assert all(recount.score(*one)[0] is False for one in wrong)
    assert recount.score("5", None) == (None, "no answer")


def test_replies_are_read_in_four_shapes() -> None:
    read = recount.answers
    assert read("1: open\n2: 5.81\n3: no", 3) == ["open", "5.81", "no"]
    assert read("Here they are:\n**1:** open\n2) 5.81\n\nQ3: no", 3) == ["open", "5.81", "no"]
    assert read("N: open\nN: 5.81\nN: no", 3) == ["open", "5.81", "no"]
    assert read("```\nopen\n5.81\nno\n```", 3) == ["open", "5.81", "no"]
    assert read("1. N: open\n2. N: 5.81\n3. N: no", 3) == ["open", "5.81", "no"]
    assert read("1: open\n2: 5.81", 3) == ["open", "5.81", ""] and read("", 2) == ["", ""]


# Names of questions as in the logs; the rest is ours.
GO_LOG = """=== RUN   TestComprehension
    comprehension_test.go:1: Backend: {backend}
    comprehension_test.go:2: Fixture: 500 symbols, 200 edges
    comprehension_test.go:3:   PASS symbol_count gcf [exact] expected="500" got="500"
    comprehension_test.go:3:   FAIL symbol_count json [got "260"] expected="500" got="260"
    comprehension_test.go:3:   FAIL top_kind json [got ""] expected="function" got=""
    comprehension_test.go:3:   PASS top_kind gcf [match] expected="function" got="fn"
    comprehension_test.go:3:   SKIP tool_name gcf error: 503
    comprehension_test.go:3:   PASS tool_name json [exact] expected="a \\"b\\"" got="a \\"b\\""
    comprehension_test.go:3:   PASS lowest_score_name gcf [exact] expected="x" got="x"
"""


def go_log(folder: Path, name: str, text: str) -> None:
    logs = folder / "eval/results/comprehension"
    logs.mkdir(parents=True, exist_ok=True)
    (logs / name).write_text(text, "utf-8")


def test_go_logs(tmp_path: Path) -> None:
    go_log(tmp_path, "a.log", GO_LOG.format(backend="cli (claude -p --model claude-haiku-4-5-20251001)"))
    go_log(tmp_path, "copy.txt", GO_LOG.format(backend="cli (claude -p --model claude-haiku-4-5-20251001)"))
    rows = recount.read([tmp_path])
    assert {(one["src"], one["model"], one["via"], one["data"]) for one in rows} == {("gcf-graph", "claude-haiku-4.5", "cli", "graph 500")}
    assert Counter(one["status"] for one in rows) == {"ok": 5, "failed": 1, "empty": 1}
    assert [one["ok"] for one in rows] == [True, False, None, True, None, True, True]
    assert rows[2]["author"] is False and rows[4]["want"] is None and rows[5]["got"] == 'a "b"'
    found = recount.results(rows)
    assert (found["sources"][0]["rows"], found["sources"][0]["scored"], found["sources"][0]["no_answer_but_wrong"]) == (7, 5, 1)
    assert {(one["status"], one["rows"]) for one in found["left_out"]} == {("failed", 1), ("empty", 1)}
    # A look-up that one side didn't answer is no pair; the stated count is one.
    assert [(one["group"], one["pairs"], one["won"], one["lost"]) for one in found["pairs"]] == [("stated", 1, 1, 0)]


def test_repeated_runs_are_paired_and_averaged(tmp_path: Path) -> None:
    line = '  PASS {} {} [exact] expected="500" got="{}"\n'
    for run, (gcf, json_got) in enumerate([("500", "500"), ("500", "7"), ("7", None)]):
        text = f"Backend: openai (gpt-x)\n{line.format('symbol_count', 'gcf', gcf)}"
        go_log(tmp_path, f"{run}.log", text + (line.format("symbol_count", "json", json_got) if json_got else ""))
    # The third run has no JSON, so its wrong answer is in no pair: 1 against 1/2.
    assert list(recount.pairs(recount.read([tmp_path]), "gcf", "json-indented")) == [("gpt-x", 1.0, 0.5)]


def transcript(folder: Path, name: str, reply: str, arm: str = "delta", depth: int = 40, after: str = "", totals: str = "") -> None:
    logs = folder / "eval/generic-delta-comprehension/logs" / name
    logs.mkdir(parents=True, exist_ok=True)
    (logs / f"{arm}-{depth}.txt").write_text(
        f"# fixture=50rows_a arm={arm} depth={depth} requested=x/some-model resolved=x/some-model-instruct\n# questions:\n"
        "  1. [changed_stale] What of 7? => want=open\n  2. [removed_absent] Is 8 there? => want=no\n  3. [count] How many? => want=50\n"
        f'# parsed answers: ["", "no", "50"]\n\n===== PROMPT =====\nrows\n{totals}\n\n===== MODEL CONTENT =====\n{reply}{after}'
    )


def test_transcripts_and_the_delta_study(tmp_path: Path) -> None:
    transcript(tmp_path, "a", "1. N: open\n2. N: no\n3. N: 49\n")
    transcript(tmp_path, "a", "1: shipped\n2: no\n3: 50\n", arm="full_resend")
    transcript(tmp_path, "a", "1: shipped\n2: no\n3: 50\n", depth=10)
    transcript(tmp_path, "a", "1: open\n2: no\n3: 50\n", arm="delta_re15", depth=45)
    transcript(tmp_path, "a", "1: shipped\n2: yes\n3: 4\n", depth=45)
    transcript(tmp_path, "b", "1: open\n2: no\n", depth=41)
    transcript(tmp_path, "c", "", depth=42)
    transcript(tmp_path, "c", "1: open\n2: no\n3: 50\n", depth=43, after="\n===== CODEX STDERR =====\nexec\nls\n")
    transcript(tmp_path, "t", "1: open\n2: no\n3: 50\n", depth=44, totals="##! summary rows=50")
    rows = recount.read([tmp_path])
    assert Counter(one["status"] for one in rows) == {"ok": 20, "cut": 1, "empty": 3, "program": 3}
    assert all(one["ok"] is None for one in rows if one["status"] != "ok")
    assert {one["model"] for one in rows} == {"some-model"} and sum(one["via"] == "cli" for one in rows) == 3
    found = recount.results(rows)
    assert found["deltas"] == [
        {"model": "some-model", "arm": "delta", "1-5": [0, 0], "6-15": [0, 1], "16-30": [0, 0], "31-50": [2, 3]},
        {"model": "some-model", "arm": "full_resend", "1-5": [0, 0], "6-15": [0, 0], "16-30": [0, 0], "31-50": [0, 1]},
    ]
    assert found["delta_pairs"] == [{"model": "some-model", "won": 1, "lost": 0, "pairs": 1, "p": 1.0}]
    assert [(one["totals"], one["rows"]) for one in found["totals"]] == [("none", [1, 3]), ("stated", [1, 1])]
    assert [(one["arm"], one["41-50"]) for one in found["anchored"]] == [("delta", [0, 2]), ("delta_re15", [2, 2])]
    # Each of these logs says that its author read a blank, no and 50.
    assert found["sources"][0]["only_we_right"] == 4 and found["sources"][0]["only_they_right"] == 3


def toon_file(folder: Path, model: str, answers: dict[str, str]) -> None:
    path = folder / "benchmarks/results/accuracy/models" / model
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{"questionId": "q1", "format": form, "model": model, "expected": "7", "actual": got, "isCorrect": got == "7"}
            for form, got in answers.items()]  # fmt: skip
    path.write_text(json.dumps(rows), "utf-8")


def test_rows_of_toon(tmp_path: Path) -> None:
    toon_file(tmp_path / "new", "gpt-x-nano-2026", {"toon": "8", "json-compact": "7", "csv": " ", "json-pretty": "7."})
    toon_file(tmp_path / "old", "gpt-x-nano-2026", {"toon": "8", "json-compact": "7", "csv": " ", "json-pretty": "7."})
    toon_file(tmp_path / "new", "grok-x", {"toon": "7", "json-compact": "7"})
    rows = recount.read([tmp_path / "new", tmp_path / "old"])
    assert len(rows) == 6 and {one["kind"] for one in rows} == {"lookup"}
    assert Counter(one["status"] for one in rows) == {"ok": 5, "empty": 1}
    found = recount.results(rows)
    pairs = {(one["a"], one["b"]): (one["pairs"], one["won"], one["lost"], one["p"]) for one in found["pairs"]}
    assert pairs == {("toon", "json-compact"): (2, 0, 1, 1.0), ("json-indented", "json-compact"): (1, 0, 0, 1.0)}
    assert [(one["model"], one["lost"]) for one in found["look_ups"]] == [("gpt-x-nano", 1), ("grok-x", 0)]
    assert recount_page.from_json(recount_page.as_json(found))["pairs"] == found["pairs"]
    # The ids of each set of questions have a kind.
    assert [len(recount.toon_kinds(questions)) for questions in (209, 244)] == [209, 244]


def test_attempts_of_siemato(tmp_path: Path) -> None:
    questions = [{"id": "name_1", "question": "Which name?", "expected": "Ann", "tags": ["field"]},
                 {"id": "active_count", "question": "How many?", "expected": 3, "tags": []},
                 {"id": "avg_age", "question": "What is the average age?", "expected": 40, "tags": []}]  # fmt: skip
    ended = [("name_1", "Ann", "stop"), ("active_count", "1 + 2 = 3", "stop"), ("avg_age", "40.4", "stop"), ("name_1", "", "error"),
             ("name_1", "An", "length"), ("name_1", "", "stop")]  # fmt: skip
    attempts = [{"taskId": f"people.json_min.{qid}", "modelId": "maker/model-x", "ok": True, "responseText": got, "finishReason": reason}
                for qid, got, reason in ended]  # fmt: skip
    suite = {"cases": [{"id": "people", "questions": questions}]}
    for name, data in (("suites/formats.suite.json", suite), ("runs/final.json", {"attempts": attempts})):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(json.dumps(data), "utf-8")
    rows = recount.read([tmp_path])
    assert [(one["kind"], one["status"], one["ok"]) for one in rows] == [
        ("lookup", "ok", True), ("count", "ok", True), ("mean", "ok", True), ("lookup", "failed", None), ("lookup", "cut", None),
        ("lookup", "empty", None),
    ]  # fmt: skip
    assert {(one["form"], one["model"]) for one in rows} == {("json-compact", "model-x")}


def test_names_of_models() -> None:
    names = {
        "us.anthropic.claude-opus-4-6-v1": "claude-opus-4.6", "anthropic/claude-4.5-haiku-20251001": "claude-haiku-4.5", "haiku": "claude-haiku-4.5",
        "grok-4-1-fast-non-reasoning": "grok-4.1-fast", "mistral-small-3.2-24b-instruct-2506": "mistral-small-3.2-24b",
        "qwen3-8b-04-28": "qwen3-8b", "gemini-3-flash-preview": "gemini-3-flash", "gemma-3-4b-it": "gemma-3-4b", "gpt-5.4-nano": "gpt-5.4-nano",
    }  # fmt: skip
    assert {name: recount.model_name(name) for name in names} == names


def test_values_of_the_sign_test_and_of_the_limit() -> None:
    # From tables of the binomial distribution.
    known = {(0, 0): 1.0, (1, 0): 1.0, (2, 0): 0.5, (5, 0): 0.0625, (6, 0): 0.03125, (1, 5): 0.21875, (5, 5): 1.0, (8, 2): 0.109375}
    assert {pair: recount.sign(*pair) for pair in known} == known
    # No loss of n: 1 - 0.025 ** (1 / n); 5 of 10: 0.8129.
    assert recount.at_most(0, 134) == pytest.approx(1 - 0.025 ** (1 / 134)) and recount.at_most(5, 10) == pytest.approx(0.8129, abs=1e-4)
    assert recount.at_most(3, 3) == 1


def test_pages_are_what_the_results_say() -> None:
    for path, text in recount_page.pages().items():
        assert path.read_text("utf-8") == text, f"{path}: run `python3 recipes/evaluation/recount.py --page`"
    page = (ROOT / recount_page.PAGE).read_text("utf-8")
    assert len(page.split()) <= 900
    found = recount_page.from_json(recount_page.RESULTS.read_text("utf-8"))
    assert recount_page.as_json(found) == recount_page.RESULTS.read_text("utf-8")
    # A model with five pairs can't be worse beyond chance, so it is not counted.
    assert recount.sign(0, recount_page.LEAST) < 0.05 < recount.sign(0, recount_page.LEAST - 1)
    assert [len(recount_page.models(found, form)) for form in ("gcf", "toon", "csv")] == [11, 24, 16]
    assert not {"gpt-5.4", "gpt-5.4-mini"} & set(recount_page.models(found, "gcf"))
    # All that were asked about deltas are counted, and the five that were asked only to 15 and read less than others are named.
    assert all(f"{name} " in page for name in ("ministral-8b", "qwen-2.5-72b", "ministral-3b", "qwen3-8b", "qwen-2.5-7b"))
    # What would be said of a model that is worse.
    one = next(one for one in found["look_ups"] if one["a"] == "gcf" and one["model"] != recount_page.UNNAMED)
    one |= {"lost": 9, "won": 0, "p": 0.004}
    assert recount_page.finding(found).startswith(f"{one['model']}, of 24 hosted models, read GCF")


def test_the_program_prints_results_and_needs_no_package(tmp_path: Path) -> None:
    toon_file(tmp_path / "logs", "grok-x", {"toon": "7", "json-compact": "7"})
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(FOLDER)!r}); import recount; recount.main()", tmp_path / "logs"]
    done = [subprocess.run([*command, *more], capture_output=True, text=True, timeout=60) for more in ([], ["--write", tmp_path / "out.json"])]
    assert [one.returncode for one in done] == [0, 0], done
    assert done[0].stdout == (tmp_path / "out.json").read_text("utf-8") and not done[1].stdout
    assert recount_page.from_json(done[0].stdout)["sources"][0]["rows"] == 2

"""The corpus on Spark: counts, bad documents, a run that was killed, and the same on Polars."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

SPARK = Path(__file__).resolve().parent.parent / "spark"
sys.path.insert(0, str(SPARK))

import java  # noqa: E402
import measure  # noqa: E402
from documents import lines_of, recode  # noqa: E402
from recode import check, partitions, plan  # noqa: E402


def command(name: str, *arguments: object) -> list[str]:
    return [sys.executable, str(SPARK / name), *map(str, arguments)]


def run(name: str, *arguments: object, seconds: float = 7200) -> str:
    done = subprocess.run(command(name, *arguments), capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    documents = pytestconfig.getoption("--documents")
    run("logs.py", folder, "--documents", documents, "--files", max(8, documents // 20_000))
    # The last document of a log may have no newline yet.
    last = max(folder.iterdir())
    last.write_bytes(last.read_bytes().removesuffix(b"\n"))
    return folder


def killed(logs: Path, output: Path) -> int:
    """Starts a run, kills it and its executors once a partition is written, and gives how many are."""
    started = subprocess.Popen(command("recode.py", logs, output, "--files", 2), start_new_session=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        while not list(output.glob("part=*/_SUCCESS")):
            assert started.poll() is None, "the run ended before it was killed"
            time.sleep(0.02)
    finally:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()
    return len(list(output.glob("part=*/_SUCCESS")))


def test_a_killed_run_goes_on(logs: Path, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    documents = pytestconfig.getoption("--documents")
    output = tmp_path / "output"
    done = killed(logs, output)
    kept = {path: path.stat().st_mtime_ns for path in output.glob("part=*/*.parquet") if (path.parent / "_SUCCESS").exists()}
    # Every bad document, and 500 others, are held against what this process makes of them.
    said: dict[str, Any] = json.loads(run("recode.py", logs, output, "--files", 2, "--check", 500).splitlines()[-1])
    assert said["found_done"] == done and 1 <= done < said["partitions"]
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert said["documents"] == documents
    assert said["bad"] == said["formats"]["bad"] == len(range(250, documents, 500))
    assert sum(said["formats"].values()) == documents
    assert said["checked"] >= min(documents, 500)
    assert 0 < said["tokens"] < said["tokens_before"]
    # A single process, without Spark: the same sums.
    polars = run("polars_recode.py", logs, tmp_path / "polars.parquet")
    assert polars == f"{ {name: said[name] for name in ('documents', 'bad', 'tokens_before', 'tokens')} }\n"
    # A log that grew since then is not missed, and nothing else is done again.
    with min(logs.iterdir()).open("ab") as log:
        log.write(b'{"late":1}\n')
    grown = json.loads(run("recode.py", logs, output, "--files", 2, "--check", 500).splitlines()[-1])
    assert (grown["changed"], grown["documents"]) == (1, documents + 1)
    assert grown["found_done"] == grown["partitions"] - 1
    failed = subprocess.run(command("recode.py", logs, output, "--files", 3), capture_output=True, text=True, timeout=120)
    assert failed.returncode == 1 and "was made from other files or with other options" in failed.stderr


def test_the_plan_knows_the_state_of_each_file(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.jsonl" for name in "abcd"]
    for path in paths:
        path.write_bytes(b"{}\n")
    options = argparse.Namespace(output=tmp_path / "output", files=2, counting=True)

    def again(**other: Any) -> tuple[int, list[str]]:
        parts = partitions(tmp_path, 2)
        changed = plan(argparse.Namespace(**{**vars(options), **other}), parts)
        left = [name for name in parts if not (options.output / name / "_SUCCESS").exists()]
        for name in parts:
            (options.output / name).mkdir(exist_ok=True)
            (options.output / name / "_SUCCESS").touch()
        return changed, left

    assert again() == (0, ["part=00000", "part=00001"])
    assert again() == (0, [])
    with paths[2].open("ab") as log:
        log.write(b"{}\n")
    assert again() == (1, ["part=00001"])
    # The same size, and another time.
    os.utime(paths[0], ns=(0, 1))
    assert again() == (1, ["part=00000"])
    with pytest.raises(SystemExit, match="other options"):
        again(counting=False)
    # A plan without sizes and times, as an earlier recipe wrote it.
    (options.output / "_plan.json").write_text(json.dumps({"files": list(map(str, paths)), "each": 2, "counting": True}))
    with pytest.raises(SystemExit, match="other files"):
        again()
    # Results of which nobody knows what they were made from.
    (options.output / "_plan.json").unlink()
    with pytest.raises(SystemExit, match="no _plan.json"):
        again()


def test_a_last_line_without_a_newline(tmp_path: Path) -> None:
    logs, output = tmp_path / "logs", tmp_path / "output" / "part=00000"
    logs.mkdir()
    output.mkdir(parents=True)
    for name, data in (("a", b'{"a":1}\n\n[2]'), ("b", b""), ("c", b'{"c":3}\n'), ("d", b"\n")):
        (logs / f"{name}.jsonl").write_bytes(data)
    assert [len(lines_of(path)) for path in sorted(logs.iterdir())] == [3, 0, 1, 1]
    said = run("polars_recode.py", logs, output / "a.parquet")
    assert "'documents': 5, 'bad': 2" in said
    assert check(logs, output.parent, 500, counting=True) == 5


def test_documents() -> None:
    digest, format, text, before, tokens, bad, error = recode(b'{"a":[{"x":1},{"x":2}]}', counting=False)
    assert (format, text, before, tokens, bad, error) == ("gcf", "GCF profile=generic\n## a [2]{x}\n1\n2\n", None, None, None, None)
    # What uses more tokens elsewhere stays JSON.
    assert recode(b"[]", counting=True)[1:3] == ("json", "[]")
    # GCF has 64 bits, GCX1 all digits.
    assert recode(b'[{"a":100000000000000000000}]', counting=False)[1] == "gcx"
    for line, code in ((b"{", "json_syntax"), (b"", "json_syntax"), (b'"\xff"', "invalid_utf8"), (b'{"a":1,"a":2}', "duplicate_key")):
        row = recode(line, counting=True)
        assert row[1:5] == (None, None, None, None)
        assert row[5] == line and str(row[6]).startswith(f"{code}: "), row
    assert len(str(digest)) == 16


def test_java_is_found(tmp_path: Path) -> None:
    assert java.version(java.home(tmp_path) / "bin" / "java") >= java.OLDEST
    assert java.version(tmp_path / "nothing") == 0
    said = subprocess.run(command("java.py"), capture_output=True, text=True)
    assert said.returncode == 1 and said.stderr.startswith("usage")


def test_measure() -> None:
    """`measure.py` writes into the page that is there."""
    page = (SPARK.parent.parent / "docs" / "recipes.md").read_text(encoding="utf-8")
    written = measure.in_page(page, "| a table |\n")
    assert "<!-- measured -->\n| a table |\n<!-- end -->\n" in written
    assert measure.in_page(written, "| a table |\n") == written
    with pytest.raises(SystemExit, match="has no"):
        measure.in_page("", "")

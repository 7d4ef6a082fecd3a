"""TOON's benchmark (`toon_benchmark.py`): on a small clone and packages that are made here, so that nothing is fetched."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from wire_formats import count_tokens, gcf

EVALUATION = Path(__file__).resolve().parent.parent / "evaluation"
sys.path.insert(0, str(EVALUATION))

import toon_benchmark  # noqa: E402

ROWS = [{"id": number, "city": f"City {number}", "open": number % 2 == 0} for number in range(20)]
DATASETS: list[dict[str, Any]] = [
    {"description": "Cities", "data": {"cities": ROWS}, "flat": True},
    {"description": "A configuration", "data": {"host": "a.example", "ports": [80, 443], "log": {"level": "info"}}, "flat": False},
]
# Forms that are enough for a count; the recipe reads none of them.
TOON = 'JSON.stringify(data).replaceAll(/["{}]/g, "")'
FORMATS = f"""
const toon = (data) => "another encoder";
const csv = (data) => data.cities.map((row) => Object.values(row).join(",")).join("\\n");
export const FORMATS = {{
  "json-pretty": {{ name: "json-pretty", displayName: "JSON", encode: (data) => JSON.stringify(data, undefined, 2) }},
  "json-compact": {{ name: "json-compact", displayName: "JSON compact", encode: (data) => JSON.stringify(data) }},
  toon: {{ name: "toon", displayName: "TOON", encode: toon }},
  csv: {{ name: "csv", displayName: "CSV", encode: csv }},
}};
export const supportsCSV = (dataset) => dataset.flat;
"""
LOCK = """importers:

  benchmarks:
    devDependencies:
      '@faker-js/faker':
        specifier: ^10.5.0
        version: 10.5.0
      csv-stringify:
        specifier: ^6.8.1
        version: 6.8.1
      fast-xml-parser:
        specifier: ^5.10.1
        version: 5.10.1
      gpt-tokenizer:
        specifier: ^3.4.0
        version: 3.4.0(peer@1.0.0)
      yaml:
        specifier: ^2.9.0
        version: 2.9.0

  docs:
    devDependencies:
      yaml:
        specifier: ^1.0.0
        version: 1.0.0
"""
# What tsx is needed for: `.ts` is a module. There are no types in these files.
LOADER = """
import { register } from "node:module";
const hook = `export const load = (url, context, next) => next(url, url.endsWith(".ts") ? { ...context, format: "module" } : context)`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
"""


def texts(one: dict[str, Any]) -> dict[str, str]:
    """The text of each format as the clone's code writes it."""
    compact = json.dumps(one["data"], separators=(",", ":"))
    found = {"JSON": json.dumps(one["data"], indent=2), "JSON compact": compact, "TOON": re.sub(r'["{}]', "", compact)}
    if one["flat"]:
        found["CSV"] = "\n".join(f"{row['id']},{row['city']},{str(row['open']).lower()}" for row in ROWS)
    return found


def report() -> str:
    lines = ["#### Track", "```"]
    for one in DATASETS:
        lines.append(f"👥 {one['description']}  ┊  Tabular: 100%")
        for name, text in texts(one).items():
            lines.append(f"   {name if name in ('TOON', 'CSV') else f'├─ vs {name}'}   █░   {count_tokens(text, counter='o200k'):,} tokens   (+6.0% vs CSV)")
    return "\n".join([*lines, "─── Total ───", "   TOON   █░   9,999 tokens", "```", "<details>", "**JSON** (1 tokens):"])


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def commit(clone: Path) -> None:
    for arguments in (["init", "-q"], ["add", "."], ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "data"]):
        subprocess.run(["git", "-C", clone, *arguments], check=True)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    counts = {text: count_tokens(text, counter="o200k") for one in DATASETS for text in texts(one).values()}
    write(
        tmp_path / "clone",
        {
            "benchmarks/src/datasets.ts": f"export const TOKEN_EFFICIENCY_DATASETS = {json.dumps(DATASETS)}",
            "benchmarks/src/formats.ts": FORMATS,
            "benchmarks/src/utils.ts": f"const counts = {json.dumps(counts)}; export const tokenize = (text) => counts[text]",
            "benchmarks/results/token-efficiency.md": report(),
            "packages/toon/src/index.ts": "",
            "pnpm-lock.yaml": LOCK,
        },
    )
    write(
        tmp_path / "node_modules",
        {
            "@toon-format/toon/package.json": '{"name": "@toon-format/toon", "type": "module", "exports": "./index.js"}',
            "@toon-format/toon/index.js": f"export const encode = (data) => {TOON}",
            "tsx/package.json": '{"name": "tsx", "type": "module", "exports": "./index.js"}',
            "tsx/index.js": LOADER,
        },
    )
    commit(tmp_path / "clone")
    return tmp_path / "clone"


def run(clone: Path, *more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, EVALUATION / "toon_benchmark.py", clone, "--modules", clone.parent / "node_modules", *more]
    return subprocess.run(list(map(str, command)), capture_output=True, encoding="utf-8", timeout=120)


def test_what_it_writes(clone: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- table -->\nold\n<!-- end -->\nafter\n", encoding="utf-8")
    done = run(clone, "--page", page)
    assert done.returncode == 0, done.stderr
    said, _, table = done.stdout.partition("\n\n")
    assert said == "All 7 published counts come out."
    assert page.read_text(encoding="utf-8") == f"before\n<!-- table -->\n{table}<!-- end -->\nafter\n"
    rows = {cells[1]: cells[2:-1] for line in table.splitlines() if line.startswith("|") for cells in [line.replace("| ", "|").replace(" |", "|").split("|")]}
    data, config = (one["data"] for one in DATASETS)
    own = count_tokens(gcf.dumps(data), counter="o200k")
    assert rows["Cities"][4:6] == [str(own)] * 2 and rows["**Flat**"] == rows["Cities"]
    # It keeps JSON where GCF uses more, and says so.
    minified, longer = (count_tokens(text, counter="o200k") for text in (texts(DATASETS[1])["JSON compact"], gcf.dumps(config)))
    assert minified < longer and rows["A configuration"][3:6] == ["–", str(longer), f"{minified} as JSON"]
    assert "- Larger than TOON: " in table and "A configuration (wire +" in table and "A configuration (GCF +" in table
    assert re.search(r"The source is toon-format/toon `[0-9a-f]{7}`", table)
    # The same again, byte for byte.
    assert run(clone, "--page", page).stdout == done.stdout
    page.write_text("nothing", encoding="utf-8")
    assert "has no <!-- table -->" in run(clone, "--page", page).stderr


def test_other_counts_are_an_error(clone: Path) -> None:
    path = clone / "benchmarks/results/token-efficiency.md"
    path.write_text(path.read_text(encoding="utf-8").replace("👥 Cities", "👥 Towns"), encoding="utf-8")
    # What is not in a commit is not read.
    assert run(clone).returncode == 0
    commit(clone)
    done = run(clone)
    assert done.returncode == 1 and "other counts than the published ones" in done.stderr


def test_versions_are_those_of_the_lock_file() -> None:
    assert toon_benchmark.locked(LOCK) == ["@faker-js/faker@10.5.0", "csv-stringify@6.8.1", "fast-xml-parser@5.10.1", "gpt-tokenizer@3.4.0", "yaml@2.9.0"]
    with pytest.raises(SystemExit, match="the benchmark has no @faker-js/faker, csv-stringify"):
        toon_benchmark.locked("importers:\n")


def test_the_page_adds_up() -> None:
    page = toon_benchmark.PAGE.read_text(encoding="utf-8")
    lines = page.partition(toon_benchmark.BEGIN)[2].partition(toon_benchmark.END)[0].splitlines()
    sums = [0] * 6
    for line in lines[2:]:
        if not line.startswith("|"):
            break
        cells = [re.sub(r"\D", "", cell) for cell in line.split("|")[2:8]]
        if line.startswith("| **"):
            assert list(map(int, (cell or "0" for cell in cells))) == sums, line
            sums = [0] * 6
        else:
            sums = [total + int(cell or 0) for total, cell in zip(sums, cells)]
    assert sums == [0] * 6 and "**Flat**" in page

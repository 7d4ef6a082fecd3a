"""TOON's own benchmark of tokens, with `wire-formats` beside it: `python toon_benchmark.py CLONE`.

CLONE is a git clone of toon-format/toon. Its own code makes the data, with its seeds, and counts the tokens (o200k), with the packages
that its lock file names; npm installs them into a temporary folder. TOON is written by the published package. A count that differs from
the published one is an error. `--page` writes the table into the documentation.
"""

import argparse
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from wire_formats import gcf, smallest

PAGE = Path(__file__).resolve().parents[2] / "docs/evaluations/toon-benchmark.md"
BEGIN, END = "<!-- table -->\n", "<!-- end -->\n"
ENCODER = "@toon-format/toon@4.4.0"
LOADER = "tsx@4.23.15"
LOCKED = ("@faker-js/faker", "csv-stringify", "fast-xml-parser", "gpt-tokenizer", "yaml")
COLUMNS = ("JSON", "JSON compact", "TOON", "CSV")
# This file is run in the benchmark's folder: a line for each dataset.
COUNT = """
import { encode } from "@toon-format/toon";
import { TOKEN_EFFICIENCY_DATASETS } from "./src/datasets.ts";
import { FORMATS, supportsCSV } from "./src/formats.ts";
import { tokenize } from "./src/utils.ts";

FORMATS.toon.encode = encode;
for (const dataset of TOKEN_EFFICIENCY_DATASETS) {
  const formats = Object.values(FORMATS).filter(({ name }) => name !== "csv" || supportsCSV(dataset));
  const tokens = formats.map(({ displayName, encode }) => [displayName, tokenize(encode(dataset.data))]);
  console.log(JSON.stringify({ name: dataset.description, data: dataset.data, tokens: Object.fromEntries(tokens) }));
}
"""


def unpack(clone: Path, folder: Path) -> str:
    """Writes the clone's last commit into the folder, and gives its name."""
    git = ["git", "-C", str(clone)]
    archive = subprocess.run([*git, "archive", "HEAD", "benchmarks", "packages", "pnpm-lock.yaml"], check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    return subprocess.run([*git, "rev-parse", "HEAD"], check=True, stdout=subprocess.PIPE, text=True).stdout[:7]


def locked(lock: str) -> list[str]:
    """The benchmark's packages with their versions in pnpm's lock file."""
    _, _, block = lock.partition("\n  benchmarks:\n")
    versions = dict(re.findall(r"^ {6}'?([^\s':]+)'?:\n +specifier: .*\n +version: ([^\s(]+)", block.split("\n\n")[0], re.M))
    if missing := [name for name in LOCKED if name not in versions]:
        sys.exit(f"pnpm-lock.yaml: the benchmark has no {', '.join(missing)}")
    return [f"{name}@{versions[name]}" for name in LOCKED]


def counted(folder: Path, modules: Path | None) -> list[dict[str, Any]]:
    """The datasets, with the tokens of each format, as the benchmark counts them."""
    (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
    if modules:
        shutil.copytree(modules, folder / "node_modules")
    else:
        packages = [*locked((folder / "pnpm-lock.yaml").read_text(encoding="utf-8")), ENCODER, LOADER]
        subprocess.run([shutil.which("npm") or "npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", *packages], cwd=folder, check=True)
    (folder / "benchmarks/count.mjs").write_text(COUNT, encoding="utf-8")
    command = ["node", "--import", "tsx", "benchmarks/count.mjs"]
    lines = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    return [json.loads(line) for line in lines.splitlines()]


def published(report: str) -> dict[str, dict[str, int]]:
    """The counts of each dataset in the benchmark's report, without its sums."""
    counts: dict[str, dict[str, int]] = {}
    own: dict[str, int] = {}
    for line in report.partition("<details>")[0].splitlines():
        if "┊" in line:
            own = counts[line.partition(" ")[2].partition("┊")[0].strip()] = {}
        elif " Total " in line:
            own = {}
        elif found := re.search(r"(TOON|CSV|JSON compact|JSON|YAML|XML) .* ([\d,]+) tokens", line):
            own[found[1]] = int(found[2].replace(",", ""))
    return counts


def measure(datasets: list[dict[str, Any]]) -> None:
    """Adds what `smallest` chooses among JSON and GCF; both are decoded and compared."""
    for one in datasets:
        best = smallest(one["data"], counter="o200k", formats=["gcf"])
        if one["data"] != gcf.loads(gcf.dumps(one["data"])) or one["data"] != (gcf if best.format == "gcf" else json).loads(best.text):
            sys.exit(f"{one['name']}: the decoded value is another one")
        if best.candidates["json"] != one["tokens"]["JSON compact"]:
            sys.exit(f"{one['name']}: the counters differ for minified JSON")
        one["tokens"] |= {"GCF": best.candidates["gcf"], "wire": best.tokens}
        one["form"] = best.format


def table(datasets: list[dict[str, Any]], source: str) -> str:
    """The table of both tracks, and every row in which ours is larger."""
    lines = ["| tokens (o200k) | JSON | minified | TOON | CSV | GCF | wire | wire to TOON |", f"|---|{'--:|' * 7}"]
    larger: dict[str, list[str]] = {"TOON": [], "CSV": []}
    for track, flat in (("Mixed structures", False), ("Flat", True)):
        rows = [one for one in datasets if ("CSV" in one["tokens"]) == flat]
        total = {name: sum(one["tokens"][name] for one in rows) for name in rows[0]["tokens"]}
        for one in [*rows, {"name": f"**{track}**", "tokens": total, "form": None}]:
            count, form = one["tokens"], one["form"]
            cells = [f"{count[name]:,}" if name in count else "–" for name in (*COLUMNS, "GCF", "wire")]
            lines.append(f"| {one['name']} | {' | '.join(cells)}{' as JSON' if form == 'json' else ''} | {change(count['wire'], count['TOON'])} |")
            for other, found in larger.items():
                for name, unlike in (("wire", True), ("GCF", form == "json")):
                    if form and unlike and other in count and count[name] > count[other]:
                        found.append(f"{one['name']} ({name} {change(count[name], count[other])})")
    said = [f"- Larger than {other}: {', '.join(found) or 'none'}." for other, found in larger.items()]
    return "\n".join([*lines, "", *said, "", f"The source is toon-format/toon `{source}`. TOON is written by `{ENCODER}`.", ""])


def change(own: int, other: int) -> str:
    return f"{own / other - 1:+.1%}".replace("%", " %").replace("-", "−")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("clone", type=Path, help="a git clone of toon-format/toon")
    parser.add_argument("--modules", type=Path, metavar="FOLDER", help="a folder node_modules with the packages, instead of npm")
    parser.add_argument("--page", type=Path, nargs="?", const=PAGE, help="write the table into this page (default: that of the documentation)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        source = unpack(options.clone, Path(name))
        datasets = counted(Path(name), options.modules)
        report = published((Path(name) / "benchmarks/results/token-efficiency.md").read_text(encoding="utf-8"))
    own = {one["name"]: one["tokens"] for one in datasets}
    if report != own:
        sys.exit(f"other counts than the published ones\npublished: {json.dumps(report)}\ncounted: {json.dumps(own)}")
    measure(datasets)
    text = table(datasets, source)
    print(f"All {sum(map(len, report.values()))} published counts come out.\n\n{text}", end="")
    if options.page:
        page = options.page.read_text(encoding="utf-8")
        (before, begin, rest), (_, end, after) = page.partition(BEGIN), page.partition(END)
        if not begin or END not in rest:
            sys.exit(f"{options.page} has no {BEGIN.strip()} and {END.strip()}")
        options.page.write_text(before + begin + text + end + after, encoding="utf-8")


if __name__ == "__main__":
    main()

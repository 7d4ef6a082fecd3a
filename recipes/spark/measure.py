"""Measures what a document takes on one executor and on two, with counting and without: `python measure.py`.

It writes the table to standard output, or into a page between `<!-- measured -->` and `<!-- end -->`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BEGIN, END = "<!-- measured -->\n", "<!-- end -->\n"


def seconds(folder: Path, logs: Path, executors: int, counting: bool) -> float:
    output = Path(tempfile.mkdtemp(dir=folder)) / "output"
    # One partition: Spark spreads its files over the executors.
    command = [sys.executable, str(HERE / "recode.py"), str(logs), str(output), "--executors", str(executors), "--files", "1000000"]
    done = subprocess.run([*command, *([] if counting else ["--no-counting"])], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(command)} failed\n{done.stderr[-4000:]}")
    return float(json.loads(done.stdout.splitlines()[-1])["seconds"])


def in_page(page: str, table: str) -> str:
    """The page with the table in the place that it has for one."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        sys.exit(f"error: the page has no {BEGIN.strip()} and {END.strip()}")
    return f"{before}{BEGIN}{table}{END}{after}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1_000_000, help="(default: 1000000)")
    parser.add_argument("--repeat", type=int, default=1, help="how often; the shortest time counts (default: 1)")
    parser.add_argument("--page", type=Path, help="the page to write the table into")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        logs = folder / "logs"
        arguments = ["--documents", str(options.documents), "--files", str(max(8, options.documents // 20_000))]
        subprocess.run([sys.executable, str(HERE / "logs.py"), str(logs), *arguments], check=True)
        size = sum(path.stat().st_size for path in logs.iterdir())
        for counting in (True, False):
            first = 0.0
            for executors in (1, 2):
                best = min(seconds(folder, logs, executors, counting) for _ in range(options.repeat))
                first = first or best
                each = 1e6 * best / options.documents
                rows.append(f"| {executors} | {'yes' if counting else 'no'} | {best:.1f} | {each:.0f} | {first / best:.2f} |\n")
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    table = (
        f"{options.documents:,} documents, {size / 1e6:.0f} MB, on {os.cpu_count()} cores ({platform.machine()}{load}):\n\n"
        "| executors | counting | seconds | µs a document | times as fast as one |\n|---:|---|---:|---:|---:|\n" + "".join(rows)
    )
    if options.page is None:
        print(table, end="")
    else:
        options.page.write_text(in_page(options.page.read_text(encoding="utf-8"), table), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Writes folders of tool logs: `python logs.py FOLDER --documents 10000`. A line is a document; one in 500 is broken.

The same arguments write the same bytes.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

STATUSES = ["open", "paid", "shipped", "returned"]
CITIES = ["Rome", "Łódź", "Lima", "Kyoto", "Oslo"]
TOOLS = ["list_orders", "get_order", "search", "read_metrics"]
# What breaks a document, each in its way.
BROKEN = [
    lambda line: line[: len(line) // 2],
    lambda line: line + b"}",
    lambda line: line.replace(b'"tool"', b'"call"', 1),
    lambda line: line[:-2] + b"\xff" + line[-2:],
    lambda line: b"ERROR upstream timed out",
    lambda line: b"",
]


def document(number: int, chance: random.Random) -> bytes:
    tool = TOOLS[number % len(TOOLS)]
    if tool == "list_orders":
        result: object = [
            {"id": chance.randrange(10**6), "customer": f"C-{chance.randrange(5000)}", "status": chance.choice(STATUSES),
             "city": chance.choice(CITIES), "total": chance.randrange(10**6) / 100, "express": chance.random() < 0.2}
            for _ in range(chance.randrange(1, 15))
        ]
    elif tool == "get_order":
        lines = [{"sku": f"S{chance.randrange(900)}", "count": chance.randrange(1, 9)} for _ in range(chance.randrange(1, 6))]
        result = {"id": chance.randrange(10**6), "lines": lines, "note": None, "address": {"city": chance.choice(CITIES), "zip": "00100"}}
    elif tool == "search":
        result = {"took_ms": chance.randrange(90), "hits": [{"path": f"src/m{chance.randrange(99)}.rs", "line": chance.randrange(900), "text": "let total = sum(rows);"} for _ in range(chance.randrange(12))]}
    else:
        result = {"metric": "latency", "points": [round(chance.gauss(50, 9), 2) for _ in range(chance.randrange(5, 40))]}
    value = {"call": number, "tool": tool, "result": result}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def write(folder: Path, documents: int, files: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in range(files):
        chance = random.Random(file)
        with (folder / f"calls-{file:05}.jsonl").open("wb") as out:
            for number in range(documents * file // files, documents * (file + 1) // files):
                line = document(number, chance)
                if number % 500 == 250:
                    line = BROKEN[number // 500 % len(BROKEN)](line)
                out.write(line + b"\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--files", type=int, default=16, help="how many files (default: 16)")
    options = parser.parse_args()
    write(options.folder, options.documents, options.files)

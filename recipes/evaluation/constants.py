"""Questions about columns that have one value in every row, and about others: `python constants.py > questions.jsonl`.

A table is what a query returns that has a condition: some columns of consecutive rows of `fixtures/payloads/real` that agree in one.
GCF 3.6 writes that column, and every other one with a single value, in its header. The questions are for `wire-eval comprehension
--questions`.
"""

import argparse
import json
from pathlib import Path
from random import Random
from typing import Any

REAL = Path(__file__).resolve().parents[2] / "fixtures/payloads/real"
TABLES = {
    "tables/orders.json": ["customer", "country", "paid"],
    "logs/access.json": ["service", "method", "route"],
    "tables/metrics.json": ["host"],
}

# Each token of an answer is a call, to measure how likely it is.
LONGEST = 24
COLUMNS = 6


def about(rows: list[dict[str, Any]], columns: list[str], size: int, each: int, random: Random) -> list[dict[str, Any]]:
    """Questions about rows that agree in one of the columns, so many of each kind."""
    column = random.choice(columns)
    value = random.choice(sorted({row[column] for row in rows}))
    found = [row for row in rows if row[column] == value]
    begin = random.randrange(max(1, len(found) - size))
    found = found[begin : begin + size]
    # The first column tells rows apart; one of a single null can't be asked about.
    first, *rest = [name for name in rows[0] if all(row[name] is not None and len(str(row[name])) <= LONGEST for row in found)]
    chosen = {first, column, *random.sample([name for name in rest if name != column], COLUMNS - 2)}
    data = [{name: row[name] for name in row if name in chosen} for row in found]
    key = next(name for name in data[0] if len({row[name] for row in data}) == len(data))
    constant = [name for name in data[0] if len({row[name] for row in data}) == 1]
    other = [name for name in data[0] if name not in (key, *constant)]
    lines = []
    for kind, names in (("constant", constant), ("column", other)):
        cells = [(row, name) for row in data for name in names]
        for row, name in random.sample(cells, each):
            question = f"What is the {name} of the entry whose {key} is {row[key]}?"
            lines.append({"data": data, "question": question, "answer": row[name], "kind": kind})
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=12, help="number of tables (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=6, help="rows of each (default: %(default)s)")
    parser.add_argument("--each", type=int, default=3, help="questions of each kind about a table (default: %(default)s)")
    options = parser.parse_args()
    for seed in range(1, options.tables + 1):
        random = Random(seed)
        file = random.choice(sorted(TABLES))
        rows = json.loads((REAL / file).read_text(encoding="utf-8"))
        for line in about(rows, TABLES[file], options.rows, options.each, random):
            print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main()

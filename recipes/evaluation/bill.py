"""The bill of a business agent under rules of prompt caches, as sent and as written: `python bill.py WIRE_PROXY CLONE`.

CLONE is a clone of sierra-research/tau-bench. Its recorded conversations of an airline are read; those of retail are replayed, which
are its test tasks with its own tools. Instead of CLONE, a file of conversations `[{"traj": [row, …]}, …]` has a bill of its own, with
the tokens of the definitions of tools, which each request has, by `--tools`. `--page` writes the tables into the documentation.

A request has the rows before an answer of the model. A cache keeps the rows with which the request before it began, if they have 1,024
tokens. Prices are relative to a token of input without a cache. `wire-proxy serve` writes the results and counts all tokens (o200k).
"""

import argparse
import contextlib
import importlib
import json
import re
import subprocess
import sys
import types
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[2] / "docs/evaluations/business-agent.md"
BEGIN, END = "<!-- tables -->\n", "<!-- end -->\n"
# The price of a token that is written to the cache, and of one that is read from it.
RULES = {"1.25 / 0.1": (1.25, 0.1), "1 / 0.1": (1, 0.1), "no cache": (1, 1)}
LEAST = 1024
OUTPUT = 5
LOSSY = 0.4
# Rows as `serve` writes them; the same in each request.
WAYS: dict[str, list[str] | None] = {
    "as sent": None,
    "minified": ["--policy", "minify"],
    "wire": [],
    "wire, `--repeats exact`": ["--repeats", "exact"],
    "wire, `--repeats delta`": ["--repeats", "delta"],
}
SENT, WIRE, DELTA = "as sent", "wire", "wire, `--repeats delta`"
REFERENCE = re.compile(r"Same as the last full result(?: of (\S+))? with (.+?) = (.+?)(?:\.|, but for \d+ changes?:)$")

Row = dict[str, Any]
# A text and its tokens.
Pair = tuple[str, int]


@dataclass(frozen=True)
class Dataset:
    name: str
    conversations: list[list[Row]]
    tools: str | int


class Engine:
    """A `wire-proxy serve` with these options, until the block ends."""

    def __init__(self, program: str, *options: str) -> None:
        self.command = [program, "serve", "127.0.0.1:0", *options]
        self.known: dict[str, int] = {}

    def __enter__(self) -> "Engine":
        self.child = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        assert self.child.stderr is not None
        said = self.child.stderr.readline()
        if "http://" not in said:
            sys.exit(f"{' '.join(self.command)}: {said}{self.child.stderr.read()}")
        self.url = said.split()[-1]
        return self

    def __exit__(self, *_: object) -> None:
        self.child.kill()
        self.child.wait()
        self.child.stderr.close()

    def compressed(self, rows: list[Row]) -> Row:
        body = json.dumps({"messages": rows}).encode()
        with urllib.request.urlopen(urllib.request.Request(self.url + "/v1/compress", body)) as answer:
            return json.load(answer)

    def tokens(self, text: str) -> int:
        """The tokens of a text, which are asked for as if it were a result."""
        if text not in self.known:
            self.known[text] = self.compressed([{"role": "tool", "content": text}])["tokens_before"]
        return self.known[text]

    def pair(self, row: Row) -> Pair:
        content = row.get("content") or ""
        text = (content if isinstance(content, str) else json.dumps(content)) + (json.dumps(row["tool_calls"]) if row.get("tool_calls") else "")
        return text, self.tokens(text)


def modules(clone: Path) -> Callable[[str], Any]:
    """Imports modules of tau-bench without what runs its agents: packages are folders, and a task is what it is made of."""
    folders = ["tau_bench", "tau_bench.envs", "tau_bench.envs.airline", "tau_bench.envs.retail"]
    for name in [*folders, "tau_bench.types"]:
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [str(clone.joinpath(*name.split(".")))]
    sys.modules["tau_bench.types"].__dict__.update(Task=types.SimpleNamespace, Action=types.SimpleNamespace)
    return lambda name: importlib.import_module(f"tau_bench.envs.{name}")


def definitions(module: Any) -> str:
    return json.dumps([tool.get_info() for tool in module.ALL_TOOLS], separators=(",", ":"))


def replayed(load: Callable[[str], Any]) -> Iterator[list[Row]]:
    """The test tasks of retail: the policy, the customer's wish, and each call of the solution with its result."""
    data = json.dumps(load("retail.data").load_data())
    tools = {tool.get_info()["function"]["name"]: tool for tool in load("retail.tools").ALL_TOOLS}
    for task in load("retail.tasks_test").TASKS_TEST:
        own = json.loads(data)
        rows: list[Row] = [{"role": "system", "content": load("retail.wiki").WIKI}, {"role": "user", "content": task.instruction}]
        for number, action in enumerate(task.actions):
            call = {"id": f"c{number}", "type": "function", "function": {"name": action.name, "arguments": json.dumps(action.kwargs)}}
            try:
                result = tools[action.name].invoke(own, **action.kwargs)
            except Exception as error:  # The environment gives it to the model as well.
                result = f"Error: {error}"
            rows.append({"role": "assistant", "content": None, "tool_calls": [call]})
            rows.append({"role": "tool", "tool_call_id": f"c{number}", "name": action.name, "content": result})
        yield [*rows, {"role": "assistant", "content": "Done."}]


def recorded(file: Path) -> list[list[Row]]:
    return [one["traj"] for one in json.loads(file.read_text(encoding="utf-8"))]


def of_clone(clone: Path) -> list[Dataset]:
    load = modules(clone)
    airline = recorded(clone / "historical_trajectories/gpt-4o-airline.json")
    return [
        Dataset("airline", airline, definitions(load("airline.tools"))),
        Dataset("retail", list(replayed(load)), definitions(load("retail.tools"))),
    ]


def ends(rows: list[Row]) -> list[int]:
    return [at for at, row in enumerate(rows) if row["role"] == "assistant"]


def bill(requests: list[list[Pair]], tools: int, write: float, read: float) -> float:
    """What the rows of these requests cost, one after the other."""
    cost, before = 0.0, []
    for rows in requests:
        same = next((at for at, pair in enumerate(zip(rows, before)) if pair[0] != pair[1]), min(len(rows), len(before)))
        total = tools + sum(count for _, count in rows)
        cached = tools + sum(count for _, count in rows[:same]) if before else 0
        cached = cached if cached >= LEAST else 0
        cost += cached * read + (total - cached) * (write if total >= LEAST else 1)
        before = rows
    return cost


def member(value: Any, path: str) -> Any:
    """The member of a value at a path such as `[0].order_id`; `None` if there is none."""
    for index, name in re.findall(r"\[(\d+)\]|([^.\[\]]+)", path):
        try:
            value = value[int(index) if index else name]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def bases(rows: list[Row], written: list[Pair]) -> dict[int, int]:
    """Each result that is a reference, with the full result that it names."""
    found: dict[int, int] = {}
    full: list[tuple[int, str, Any]] = []
    names: dict[str, str] = {}
    for at, row in enumerate(rows):
        names |= {call["id"]: call["function"]["name"] for call in row.get("tool_calls") or []}
        name = row.get("name") or names.get(row.get("tool_call_id", ""), "")
        if row["role"] != "tool":
            continue
        if reference := REFERENCE.match(written[at][0].partition("\n")[0]):
            tool, path, scalar = reference.groups()
            named = [old for old, of, value in full if tool in (None, of) and member(value, path) == json.loads(scalar)]
            found |= {at: old for old in named[-1:]}
        else:
            with contextlib.suppress(ValueError, TypeError):
                full.append((at, name, json.loads(row["content"])))
    return found


def breaking(rows: list[Row], written: dict[str, list[Pair]]) -> dict[str, list[list[Pair]]]:
    """The requests of ways that write a row in another way later on, and of one that drops what it can't know to be needed."""
    sent, wire, delta = written[SENT], written[WIRE], written[DELTA]
    results = [at for at, row in enumerate(rows) if row["role"] == "tool"]
    references = bases(rows, delta)
    found: dict[str, list[list[Pair]]] = {}

    def add(way: str, pair: Callable[[int, int], Pair]) -> None:
        found[way] = [[pair(at, end) for at in range(end)] for end in ends(rows)]

    def in_last_exchange(at: int, end: int) -> bool:
        last = max((own for own in range(end) if rows[own]["role"] == "assistant"), default=end)
        return at in results and at > last

    def latest(at: int, end: int) -> Pair:
        newer = [own for own, base in references.items() if base == at and own < end]
        # Whatever is written, it is not what the cache has.
        return (f"as {newer[-1]}", delta[newer[-1]][1]) if newer else wire[at]

    def lossy(at: int, turn: int) -> Pair:
        return (f"{sent[at][0]} {turn}", int(sent[at][1] * LOSSY)) if at in results else sent[at]

    add("a gateway that withholds the newest exchange", lambda at, end: sent[at] if in_last_exchange(at, end) else wire[at])
    add("only results older than the last three", lambda at, end: sent[at] if at in [own for own in results if own < end][-3:] else wire[at])
    add("the older copy of a result becomes a reference", latest)
    add("lossy −60 %, again at each turn of the user", lambda at, end: lossy(at, sum(row["role"] == "user" for row in rows[:end])))
    add("lossy −60 %, once, for comparison", lambda at, end: lossy(at, 0))
    return found


def measured(program: str, dataset: Dataset, counter: Engine) -> tuple[dict[str, list[str]], dict[str, list[str]], str]:
    """The cells of both tables by way, and a sentence."""
    conversations = dataset.conversations
    written: list[dict[str, list[Pair]]] = [{} for _ in conversations]
    for way, options in WAYS.items():
        with Engine(program, *(options or [])) as engine:
            for rows, own in zip(conversations, written):
                own[way] = [counter.pair(row) for row in (rows if options is None else engine.compressed(rows)["messages"])]
    requests: dict[str, list[list[list[Pair]]]] = {}
    for rows, own in zip(conversations, written):
        stable = {way: [own[way][:end] for end in ends(rows)] for way in WAYS}
        for way, one in {**stable, **breaking(rows, own)}.items():
            requests.setdefault(way, []).append(one)

    def results(way: str) -> int:
        return sum(own[way][at][1] for rows, own in zip(conversations, written) for at, row in enumerate(rows) if row["role"] == "tool")

    def everything(way: str) -> int:
        return sum(count for one in requests[way] for request in one for _, count in request)

    sizes = {way: [f"{results(way):,}", change(results(way), results(SENT)), change(everything(way), everything(SENT))] for way in WAYS}
    tools = dataset.tools if isinstance(dataset.tools, int) else counter.tokens(dataset.tools)
    bills = {way: [[bill(one, tools, *rule) for one in group] for rule in RULES.values()] for way, group in requests.items()}
    cells = {}
    for way, own in bills.items():
        larger = sum(any(mine[at] > sent[at] + 1e-6 for mine, sent in zip(own, bills[SENT])) for at in range(len(conversations)))
        cells[way] = [*(change(sum(mine), sum(sent)) for mine, sent in zip(own, bills[SENT])), str(larger)]
    answers = sum(own[SENT][at][1] for rows, own in zip(conversations, written) for at in ends(rows))
    both = [change(sum(mine) + OUTPUT * answers, sum(sent) + OUTPUT * answers) for mine, sent in zip(bills[WIRE], bills[SENT])]
    cells[f"wire, in a bill with output at {OUTPUT} times the price"] = [*both, "–"]
    part = sum(request[at][1] for rows, one in zip(conversations, requests[SENT]) for request in one for at in range(len(request)) if rows[at]["role"] == "tool")
    said = f"{dataset.name} has {len(conversations)} conversations and {tools:,} tokens of definitions of tools; results are {part / everything(SENT):.1%} of the rows of all requests"
    return sizes, cells, said.replace("%", " %")


def change(own: float, other: float) -> str:
    return f"{own / other - 1:+.1%}".replace("%", " %").replace("-", "−") if own != other else "0"


def tables(program: str, datasets: list[Dataset]) -> str:
    with Engine(program) as counter:
        found = [measured(program, one, counter) for one in datasets]
    lines = []
    heads = ["tokens of results", "of results", "of all rows"], [*RULES, "larger in"]
    for number, head in enumerate(heads):
        lines.append(f"| {('results', 'bill for input')[number]} | {' | '.join(f'{one.name}: {name}' for one in datasets for name in head)} |")
        lines.append(f"|---|{'--:|' * len(head) * len(datasets)}")
        for way in found[0][number]:
            if number == 0 or way != SENT:
                lines.append(f"| {way} | {' | '.join(cell for one in found for cell in one[number][way])} |")
        lines.append("")
    return "\n".join([*lines, *(f"- {said}." for _, _, said in found), ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program", metavar="WIRE_PROXY", help="the program wire-proxy")
    parser.add_argument("source", type=Path, help="a clone of sierra-research/tau-bench, or a file of conversations")
    parser.add_argument("--tools", type=int, default=0, metavar="N", help="the tokens of the definitions of tools, with a file (default: 0)")
    parser.add_argument("--page", type=Path, nargs="?", const=PAGE, help="write the tables into this page (default: that of the documentation)")
    options = parser.parse_args()
    source = options.source
    datasets = of_clone(source) if source.is_dir() else [Dataset(source.stem, recorded(source), options.tools)]
    text = tables(options.program, datasets)
    print(text, end="")
    if options.page:
        page = options.page.read_text(encoding="utf-8")
        (before, begin, rest), (_, end, after) = page.partition(BEGIN), page.partition(END)
        if not begin or END not in rest:
            sys.exit(f"{options.page} has no {BEGIN.strip()} and {END.strip()}")
        options.page.write_text(before + begin + text + end + after, encoding="utf-8")


if __name__ == "__main__":
    main()

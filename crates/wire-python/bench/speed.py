"""Speed beside other packages, in one run: tables in Markdown, and an error where a bar is missed.

`cargo xtask python --bench` builds the package as for a release, installs `requirements-bench.txt`, and runs this. The times are the
best of several; MB are of minified JSON.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import wire_formats
from wire_formats import gcf, gcx

SEED = 1
RECORDS = 7_600  # two megabytes of minified JSON
FRAME_ROWS = 50_000
BEGIN, END = "<!-- measured -->\n", "<!-- end -->\n"


def record(rng: random.Random, number: int) -> dict[str, Any]:
    return {
        "id": number,
        "name": f"user{number}",
        "email": f"u{number}@example.com",
        "active": rng.random() < 0.5,
        "score": rng.random() * 100,
        "tags": [rng.choice(["a", "bb", "ccc"]) for _ in range(rng.randint(0, 4))],
        "address": {"city": rng.choice(["Paris", "Rome", "Oslo"]), "zip": str(rng.randint(10_000, 99_999))},
        "orders": [
            {"sku": f"S{rng.randint(1, 999)}", "qty": rng.randint(1, 9), "price": round(rng.random() * 99, 2)}
            for _ in range(rng.randint(1, 4))
        ],
    }


def best(call: Callable[[], Any], seconds: float) -> float:
    """The shortest time of a call, of as many as there is time for."""
    shortest = float("inf")
    end = time.perf_counter() + seconds
    while True:
        start = time.perf_counter()
        call()
        now = time.perf_counter()
        shortest = min(shortest, now - start)
        if now > end:
            return shortest


ROUNDS = 6


def all_of(calls: dict[Any, Callable[[], Any]]) -> dict[Any, float]:
    """The shortest time of each call. All take their turns, so that what else the machine does meets all of them."""
    times = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            times[name] = min(times[name], best(call, 0.4))
    return times


def module(name: str) -> Any:
    """A package that is compared with, or nothing where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"skipped: {name} is not installed", file=sys.stderr)
        return None


def version(name: str) -> str:
    """A package and its version, as in the table."""
    return f"{name} {metadata.version(name)}"


# What has to be reached: of which column, how many times as fast as which package.
BARS = [
    ("encode", "toons", 1.5),
    ("encode", "gcf-python", 25.0),
    ("decode", "toons", 1.2),
    ("decode", "gcf-python", 10.0),
]
GOAL = 0.9  # of the decoding of orjson: reported, and no bar
JSON_BAR = 25.0  # times as fast as orjson and gcf-python together
FRAME_BAR = 0.5  # of the time of `to_dict` alone


class Measured:
    """The tables, and the bars that were missed."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.missed: list[str] = []

    def line(self, text: str) -> None:
        self.lines.append(text)
        print(text, flush=True)

    def bar(self, what: str, found: float, bar: float, reached: bool) -> None:
        said = f"{what}: {found:.2f}, expected {bar}"
        print(("reached: " if reached else "MISSED: ") + said, file=sys.stderr, flush=True)
        if not reached:
            self.missed.append(said)


def packages(measured: Measured, value: Any, size: float) -> None:
    """Encoding and decoding, for each package."""
    peers = {"orjson": module("orjson"), "gcf-python": module("gcf"), "toons": module("toons"), "toon-format": module("toon_format")}
    ways: dict[str, tuple[str, Callable[[Any], Any], Callable[[Any], Any]]] = {
        "GCF": ("**wire-formats, GCF**", gcf.dumps, gcf.loads),
        "GCX1": ("**wire-formats, GCX1**", gcx.dumps, gcx.loads),
        "json": ("json", json.dumps, json.loads),
    }
    calls = {
        "orjson": ("dumps", "loads"), "gcf-python": ("encode_generic", "decode_generic"),
        "toons": ("dumps", "loads"), "toon-format": ("encode", "decode"),
    }  # fmt: skip
    for name, peer in peers.items():
        if peer:
            dumps, loads = calls[name]
            ways[name] = (version(name), getattr(peer, dumps), getattr(peer, loads))
    calls_of = {}
    for name, (_, encode, decode) in ways.items():
        calls_of[name, "encode"] = functools.partial(encode, value)
        calls_of[name, "decode"] = functools.partial(decode, encode(value))
    times = all_of(calls_of)
    speeds = {name: {column: size / times[name, column] for column in ("encode", "decode")} for name in ways}
    measured.line("| package | encode, MB/s | decode, MB/s |\n|---|---:|---:|")
    for name, (shown, _, _) in ways.items():
        measured.line(f"| {shown} | {speeds[name]['encode']:.1f} | {speeds[name]['decode']:.1f} |")
    for column, peer_name, bar in BARS:
        if peer_name in speeds:
            found = speeds["GCF"][column] / speeds[peer_name][column]
            measured.bar(f"{column}, times as fast as {peer_name}", found, bar, found >= bar)
    if "orjson" in speeds:
        part = speeds["GCF"]["decode"] / speeds["orjson"]["decode"]
        measured.line(f"\nDecoding GCF has {part:.2f} of the speed of `orjson.loads`; the goal is {GOAL}.")


def json_text(measured: Measured, value: Any, text: str, size: float) -> None:
    orjson, peer = module("orjson"), module("gcf")
    written = gcf.dumps(value)
    calls: dict[str, Callable[[], Any]] = {"**`gcf.from_json`**": lambda: gcf.from_json(text), "**`gcf.to_json`**": lambda: gcf.to_json(written)}
    both = "`orjson.loads` and gcf-python"
    if orjson and peer:
        calls[both] = lambda: peer.encode_generic(orjson.loads(text))
    times = all_of(calls)
    measured.line("\n| JSON text | MB/s |\n|---|---:|")
    for name, seconds in times.items():
        measured.line(f"| {name} | {size / seconds:.1f} |")
    if both in times:
        found = times[both] / times["**`gcf.from_json`**"]
        measured.bar("from_json, times as fast as orjson and gcf-python", found, JSON_BAR, found >= JSON_BAR)


def frames(measured: Measured, rng: random.Random) -> None:
    pandas = module("pandas")
    if not pandas or not module("pyarrow"):
        return
    columns = {f"c{index}": [rng.random() if index % 2 else rng.randint(0, 9) for _ in range(FRAME_ROWS)] for index in range(8)}
    frame = pandas.DataFrame(columns)
    times = all_of({"ours": lambda: gcf.dumps(frame), "theirs": lambda: frame.to_dict("records")})
    ours, theirs = times["ours"], times["theirs"]
    measured.line(f"\n| a pandas frame of {FRAME_ROWS:,} × 8 | ms |\n|---|---:|")
    measured.line(f"| **`gcf.dumps(frame)`** | {ours * 1e3:.0f} |")
    measured.line(f'| `frame.to_dict("records")` alone | {theirs * 1e3:.0f} |')
    measured.bar("a frame, part of the time of to_dict", ours / theirs, FRAME_BAR, ours / theirs <= FRAME_BAR)


def in_page(page: str, table: str) -> str:
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"error: the page has no {BEGIN.strip()} and {END.strip()}")
    return f"{before}{BEGIN}{table}{END}{after}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", type=Path, help="the page to write the tables into")
    options = parser.parse_args()
    rng = random.Random(SEED)
    value = {"users": [record(rng, number) for number in range(RECORDS)]}
    text = json.dumps(value, separators=(",", ":"))
    size = len(text) / 1e6
    measured = Measured()
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    measured.line(
        f"{size:.1f} MB of nested records, seed {SEED}; {platform.python_implementation()} {platform.python_version()}, "
        f"{platform.machine()}, {os.cpu_count()} cores{load}; wire-formats {wire_formats.__version__}:\n"
    )
    packages(measured, value, size)
    json_text(measured, value, text, size)
    frames(measured, rng)
    if options.page:
        table = "\n".join(measured.lines) + "\n"
        options.page.write_text(in_page(options.page.read_text(encoding="utf-8"), table), encoding="utf-8")
    if measured.missed:
        sys.exit("error: missed: " + "; ".join(measured.missed))


if __name__ == "__main__":
    main()

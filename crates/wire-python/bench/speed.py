"""Speed beside other packages, in one run: writes a table in Markdown.

    pip install orjson gcf-python toons toon-format pandas pyarrow
    python bench/speed.py

Build the package with `cargo xtask python --release` before. The times are the best of several; MB are of minified JSON.
"""

from __future__ import annotations

import importlib
import json
import platform
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import wire_formats
from wire_formats import gcf, gcx

SEED = 1
RECORDS = 7_600  # two megabytes of minified JSON
FRAME_ROWS = 50_000


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


def best(call: Callable[[], Any], seconds: float = 2.0) -> float:
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


def module(name: str) -> Any:
    """A package that is compared with, or nothing where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"skipped: {name} is not installed", file=sys.stderr)
        return None


def main() -> None:
    rng = random.Random(SEED)
    value = {"users": [record(rng, number) for number in range(RECORDS)]}
    text = json.dumps(value, separators=(",", ":"))
    size = len(text) / 1e6
    ways: list[tuple[str, Callable[[], Any] | None, Callable[[], Any] | None]] = []

    def way(name: str, dumps: Callable[[Any], Any], loads: Callable[[Any], Any]) -> None:
        written = dumps(value)
        ways.append((name, lambda: dumps(value), lambda: loads(written)))

    way("**wire-formats, GCF**", gcf.dumps, gcf.loads)
    way("**wire-formats, GCX1**", gcx.dumps, gcx.loads)
    way("json", json.dumps, json.loads)
    orjson = module("orjson")
    if orjson:
        way("orjson", orjson.dumps, orjson.loads)
    peer = module("gcf")
    if peer:
        way("gcf-python", lambda value: peer.encode_generic(value), peer.decode_generic)
    toons = module("toons")
    if toons:
        way("toons", toons.dumps, toons.loads)
    toon_format = module("toon_format")
    if toon_format:
        way("toon-format", toon_format.encode, toon_format.decode)
    print(f"{size:.1f} MB of nested records, seed {SEED}; {platform.python_implementation()} {platform.python_version()}, {platform.machine()}; wire-formats {wire_formats.__version__}\n")
    print("| package | encode, MB/s | decode, MB/s |\n|---|---:|---:|")
    for name, encode, decode in ways:
        print(f"| {name} | {size / best(encode):.1f} | {size / best(decode):.1f} |", flush=True)
    print("\n| JSON text to GCF | MB/s |\n|---|---:|")
    print(f"| **`gcf.from_json`** | {size / best(lambda: gcf.from_json(text)):.1f} |")
    if orjson and peer:
        both = best(lambda: peer.encode_generic(orjson.loads(text)))
        print(f"| `orjson.loads` and gcf-python | {size / both:.1f} |")
    print(f"| **`gcf.to_json`** | {size / best(lambda written=gcf.dumps(value): gcf.to_json(written)):.1f} |")
    pandas = module("pandas")
    if pandas and module("pyarrow"):
        columns = {f"c{index}": [rng.random() if index % 2 else rng.randint(0, 9) for _ in range(FRAME_ROWS)] for index in range(8)}
        frame = pandas.DataFrame(columns)
        print(f"\n| a pandas frame of {FRAME_ROWS:,} × 8 | ms |\n|---|---:|")
        print(f"| **`gcf.dumps(frame)`** | {best(lambda: gcf.dumps(frame)) * 1e3:.0f} |")
        print(f"| `frame.to_dict(\"records\")` alone | {best(lambda: frame.to_dict('records')) * 1e3:.0f} |")


if __name__ == "__main__":
    main()

"""`python -m wire_formats`: converts a file, as `wirefmt convert` does.

    python -m wire_formats data.json                      JSON to GCF; a payload to its graph profile
    python -m wire_formats --to gcx --tool list data.json
    python -m wire_formats answer.gcf                     back to JSON
    cat data.json | python -m wire_formats --to smallest
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import Error, Payload, __version__, count_tokens, gcb, gcf, gcx, goon, smallest
from .gcf import graph

TARGETS = ("json", "gcf", "gcx", "goon", "graph", "gcb", "smallest")


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m wire_formats",
        description="Converts JSON to a compact format, and back.",
        epilog="`graph` is GCF for payloads of graphs, `gcb` the same as bytes. The command `wirefmt` does more.",
    )
    parser.add_argument("file", nargs="?", default="-", help="the input; `-` or nothing for standard input")
    parser.add_argument("--from", dest="source", choices=TARGETS[:-1], help="the format of the input (default: found out)")
    parser.add_argument("--to", choices=TARGETS, help="the format to write (default: json, or gcf for JSON)")
    parser.add_argument("--profile", choices=("graph", "generic"), help="what JSON is in GCF: a payload of a graph, or any value (default: found out)")
    parser.add_argument("--tool", help="the tool whose layout GCX1 follows")
    parser.add_argument("--recover", action="store_true", help="find GCF in a model's answer, and say what was repaired")
    parser.add_argument("--count", action="store_true", help="print the number of tokens on standard error")
    parser.add_argument("--counter", default="estimate", help="estimate, o200k, cl100k or word-punctuation (default: estimate)")
    parser.add_argument("-o", "--output", default="-", help="where to write; `-` for standard output")
    parser.add_argument("--version", action="version", version=f"wire-formats {__version__}")
    return parser.parse_args(arguments)


def _detect(data: bytes) -> str:
    """The format of the input, by its first bytes."""
    start = data.lstrip()[:64]
    if start.startswith(b"GCX1 "):
        return "gcx"
    if start.startswith(b"GCF profile=generic"):
        return "gcf"
    if start.startswith(b"GCF "):
        return "graph"
    if start.startswith(b"GCB"):
        return "gcb"
    if start[:1] in b'{["-0123456789tfn':
        return "json"
    return "goon"


# The members of a payload, of its symbols and of its edges; the first two tell it from other JSON.
PAYLOAD = ("tool", "symbols", "tokens_used", "token_budget", "pack_root", "edges")
SYMBOL = ("qualified_name", "kind", "score", "signature", "provenance", "distance", "components")
EDGE = ("source", "target", "edge_type", "status")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"an object has the key {twice!r} twice, expected once")
    return made


def _json(data: bytes) -> Any:
    """A value of JSON, in which no key comes twice."""
    return json.loads(data, object_pairs_hook=_once)


def _are(values: Any, names: tuple[str, ...]) -> bool:
    """Whether these are objects with members of these names only."""
    return isinstance(values, list) and all(isinstance(value, dict) and value.keys() <= {*names} for value in values)


def _is_payload(options: argparse.Namespace, data: bytes) -> bool:
    """Whether JSON is written in the graph profile of GCF."""
    if options.profile:
        return bool(options.profile == "graph")
    try:
        value = _json(data)
    except ValueError:  # the conversion says what is wrong
        return False
    if not isinstance(value, dict) or not {*PAYLOAD[:2]} <= value.keys() <= {*PAYLOAD}:
        return False
    if not _are(value["symbols"], SYMBOL) or not _are(value.get("edges", []), EDGE):
        return False
    note = (
        "note: it has the members `tool` and `symbols` and is read as a payload: scores are rounded to two decimals, signatures and"
        " score components are dropped, and symbols are sorted by distance; use --profile generic to keep all of it"
    )
    print(note, file=sys.stderr)
    return True


def _convert(options: argparse.Namespace, data: bytes) -> str | bytes:
    source = options.source or ("gcf" if options.recover else _detect(data))
    to = options.to or ("gcf" if source == "json" else "json")
    if options.recover:
        found = gcf.recover(data)
        for repair in found.repairs:
            reason = f" ({repair.reason})" if repair.reason else ""
            print(f"line {repair.line}: {repair.code}{reason}", file=sys.stderr)
        data, source = gcf.dumps(found.value).encode(), "gcf"
    if (source, to) == ("json", "gcf") and _is_payload(options, data):
        to = "graph"
    # The ways without objects in between.
    if (source, to) == ("json", "gcf"):
        return gcf.from_json(data)
    if (source, to) == ("json", "gcx"):
        return gcx.from_json(data, options.tool)
    if (source, to) == ("json", "goon"):
        return goon.from_json(data)
    if to == "json" and source in ("gcf", "gcx", "goon"):
        back = {"gcf": gcf.to_json, "gcx": gcx.to_json, "goon": goon.to_json}[source]
        return back(data) + "\n"
    if source in ("graph", "gcb"):
        payload = graph.loads(data) if source == "graph" else gcb.loads(data)
        value = payload.to_dict()
    else:
        loads: dict[str, Callable[..., Any]] = {"json": _json, "gcf": gcf.loads, "gcx": gcx.loads, "goon": goon.loads}
        value = loads[source](data)
        if to in ("graph", "gcb"):
            payload = Payload.from_dict(value)
    if to == "graph":
        return graph.dumps(payload)
    if to == "gcb":
        return gcb.dumps(payload)
    if to == "smallest":
        found_smallest = smallest(value, counter=options.counter)
        print(found_smallest.reason, file=sys.stderr)
        return found_smallest.text
    if to == "json":
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
    if to == "gcx":
        return gcx.dumps(value, options.tool)
    return goon.dumps(value) if to == "goon" else gcf.dumps(value)


def _print(output: bytes) -> None:
    try:
        sys.stdout.buffer.write(output)
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes it again at the end


def main(arguments: list[str] | None = None) -> int:
    options = _arguments(arguments)
    try:
        data = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
        written = _convert(options, data)
        if options.count:
            said = f"{count_tokens(written, options.counter)} tokens by {options.counter}"
            print(said, file=sys.stderr)
        output = written.encode() if isinstance(written, str) else written
        if options.output == "-":
            _print(output)
        else:
            Path(options.output).write_bytes(output)
    except (Error, OSError, ImportError, ValueError, TypeError) as error:
        code = f"[{error.code}]" if isinstance(error, Error) and error.code else ""
        name = "standard input" if options.file == "-" else options.file
        print(f"error{code}: {name}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

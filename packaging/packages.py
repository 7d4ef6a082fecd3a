"""The packages of a program for pip and npm, from its archive: each is made, installed from local files alone, and run.

    python3 packaging/packages.py FOLDER TRIPLE CRATE PROGRAM [ARGUMENT...]

FOLDER has the unpacked archive of PROGRAM for TRIPLE, and gets the packages beside it. ARGUMENTs are those of the first command, which has to
print the same through each installed name as by the program itself.
"""

import base64
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
NPM = "npm.cmd" if os.name == "nt" else "npm"
LARGEST = 8_000_000
# How pip and npm name a platform. Programs of Linux have no C library in a release, so that they run with any; what is built with glibc
# is for this machine alone, and the index of Python refuses it.
PLATFORMS = {
    "x86_64-unknown-linux-musl": ("manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", "linux", "x64"),
    "aarch64-unknown-linux-musl": ("manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64", "linux", "arm64"),
    "x86_64-unknown-linux-gnu": ("linux_x86_64", "linux", "x64"),
    "aarch64-unknown-linux-gnu": ("linux_aarch64", "linux", "arm64"),
    "x86_64-apple-darwin": ("macosx_10_12_x86_64", "darwin", "x64"),
    "aarch64-apple-darwin": ("macosx_11_0_arm64", "darwin", "arm64"),
    "x86_64-pc-windows-msvc": ("win_amd64", "win32", "x64"),
}
RELEASED = [triple for triple in PLATFORMS if not triple.endswith("-gnu")]


def main(folder: Path, triple: str, crate: str, program: str, first: list[str]) -> None:
    manifest = tomllib.loads((ROOT / ("eval" if crate == "wire-eval" else "crates") / crate / "Cargo.toml").read_text())["package"]
    suffix = ".exe" if "windows" in triple else ""
    unpacked = folder / f"{program}-{manifest['version']}-{triple}"
    binary = unpacked / f"{program}{suffix}"
    expected = run([binary, *first])

    built = wheel(folder, unpacked, binary, triple, program, manifest)
    tarballs = npm_packages(folder, unpacked, binary, triple, program, manifest)
    for package in [built, tarballs[-1]]:
        size = package.stat().st_size
        print(f"{package.name}: {size:,} bytes")
        if size > LARGEST:
            sys.exit(f"error: {package.name} has {size:,} bytes, expected at most {LARGEST:,}")

    started = time.monotonic()
    installed = with_pip(folder / "empty-python", built, program + suffix)
    report("pip install", run([installed, *first]), expected, started)
    started = time.monotonic()
    installed = with_npm(folder / "empty-node", tarballs, program)
    report("npm install", run([installed, *first]), expected, started)
    if os.name == "posix" and program == "wire-proxy":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            ends_with_its_launcher(installed, number)
        print("SIGTERM, SIGINT and SIGHUP to the installed name end the program and its server")


def wheel(folder: Path, unpacked: Path, binary: Path, triple: str, program: str, manifest: dict) -> Path:
    """A wheel whose only content is the program, as a script of the environment."""
    tag = f"py3-none-{PLATFORMS[triple][0]}"
    stem = f"{program.replace('-', '_')}-{manifest['version']}"
    metadata = [
        "Metadata-Version: 2.4",
        f"Name: {program}",
        f"Version: {manifest['version']}",
        f"Summary: {manifest['description']}",
        "License-Expression: MIT OR Apache-2.0",
        "License-File: LICENSE-MIT",
        "License-File: LICENSE-APACHE",
        "Project-URL: Repository, https://github.com/wire-formats/wire",
        "Description-Content-Type: text/markdown",
        "",
        (unpacked / "README.md").read_text(),
    ]
    files = {
        f"{stem}.data/scripts/{binary.name}": binary.read_bytes(),
        f"{stem}.dist-info/METADATA": "\n".join(metadata).encode(),
        f"{stem}.dist-info/WHEEL": f"Wheel-Version: 1.0\nGenerator: wire\nRoot-Is-Purelib: false\n{tags(tag)}".encode(),
        f"{stem}.dist-info/licenses/LICENSE-MIT": (unpacked / "LICENSE-MIT").read_bytes(),
        f"{stem}.dist-info/licenses/LICENSE-APACHE": (unpacked / "LICENSE-APACHE").read_bytes(),
    }
    record = f"{stem}.dist-info/RECORD"
    lines = [f"{name},sha256={digest(content)},{len(content)}" for name, content in files.items()]
    files[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    path = folder / f"{stem}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            archive.writestr(entry, content)
    return path


def tags(tag: str) -> str:
    python, abi, platforms = tag.split("-")
    return "".join(f"Tag: {python}-{abi}-{platform}\n" for platform in platforms.split("."))


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


def npm_packages(folder: Path, unpacked: Path, binary: Path, triple: str, program: str, manifest: dict) -> list[Path]:
    """The package with the launcher, and the one with this platform's program. npm installs the one of all platforms that fits."""
    about = {
        "version": manifest["version"],
        "description": manifest["description"],
        "license": "MIT OR Apache-2.0",
        "repository": {"type": "git", "url": "git+https://github.com/wire-formats/wire.git"},
    }

    def with_program(triple: str) -> str:
        _, system, cpu = PLATFORMS[triple]
        return f"@wire-formats/{program}-{system}-{cpu}"

    _, system, cpu = PLATFORMS[triple]
    launcher = about | {
        "name": program,
        "bin": {program: "launcher.js"},
        "engines": {"node": ">=20"},
        "optionalDependencies": {with_program(each): manifest["version"] for each in RELEASED},
    }
    platform = about | {"name": with_program(triple), "os": [system], "cpu": [cpu], "preferUnplugged": True}
    return [
        npm_package(folder, unpacked, launcher, ROOT / "packaging" / "launcher.js"),
        npm_package(folder, unpacked, platform, binary),
    ]


def npm_package(folder: Path, unpacked: Path, package: dict, content: Path) -> Path:
    packed, staged = folder / "npm", emptied(folder / "npm-package")
    packed.mkdir(exist_ok=True)
    (staged / "package.json").write_text(json.dumps(package, indent=2) + "\n")
    for file in [content, *(unpacked / name for name in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"])]:
        shutil.copy(file, staged)
    return packed / run([NPM, "pack", "--silent", "--pack-destination", packed], staged).strip()


def with_pip(empty: Path, package: Path, program: str) -> Path:
    """Installs a wheel into an environment that has nothing else."""
    venv.create(emptied(empty), with_pip=True)
    scripts = empty / ("Scripts" if os.name == "nt" else "bin")
    run([scripts / "python", "-m", "pip", "install", "--quiet", "--no-index", "--find-links", package.parent, package.name.split("-")[0]])
    return scripts / program


def with_npm(empty: Path, packages: list[Path], program: str) -> Path:
    """Installs packages into a folder that has nothing else."""
    run([NPM, "install", "--silent", "--offline", "--prefix", emptied(empty), *packages])
    return empty / "node_modules" / ".bin" / (f"{program}.cmd" if os.name == "nt" else program)


def ends_with_its_launcher(installed: Path, number: int) -> None:
    """A frame passes through the launcher, and who ends it ends the program, and the server that it has started."""
    server = "import os, sys; print(os.getpid(), file=open('server', 'w'), flush=True); print(input(), flush=True); sys.stdin.read()"
    folder = emptied(installed.parent.parent.parent / "signals")
    proxy = subprocess.Popen([installed, "--", sys.executable, "-c", server], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    started = folder / "server"
    wait_for("the server starts", lambda: started.exists() and started.read_text().endswith("\n"))
    # By now the launcher has done all it does, to the standard input too.
    frame = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    proxy.stdin.write(frame)
    proxy.stdin.flush()
    if (came := proxy.stdout.readline()) != frame:
        sys.exit(f"error: the server sends {frame!r}, and the installed name {came!r}")
    proxy.send_signal(number)
    if (ended := proxy.wait(10)) not in (-number, 128 + number):
        sys.exit(f"error: after signal {number} the installed name ends with {ended}")
    wait_for("the server ends", lambda: not is_running(int(started.read_text())))


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for(what: str, holds) -> None:
    for _ in range(100):
        if holds():
            return
        time.sleep(0.1)
    sys.exit(f"error: expected in 10 s that {what}")


def report(how: str, printed: str, expected: str, started: float) -> None:
    if printed != expected:
        sys.exit(f"error: after `{how}` the first command prints {printed!r}, expected {expected!r}")
    print(f"{how}: installed and run in {time.monotonic() - started:.1f} s")


def emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def run(command: list, folder: Path | None = None) -> str:
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"error: `{' '.join(map(str, command))}` failed")
    return done.stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), *sys.argv[2:5], sys.argv[5:])

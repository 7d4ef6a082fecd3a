"""Java for Spark, without root: `python java.py FOLDER` prints a JAVA_HOME.

Where Java 17 or later is there, it is that one. Else Debian's package is unpacked into FOLDER; nothing is installed in the system.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = 17
PACKAGES = ("openjdk-21-jre-headless", "openjdk-17-jre-headless")
MISSING = "install a JDK 17 or later and set JAVA_HOME (on Debian `apt-get install openjdk-17-jre-headless`)"


def version(java: Path) -> int:
    """The version of a program `java`, or 0."""
    try:
        said = subprocess.run([str(java), "-version"], capture_output=True, text=True, timeout=60)
    except OSError:
        return 0
    found = re.search(r'version "(\d+)', said.stderr)
    return int(found[1]) if found and said.returncode == 0 else 0


def installed() -> Path | None:
    """The home of a Java that is there."""
    given = os.environ.get("JAVA_HOME")
    program = shutil.which("java")
    homes = [Path(given)] if given else []
    if program:
        homes.append(Path(program).resolve().parent.parent)
    return next((home for home in homes if version(home / "bin" / "java") >= OLDEST), None)


def unpacked(folder: Path) -> Path | None:
    """The home of the Java that was unpacked into the folder."""
    homes = sorted((folder / "java" / "usr" / "lib" / "jvm").glob("java-*/bin/java"))
    return next((home.parent.parent for home in homes if version(home) >= OLDEST), None)


def unpack(folder: Path) -> Path:
    """Unpacks Debian's package. The lists of apt are kept in the folder, since those of the system may be empty."""
    for program in ("apt-get", "dpkg"):
        if shutil.which(program) is None:
            sys.exit(f"error: Spark needs Java, and `{program}` is not here to unpack one: {MISSING}")
    folder.mkdir(parents=True, exist_ok=True)
    apt = ["apt-get", "-qq"]
    for option, name in (("Dir::State", "state"), ("Dir::Cache", "cache")):
        (folder / name / ("lists" if name == "state" else "archives") / "partial").mkdir(parents=True, exist_ok=True)
        apt += ["-o", f"{option}={folder.resolve() / name}"]
    apt += ["-o", "Dir::State::status=/var/lib/dpkg/status", "-o", "APT::Sandbox::User="]
    subprocess.run([*apt, "update"], check=False, timeout=300, stdout=sys.stderr)
    for package in PACKAGES:
        if subprocess.run([*apt, "download", package], cwd=folder, timeout=300, stdout=sys.stderr).returncode == 0:
            break
    else:
        sys.exit(f"error: Spark needs Java, and apt has none of {', '.join(PACKAGES)}: {MISSING}")
    archive = max(folder.glob(f"{package}_*.deb"))
    home = folder / "java"
    shutil.rmtree(home, ignore_errors=True)
    subprocess.run(["dpkg", "-x", str(archive), str(home)], check=True)
    # Its settings are links to /etc, where they are not.
    for link in home.rglob("*"):
        target = os.readlink(link) if link.is_symlink() else ""
        if target.startswith("/") and (home / target[1:]).exists():
            link.unlink()
            link.symlink_to((home / target[1:]).resolve())
    found = unpacked(folder)
    if found is None:
        sys.exit(f"error: the Java of {package} does not run here: {MISSING}")
    return found


def home(folder: Path) -> Path:
    """A JAVA_HOME; what is missing is unpacked into the folder."""
    return installed() or unpacked(folder) or unpack(folder)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python java.py FOLDER")
    print(home(Path(sys.argv[1])).resolve())

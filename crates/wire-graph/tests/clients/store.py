"""Replicas of wire-graph behind a store that is slow, gone, full and changed, and callers who see none of it but in tokens.

Arguments: the folder of builds, and a server or two, as redis-server. Two and four replicas run in front of the first, two in front of
the second. What asks is `examples/load.rs`. Every program listens on the loopback, and ends with this one.
"""

import atexit
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TARGET, SERVERS = Path(sys.argv[1]), sys.argv[2:]
ROOT = Path(__file__).resolve().parents[4]
FOLDER = Path(tempfile.mkdtemp(prefix="wire-store-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
# The tree that is edited.
TREE = FOLDER / "tree"
GRAPH, LOAD = TARGET / "release/wire-graph", TARGET / "release/examples/load"
# The same as wire-graph, but for the layout of its keys.
SECOND = TARGET / "store/wire-graph-2"
LAYOUT = "crates/wire-store/src/store.rs"
# What wire-graph is built of: a second version too, and callers ask about it.
CRATES = ["gcb", "gcf", "gcx", "goon", "wire-core", "wire-graph", "wire-registry", "wire-store", "wire-tokens"]
# Seconds that callers ask in a state, and of the longest wait for something that should happen at once.
STATE, PATIENCE = 2, 60


def put(path, data):
    """Writes a file, unless it is so already: cargo goes by times."""
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def build(manifest, *what):
    options = ["--release", "--locked", "--quiet", "--target-dir", TARGET, "--manifest-path", manifest / "crates/wire-graph/Cargo.toml"]
    subprocess.run(["cargo", "build", *options, "--bin", "wire-graph", *what], check=True)


def build_all():
    command = ["git", "ls-files", "Cargo.toml", *[f"crates/{name}" for name in CRATES]]
    for file in subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines():
        data = (ROOT / file).read_bytes()
        if file.endswith(".rs"):
            put(TREE / file.removeprefix("crates/"), data)
        changed = data.replace(b'"wire:1:"', b'"wire:2:"') if file == LAYOUT else data
        assert file != LAYOUT or changed != data, f"{LAYOUT} has no layout `wire:1:`"
        put(TARGET / "store/second" / file, changed)
    build(TARGET / "store/second")
    shutil.copy(GRAPH, SECOND)
    build(ROOT, "--example", "load")


def until(what, is_so):
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, f"{what} in {PATIENCE} s"
        time.sleep(0.02)


def some(what, count):
    """Fails where something did not happen, so that the state was not the one that is meant."""
    assert count > 0, f"{what}: none, expected some"


class Program:
    """A program on a port of its own, whenever it is started."""

    def __init__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.log = FOLDER / f"{self.port}.log"
        self.start()
        atexit.register(self.kill)

    def run(self, *command):
        with open(self.log, "w") as log:
            self.child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def kill(self):
        self.child.kill()
        self.child.wait()

    def talk(self, request):
        """Sends a request, and reads until the end."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as talk:
            talk.sendall(request.encode())
            return b"".join(iter(lambda: talk.recv(65536), b"")).decode()


class Replica(Program):
    def __init__(self, store):
        self.store = store
        super().__init__()

    def start(self, program=GRAPH):
        self.run(program, TREE, "--listen", f"127.0.0.1:{self.port}", "--single-tenant", "--store", self.store)

    def wait(self):
        """It has the tree when it says so."""
        until("a replica did not read the tree", lambda: " edges in " in self.log.read_text())


class Server(Program):
    """Redis or Valkey, with nothing on a disk."""

    def __init__(self, program):
        self.program = program
        super().__init__()

    def start(self):
        files = ["--save", "", "--appendonly", "no", "--dir", FOLDER, "--pidfile", FOLDER / "server.pid"]
        self.run(self.program, "--bind", "127.0.0.1", "--port", str(self.port), *files)
        until("the server did not start", self.is_there)

    def is_there(self):
        try:
            return self.talk("PING\r\nQUIT\r\n").startswith("+PONG")
        except OSError:
            return False

    def ask(self, command):
        answer = self.talk(f"{command}\r\nQUIT\r\n")
        assert not answer.startswith("-"), f"{command}: {answer}"
        return answer

    def script(self, script):
        """The number that a script returns."""
        return int(self.ask(f'EVAL "{script}" 0').splitlines()[0].removeprefix(":"))

    def count(self, keys):
        return self.script(f"return #redis.call('keys', '{keys}')")

    def tamper(self):
        """Changes each pack: an edge has another type, or the end is missing."""
        return self.script(
            "local keys = redis.call('keys', 'wire:*') "
            "for _, key in ipairs(keys) do "
            "local text, changed = string.gsub(redis.call('get', key), ' calls', ' references', 1) "
            "if changed == 0 then text = string.sub(text, 1, -6) end "
            "redis.call('set', key, text, 'keepttl') end "
            "return #keys"
        )

    def slow(self):
        """Lets it run for a moment now and then."""
        end = time.monotonic() + STATE
        while time.monotonic() < end:
            self.child.send_signal(signal.SIGSTOP)
            time.sleep(0.08)
            self.child.send_signal(signal.SIGCONT)
            time.sleep(0.01)


class Disk:
    """A folder that can be full: a small file system, if this user may mount one."""

    def __init__(self):
        self.path = FOLDER / "packs"
        self.path.mkdir(exist_ok=True)
        mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", self.path]
        self.is_mounted = bool(shutil.which("mount")) and subprocess.run(mount, stderr=subprocess.DEVNULL).returncode == 0
        if not self.is_mounted:
            print("no tmpfs can be mounted: a folder that is gone is instead of a disk that is full")
        atexit.register(self.end)

    def fill(self):
        if not self.is_mounted:
            shutil.rmtree(self.path)
            self.path.write_text("")
            return
        try:
            with open(self.path / "full", "wb", buffering=0) as file:
                while True:
                    file.write(bytes(512))
        except OSError:
            pass

    def end(self):
        if self.is_mounted:
            # At once, even if a replica has a file of it.
            self.is_mounted = subprocess.run(["umount", "--lazy", self.path]).returncode != 0
        elif self.path.is_file():
            self.path.unlink()


class Fleet:
    """Replicas, a reference without a store, and callers, of which each has an answer to each of ten questions."""

    def __init__(self, count, store, rows):
        self.rows = {}
        self.reference = Replica("memory:")
        self.replicas = [Replica(store) for _ in range(count)]
        for replica in [self.reference, *self.replicas]:
            replica.wait()
        addresses = [f"127.0.0.1:{replica.port}" for replica in [self.reference, *self.replicas]]
        self.load = subprocess.Popen([LOAD, TREE, *addresses], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        atexit.register(self.load.kill)
        self.rounds("first answers", 1, 10)
        self.rows = rows

    def end(self):
        self.load.kill()
        self.load.wait()
        for replica in [self.reference, *self.replicas]:
            replica.kill()

    def hear(self):
        assert select.select([self.load.stdout], [], [], 2 * PATIENCE)[0], "the callers say nothing"
        return self.load.stdout.readline()

    def steady(self, state, happens=lambda: None):
        """Edits the tree, and lets callers ask ten times a second each, while something happens."""
        self.load.stdin.write(b"run\n")
        self.hear()
        end = time.monotonic() + STATE
        happens()
        time.sleep(max(0, end - time.monotonic()))
        self.load.stdin.write(b"stop\n")
        return self.row(state)

    def rounds(self, state, rounds, asks):
        """Edits the tree some times; at each time every caller asks so often."""
        self.load.stdin.write(f"rounds {rounds} {asks}\n".encode())
        return self.row(state)

    def row(self, state):
        line = self.hear().decode()
        print(f"{state}: {line}", end="", flush=True)
        self.rows[state] = json.loads(line)
        return self.rows[state]["outcomes"]

    def restart(self):
        """Ends all replicas, and starts them: their memory is empty."""
        for replica in self.replicas:
            replica.kill()
            replica.start()
        for replica in self.replicas:
            replica.wait()

    def roll(self, count=None, program=GRAPH):
        """Ends one after the other as a deployment does, and waits for each until it is back."""
        for replica in self.replicas[:count]:
            replica.child.terminate()
            replica.child.wait(PATIENCE)
            replica.start(program)
            replica.wait()

    def upgrade(self):
        """The same for half of them, which then are of the second version."""
        self.roll(len(self.replicas) // 2, SECOND)

    def metric(self, name):
        """The sum of a number of the stores of all replicas."""
        pages = [replica.talk("GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n") for replica in self.replicas]
        return sum(int(re.search(rf"^wire_store_{re.escape(name)} (\d+)", page, re.MULTILINE)[1]) for page in pages)


def without_a_store(count, rows):
    fleet = Fleet(count, "memory:", rows)
    fleet.steady("no store: well")
    fleet.rounds("no store: seldom asked", 8, 1)
    fleet.restart()
    some("full answers after a restart without a store", fleet.steady("no store: all restarted")[2])
    fleet.steady("no store: rolling restart", fleet.roll)
    fleet.end()


def with_a_server(count, program, rows):
    server = Server(program)
    fleet = Fleet(count, f"redis://127.0.0.1:{server.port}", rows)
    fleet.steady("well")
    fleet.rounds("seldom asked", 8, 1)
    fleet.restart()
    some("deltas after a restart", fleet.steady("all restarted")[1])
    some("packs that the server had", fleet.metric('reads_total{result="engine"}'))
    fleet.steady("rolling restart", fleet.roll)
    fleet.steady("slow", server.slow)
    fleet.steady("frozen", lambda: server.child.send_signal(signal.SIGSTOP))
    some("failures while it was frozen", fleet.metric('writes_total{result="failed"}'))
    server.child.send_signal(signal.SIGCONT)
    fleet.steady("killed -9", server.kill)
    fleet.restart()
    fleet.steady("gone, all restarted")
    some("reads that failed or were spared", fleet.metric('reads_total{result="spared"}'))
    server.start()
    fleet.steady("back, empty")
    some("packs in a server that is back", server.count("wire:1:*"))
    fleet.steady("emptied", lambda: server.ask("FLUSHALL"))
    server.ask("CONFIG SET maxmemory 1")
    fleet.steady("full")
    some("writes that were refused", fleet.metric('writes_total{result="failed"}'))
    server.ask("CONFIG SET maxmemory 0")
    some("packs that were tampered with", server.tamper())
    fleet.restart()
    fleet.steady("tampered, all restarted")
    some("packs that were dropped", fleet.metric("dropped_total"))
    fleet.steady("a replica killed -9", fleet.replicas[0].kill)
    fleet.replicas[0].start()
    fleet.replicas[0].wait()
    fleet.steady("half upgraded", fleet.upgrade)
    some("packs of this version", server.count("wire:1:*"))
    some("packs of the other version", server.count("wire:2:*"))
    fleet.end()
    server.kill()


def with_a_folder(count, rows):
    disk = Disk()
    fleet = Fleet(count, f"folder:{disk.path}", rows)
    fleet.steady("folder: well")
    fleet.restart()
    some("deltas from a folder", fleet.steady("folder: all restarted")[1])
    fleet.steady("folder: disk full", disk.fill)
    some("files that could not be written", fleet.metric('writes_total{result="failed"}'))
    fleet.end()
    disk.end()


def states(count, program):
    """All states, with replicas of this number."""
    rows = {}
    without_a_store(count, rows)
    with_a_server(count, program, rows)
    with_a_folder(count, rows)
    return rows


def cells(row):
    """Shares of unchanged, deltas, full; tokens of full; milliseconds."""
    answers = max(row["requests"] - row["failed"], 1)
    shares = "/".join(f"{100 * count / answers:.0f}" for count in row["outcomes"])
    return f"{shares} | {100 * row['tokens'] / max(row['full_tokens'], 1):.1f} | {row['p50']:.0f}/{row['p99']:.0f} |"


def main():
    start = time.monotonic()
    build_all()
    print(f"built in {time.monotonic() - start:.0f} s")
    tables = {f"{count} replicas, {SERVERS[0]}": states(count, SERVERS[0]) for count in (2, 4)}
    for second in SERVERS[1:]:
        tables[f"2 replicas, {second}"] = states(2, second)
    print("\nThe load of this machine at the end:", *(f"{load:.1f}" for load in os.getloadavg()))
    print("\n| state | failed, wrong |" + " outcomes | tokens | ms |" * len(tables))
    print("|---|--:|" + "--:|--:|--:|" * len(tables))
    for state in next(iter(tables.values())):
        rows = [table[state] for table in tables.values()]
        failed, wrong = (sum(row[what] for row in rows) for what in ("failed", "wrong"))
        print(f"| {state} | {failed}, {wrong} |", *map(cells, rows))
    rows = [row for table in tables.values() for row in table.values()]
    print(f"\n{sum(row['requests'] for row in rows)} requests; {'; '.join(tables)}. Outcomes are % unchanged, deltas, full; tokens % of full; ms p50, p99.")
    failed = sum(row["failed"] + row["wrong"] for row in rows)
    sys.exit(f"{failed} answers failed or were wrong, expected none; the lines above say which" if failed else 0)


main()

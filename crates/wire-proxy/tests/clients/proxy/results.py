"""Random results through the proxy, read back by the package `gcf`; then time and memory.

Arguments: the proxy, a folder, how many results. With `serve` alone it is the server.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import time

CHARACTERS = "abc xyz|,:\"'\\\n\t~^-@#=<>{}[]é漢😀0159."


def text(source):
    return "".join(source.choice(CHARACTERS) for _ in range(source.randrange(12)))


def value(source, depth):
    kind = source.randrange(6 if depth == 0 else 10)
    if kind == 0:
        return source.choice([None, True, False])
    if kind == 1:
        return source.randrange(-(2**source.randrange(1, 63)), 2**source.randrange(1, 63))
    if kind == 2:
        return source.choice([0.1, 1e300, -2.5e-9, 3.0, source.random()])
    if kind <= 5:
        return source.choice([text(source), str(source.randrange(100)), "true", "", "-", "~"])
    if kind == 6:
        return [value(source, depth - 1) for _ in range(source.randrange(5))]
    if kind == 7:
        return {text(source): value(source, depth - 1) for _ in range(source.randrange(5))}
    return table(source, depth - 1)


def table(source, depth):
    keys = [source.choice(["id", "name", "a b", "size", text(source)]) for _ in range(source.randrange(1, 7))]
    always = source.randrange(2)
    return [
        {key: value(source, source.choice([0, 0, depth])) for key in keys if always or source.randrange(5)}
        for _ in range(source.randrange(1, 25))
    ]


def result(number):
    source = random.Random(number)
    made = table(source, 2) if source.randrange(2) else value(source, 3)
    if not isinstance(made, (dict, list)):
        made = {"value": made}
    layout = source.choice([{"indent": 2}, {"separators": (",", ":")}, {}])
    return made, json.dumps(made, ensure_ascii=source.random() < 0.5, **layout)


def rows(size):
    """Rows as the Python SDK writes them, in about so many bytes."""
    made = []
    while len(json.dumps(made, indent=2)) < size:
        n = len(made)
        made.append({"id": n, "name": f"entry {n}", "size": n * 37, "ok": True})
    return json.dumps(made, indent=2)


def serve():
    sized = {f"rows_{size}": rows(size) for size in (1000, 40000)}
    for line in sys.stdin:
        request = json.loads(line)
        name = request["params"]["name"]
        written = sized[name] if name in sized else result(int(name.removeprefix("random_")))[1]
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": {"content": [{"type": "text", "text": written}]}}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


class Session:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id = 0

    def call(self, name):
        self.id += 1
        request = {"jsonrpc": "2.0", "id": self.id, "method": "tools/call", "params": {"name": name}}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def memory(self):
        """KiB of its own, and with what is in memory of the program's file."""
        with open(f"/proc/{self.process.pid}/status") as status:
            fields = dict(line.split(":", 1) for line in status)
        return [int(fields[name].split()[0]) for name in ("RssAnon", "VmRSS")]

    def cpu(self):
        """Milliseconds of all threads."""
        total = 0
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{task}/schedstat") as file:
                total += int(file.read().split()[0])
        return total / 1e6

    def close(self):
        self.process.stdin.close()
        return self.process.wait(30)


def same(a, b):
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b and isinstance(a, str) == isinstance(b, str)


def main():
    import gcf

    proxy, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    server = [sys.executable, os.path.abspath(__file__), "serve"]
    session = Session([proxy, "--formats", "json,gcf", "--", *server])
    forms = {"gcf": 0, "json": 0, "as sent": 0}
    with open(os.path.join(folder, "results.jsonl"), "w") as file:
        for number in range(count):
            made, came = result(number)
            went = json.loads(session.call(f"random_{number}"))["result"]["content"][0]["text"]
            if went.startswith("GCF profile=generic\n"):
                form, back = "gcf", gcf.decode_generic(went)
            else:
                form, back = "as sent" if went == came else "json", json.loads(went)
            forms[form] += 1
            if not same(made, back):
                sys.exit(f"result {number}: {made!r} became {back!r} by {went!r}")
            file.write(json.dumps({"came": came, "went": went}) + "\n")
    if session.close() != 0:
        sys.exit("the proxy did not end as the server did")

    direct, through = Session(server), Session([proxy, "--", *server])
    direct.call("random_1")
    memory = {}
    medians = {}
    time.sleep(0.2)
    memory["before"] = through.memory()
    for number in range(100):
        through.call(f"random_{number}")
    memory["after"] = through.memory()
    for size in (1000, 40000):
        times = {"direct": [], "through": [], "added": []}
        for turn in range(140):
            for name, one in (("direct", direct), ("through", through)):
                start, used = time.perf_counter(), one.cpu()
                one.call(f"rows_{size}")
                if turn >= 40:
                    times[name].append((time.perf_counter() - start) * 1000)
                    if name == "through":
                        times["added"].append(one.cpu() - used)
        medians[str(size)] = {name: statistics.median(each) for name, each in times.items()}
    memory["end"] = through.memory()
    direct.close()
    through.close()
    print(json.dumps({"forms": forms, "memory": memory, "milliseconds": medians}))


if sys.argv[1:] == ["serve"]:
    serve()
else:
    main()

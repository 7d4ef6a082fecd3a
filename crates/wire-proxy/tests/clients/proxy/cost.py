"""The time and memory of the proxy over stdio, as a line of JSON. Arguments: the proxy, a folder."""

import json
import os
import statistics
import subprocess
import sys
import time

from common import memory

SIZES = (1000, 40000)


def rows(size):
    """Rows as the Python SDK writes them, in about so many bytes."""
    made = []
    while len(json.dumps(made, indent=2)) < size:
        n = len(made)
        made.append({"id": n, "name": f"entry {n}", "size": n * 37, "ok": True})
    return json.dumps(made, indent=2)


class Session:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id = 0

    def call(self, size):
        self.id += 1
        request = {"jsonrpc": "2.0", "id": self.id, "method": "tools/call", "params": {"name": str(size)}}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

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


def main(proxy, folder):
    warm_up = [SIZES[0] + 390 * number for number in range(100)]
    case = os.path.join(folder, "cost.json")
    with open(case, "w") as file:
        results = {str(size): {"content": [{"type": "text", "text": rows(size)}]} for size in [*warm_up, *SIZES]}
        json.dump({"tools": [], "results": results}, file)
    server = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases.py"), case]
    direct, through = Session(server), Session([proxy, "--", *server])
    direct.call(SIZES[0])
    time.sleep(0.2)
    used = {"before": memory(through.process)}
    for size in warm_up:
        through.call(size)
    used["after"] = memory(through.process)
    medians = {}
    for size in SIZES:
        times = {"direct": [], "through": [], "added": []}
        for turn in range(140):
            for name, one in (("direct", direct), ("through", through)):
                start, before = time.perf_counter(), one.cpu()
                one.call(size)
                if turn >= 40:
                    times[name].append((time.perf_counter() - start) * 1000)
                    if name == "through":
                        times["added"].append(one.cpu() - before)
        medians[size] = {name: statistics.median(each) for name, each in times.items()}
    if direct.close() or through.close():
        sys.exit("the proxy did not end as the server did")
    print(json.dumps({"memory": used, "milliseconds": medians}))


main(*sys.argv[1:])

"""What the programs here share. Lines of JSON are answers, which the program that starts these judges; it prints what else they print."""

import json
import os
import socket
import subprocess
import time


def dumped(result):
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


def plain(error):
    """The messages of an error, and of those in a group of them."""
    inner = getattr(error, "exceptions", None)
    return "; ".join(plain(one) for one in inner) if inner else f"{type(error).__name__}: {error}"


async def answered(call):
    """The result of a call, or its error."""
    try:
        return dumped(await call)
    except Exception as error:
        return {"raised": plain(error)}


def expect(seen, expected, what):
    if seen != expected:
        raise SystemExit(f"{what}: {seen!r}, expected {expected!r}")


def compare(server, policy, direct, through, group=lambda tool: ""):
    """What a client sees of a server without the proxy and with it: the tools, the names of the calls, and their answers, which are judged;
    and what has to be the same."""
    (tools, names, answers, *rest), (their_tools, their_names, their_answers, *their_rest) = direct, through
    expect([their_names, len(their_answers), *their_rest], [names, len(answers), *rest], f"{server}, {policy}")
    place = {"server": server, "policy": policy}
    print(json.dumps({"kind": "tools", **place, "direct": tools, "through": their_tools}), flush=True)
    for tool, one, other in zip(names, answers, their_answers, strict=True):
        print(json.dumps({"kind": "call", **place, "tool": tool, "group": group(tool), "direct": one, "through": other}), flush=True)


class Process:
    """A program that listens on a port."""

    def __init__(self, command, port, log, **environment):
        self.command, self.port = command, port
        self.environment = {**os.environ, **environment}
        self.log = open(log, "ab")
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, env=self.environment, stdout=self.log, stderr=self.log)
        end = time.monotonic() + 120
        while time.monotonic() < end and self.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError(f"{self.command} does not listen")

    def kill(self):
        self.process.kill()
        self.process.wait()


def memory(process):
    """KiB of its own, and with what is in memory of the program's file."""
    with open(f"/proc/{process.pid}/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    return [int(fields[name].split()[0]) for name in ("RssAnon", "VmRSS")]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]

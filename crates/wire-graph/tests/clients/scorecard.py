"""Prints what answers about the source of wire cost: python scorecard.py WIRE_GRAPH REPOSITORY COMMIT"""

import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from wire_formats import count_tokens
from wire_formats.gcf import graph

GRAPH, REPOSITORY, COMMIT = sys.argv[1:]
QUESTIONS = [
    "add a third outcome to the exchange when the store fails",
    "make the MemoryStore forget payloads after a time to live",
    "why does the proxy leave a tool result unchanged",
    "count tokens with the o200k vocabulary faster",
    "decode GOON rows whose cells are truncated",
    "write a new format into the registry",
    "how is a pack root computed from symbols and edges",
    "GCX1 header with fields containing a tab",
    "login of wire-proxy to a server behind a URL with OAuth",
    "python decorator tool_result for DataFrames",
]
# What an agent that works on the second question does to a file: nothing, or a text that replaces another.
EDITED = "crates/gcf/src/graph/exchange/store.rs"
METHOD = "    fn forget(&self, packs: &mut Packs) {\n        packs.by_key.clear();\n    }\n\n"
CALL = "        self.forget(&mut self.packs());\n"
AGE = "struct Age(u64);\n\nimpl Age {\n    fn is_over(&self, ttl: u64) -> bool { self.0 > ttl }\n}\n\n"
EDITS = [
    ("", ""),
    ("/// A payload of a store.", "/// A payload that a store has."),
    ("    /// A panic of another thread", METHOD + "    /// A panic of another thread"),
    ("        let bytes = ", CALL + "        let bytes = "),
    ("        Ok(self.packs()", CALL + "        Ok(self.packs()"),
    ("", ""),
    ("/// The approximate size", AGE + "/// The approximate size"),
    ("        packs.by_key.clear();", "        if Age(1).is_over(2) { packs.by_key.clear(); }"),
    ("size(", "bytes_of("),
    ("", ""),
]
FORMATS = ["gcf", "json", "xml", "markdown", "gcx", "goon"]


def git(*arguments):
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def tokens(text):
    return count_tokens(text, counter="o200k")


class Server:
    def __init__(self, tree):
        self.process = subprocess.Popen([GRAPH, tree], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "scorecard", "version": "1"}}
        self.call("initialize", about)
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        print(json.dumps({"jsonrpc": "2.0", **message}), file=self.process.stdin, flush=True)

    def call(self, method, params):
        self.send({"id": 1, "method": method, "params": params})
        return json.loads(self.process.stdout.readline())["result"]

    def ask(self, question, format="gcf", token_budget=2000, **more):
        arguments = {"task_description": question, "format": format, "token_budget": token_budget, **more}
        result = self.call("tools/call", {"name": "context_for_task", "arguments": arguments})
        assert not result.get("isError"), result
        return result["content"][0]["text"]


class Readers:
    """Readers of one question each, who ask again with what they have."""

    def __init__(self):
        self.held, self.outcomes = {}, {"unchanged": 0, "delta": 0, "full": 0}
        self.sent = self.full = self.json = self.unseen = 0

    def ask(self, server, question):
        # The server looks at its tree at most ten times a second.
        time.sleep(0.15)
        full = server.ask(question)
        if question not in self.held:
            self.held[question] = graph.Replica(full)
            return
        held = self.held[question]
        text = server.ask(question, pack_root=held.root)
        held.receive(text)
        head = text.split("\n", 1)[0]
        self.outcomes["delta" if "delta=true" in head else "unchanged" if "unchanged" in head else "full"] += 1
        self.sent += tokens(text)
        self.full += tokens(full)
        now, had = graph.loads(full).to_dict(), held.payload.to_dict()
        self.unseen += sum(symbol not in had["symbols"] for symbol in now["symbols"])
        # GCF drops signatures.
        names = {symbol["qualified_name"] for symbol in now["symbols"]}
        pack = json.loads(server.ask(question, "json", 1_000_000))
        pack["symbols"] = [symbol for symbol in pack["symbols"] if symbol["qualified_name"] in names]
        pack["edges"] = [edge for edge in pack["edges"] if {edge["source"], edge["target"]} <= names]
        self.json += tokens(json.dumps(pack, separators=(",", ":"), ensure_ascii=False))

    def row(self, name):
        parts = [*self.outcomes.values(), f"{100 * self.sent / self.full:.1f} %", f"{100 * self.sent / self.json:.1f} %"]
        print("|", " | ".join(map(str, [name, *parts, self.unseen])), "|")


def formats(server):
    whole, fitting = dict.fromkeys(FORMATS, 0), dict.fromkeys(FORMATS, 0)
    for question in QUESTIONS:
        for format in FORMATS:
            whole[format] += tokens(server.ask(question, format, 1_000_000))
            # Each symbol has one provenance.
            fitting[format] += len(re.findall("ast_(?:resolved|inferred)", server.ask(question, format)))
    print("|", " | ".join(["", *FORMATS]), "|")
    print("|---" + "|--:" * len(FORMATS) + "|")
    for name, cells in [
        ("tokens of all ten", whole.values()),
        ("of minified JSON", [f"{100 * n // whole['json']} %" for n in whole.values()]),
        ("symbols in 2,000 tokens", [n // len(QUESTIONS) for n in fitting.values()]),
    ]:
        print("|", " | ".join(map(str, [name, *cells])), "|")


with tempfile.TemporaryDirectory() as tree:
    git("clone", "--quiet", "--no-checkout", REPOSITORY, tree)
    revisions = git("-C", tree, "rev-list", "--first-parent", "--reverse", "-n", "11", COMMIT).split()
    git("-C", tree, "checkout", "--quiet", "--detach", COMMIT)
    server, commits, edits = Server(tree), Readers(), Readers()
    formats(server)
    for revision in revisions:
        git("-C", tree, "checkout", "--quiet", "--detach", revision)
        for question in QUESTIONS:
            commits.ask(server, question)
    file = Path(tree, EDITED)
    edits.ask(server, QUESTIONS[1])
    for before, after in EDITS:
        source = file.read_text()
        assert before in source, f"{EDITED} has no {before!r} at {COMMIT}"
        if before:
            file.write_text(source.replace(before, after))
        edits.ask(server, QUESTIONS[1])
    print("\n| asked again, 2,000 tokens | unchanged | delta | full | tokens of full | of JSON | unseen changes |")
    print("|---" + "|--:" * 6 + "|")
    commits.row("ten questions after each of ten commits")
    edits.row("one question after each of ten edits in its answer")
    server.process.stdin.close()
    server.process.wait(60)

"""The bill for the input of recorded conversations, as sent and as `wire-proxy serve` writes them, under rules of prompt caches.

Arguments: wire-proxy, a file of conversations `[{"traj": [row, …]}, …]` as tau-bench publishes them (historical_trajectories), and the
tokens of the definitions of tools, which each request has. A request has the rows before an answer of the model; a cache holds the rows
with which the request before it began, if they have 1,024 tokens. Prices are relative to a token of input without a cache.
"""

import contextlib
import json
import subprocess
import sys
import urllib.request

if len(sys.argv) != 4:
    sys.exit(__doc__)
PROXY, FILE, TOOLS = sys.argv[1], sys.argv[2], int(sys.argv[3])
RULES = {"write 1.25, read 0.1": (1.25, 0.1), "write 1, read 0.1": (1, 0.1), "no cache": (1, 1)}
LEAST = 1024


@contextlib.contextmanager
def engine(*options):
    """The URL of an engine with these options."""
    command = [PROXY, "serve", "127.0.0.1:0", *options]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        yield child.stderr.readline().split()[-1]
    finally:
        child.kill()
        child.wait()


def compressed(url, rows):
    body = json.dumps({"messages": rows}).encode()
    with urllib.request.urlopen(urllib.request.Request(url + "/v1/compress", body)) as answer:
        return json.load(answer)


def tokens(url, rows, known):
    """The tokens of each row; those of a text that is no result are asked for as if it were one."""
    for row in rows:
        text = (row.get("content") or "") + (json.dumps(row["tool_calls"]) if row.get("tool_calls") else "")
        if text not in known:
            known[text] = compressed(url, [{"role": "tool", "content": text}])["tokens_before"]
        yield text, known[text]


def bill(requests, write, read):
    """What the rows of these requests cost, one after the other."""
    cost, before = 0, []
    for rows in requests:
        same = next((at for at, pair in enumerate(zip(rows, before)) if pair[0] != pair[1]), min(len(rows), len(before)))
        total = TOOLS + sum(count for _, count in rows)
        held = TOOLS + sum(count for _, count in rows[:same]) if before else 0
        held = held if held >= LEAST else 0
        cost += held * read + (total - held) * (write if total >= LEAST else 1)
        before = rows
    return cost


def requests(rows, counted):
    """The rows of each request, as pairs of a text and its tokens."""
    for end in ends(rows):
        yield counted[:end]


def ends(rows):
    return [at for at, row in enumerate(rows) if row["role"] == "assistant"]


def main():
    with open(FILE) as file:
        conversations = [own["traj"] for own in json.load(file)]
    known, counted, results = {}, {}, {}
    ways = {"as sent": None, "minified": ["--policy", "minify"], "wire": [], "wire, --repeats delta": ["--repeats", "delta"]}
    with engine() as counts:
        for way, options in ways.items():
            with engine(*(options or [])) as url:
                went = [rows if options is None else compressed(url, rows)["messages"] for rows in conversations]
            counted[way] = [list(tokens(counts, rows, known)) for rows in went]
            pairs = [pair for rows, own in zip(went, counted[way]) for pair in zip(rows, own)]
            results[way] = sum(count for row, (_, count) in pairs if row["role"] == "tool")

    def newest_as_sent(number, held_back):
        """Each request with the newest results as they came, which are another text in the next one."""
        rows, sent, wire = conversations[number], counted["as sent"][number], counted["wire"][number]
        for end in ends(rows):
            new = held_back(rows, end)
            yield [sent[at] if at in new else wire[at] for at in range(end)]

    def last_exchange(rows, end):
        last = max((at for at in range(end) if rows[at]["role"] == "assistant"), default=end)
        return {at for at in range(last, end) if rows[at]["role"] == "tool"}

    def last_three(rows, end):
        return set([at for at in range(end) if rows[at]["role"] == "tool"][-3:])

    whole = range(len(conversations))
    bills = {way: [list(requests(conversations[at], counted[way][at])) for at in whole] for way in ways}
    bills["a gateway that holds the newest exchange back"] = [list(newest_as_sent(at, last_exchange)) for at in whole]
    bills["only results older than three"] = [list(newest_as_sent(at, last_three)) for at in whole]
    print(f"{len(conversations)} conversations")
    for way, count in results.items():
        print(f"results, {way}: {count:,} tokens, {count / results['as sent'] - 1:+.1%}")
    print(f"| bill | {' | '.join(RULES)} |\n|---|{'--:|' * len(RULES)}")
    for way, all_requests in bills.items():
        cells = []
        for write, read in RULES.values():
            own, sent = (sum(bill(one, write, read) for one in group) for group in (all_requests, bills["as sent"]))
            cells.append(f"{own / sent - 1:+.1%}")
        print(f"| {way} | {' | '.join(cells)} |")


main()

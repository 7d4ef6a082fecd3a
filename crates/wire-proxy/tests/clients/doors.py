"""One rule on every door: `wirefmt auto`, the proxy, the Python package and the JavaScript package take the same form of the same value, and
none makes it larger. The package gcf-python reads what is GCF, too. Arguments: a folder to work in, the folder of the programs, the installed
JavaScript package, how many values are made, and folders with JSON files of others, whose values are added."""

import json
import os
import pathlib
import random
import string
import subprocess
import sys

import gcf as gcf_python
from wire_formats import count_tokens, gcf, gcx, smallest

FOLDER, PROGRAMS, PACKAGE = map(os.path.abspath, sys.argv[1:4])
COUNT, FOLDERS = sys.argv[4], sys.argv[5:]
COUNTERS = {"o200k": "o200k_base", "runs": "runs"}
WORDS = "account active alpha amount api archive beta billing branch build cache city client closed code count created default deploy draft email error event failed feature file group health index invoice item job label limit main message name node open order owner page path pending plan price project queue ready region release repo retry role service size state status tag team time token total type update user value version zone".split()
numbers = random.Random(17)


def dumps(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def scalar():
    """A value as answers of APIs have them."""
    word = lambda: numbers.choice(WORDS)  # noqa: E731
    return numbers.choice(
        [
            lambda: numbers.randrange(10 ** numbers.randrange(1, 9)),
            lambda: round(numbers.random() * 10 ** numbers.randrange(4), 2),
            lambda: numbers.choice([True, False, None]),
            word,
            lambda: f"{word()} {word()} {word()}",
            lambda: f"{word()}-{numbers.randrange(100)}",
            lambda: f"20{numbers.randrange(10, 30)}-{numbers.randrange(1, 13):02}-{numbers.randrange(1, 29):02}T{numbers.randrange(24):02}:{numbers.randrange(60):02}:00Z",
            lambda: "".join(numbers.choices("0123456789abcdef", k=numbers.choice([8, 32, 40]))),
            lambda: f"https://{word()}.example/{word()}/{numbers.randrange(10**5)}",
            lambda: "".join(numbers.choices(string.ascii_letters, k=numbers.randrange(1, 12))),
            lambda: numbers.choice(["größer", "東京", "naïve café", "Привет", "🚀 done", 'say "hi"', "a | b", "C:\\temp", "", "-", "true", "12"]),
        ]
    )()


def thing(depth):
    """An object."""
    names = numbers.sample(WORDS, numbers.randrange(1, 9))
    return {name: value(depth - 1) if numbers.random() < 0.3 else scalar() for name in names}


def frame():
    """Rows of a table."""
    names = numbers.sample(WORDS, numbers.randrange(1, 12))
    return [{name: scalar() for name in names} for _ in range(numbers.randrange(1, numbers.choice([4, 12, 60, 200])))]


def value(depth=3):
    if depth <= 0:
        return [scalar() for _ in range(numbers.randrange(4))]
    kinds = [
        lambda: thing(depth),
        lambda: {"error": {"code": numbers.choice([400, 404, 429, 500]), "message": f"{scalar()} is not valid"}},
        frame,
        lambda: {"data": frame(), "next": None, "total": numbers.randrange(1000)},
        lambda: [thing(depth - 1) for _ in range(numbers.randrange(5))],
        lambda: [scalar() for _ in range(numbers.randrange(9))],
    ]
    return numbers.choice(kinds)()


def values():
    """The values, each in the one spelling that all doors read alike."""
    orders = [json.loads(row) for row in ORDERS.splitlines()]
    found = [orders, [], {}, {"ok": True}]
    while len(found) < int(COUNT):
        made = value()
        if len(dumps(made)) <= 100_000:
            found.append(made)
    paths = sorted(path for folder in FOLDERS for path in pathlib.Path(folder).rglob("*.json"))
    others = [json.loads(path.read_text(encoding="utf8")) for path in paths]
    # As Python and JavaScript write it, so that all doors get the same text.
    return found + [other for other in others if type(other) in (list, dict) and len(dumps(other)) <= 100_000]


# README's eight orders.
ORDERS = """\
{"order_id":58101,"customer":"Cleo Varga","due":"2026-04-10","total":254.73,"paid":true}
{"order_id":58102,"customer":"Dev Okafor","due":"2026-05-19","total":81.5,"paid":true}
{"order_id":58103,"customer":"Dev Okafor","due":"2026-04-08","total":125.03,"paid":true}
{"order_id":58104,"customer":"Dev Okafor","due":"2026-04-09","total":249.89,"paid":true}
{"order_id":58105,"customer":"Bo Lind","due":"2026-05-07","total":124.33,"paid":true}
{"order_id":58106,"customer":"Dev Okafor","due":"2026-03-12","total":298.97,"paid":true}
{"order_id":58107,"customer":"Bo Lind","due":"2026-06-23","total":51.6,"paid":false}
{"order_id":58108,"customer":"Dev Okafor","due":"2026-02-01","total":252.32,"paid":true}
"""

SCRIPT = """
import { readFileSync } from "node:fs";
import { smallest } from "wire-formats";
import { toolResult } from "wire-formats/mcp";
import { countTokens } from "wire-formats/o200k";
const texts = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const text of texts) {
  const found = {};
  for (const [name, options] of [["default", {}], ["o200k", { counter: countTokens }]]) {
    const tool = await toolResult(() => text, { name: "t", verbatim: false, ...options })({});
    found[name] = [smallest(JSON.parse(text), options).text, tool.content[0].text];
  }
  console.log(JSON.stringify(found));
}
"""


def program(name, *arguments, **options):
    return subprocess.run([os.path.join(PROGRAMS, name), *arguments], check=True, capture_output=True, text=True, **options).stdout


def by_auto(texts, counter):
    """What `wirefmt auto` writes of a folder."""
    out = os.path.join(FOLDER, f"out-{counter}")
    program("wirefmt", "auto", os.path.join(FOLDER, "values"), "-O", out, "--counter", counter, "-q")
    written = {name.split(".")[0]: name for name in os.listdir(out)}
    return [open(os.path.join(out, written[f"v{index:04}"]), encoding="utf8", newline="").read() for index in range(len(texts))]


def by_proxy(texts, counter):
    """What the proxy sends on."""
    cases = os.path.join(FOLDER, "cases.json")
    with open(cases, "w", encoding="utf8") as file:
        results = {f"t{index}": {"content": [{"type": "text", "text": text}]} for index, text in enumerate(texts)}
        json.dump({"tools": [], "results": results}, file)
    server = os.path.join(os.path.dirname(os.path.abspath(__file__)), "proxy", "cases.py")
    call = lambda index: {"jsonrpc": "2.0", "id": index, "method": "tools/call", "params": {"name": f"t{index}"}}  # noqa: E731
    calls = "".join(json.dumps(call(index)) + "\n" for index in range(len(texts)))
    # Of a result that is mostly one text no form is tried, as of none of these by the other doors.
    said = program("wire-proxy", "--counter", counter, "--", sys.executable, server, cases, input=calls)
    answers = {answer["id"]: answer["result"]["content"][0]["text"] for answer in map(json.loads, said.splitlines())}
    return [answers[index] for index in range(len(texts))]


def by_javascript(texts):
    script, file = os.path.join(PACKAGE, "doors.mjs"), os.path.join(FOLDER, "texts.json")
    with open(script, "w", encoding="utf8") as out:
        out.write(SCRIPT)
    with open(file, "w", encoding="utf8") as out:
        json.dump(texts, out)
    said = subprocess.run(["node", script, file], check=True, capture_output=True, text=True, cwd=PACKAGE).stdout
    return [json.loads(line) for line in said.splitlines()]


def same(text, other):
    backs = {"GCF": [gcf.loads, gcf_python.decode_generic], "GCX": [gcx.loads]}.get(text[:3], [json.loads])
    # 2.0 is 2.
    return all(back(text) == json.loads(other) for back in backs)


def main():
    texts = [dumps(value) for value in values()]
    os.makedirs(os.path.join(FOLDER, "values"))
    for index, text in enumerate(texts):
        with open(os.path.join(FOLDER, "values", f"v{index:04}.json"), "w", encoding="utf8", newline="") as file:
            file.write(text)
    javascript = by_javascript(texts)
    doors = {}
    for counter, name in COUNTERS.items():
        key = "default" if counter == "runs" else counter
        doors[counter] = {
            "wirefmt auto": by_auto(texts, name),
            "proxy": by_proxy(texts, name),
            "Python": [smallest(json.loads(text), counter=counter).text for text in texts],
            "JavaScript": [found[key][0] for found in javascript],
            "JavaScript's toolResult": [found[key][1] for found in javascript],
        }
    assert doors["runs"]["Python"] == [smallest(json.loads(text)).text for text in texts], "the default is another counter"
    tokens = lambda text: count_tokens(text, "o200k")  # noqa: E731
    json_tokens = [tokens(text) for text in texts]
    saved, wrong = {}, []
    for counter, taken in doors.items():
        for door, outs in taken.items():
            for index, (text, out) in enumerate(zip(texts, outs)):
                if out[:3] != doors[counter]["Python"][index][:3]:
                    wrong.append(f"{door} by {counter}: {out[:60]!r} of {text[:60]!r}")
                elif not same(out, text):
                    wrong.append(f"{door} by {counter}: {text[:60]!r} is another value")
            went = [tokens(out) for out in outs]
            larger = [(out, came) for out, came in zip(went, json_tokens) if out > came]
            most = 0 if counter == "o200k" else len(texts) // 500 + 1
            if len(larger) > most or any(out > 1.07 * came for out, came in larger):
                wrong.append(f"{door} by {counter}: {len(larger)} of {len(texts)} results are larger than minified JSON: {larger[:5]}")
            saved[counter, door] = 100 * (1 - sum(went) / sum(json_tokens))
            print(f"{door} by {counter}: {sum(went)} of {sum(json_tokens)} tokens (o200k), {saved[counter, door]:.2f} % fewer; {len(larger)} of {len(texts)} larger; the orders {went[0]} of {json_tokens[0]}")
    apart = [abs(saved["runs", door] - saved["o200k", door]) for door in doors["runs"]]
    if max(apart) > 0.5:
        wrong.append(f"by runs {max(apart):.2f} points are lost, expected 0.5 at most")
    orders = os.path.join(FOLDER, "values", "v0000.json")
    said = {name: program("wirefmt", "stats", orders, "--counter", name).splitlines()[0] for name in COUNTERS.values()}
    for name, expected in (("o200k_base", "254 → 184 tokens"), ("runs", "255 → 183 tokens")):
        if f"{expected} (−28 %) as gcf, by {name}" not in said[name]:
            wrong.append(f"stats says {said[name]}, expected {expected}")
    runs = [count_tokens(text) for text in (texts[0], doors["runs"]["Python"][0])]
    print(f"the orders by runs: {runs[1]} of {runs[0]}")
    sys.exit("\n".join(wrong[:20]) or 0)


main()

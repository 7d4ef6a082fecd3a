"""The page and the sentences that are made from the results of recount.py, without any log."""

import json
import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "docs/evaluations/large-models.json"
PAGE = "docs/evaluations/large-models.md"
WRITER = "`python3 recipes/evaluation/recount.py --page`"
HOST = "https://github.com/"
SOURCES = [  # repository, commits, licence
    ("blackwell-systems/gcf", ["3ce9160"], "MIT"),
    ("blackwell-systems/gcf-go", ["edd3851"], "MIT"),
    ("toon-format/toon", ["2bedaa7", "1d947bf", "acca69c"], "MIT"),
    ("siemato/retrieval-format-bench", ["e7d5093"], "ISC"),
]
GCF_STUDIES = ("gcf-graph", "gcf-orders", "gcf-delta", "gcf-trailer")
UNNAMED = "claude, unnamed"
SHOWN = [("gcf", "json-indented"), ("toon", "json-compact"), ("csv", "json-compact"), ("toon", "json-indented")]
NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def as_json(found: dict[str, list]) -> str:
    """Tables: the names of the columns, then a record a line."""
    tables = {name: [list(records[0])] + [list(one.values()) for one in records] for name, records in found.items() if records}
    lines = {name: ",\n".join(json.dumps(one, separators=(",", ":")) for one in table) for name, table in tables.items()}
    return "{\n" + ",\n".join(f'"{name}": [\n{text}\n]' for name, text in lines.items()) + "\n}\n"


def from_json(text: str) -> dict[str, list]:
    return {name: [dict(zip(table[0], one)) for one in table[1:]] for name, table in json.loads(text).items()}


def percent(counts: list[int]) -> int:
    return round(100 * counts[0] / counts[1])


def total(records: list[dict], column: str) -> list[int]:
    return [sum(one[column][index] for one in records) for index in (0, 1)]


def words(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def as_list(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:])


def chance(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.1g}" if p < 0.95 else "1"


def models(found: dict[str, list], least: int = 2) -> list[str]:
    """Those whose look-ups were compared with JSON: with a name, and more than one pair."""
    return sorted({one["model"] for one in found["look_ups"] if one["pairs"] >= least and one["model"] != UNNAMED})


def worse(found: dict[str, list]) -> list[str]:
    """Who reads a format worse than JSON in look-ups, by a sign test at 5 %: each model, and all of them together."""
    some = found["look_ups"] + [one | {"model": "all together"} for one in found["pairs"] if (one["a"], one["b"]) in SHOWN]
    is_worse = (one for one in some if one["lost"] > one["won"] and one["p"] < 0.05 and one.get("group", "look-up") == "look-up")
    return sorted({one["model"] for one in is_worse})


def finding(found: dict[str, list], link: str = "larger models") -> str:
    """What is said first, on each page."""
    names, count = worse(found), len(models(found))
    who = f"none of {count} {link} reads" if not names else f"{as_list(names)}, of {count} {link}, read"
    return f"{who} GCF, TOON or CSV worse than JSON beyond chance"


def pair_rows(found: dict[str, list]) -> str:
    asked = {"look-up": "look-ups", "stated": "stated counts", "counted": "counts of rows"}
    forms = {"gcf": "GCF", "toon": "TOON", "csv": "CSV", "json-indented": "indented JSON", "json-compact": "minified JSON"}
    shown = {"look-up": SHOWN, "stated": SHOWN[:2], "counted": SHOWN[:2]}  # CSV states no count
    lines = []
    for group, what in asked.items():
        for one in sorted(found["pairs"], key=lambda one: one["src"] != "gcf-graph"):
            if one["group"] == group and (one["a"], one["b"]) in shown[group]:
                a, b = one["right"]
                lines.append(
                    f"| {what}: {forms[one['a']]}, {forms[one['b']]} | {one['pairs']} | {a:.0f} | {b:.0f} | {one['won']} | {one['lost']} | "
                    f"{chance(one['p'])} | {one['lost_at_most']:.1f} |"
                )
    return "\n".join(lines)


def deltas(found: dict[str, list]) -> str:
    """Who reads values after many deltas, at the most that each was asked."""
    good, others = [], []
    for one in found["deltas"]:
        asked = [(name, counts) for name, counts in one.items() if re.match(r"\d+-\d+$", name) and counts[1]]
        if one["arm"] != "delta" or not asked:
            continue
        until, share = int(asked[-1][0].split("-")[1]), percent(asked[-1][1])
        name = one["model"].removesuffix(" (CLI)")
        if share >= 98 or until == 50:
            (good if share >= 98 else others).append((share, until, name))
    names = sorted({name for *_, name in good})
    few = sum(max(until for _, until, same in good if same == name) == 15 for name in names)
    largest = as_list([f"{name} {share}" for share, _, name in sorted(others) if name.endswith("70b")])
    return (
        f"{words(len(names))} models read {min(good)[0]} to 100 % right after the most deltas that they were asked about: "
        f"{as_list(names)} ({words(few)} of them only to 15). The {words(len(others))} others that were asked after 31 to 50 read "
        f"{min(others)[0]} to {max(others)[0]} %, {largest}."
    )


def anchors(found: dict[str, list]) -> str:
    arms: dict[str, dict[str, list]] = {}
    for one in found["anchored"]:
        arms.setdefault(one["model"], {})[one["arm"]] = one["41-50"]
    better = sum(percent(each["delta_re15"]) > percent(each["delta"]) for each in arms.values())
    means = [round(sum(percent(each[arm]) for each in arms.values()) / len(arms)) for arm in ("delta", "delta_re15")]
    return (
        f"With the table sent again every 15 deltas, {words(better)} of {words(len(arms))} models read more after 41 to 50: "
        f"on average {means[1]} instead of {means[0]} % (one table)."
    )


def totals(found: dict[str, list]) -> str:
    stated = [one for one in found["totals"] if one["totals"] == "stated"]
    none = [one for one in found["totals"] if one["totals"] == "none"]
    low = sum(percent(one["rows"]) < 30 for one in none)
    right = percent(total(stated, "rows"))
    return (
        f"Without totals in the deltas, {low} of {len(none)} models (Haiku 4.5 twice) count rows right in less than 30 % of cases. With them, "
        f"{as_list([one['model'] for one in stated])}, which alone were asked, do in {right} %."
    )


def trailers(found: dict[str, list]) -> str:
    full = {one["model"] for one in found["trailers"] if one["arm"] == "none" and one["group"][0] == one["group"][1]}
    others = [one for one in found["trailers"] if one["model"] not in full]
    none, labeled = ([one for one in others if one["arm"] == arm] for arm in ("none", "labeled"))
    return (
        f"Of a graph's group sizes, {words(len(none))} models gave {percent(total(none, 'group'))} % right from GCF alone, and "
        f"{percent(total(labeled, 'group'))} % with a trailer that states and labels them; {words(len(full))} needed none."
    )


def left_out(found: dict[str, list]) -> str:
    words = {"failed": "failed calls", "empty": "empty answers", "cut": "replies that end before the question", "program": "answers of an agent "
             "that ran a program"}  # fmt: skip
    counts = {status: sum(one["rows"] for one in found["left_out"] if one["status"] == status) for status in words}
    return as_list([f"{counts[status]:,} {words[status]}" for status in words if counts[status]])


def page(found: dict[str, list]) -> str:
    by_source = {one["src"]: one for one in found["sources"]}
    rows = {who: sum(by_source[src]["rows"] for src in some) for who, some in (("gcf", GCF_STUDIES), ("toon", ["toon"]), ("all", by_source))}
    gcf = [one["pairs"] for one in found["look_ups"] if one["a"] == "gcf" and one["model"] in models(found)]
    cli = {one["model"]: one["of_a_status"] for one in found["totals"] if one["totals"] == "none"}
    cli = [cli["claude-haiku-4.5 (CLI)"], cli["claude-haiku-4.5"]]
    empty = sum(one["rows"] for one in found["left_out"] if (one["src"], one["status"], one["model"]) == ("gcf-graph", "empty", "gpt-5.5"))
    drift = {way: sum(one["p"] < 0.05 and one[way] > one[other] for one in found["delta_pairs"])
             for way, other in (("lost", "won"), ("won", "lost"))}  # fmt: skip
    misread = sum(by_source[src]["only_we_right"] for src in ("gcf-delta", "gcf-trailer"))
    table_of = {(one["a"], one["b"], one["group"]): one for one in found["pairs"]}
    toon = table_of["toon", "json-compact", "counted"]
    sources = as_list([
        f"{name.split('/')[1]} {', '.join(f'[`{one}`]({HOST}{name}/tree/{one})' for one in commits)}" for name, commits, _ in SOURCES
    ])  # fmt: skip
    return wrapped(TEXT.format(
        writer=WRITER, answers=f"{rows['all']:,}", finding=finding(found), pairs=pair_rows(found), deltas=deltas(found),
        anchors=anchors(found), totals=totals(found), trailers=trailers(found), left_out=left_out(found), sources=sources,
        by_gcf=f"{rows['gcf']:,}", by_toon=f"{rows['toon']:,}", least=min(gcf), most=max(gcf), cli=cli, empty=empty, drift=drift,
        drift_of=len(found["delta_pairs"]), misread=f"{misread:,}", won=toon["models_won"], lost=toon["models_lost"],
        losses=losses(found), count=len(models(found)), blob=f"{HOST}wire-formats/wire/blob/main/docs/evaluations/large-models.json",
    ))  # fmt: skip


TEXT = """# Large models

<!-- written by {writer} -->

We have asked no large model. Others have, and published each answer: we counted {answers} of them again, by our rules.

- **Look-ups**: {finding}.
- **Counts**: one that a header states is mostly read; counting rows often fails in every format.
- **Deltas**: some models read values after 50 of them as well as at first, others don't.

## What it does not show

- **Who made the logs.** GCF's author made {by_gcf} of the answers, TOON's {by_toon}, a third party the others.
- **GCF was never beside minified JSON**, only beside indented JSON, which in one of two data sets also had empty fields.
- **GCF's look-ups were few and easy**: about the first rows, the last one or the header, of data with a pattern. With {least} to {most} pairs a \
model, only a large loss of one model would show.
- **A primer**: prompts about deltas and trailers explain GCF first, and no JSON is beside them.
- **The control of the delta study is flawed**: it sends whole tables, but its prompt says that rows not mentioned are still present.
- **The command line (CLI) is not the API.** Claude was asked about GCF by its command line, where agents may think or run programs. Haiku 4.5 \
counted rows of a status right in {cli[0][0]} of {cli[0][1]} cases there (to 30 deltas), by the API in {cli[1][0]} of {cli[1][1]} (to 50).
- **Many tests, none corrected.** Questions about one table depend on each other, so p and limits are too small.
- **From which size on** a model loses nothing. [One of 0.5 billion parameters](small-models.md) loses much; no small one in these logs read both.

## Pairs

A pair is one model and one question, answered from both formats; repeated runs are averaged. Won: the first format is right more often. p: \
exact sign test. At most: upper limit (95 %) of the lost share. Stated: in a header of GCF or TOON.

| asked, and the formats | pairs | right, % | JSON, % | won | lost | p | at most, % |
|---|--:|--:|--:|--:|--:|--:|--:|
{pairs}

{losses} Two more models were asked about GCF: one without a name, one with a single pair. TOON's advantage at \
counts of rows may be chance: {won} models are better, {lost} worse.

## Deltas and totals

In GCF tables of 50 to 120 rows, {deltas}

{anchors}

**State the counts.** {totals} {trailers}

## What was left out

{left_out} are counted apart, and never as wrong. Four questions with a wrong or ambiguous key are left out, and logs without a licence.

## Published claims that we can't confirm

- *GPT-5.5 fails at large contexts*: all {empty} failures are empty answers, under a limit of 200 tokens with hidden reasoning.
- *Some models answer with blanks or in a wrong form*: {misread} right answers were parsed as blank, or with text around them.
- *One model drifts with deltas*: of {drift_of}, {drift[lost]} read fewer values than from whole tables beyond chance, and {drift[won]} more.

## Repeat

`python3 recipes/evaluation/recount.py FOLDER… --write --page` reads clones of {sources} into [large-models.json]({blob}). Our copy lacked three logs of gcf-go.
"""


def losses(found: dict[str, list]) -> str:
    """Whose look-ups are lost to minified JSON."""
    some = [one for one in found["look_ups"] if one["b"] == "json-compact" and one["lost"]]
    names = as_list(sorted({one["model"] for one in some}))
    return f"The {words(sum(one['lost'] for one in some))} look-ups lost to minified JSON are of {names}." if some else ""


def wrapped(text: str) -> str:
    """Lines of at most 140 characters, but for tables and links."""
    lines = []
    for line in text.split("\n"):
        indent = "  " if line.startswith(("- ", "  ")) else ""
        is_whole = line.startswith(("|", "<!--", "#"))
        lines.append(line if is_whole else textwrap.fill(line, 140, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))
    return "\n".join(lines)


def sentences(found: dict[str, list]) -> dict[str, str]:
    """What other pages say of these results."""
    gcf = next(one["pairs"] for one in found["pairs"] if one["a"] == "gcf" and one["b"] == "json-indented")
    first = finding(found, f"[larger models]({PAGE})")
    return {
        "README.md": f"In published answers to look-ups, {first}, but GCF's questions were easy: [ask yours](docs/evaluations/README.md).",
        "docs/shortcomings.md": f"We have asked no large model. In answers to look-ups that others published, "
        f"{first.replace('docs/', '')}; GCF's were few ({gcf}), easy, and never beside minified JSON. [Ask yours](evaluations/README.md).",
    }


def with_sentence(text: str, sentence: str) -> str:
    """A page with the sentence between its marks, which are inside of a list item: comments at the start of a line would end its text."""
    begin, end = f"<!-- written by {WRITER} -->\n", "<!-- end of large models -->"
    before, _, rest = text.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"the page has no {begin.strip()} … {end}")
    return f"{before}{begin}{wrapped('  ' + sentence)} {end}{after}"


def pages() -> dict[Path, str]:
    """Each page that has something of these results, as it should be."""
    found = from_json(RESULTS.read_text("utf-8"))
    return {ROOT / PAGE: page(found)} | {
        ROOT / name: with_sentence((ROOT / name).read_text("utf-8"), sentence) for name, sentence in sentences(found).items()
    }


def write() -> None:
    for path, text in pages().items():
        path.write_text(text, "utf-8", newline="\n")

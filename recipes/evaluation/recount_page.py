"""The page and the sentences that are made from the results of recount.py, without any log."""

import json
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
LEAST = 6  # pairs of a model: with fewer, even the loss of all has p > 0.05
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


def models(found: dict[str, list], form: str) -> list[str]:
    """Those with enough pairs of look-ups, in a format and in JSON."""
    some = [one for one in found["look_ups"] if one["a"] == form and one["model"] != UNNAMED]
    return sorted({one["model"] for one in some if one["pairs"] >= LEAST})


def worse(found: dict[str, list]) -> list[str]:
    """Who reads a format worse than JSON in look-ups, by a sign test at 5 %: each model, and all of them together."""
    some = found["look_ups"] + [one | {"model": "all together"} for one in found["pairs"] if (one["a"], one["b"]) in SHOWN]
    is_worse = (one for one in some if one["lost"] > one["won"] and one["p"] < 0.05 and one.get("group", "look-up") == "look-up")
    return sorted({one["model"] for one in is_worse})


def finding(found: dict[str, list], link: str = "hosted models") -> str:
    """What is said first, on each page."""
    names, asked = worse(found), {form: models(found, form) for form in ("gcf", "toon", "csv")}
    if names:
        return f"{as_list(names)}, of {len(set().union(*asked.values()))} {link}, read GCF, TOON or CSV worse than JSON beyond chance"
    gcf, toon, csv = map(len, asked.values())
    return f"none of {gcf} {link} reads GCF, none of {toon} TOON and none of {csv} CSV worse than JSON beyond chance"


def too_few(found: dict[str, list]) -> str:
    """Who was asked about GCF, but not often enough."""
    some = {one["model"]: one["pairs"] for one in found["look_ups"] if one["a"] == "gcf" and one["model"] not in models(found, "gcf")}
    return f"{words(len(some)).capitalize()} more models have only {min(some.values())} to {max(some.values())} pairs of GCF."


def pair_rows(found: dict[str, list]) -> str:
    asked = {"look-up": "look-ups", "stated": "stated counts", "counted": "counted rows"}
    forms = {"gcf": "GCF", "toon": "TOON", "csv": "CSV", "json-indented": "indented JSON", "json-compact": "minified JSON"}
    shown = {"look-up": SHOWN, "stated": SHOWN[:2], "counted": SHOWN[:2]}  # CSV states no count
    lines = []
    for group, what in asked.items():
        for one in sorted(found["pairs"], key=lambda one: one["src"] != "gcf-graph"):
            if one["group"] == group and (one["a"], one["b"]) in shown[group]:
                a, b = one["right"]
                lines.append(
                    f"| {what}: {forms[one['a']]}, {forms[one['b']]} | {one['pairs']} | {a:.0f} | {b:.0f} | {one['won']}–{one['lost']} | "
                    f"{chance(one['p'])} | {one['lost_at_most']:.1f} |"
                )
    return "\n".join(lines)


def deltas(found: dict[str, list]) -> str:
    """Who reads values after many deltas: all that were asked about 31 to 50, and all that were asked about 15 at most."""
    last: dict[str, tuple[int, int]] = {}  # of each model: the most deltas that it was asked about, and the share right there
    for one in found["deltas"]:
        asked = [(int(name.split("-")[1]), percent(one[name])) for name in ("6-15", "16-30", "31-50") if one[name][1]]
        name = one["model"].removesuffix(" (CLI)")
        if one["arm"] == "delta" and asked:
            last[name] = max(asked[-1], last.get(name, (0, 0)))
    deep, few = ({name: share for name, (until, share) in last.items() if until == most} for most in (50, 15))
    good, others = ({name: share for name, share in deep.items() if (share >= 98) == is_good} for is_good in (True, False))
    largest = as_list([f"{name} {share}" for name, share in sorted(others.items()) if name.endswith("70b")])
    return (
        f"{words(len(good))} of {len(deep)} models read {min(good.values())} to {max(good.values())} % right after 31 to 50 deltas: "
        f"{as_list(sorted(good))}; the others {min(others.values())} to {max(others.values())} %, {largest}. "
        f"{words(len(few)).capitalize()} more were asked only to 15, and read after 6 to 15 (%): "
        f"{as_list([f'{name} {share}' for name, share in sorted(few.items(), key=lambda one: -one[1])])}."
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
    before = {one["model"]: percent(one["rows"]) for one in none}
    with_them = [f"{one['model']} ({before[one['model']]} without)" for one in stated]
    return (
        f"Without totals in the deltas, {low} of {len(none)} models (Haiku 4.5 twice) count rows right in less than 30 % of cases. "
        f"{words(len(stated)).capitalize()} were asked with totals, and are right in {min(percent(one['rows']) for one in stated)} %: "
        f"{as_list(with_them)}."
    )


def trailers(found: dict[str, list]) -> str:
    full = {one["model"] for one in found["trailers"] if one["arm"] == "none" and one["group"][0] == one["group"][1]}
    others = [one for one in found["trailers"] if one["model"] not in full]
    some, arms = words(len({one["model"] for one in others})), ("none", "labeled", "positional")
    size, look_up = ({arm: percent(total([one for one in others if one["arm"] == arm], kind)) for arm in arms} for kind in ("group", "lookup"))
    return (
        f"Of a graph's group sizes, {some} models gave {size['none']} % right from GCF alone, {size['labeled']} % with a trailer of "
        f"labelled sizes, {size['positional']} % with one of bare sizes; {words(len(full))} needed none. But the {some}'s "
        f"look-ups fall from {look_up['none']} to {look_up['labeled']} % with labels, not with bare sizes ({look_up['positional']} %)."
    )


def left_out(found: dict[str, list]) -> str:
    words = {"failed": "of failed calls", "empty": "empty ones", "cut": "cut off", "program": "of an agent that ran a program"}
    counts = {status: sum(one["rows"] for one in found["left_out"] if one["status"] == status) for status in words}
    return as_list([f"{counts[status]:,} {words[status]}" for status in words if counts[status]])


def page(found: dict[str, list]) -> str:
    by_source = {one["src"]: one for one in found["sources"]}
    scored = {who: sum(by_source[src]["scored"] for src in some) for who, some in (("gcf", GCF_STUDIES), ("toon", ["toon"]), ("all", by_source))}
    all_rows = f"{sum(one['rows'] for one in by_source.values()):,}"
    gcf = [one["pairs"] for one in found["look_ups"] if one["a"] == "gcf" and one["model"] in models(found, "gcf")]
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
        writer=WRITER, answers=f"{scored['all']:,}", finding=finding(found), pairs=pair_rows(found), deltas=deltas(found),
        anchors=anchors(found), totals=totals(found), trailers=trailers(found), left_out=left_out(found), sources=sources,
        by_gcf=f"{scored['gcf']:,}", by_toon=f"{scored['toon']:,}", least=min(gcf), most=max(gcf), cli=cli, empty=empty, drift=drift,
        drift_of=len(found["delta_pairs"]), misread=f"{misread:,}", won=toon["models_won"], lost=toon["models_lost"],
        losses=losses(found), enough=words(LEAST), too_few=too_few(found), all_rows=all_rows,
        blob=f"{HOST}wire-formats/wire/blob/main/docs/evaluations/large-models.json",
    ))  # fmt: skip


TEXT = """# Large models

<!-- written by {writer} -->

We have asked no large model. Others have asked hosted models, down to 3 billion parameters, and published the answers: we scored {answers}, \
by our rules.

- **Look-ups**: {finding} (with {enough} pairs or more).
- **Counts**: one that a header states is mostly read; counting rows often fails in every format.
- **Deltas**: after 31 to 50, some models read values as well as at first, others don't.

## What it does not show

- **Who made the logs.** GCF's author made {by_gcf} of these, TOON's {by_toon}, a third party the others.
- **GCF was never beside minified JSON**, only indented JSON, which in one of two data sets had empty fields.
- **GCF's look-ups were few and easy**: about first rows, the last or the header, of data with a pattern. With {least} to {most} pairs a \
model, only a large loss would show.
- **A primer**: prompts about deltas and trailers explain GCF first, and have no JSON beside it.
- **The control of the delta study is flawed**: its prompt of whole tables says that rows not mentioned are still present.
- **The command line (CLI) is not the API.** Claude was asked about GCF by its CLI, where agents may think or run programs. Haiku 4.5 \
counted rows of a status right in {cli[0][0]} of {cli[0][1]} cases there, in {cli[1][0]} of {cli[1][1]} by the API (with more deltas).
- **Many tests, none corrected.** Questions about one table depend on each other: p and limits are too small.
- **From which size on** a model loses nothing. [One of 0.5 billion parameters](small-models.md) loses much; no small one here read both.

## Pairs

A pair: one model and one question, answered from both formats; repeated runs are averaged. Won: the first format is right more often. p: \
exact sign test. At most: upper limit (95 %) of the lost share. Stated: in a header of GCF or TOON.

| asked, and the formats | pairs | right, % | JSON, % | won–lost | p | at most, % |
|---|--:|--:|--:|--:|--:|--:|
{pairs}

{losses} {too_few} TOON's advantage at counted rows may be chance: {won} models are better, {lost} worse.

## Deltas and totals

In GCF tables of 50 to 120 rows, {deltas}

{anchors}

**State the counts.** {totals} {trailers}

## What was left out

Of {all_rows} answers, {left_out} are not scored. Four questions with a wrong or ambiguous key, and logs without a licence, are left out.

## Published claims that we can't confirm

- *GPT-5.5 fails at large contexts*: all {empty} failures are empty answers, under a limit of 200 tokens with hidden reasoning.
- *Some models answer with blanks or in a wrong form*: {misread} right answers were parsed as blank, or with text around them.
- *One model drifts with deltas*: of {drift_of}, {drift[lost]} read fewer values than from whole tables beyond chance, and {drift[won]} more.

## Repeat

`python3 recipes/evaluation/recount.py FOLDER… --write --page` reads clones of {sources} into [large-models.json]({blob}). Our gcf-go lacked three logs.
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
    first = finding(found, f"[hosted models]({PAGE})")
    return {
        "README.md": f"In published answers to look-ups, {first}, but GCF's questions were few and easy: [ask yours](docs/evaluations/README.md).",
        "docs/shortcomings.md": f"We have asked no large model. In answers to look-ups that others published, "
        f"{first.replace('docs/', '')}; GCF's were few ({gcf} pairs), easy, and never beside minified JSON. [Ask yours](evaluations/README.md).",
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

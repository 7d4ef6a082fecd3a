"""Counts published answers of large models again, by rules of our own: `python recount.py FOLDER… --write`.

A folder is a clone of a source at the commit that recount_page.py names. The verdicts of the logs' authors are kept beside ours and
not used. `--page` writes the page and the sentences of other pages from the committed results, without any log.
"""

import argparse
import hashlib
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import recount_page

# ------------------------------------------------------------------------------------------------ scoring
YES, NO = {"yes", "true", "y"}, {"no", "false", "n"}
SPELLINGS = {"fn": "function", "func": "function", "iface": "interface", "cls": "class"}
NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?")


def clean(text: str) -> str:
    """A text without code fences, emphasis, quotes, `Answer:` and the last full stop."""
    text = text.strip()
    if fenced := re.match(r"^```\w*\s*\n?(.*?)\n?```$", text, re.DOTALL):
        text = fenced[1].strip()
    text = re.sub(r"^[*`]+|[*`]+$", "", text)
    text = re.sub(r"^\s*a(?:nswer)?\s*:\s*", "", text, flags=re.IGNORECASE)
    if NUMBER.fullmatch(text):
        return text
    return re.sub(r"\s+", " ", text.strip().strip("\"'`*").strip()).rstrip(".")


def number(text: str) -> float | None:
    bare = re.sub(r"[€$£]", "", clean(text)).strip()
    digits = bare.rstrip("%").strip()
    if not NUMBER.fullmatch(digits):
        return None
    return float(digits.replace(",", "")) / (100 if bare.endswith("%") else 1)


def score(want: str, got: str | None, kind: str = "") -> tuple[bool | None, str]:
    """Whether an answer is right, and by which rule. `None` if there is no answer, which is not wrong."""
    if got is None or not got.strip():
        return None, "no answer"
    want, got = clean(want).lower(), clean(got).lower()
    if inside := re.fullmatch(r'\{"[^"]*": ?"?([^"{}]*)"?\}', got):
        got = inside[1]
    if SPELLINGS.get(want, want) == SPELLINGS.get(got, got):
        return True, "same"
    if want in YES | NO:
        if got in {"1", "0"}:
            return (want in YES) == (got == "1"), "yes or no"
        said = {got if got in YES | NO else re.match("(?:yes|no|true|false)(?![a-z])|", got)[0]}
        listed = set(re.findall(r"\w+", got)) - {"or", "and"}
        said |= listed if listed <= YES | NO else set()  # a list has to agree; of a sentence only the first word counts
        return said <= (YES if want in YES else NO), "yes or no"
    if (wanted := number(want)) is not None:
        return same_number(want, wanted, got, kind)
    if "," in want:
        names = [frozenset(part.strip(" \"'`") for part in text.strip("[]").split(",")) - {""} for text in (want, got)]
        return names[0] == names[1], "list"
    label = re.match(r"^(?:[\w ]{2,40}:|[a-z]{2,9}) (\S+)$", got)
    if label and re.search(r"[.@\d]", want) and label[1] == want:
        return True, "with a label"
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", want) and re.fullmatch(want + r"[t ]\d{2}:\d{2}(?!\d)[\d:.+z-]*", got):
        return True, "same day"
    if len(got) > len(want) + 60:
        return bool(re.search(r"(?:^|\W)" + re.escape(want) + r"\W*$", got)), "last word of a long answer"
    return False, "other"


def same_number(want: str, wanted: float, got: str, kind: str) -> tuple[bool, str]:
    """As exact as the right answer is written; in a short answer the only number, in a long one the last."""
    found = number(got)
    if found is None:
        numbers = [float(text.replace(",", "")) for text in re.findall(rf"(?<!\w){NUMBER.pattern}(?!\w)", got)]
        if not numbers:
            return False, "not a number"
        if len(got) > 60 or len(set(numbers)) > 1:
            return abs(wanted - numbers[-1]) < 0.005, "last number of a long answer"
        found = numbers[0]
    decimals = len(want.split(".")[1]) if "." in want and "e" not in want else 0
    if kind == "mean" and not decimals:
        return abs(wanted - found) <= 0.5, "mean, rounded"
    return wanted == found or bool(decimals) and abs(wanted - found) < 0.5 * 10**-decimals - 1e-12, "number"


# ------------------------------------------------------------------------------------------------ reading
KINDS = json.loads((Path(__file__).parent / "kinds.json").read_text("utf-8"))
GO_KINDS = {name: (data, kind) for data, kinds in KINDS["go"].items() for kind, names in kinds.items() for name in names}
TRANSCRIPT_KINDS = {name: kind for kind, names in KINDS["transcripts"].items() for name in names}
FORMS = {"json": "json-indented", "json-pretty": "json-indented", "json-min": "json-compact", "gcf-v3": "gcf"}


def toon_kinds(questions: int) -> dict[str, str]:
    """The kinds of TOON's questions by id, written as `lookup 1-12, count 13`, in a set of so many questions."""
    kinds = {}
    for part in KINDS["toon"]["all"] + KINDS["toon"].get(str(questions), []):
        kind, span = part.split()
        first, _, last = span.partition("-")
        kinds |= {f"q{index}": kind for index in range(int(first), int(last or first) + 1)}
    return kinds


def model_name(text: str) -> str:
    """One name for a model, however a log calls it: no vendor, no date, `4.5` and not `4-5`."""
    name = re.sub(r"^us\.anthropic\.", "", text.strip().lower().split("/")[-1])
    name = {"haiku": "claude-haiku-4-5", "sonnet": "claude-sonnet-4-6", "claude -p": "claude, unnamed"}.get(name, name)
    name = re.sub(r"(?:-\d{8}|-\d{4}|-\d\d-\d\d|-preview|-latest|-instruct|-it|-v1|-non-reasoning)+$", "", name)
    name = name.replace("claude-4.5-haiku", "claude-haiku-4.5")
    return re.sub(r"(?<=\d)-(?=\d(?:$|-))", ".", name)


def row(**fields: object) -> dict:
    """A row of the schema. Its status says whether there is an answer to be scored."""
    made = {"via": "api", "arm": None, "rows": None, "depth": None, "how": "", "author": None, "ok": None} | fields
    made["form"] = FORMS.get(str(made["form"]).replace("_", "-"), str(made["form"]).replace("_", "-"))
    if made["status"] == "ok":
        made["ok"], made["how"] = score(made["want"], made["got"], made["kind"])
        made["status"] = "empty" if made["ok"] is None else "ok"
    return made


def go_logs(folder: Path, seen: set[str]) -> Iterator[dict]:
    """The output of Go tests: `PASS`, `FAIL` or `SKIP`, question, form, `[how] expected="" got=""`."""
    line = re.compile(r"^\s*(?:\S+_test\.go:\d+:\s+)?(PASS|FAIL|SKIP)\s+(\S+)\s+(gcf\S*|toon|json|ploon)\s+(.*)$")
    values = re.compile(r'^\[.*\] expected=("(?:[^"\\]|\\.)*") got=("(?:[^"\\]|\\.)*")\s*$')
    for path in sorted([*folder.glob("eval/results/comprehension/*"), *folder.glob("eval/results/v3/comprehension/*.log")]):
        text = path.read_text("utf-8", "replace") if path.suffix in (".log", ".txt") else ""
        if not text or is_copy(text, seen):
            continue
        backend = re.search(r"Backend:\s+(.*)", text)
        named = backend and (re.search(r"--model (\S+?)\)", backend[1]) or re.search(r"\((.*?)\)", backend[1]))
        via = "cli" if backend and re.match("cli|codex", backend[1]) else "api"
        size = re.search(r"(?:Orders:\s+|Fixture: )(\d+)", text)
        size = int(size[1]) if size else 0
        for found in filter(None, map(line.match, text.splitlines())):
            verdict, question, form, rest = found.groups()
            data, kind = GO_KINDS.get(question, ("orders", "unknown"))
            parts = values.match(rest)
            want, got = map(json.loads, parts.groups()) if parts else (None, None)
            yield row(src=f"gcf-{data}", run=path.stem, model=model_name(named[1] if named else "unnamed"), via=via, form=form,
                      data=f"{data} {size}", rows=size, qid=question, kind=kind, want=want, got=got, author=verdict == "PASS" if parts else None,
                      status="failed" if verdict == "SKIP" else "ok" if parts else "unreadable")  # fmt: skip


TOTALS = "+totals"  # after the name of the data, if its deltas state totals
MARK = r"\s*(?:[:)]|[.\-](?=\s))\**\s*"  # after the number of a question; not the point of 5.81


def answers(text: str, count: int) -> list[str]:
    """The answers of a reply in lines `N: value`; also if it has the letter N, other numbers or no numbers."""
    lines = [line.strip() for line in re.sub(r"```\w*", "", text).split("\n") if line.strip()]

    def bare(value: str) -> str:
        return re.sub(r"^(?:[A-Z]|\d{1,4})" + MARK, "", re.sub(r"^.*?\bN" + MARK, "", value, count=1)).strip()

    lettered = [line for line in lines if re.match("N" + MARK + ".", line)]
    if len(lettered) == count:
        return [bare(line) for line in lettered]
    found = defaultdict(list)
    for line in lines:
        numbered = re.match(r"^[*#\s]*Q?(\d{1,2})" + MARK + r"(.+?)\s*$", line)
        if numbered and 1 <= int(numbered[1]) <= count:
            found[int(numbered[1])].append(bare(numbered[2]))
    is_clear = all(len(set(values)) == 1 for values in found.values())
    if len(lines) == count and not (len(found) == count and is_clear):
        return [bare(re.sub(r"^[*#\s]*Q?\d{1,4}" + MARK, "", line)) for line in lines]
    use = 0 if is_clear and len(found) >= count * 0.6 else -1
    return [found.get(index, [""])[use] for index in range(1, count + 1)]


def transcripts(folder: Path) -> Iterator[dict]:
    """A file for each call: `# … arm=`, `i. [type] question => want=`, the prompt, the reply."""
    for part, src in (("generic-delta-comprehension", "gcf-delta"), ("graph-trailer-counts", "gcf-trailer")):
        base = folder / "eval" / part / "logs"
        for path in sorted(base.rglob("*.txt")):
            head, _, rest = path.read_text("utf-8", "replace").partition("\n===== PROMPT =====\n")
            prompt, _, rest = rest.partition("\n\n===== ")
            reply = re.split(r"\n===== (?:CODEX )?STDERR =====", rest.partition(" =====\n")[2])[0]
            about = dict(re.findall(r"(\w+)=(\S+)", head.split("\n")[0]))
            questions = re.findall(r"^\s+(\d+)\. \[(\w+)\] .*? => want=(.*)$", head, re.MULTILINE)
            parsed = re.search(r"# parsed answers: (\[.*\])", head)
            theirs = json.loads(parsed[1]) if parsed else [None] * len(questions)
            run = path.parent.relative_to(base).as_posix()
            named = about.get("resolved", "?").split("/")[-1]
            if named.startswith(("?", "exit=")):
                named = about.get("requested", "").split("/")[-1]
            if named in ("", "undefined"):
                named = "gpt-5.5" if re.search("codex|expanded", run) else run
            data = about.get("fixture") or about["scenario"]
            size = re.match(r"(\d+)rows", data)
            size = int(size[1]) if size else {"small": 15, "medium": 100, "large": 500}[data.split("_")[0]]
            ran = re.search(r"^(?:\x1b\[[0-9;]*m)?exec$", rest, re.MULTILINE)
            status = "empty" if not reply.strip() else "program" if ran else "ok"
            depth = int(about["depth"]) if "depth" in about else None
            totals = TOTALS if src == "gcf-delta" and "##! " in prompt else ""
            for (index, kind, want), got, their in zip(questions, answers(reply, len(questions)), theirs):
                yield row(
                    src=src, run=run, model=model_name(named), via="cli" if "STDERR =====" in rest else "api", form="gcf", arm=about["arm"],
                    data=data + totals, rows=size, depth=depth, qid=f"{data}/{depth}/{index}", kind=TRANSCRIPT_KINDS.get(kind, "unknown"),
                    want=want.strip(), got=got, status="cut" if status == "ok" and not got else status,
                    author=None if their is None else str(their).strip().lower() == want.strip().lower()
                    or number(str(their)) == number(want) is not None,
                )  # fmt: skip


def toon(folder: Path, seen: set[str]) -> Iterator[dict]:
    """A file for each model, with a list of objects."""
    for path in sorted(folder.glob("benchmarks/results/accuracy/models/*")):
        if is_copy(text := path.read_text("utf-8"), seen):
            continue
        rows = json.loads(text)
        keys = {(one["questionId"], one["expected"]) for one in rows}
        run, kinds = digest(repr(sorted(keys)))[:8], toon_kinds(len({key for key, _ in keys}))
        for one in rows:
            yield row(src="toon", run=run, model=model_name(one["model"]), form=one["format"], data=run, qid=one["questionId"],
                      kind=kinds.get(one["questionId"], "unknown"), want=one["expected"], got=one["actual"], author=one["isCorrect"],
                      status="ok")  # fmt: skip


def siemato(folder: Path) -> Iterator[dict]:
    """A suite of questions, and a file with all attempts."""
    suite = folder / "suites/formats.suite.json"
    if not suite.exists():
        return
    questions = {(case["id"], one["id"]): one for case in json.loads(suite.read_text("utf-8"))["cases"] for one in case["questions"]}
    for one in json.loads((folder / "runs/final.json").read_text("utf-8"))["attempts"]:
        data, form, qid = one["taskId"].split(".")
        asked = questions[data, qid]
        kind = "size" if qid in KINDS["siemato"]["size"] else "lookup" if "field" in asked["tags"] else "count"
        if kind == "count" and re.search("sum|avg|total_", qid):
            kind = "mean" if "average" in asked["question"] else "sum"
        failed = not one.get("ok") or one.get("finishReason") == "error"
        status = "failed" if failed else "cut" if one.get("finishReason") == "length" else "ok"
        yield row(src="siemato", run="final", model=model_name(one["modelId"]), form=form, data=data, qid=f"{data}/{qid}", kind=kind,
                  want=str(one.get("expected", asked["expected"])), got=one.get("responseText"), status=status,
                  author=bool(one.get("score", {}).get("correct")))  # fmt: skip


def is_copy(text: str, seen: set[str]) -> bool:
    """Logs that are in two places are read once."""
    return digest(text) in seen or bool(seen.add(digest(text)))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def read(folders: Iterable[Path]) -> list[dict]:
    seen: set[str] = set()
    return [one for each in folders for one in (*go_logs(each, seen), *transcripts(each), *toon(each, seen), *siemato(each))]


# ------------------------------------------------------------------------------------------------ counting
GROUPS = {"lookup": "look-up", "first": "look-up", "last": "look-up", "size": "stated", "group": "stated", "count": "counted",
          "sum": "sum", "max": "sum", "mean": "sum"}  # fmt: skip
GCF_LOGS, OTHER_LOGS = ("gcf-graph", "gcf-orders"), ("toon", "siemato")
PAIRS = [(a, b, GCF_LOGS) for a, b in (("gcf", "json-indented"), ("gcf", "toon"), ("toon", "json-indented"))]
PAIRS += [(form, "json-compact", OTHER_LOGS) for form in ("toon", "csv", "json-indented")]
BY_MODEL = [("gcf", "json-indented"), ("toon", "json-indented"), ("toon", "json-compact"), ("csv", "json-compact")]  # look-ups
USED = {form for a, b, _ in PAIRS for form in (a, b)}
DEPTHS = {"1-5": (1, 5), "6-15": (6, 15), "16-30": (16, 30), "31-50": (31, 50)}


def sign(won: int, lost: int) -> float:
    """The two-sided exact sign test."""
    tail = sum(math.comb(won + lost, index) for index in range(min(won, lost) + 1))
    return min(1.0, 2 * tail / 2 ** (won + lost))


def at_most(lost: int, count: int) -> float:
    """The upper end of the exact interval of 95 % (Clopper and Pearson) for a share."""
    low, high = lost / count, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        seen = sum(math.comb(count, index) * middle**index * (1 - middle) ** (count - index) for index in range(lost + 1))
        low, high = (middle, high) if seen > 0.025 else (low, middle)
    return high


def pairs(rows: Iterable[dict], a: str, b: str, by: str = "form") -> Iterator[tuple[str, float, float]]:
    """A model and a question, asked in both ways: the shares of right answers in all runs (for forms: that have both)."""
    cells: dict = defaultdict(lambda: defaultdict(list))
    for one in rows:
        if one["ok"] is not None and one[by] in (a, b):
            model = one["model"] if by == "form" else label(one)
            cells[one["src"], model, one["data"], one["qid"]][one["run"], one[by]].append(one["ok"])
    for (_, model, *_), runs in cells.items():
        both = {run for run, _ in runs if by != "form" or {(run, a), (run, b)} <= set(runs)}
        shares = [[ok for (run, way), oks in runs.items() if way == side and run in both for ok in oks] for side in (a, b)]
        if all(shares):
            yield model, sum(shares[0]) / len(shares[0]), sum(shares[1]) / len(shares[1])


def counted(found: Iterable[tuple[str, float, float]]) -> tuple[int, int, int]:
    """Pairs won, pairs lost, all pairs."""
    found = list(found)
    return sum(a > b for _, a, b in found), sum(a < b for _, a, b in found), len(found)


def compare(found: list[tuple[str, float, float]]) -> dict:
    won, lost, count = counted(found)
    models: dict = defaultdict(float)
    for model, a, b in found:
        models[model] += a - b
    shares = [round(100 * sum(pair[side] for pair in found) / count, 1) for side in (1, 2)]
    return {"pairs": count, "models": len(models), "right": shares, "won": won, "lost": lost, "p": float(f"{sign(won, lost):.2g}"),
            "lost_at_most": round(100 * at_most(lost, count), 1),
            "models_won": sum(one > 1e-9 for one in models.values()), "models_lost": sum(one < -1e-9 for one in models.values())}  # fmt: skip


def label(one: dict) -> str:
    return one["model"] + (" (CLI)" if one["via"] == "cli" else "")


def tally(rows: Iterable[dict]) -> list[int]:
    scored = [one["ok"] for one in rows if one["ok"] is not None]
    return [sum(scored), len(scored)]


def grouped(rows: Iterable[dict], *keys: str) -> list[tuple[tuple, list[dict]]]:
    """The rows in groups, sorted."""
    groups = defaultdict(list)
    for one in rows:
        groups[tuple(label(one) if key == "label" else one[key] for key in keys)].append(one)
    return sorted(groups.items(), key=lambda group: tuple(map(str, group[0])))


def results(rows: list[dict]) -> dict[str, list]:
    """What is committed: figures only, and a digest of the rows, to see whether a second reading has the same."""
    found: dict[str, list] = defaultdict(list)
    for (src,), some in grouped(rows, "src"):
        verdicts = Counter((one["ok"], one["author"]) for one in some)
        text = "\n".join(sorted(json.dumps(one, sort_keys=True) for one in some))
        found["sources"].append({
            "src": src, "rows": len(some), "scored": tally(some)[1], "models": len({one["model"] for one in some if one["ok"] is not None}),
            "only_we_right": verdicts[True, False], "only_they_right": verdicts[False, True], "no_answer_but_wrong": verdicts[None, False],
            "sha256": digest(text)[:16],
        })  # fmt: skip
    for (src, status, model), some in grouped((one for one in rows if one["status"] != "ok"), "src", "status", "label"):
        found["left_out"].append({"src": src, "status": status, "model": model, "rows": len(some)})
    rows = [one for one in rows if one["ok"] is not None and one["kind"] not in ("bad", "unknown")]
    for a, b, sources in PAIRS:
        for group in dict.fromkeys(GROUPS.values()):
            some = list(pairs((one for one in rows if one["src"] in sources and GROUPS.get(one["kind"]) == group), a, b))
            about = {"src": sources[0], "a": a, "b": b, "group": group}
            found["pairs"] += [about | compare(some)] if some else []
            for model in sorted({pair[0] for pair in some}) if group == "look-up" and (a, b) in BY_MODEL else ():
                won, lost, count = counted(pair for pair in some if pair[0] == model)
                found["look_ups"].append({"a": a, "b": b, "model": model, "won": won, "lost": lost, "pairs": count, "p": round(sign(won, lost), 3)})
    for sources in dict.fromkeys(sources for *_, sources in PAIRS):
        for (model, form), some in grouped((one for one in rows if one["src"] in sources and one["form"] in USED), "label", "form"):
            groups = {group: tally(one for one in some if GROUPS.get(one["kind"]) == group) for group in ("look-up", "stated", "counted")}
            found["right"].append({"src": sources[0], "model": model, "form": form} | groups)
    of_deltas([one for one in rows if one["src"] == "gcf-delta"], found)
    for (model, arm), some in grouped((one for one in rows if one["src"] == "gcf-trailer"), "label", "arm"):
        kinds = {kind: tally(one for one in some if one["kind"] == kind) for kind in ("group", "size", "lookup")}
        found["trailers"].append({"model": model, "arm": arm} | kinds)
    return found


def of_deltas(rows: list[dict], found: dict[str, list]) -> None:
    """Look-ups by the number of deltas; counts without totals and with them; what a whole table every few deltas helps."""
    anchored = {(one["run"], one["model"]) for one in rows if one["arm"].startswith("delta_re")}
    plain = [one for one in rows if not one["data"].endswith(TOTALS)]
    look_ups = [one for one in plain if one["kind"] == "lookup"]
    for (model, arm), some in grouped(look_ups, "label", "arm"):
        bands = {name: tally(one for one in some if low <= one["depth"] <= high) for name, (low, high) in DEPTHS.items()}
        found["deltas"] += [{"model": model, "arm": arm} | bands] if arm in ("delta", "full_resend") else []
    for (model,), some in grouped(look_ups, "label"):
        won, lost, count = counted(pairs(some, "delta", "full_resend", "arm"))
        found["delta_pairs"] += [{"model": model, "won": won, "lost": lost, "pairs": count, "p": round(sign(won, lost), 3)}] if count else []
    for (model,), some in grouped((one for one in rows if one["arm"] == "delta"), "label"):
        for way in ("none", "stated"):
            here = [one for one in some if one["data"].endswith(TOTALS) == (way == "stated")]
            sizes, counts = (tally(one for one in here if one["kind"] == kind) for kind in ("size", "count"))
            found["totals"] += [{"model": model, "totals": way, "rows": sizes, "of_a_status": counts}] if here else []
    deep = (one for one in plain if (one["run"], one["model"]) in anchored and one["depth"] > 40 and one["kind"] in ("lookup", "presence"))
    found["anchored"] = [{"model": model, "arm": arm, "41-50": tally(some)} for (model, arm), some in grouped(deep, "label", "arm")]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    options.add_argument("--write", nargs="?", type=Path, const=recount_page.RESULTS, metavar="FILE", help="default: the committed one")
    options.add_argument("--page", action="store_true", help="write the pages from the committed results")
    options = options.parse_args()
    if options.folders:
        text = recount_page.as_json(results(read(options.folders)))
        options.write.write_text(text, "utf-8", newline="\n") if options.write else print(text, end="")
    if options.page:
        recount_page.write()


if __name__ == "__main__":
    main()

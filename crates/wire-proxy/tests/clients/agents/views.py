"""The scenario of the table of clients: what the model gets of each kind of result, and what the client says of itself.

A scenario is a module with `TOOLS` (name → more members of the tool, and its result), `INSTRUCTIONS`, `calls(client, row)` (pairs
of a tool and its arguments), and `facts(run)`, which reads the logs of a run. It may have `prepare(run)`, which is called before
the client is started.
"""

import fnmatch
import json

ROWS = [{"id": n, "name": name, "open": n % 2 == 1} for n, name in enumerate(["alpha", "beta", "gamma"], 1)]
DATA = {"rows": ROWS, "total": 3}
PRETTY = json.dumps(DATA, indent=2)
SPELLED = json.dumps(DATA, separators=(",", ":"))
SENTENCE = "Three rows were found."
OUTPUT = {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object"}}, "total": {"type": "integer"}}, "required": ["rows"]}
ANY = {"type": "object", "properties": {}}
SIZES = {"type": "object", "properties": {"characters": {"type": "integer"}, "line": {"type": "integer"}}}
POINT = {"type": "object", "properties": {"x": {"type": "number"}, "next": {"$ref": "#/$defs/Point"}}}
DEFINITIONS = {"type": "object", "properties": {"point": {"$ref": "#/$defs/Point"}}, "$defs": {"Point": POINT}}
INSTRUCTIONS = "INSTRUCTIONS-BEGIN " + " ".join(f"word{n:04}" for n in range(330)) + " INSTRUCTIONS-END"
ROW = "row"


def result(texts, structured=None):
    content = [{"type": "text", "text": text} for text in texts]
    return {"content": content} if structured is None else {"content": content, "structuredContent": structured}


def lines(arguments):
    """So many characters, in lines of the same length."""
    length = arguments["line"]
    line = (ROW + "x" * (length - len(ROW) - 1)) + "\n"
    return result([line * (arguments["characters"] // length)])


def tool(schema=None, arguments=ANY):
    return {"inputSchema": arguments} | ({} if schema is None else {"outputSchema": schema})


TOOLS = {
    "text": (tool(), result([PRETTY])),
    "differ": (tool(OUTPUT), result([SENTENCE], DATA)),
    "blocks": (tool(OUTPUT), result(["first-block", "second-block"], DATA)),
    "spelled": (tool(OUTPUT), result([SPELLED], DATA)),
    "lines": (tool(arguments=SIZES), lines),
    "definitions": (tool(arguments=DEFINITIONS), result(["ok"])),
    "invalid": (tool(OUTPUT), result(['{"rows": "no-list"}'], {"rows": "no-list"})),
}


def limit(row):
    """Sizes as arguments of `lines` that are below and beyond the limit of a row; for one without a limit, a large size."""
    said = row["shows"]["what"].get("limit", {})
    below, beyond = [], []
    for kind, sizes in said.items():
        most = sizes if isinstance(sizes, int) else sizes.get("most", sizes.get("characters", sizes.get("bytes")))
        below.append({"characters": most * 95 // 100, "line": 100})
        beyond.append({"characters": most * 112 // 100, "line": 100})
        if kind == "lines":
            below.append({"characters": sizes["lines"] * 95 // 100 * 5, "line": 5})
            beyond.append({"characters": sizes["lines"] * 112 // 100 * 5, "line": 5})
    return below or [{"characters": 60_000, "line": 100}], beyond


def calls(client, row):
    below, beyond = limit(row)
    named = [(name, {}) for name in ["text", "differ", "blocks", "spelled"]]
    # Some clients end the run at the last one.
    return [*named, *(("lines", size) for size in below + beyond), ("invalid", {})]


def texts(shown):
    """A result as texts, each of which is a part."""
    if isinstance(shown, dict) and set(shown) == {"output"}:
        shown = shown["output"]
    if not isinstance(shown, list):
        return [shown if isinstance(shown, str) else json.dumps(shown)]
    return [part.get("text") or json.dumps(part) if isinstance(part, dict) else str(part) for part in shown]


def view(parts):
    """What is shown of a sentence beside other `structuredContent`."""
    try:
        value = json.loads(parts[0])
    except ValueError:
        value = None
    if isinstance(value, list) and "type" in (value or [{}])[0]:
        return "array"
    if isinstance(value, dict) and "content" in value:
        return "result"
    said = [any(SENTENCE in part for part in parts), any('"rows"' in part for part in parts)]
    return {(True, True): "both", (True, False): "texts", (False, True): "structured"}.get(tuple(said), "nothing")


def separator(parts):
    """What is between two blocks; `None` if each is a part of its own."""
    joined = next((part for part in parts if "first-block" in part and "second-block" in part), None)
    return joined and joined.split("first-block")[1].split("second-block")[0]


def schema_of(value, name):
    """The definition of a tool, wherever it is in a request."""
    if isinstance(value, dict):
        if str(value.get("name", "")).endswith(name):
            return value
        value = list(value.values())
    found = (schema_of(item, name) for item in value) if isinstance(value, list) else ()
    return next((item for item in found if item), None)


def definitions(requests):
    found = next((found for found in (schema_of(body.get("tools"), "definitions") for body in requests) if found), None)
    if not found or "$" not in json.dumps(found) and "next" not in json.dumps(found) and "point" not in json.dumps(found):
        return None
    text = json.dumps(found)
    if '"$defs"' in text or '"definitions":' in text:
        return "kept"
    return "left out" if '"$ref"' in text else "inlined"


def facts(run):
    """The columns of the table, as this run shows them."""
    shown = [texts(shown) for shown in run.results()]
    requests = run.requests()
    if len(shown) < 4:
        raise RuntimeError(f"it showed {len(shown)} results; its output is in {run.folder}")
    kind = view(shown[1])
    is_text = kind in ("texts", "structured", "both")
    below, beyond = limit(run.row)
    def is_whole(parts, size):
        return sum(part.count(ROW) for part in parts) == size["characters"] // size["line"]
    sized = shown[4 : 4 + len(below) + len(beyond)]
    fits = [is_whole(parts, size) for parts, size in zip(sized, below + beyond)]
    wanted = [True] * len(below) + [False] * len(beyond)
    everything = json.dumps(requests[-1])
    methods = [message.get("method") for message in run.messages()]
    hello = next(message["params"] for message in run.messages() if message.get("method") == "initialize")
    last = shown[4 + len(wanted)] if len(shown) > 4 + len(wanted) else []
    return {
        "name": hello["clientInfo"]["name"],
        "view": kind,
        "separator": separator(shown[2]) if is_text else None,
        "one-copy": kind == "both" and sum(part.count(SPELLED) for part in shown[3]) == 1,
        "minifies": is_text and PRETTY not in "".join(shown[0]) and SPELLED in "".join(shown[0]),
        "limit": "as in the table" if fits == wanted else f"shown whole: {fits}, expected {wanted}",
        # A client that checks shows an error, which may quote a part of the result.
        "checks": not any('{"rows":"no-list"' in part.replace("\\", "").replace(" ", "") for part in last),
        "protocol": ("2026-07-28, else " if "server/discover" in methods else "") + hello["protocolVersion"],
        "definitions": definitions(requests),
        "instructions": "whole" if INSTRUCTIONS in everything else "cut" if "INSTRUCTIONS-BEGIN" in everything else "no",
    }


def expected(row):
    """The same columns as the table has them."""
    shows, mcp = row["shows"]["what"], row.get("mcp", {}).get("what", {})
    return {
        "name": row["names"],
        "view": shows["view"],
        "separator": shows.get("separator"),
        "one-copy": shows.get("one-copy", False),
        "minifies": shows.get("minifies", False),
        "limit": "as in the table",
        **{name: mcp.get(name) for name in ["checks", "protocol", "definitions", "instructions"]},
    }


def changes(found, row):
    """The columns in which a run differs from the table."""
    out = {}
    for name, value in expected(row).items():
        is_same = not value or any(fnmatch.fnmatchcase(found[name], own) for own in value) if name == "name" else found[name] == value
        if not is_same:
            out[name] = (value, found[name])
    return out

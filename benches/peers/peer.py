"""Answers requests by the package `gcf-python`: a line of JSON in, a line of JSON out.

A request is `[what, argument]`, an answer `{"ok": …}` or `{"error": …}`.
"""

import json
import sys

import gcf


def payload(value):
    symbols = [
        gcf.Symbol(
            qualified_name=symbol["qualified_name"],
            kind=symbol["kind"],
            score=symbol["score"],
            provenance=symbol["provenance"],
            distance=symbol["distance"],
        )
        for symbol in value["symbols"]
    ]
    edges = [gcf.Edge(**edge) for edge in value["edges"]]
    return gcf.Payload(
        tool=value["tool"],
        tokens_used=value["tokens_used"],
        token_budget=value["token_budget"],
        pack_root=value["pack_root"],
        symbols=symbols,
        edges=edges,
    )


def plain(read):
    return {
        "tool": read.tool,
        "tokens_used": read.tokens_used,
        "token_budget": read.token_budget,
        "pack_root": read.pack_root,
        "symbols": [
            {
                "qualified_name": symbol.qualified_name,
                "kind": symbol.kind,
                "score": symbol.score,
                "provenance": symbol.provenance,
                "distance": symbol.distance,
            }
            for symbol in read.symbols
        ],
        "edges": [
            {
                "source": edge.source,
                "target": edge.target,
                "edge_type": edge.edge_type,
                "status": edge.status,
            }
            for edge in read.edges
        ],
    }


def root(value):
    read = payload(value)
    return gcf.pack_root(read.symbols, read.edges)


session = None


def in_session(value):
    """The next payload of a session; `null` begins a new one."""
    global session
    if value is None:
        session = gcf.Session()
        return None
    return gcf.encode_with_session(payload(value), session)


def delta(value):
    lists = {
        "removed": [gcf.Symbol(**symbol) for symbol in value.pop("removed")],
        "added": [gcf.Symbol(**symbol) for symbol in value.pop("added")],
        "removed_edges": [gcf.Edge(**edge) for edge in value.pop("removed_edges")],
        "added_edges": [gcf.Edge(**edge) for edge in value.pop("added_edges")],
    }
    return gcf.encode_delta(gcf.DeltaPayload(**value, **lists))


def keyed_set(value):
    return gcf.GenericSet(**value)


def plain_set(read):
    return {"name": read.name, "key": read.key, "fields": read.fields, "rows": read.rows}


def keyed_read(text):
    read, root = gcf.decode_generic_full(text)
    return {"set": plain_set(read), "root": root}


def keyed_apply(value):
    delta = gcf.decode_generic_delta(value["text"])
    return plain_set(gcf.verify_generic_delta(keyed_set(value["base"]), delta, delta.new_root))


keyed = None


def keyed_session(value):
    """Begins a session, or sends the next set."""
    global keyed
    if "base" in value:
        every = value["every"]
        policy = gcf.fixed_n(every) if every else gcf.size_guard()
        keyed = gcf.GenericDeltaSession(keyed_set(value["base"]), value["tool"], policy)
        return None
    text, is_full = keyed.next(keyed_set(value["next"]))
    return {"text": text, "is_full": is_full}


ANSWERS = {
    "encode_generic": gcf.encode_generic,
    "decode_generic": gcf.decode_generic,
    "encode": lambda value: gcf.encode(payload(value)),
    "decode": lambda text: plain(gcf.decode(text)),
    "root": root,
    "session": in_session,
    "delta": delta,
    "keyed_full": lambda value: gcf.encode_generic_full(keyed_set(value["set"]), value["tool"]),
    "keyed_read": keyed_read,
    "keyed_delta": lambda value: gcf.encode_generic_delta(
        gcf.diff_generic_sets(keyed_set(value["base"]), keyed_set(value["next"]))
    ),
    "keyed_apply": keyed_apply,
    "keyed_session": keyed_session,
}

for line in sys.stdin:
    what, argument = json.loads(line)
    try:
        answer = {"ok": ANSWERS[what](argument)}
        text = json.dumps(answer)
    except Exception as problem:  # whatever it says is its answer
        text = json.dumps({"error": f"{type(problem).__name__}: {problem}"})
    print(text, flush=True)

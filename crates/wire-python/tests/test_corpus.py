"""Every case of `fixtures/` that the package has a verb for; the others are counted by name, so that none is left out in silence."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from corpus import Case, cases, same, with_numbers

from wire_formats import Error, Payload, compact, count_tokens, gcb, gcf, gcx, goon, smallest
from wire_formats.gcf import graph, keyed

# What the package has no verb for, and how many cases there are.
NO_VERB = {
    "json payloads": 78,
    "markdown payloads": 14,
    "xml payloads": 78,
}

# Where 64 bits do not hold an integer, Python does. Such cases say what other readers make of it; here all digits are kept, as in
# `to_json` and in JSON text.
KEEPS_DIGITS = {
    "gcx/responses/cells.json#large_doubles",
    "gcx/responses/cells.json#doubles_at_the_ends_of_the_integers",
    "gcx/responses/cells.json#nested_doubles",
    "gcx/responses/extras.json#metadata_that_64_bits_do_not_hold",
    "gcx/responses/extras.json#metadata_that_is_a_double",
    "gcx/responses/fallback.json#strings_that_are_not_how_numbers_are_written",
    "gcx/responses/fallback.json#digits_beyond_the_integers",
    "gcx/responses/fallback.json#digits_beyond_the_integers_that_a_double_is_written_with",
    "gcx/responses/fallback.json#digits_without_a_type",
    "gcx/responses/fallback.json#digits_of_a_double_without_a_type",
    "gcx/responses/typed.json#cell_integer_too_large",
    "gcx/responses/typed.json#cell_integer_too_small",
}

PAYLOADS = {"encode", "decode", "roundtrip", "refuse", "reject"}


def no_verb(case: Case) -> str | None:
    if case.format in ("json", "xml", "markdown") and case.operation in PAYLOADS:
        return f"{case.format} payloads"
    return None


ALL = list(cases())
RUN = [case for case in ALL if no_verb(case) is None]


def test_what_has_no_verb_is_counted() -> None:
    assert Counter(name for case in ALL if (name := no_verb(case))) == NO_VERB
    assert len(RUN) > 3000


def decoding(case: Case) -> dict[str, Any]:
    """The options of reading."""
    options: dict[str, Any] = {}
    for name in ("line_bytes", "items"):
        if name in case.options:
            options[name] = case.options[name]
    if case.options.get("final_newline") == "required":
        options["require_final_newline"] = True
    if case.options.get("unknown_ids") == "words":
        options["unknown_ids_as_words"] = True
    return options


def dialect(case: Case, *more: str) -> dict[str, Any]:
    """The options of writing payloads and roots."""
    names = ("dialect", *more)
    return {name: case.options[name] for name in names if name in case.options}


def payload(value: Any) -> Payload:
    return Payload.from_dict(with_numbers(value))


def given_payload(case: Case) -> Payload:
    return payload(case.document("payload"))


def same_payload(found: Payload, expected: Payload) -> None:
    assert same(found.to_dict(indices=True), expected.to_dict(indices=True))


def fails(case: Case, do: Callable[[], Any], placed: bool = True) -> None:
    with pytest.raises(Error) as raised:
        do()
    expected = case.members["error"]
    error = raised.value
    assert error.code == expected["code"], error
    if placed:
        for name in ("line", "column", "offset"):
            if name in expected:
                assert getattr(error, name) == expected[name], (name, error)
    assert str(error)


def write_payload(case: Case) -> str | bytes:
    if case.format == "gcb":
        return gcb.dumps(given_payload(case))
    if case.format in ROWS:
        return ROWS[case.format].dumps_payload(given_payload(case))
    return graph.dumps(given_payload(case), **dialect(case, "replace_white_space", "stream"))


# Payloads in formats that are for other data, too.
ROWS: dict[str, Any] = {"gcx": gcx, "goon": goon}


def read_payload(case: Case) -> Payload:
    if case.format in ROWS:
        return ROWS[case.format].loads_payload(case.input, **decoding(case))
    module = gcb if case.format == "gcb" else graph
    return module.loads(case.input, **decoding(case))


def as_bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def encode(case: Case) -> None:
    assert as_bytes(write_payload(case)) == case.input


def decode(case: Case) -> None:
    same_payload(read_payload(case), given_payload(case))


def roundtrip(case: Case) -> None:
    encode(case)
    name = "decoded" if case.has("decoded") else "payload"
    same_payload(read_payload(case), payload(case.document(name)))


def refuse(case: Case) -> None:
    fails(case, lambda: write_payload(case))


def reject(case: Case) -> None:
    fails(case, lambda: read_payload(case))


def lenient(case: Case) -> None:
    found, report = graph.loads_lenient(case.input, **decoding(case))
    same_payload(found, given_payload(case))
    for name, value in case.members.get("report", {}).items():
        assert report[name] == value, name


def recover(case: Case) -> None:
    found = graph.recover(case.input, **decoding(case))
    same_payload(found.payload, given_payload(case))
    report = dict(case.members.get("report", {}))
    repairs = report.pop("repairs", None)
    for name, value in report.items():
        is_clean = not found.repairs
        assert (is_clean if name == "is_clean" else getattr(found, name)) == value, name
    if repairs is not None:
        expected = [(r["line"], r["offset"], r["repair"], r.get("reason")) for r in repairs]
        assert [(r.line, r.offset, r.code, r.reason) for r in found.repairs] == expected
    if "reencoded" in case.members:
        assert graph.dumps(found.payload) == case.members["reencoded"]


def irrecoverable(case: Case) -> None:
    fails(case, lambda: graph.recover(case.input, **decoding(case)))


# Across calls.


def session_options(case: Case) -> dict[str, Any]:
    options = dialect(case, "max_ids", "root", "replace_white_space")
    if case.options.get("changed") == "redeclared":
        options["redeclare_changed"] = True
    if case.options.get("roots") == "written":
        options["compute_roots"] = True
    return options


def session(case: Case) -> None:
    producer = graph.Session(**session_options(case))
    consumer = graph.SessionReader()
    for call in case.members["calls"]:
        if call.get("reset"):
            producer.reset()
            consumer.reset()
            continue
        sent = producer.dumps(payload(call["payload"]), now=0)
        assert sent.text == call["text"]
        assert (sent.sent_as == "full") == (call.get("session") == "full")
        decoded = payload(call.get("decoded", call["payload"]))
        delivery = call.get("delivery", "confirmed")
        for _ in range({"repeated": 2, "lost": 0}.get(delivery, 1)):
            same_payload(consumer.loads(sent.text), decoded)
        if delivery in ("confirmed", "repeated"):
            producer.confirm(sent)
        elif delivery == "lost":
            producer.roll_back(sent)


def session_reject(case: Case) -> None:
    consumer = graph.SessionReader(**decoding(case))
    *fine, last = case.members["texts"]
    for text in fine:
        consumer.loads(text)
    fails(case, lambda: consumer.loads(last))
    fails(case, lambda: consumer.loads(last))


def given_delta(case: Case, name: str = "delta") -> graph.Delta:
    return graph.Delta.from_dict(with_numbers(case.members[name]))


def write_delta(case: Case, delta: graph.Delta) -> str:
    options = dialect(case, "root", "replace_white_space")
    if case.options.get("distances") == "written":
        options["distances"] = True
    return delta.dumps(**options)


def same_delta(found: graph.Delta, expected: dict[str, Any]) -> None:
    found_dict = found.to_dict()
    # Of a delta that was read the full payload's tokens are not known.
    stated = dict(expected.get("tokens") or {})
    assert found_dict.pop("tokens", {}) == {
        name: value for name, value in stated.items() if name != "full" and value is not None
    } or "full" in stated
    for name, default in (("tool", ""), ("removed", []), ("edges_removed", []), ("edges_added", [])):
        assert found_dict[name] == expected.get(name, default), name
    for name in ("base_root", "new_root"):
        assert found_dict[name] == expected[name]
    same_payload(payload({"symbols": found_dict["added"]}), payload({"symbols": expected.get("added", [])}))


def delta(case: Case) -> None:
    assert write_delta(case, given_delta(case)).encode() == case.input
    same_delta(graph.Delta.loads(case.input), case.members.get("decoded_delta", case.members["delta"]))


def delta_decode(case: Case) -> None:
    same_delta(graph.Delta.loads(case.input), case.members["delta"])


def delta_refuse(case: Case) -> None:
    fails(case, lambda: write_delta(case, given_delta(case)))


def delta_reject(case: Case) -> None:
    fails(case, lambda: graph.Delta.loads(case.input, **decoding(case)))


def diff(case: Case) -> None:
    options = dialect(case, "root")
    options["distances"] = case.options.get("distances") == "written"
    found = graph.diff(payload(case.members["base"]), given_payload(case), **options)
    assert isinstance(found, graph.Delta)
    assert write_delta(case, found).encode() == case.input


def send_full(case: Case) -> None:
    found = graph.diff(payload(case.members["base"]), given_payload(case), **dialect(case, "root"))
    assert isinstance(found, graph.SendFull)
    assert found.code == case.members["why"]


def apply(case: Case) -> None:
    found = graph.Delta.loads(case.input).apply(payload(case.members["base"]))
    same_payload(found, given_payload(case))


def apply_reject(case: Case) -> None:
    fails(case, lambda: graph.Delta.loads(case.input).apply(payload(case.members["base"])))


def root(case: Case) -> None:
    assert graph.pack_root(given_payload(case), as_given=True, **dialect(case, "root")) == case.members["root"]


def root_refuse(case: Case) -> None:
    fails(case, lambda: graph.pack_root(given_payload(case), as_given=True, **dialect(case, "root")))


def exchange(case: Case) -> None:
    server = graph.Exchange(**dialect(case, "root"), counter="word-punctuation")  # by which the cases state tokens
    for known in case.members.get("known", []):
        server.answer(None, payload(known))
    answer = server.answer(case.members.get("held"), given_payload(case))
    assert answer.outcome == case.members["outcome"]
    assert answer.text.encode() == case.input


# Keyed sets.


def keyed_set(given: dict[str, Any]) -> keyed.KeyedSet:
    rows = given["map"] if "map" in given else given["rows"]
    return keyed.KeyedSet(rows, key=given["key"], fields=given.get("fields"), name=given.get("name"))


def received(case: Case) -> keyed.KeyedSet:
    given = case.members["keyed"]
    held = keyed_set(given["set"]) if "set" in given else None
    message = keyed.loads(case.input)
    if isinstance(message, keyed.Delta):
        assert keyed.loads(message.dumps()) == message
        if held is not None:
            assert held.apply(message) == keyed.receive(case.input, held)
    return keyed.receive(case.input, held)


def set(case: Case) -> None:
    given = case.members["keyed"]
    made = keyed_set(given["set"])
    assert made.dumps().encode() == case.input
    assert made.root == given["root"]
    assert keyed.receive(made.dumps()).root == made.root


def set_refuse(case: Case) -> None:
    given = case.members["keyed"]

    def write() -> None:
        if "change" in given:
            change_of(given["change"])
        base = keyed_set(given["set"])
        if "next" in given:
            base.delta_to(keyed_set(given["next"]))

    fails(case, write)


def set_delta(case: Case) -> None:
    given = case.members["keyed"]
    base, after = keyed_set(given["set"]), keyed_set(given["next"])
    delta = base.delta_to(after)
    assert delta.dumps().encode() == case.input
    assert base.apply(delta).root == after.root
    assert len(delta) == len(delta.added) + len(delta.changed) + len(delta.removed)


def change_of(change: dict[str, Any]) -> keyed.Delta:
    of = keyed.KeyedSet([], key=change["key"], fields=change["fields"])
    names = {"added": "added", "changed": "changed", "removed": "removed", "tool": "tool", "deltaTokens": "tokens", "fullTokens": "full_tokens"}
    options = {ours: change[name] for name, ours in names.items() if name in change}
    return keyed.Delta(of, change["baseRoot"], change["newRoot"], **options)


def set_write(case: Case) -> None:
    assert change_of(case.members["keyed"]["change"]).dumps().encode() == case.input


def set_apply(case: Case) -> None:
    given = case.members["keyed"]
    found = received(case)
    if "root" in given:
        assert found.root == given["root"]
    if "next" in given:
        assert found.root == keyed_set(given["next"]).root
        # Rows have no order.
        assert sorted(map(repr, found.rows())) == sorted(map(repr, keyed_set(given["next"]).rows()))


def set_reject(case: Case) -> None:
    fails(case, lambda: received(case))


def set_session(case: Case) -> None:
    given = case.members["keyed"]
    policy = given.get("policy")
    options = {"size_guard": True} if policy == "size-guard" else {"full_every": int(policy)} if policy else {}
    session = keyed.Session(keyed_set(given["set"]), tool=given.get("tool"), **options)
    texts = [session.full()]
    held = keyed.receive(texts[0])
    for update in given["updates"]:
        sent = session.next(keyed_set(update))
        held = keyed.receive(sent.text, held)
        assert held.root == keyed_set(update).root
        assert sent.is_full != isinstance(keyed.loads(sent.text), keyed.Delta)
        texts.append(sent.text)
    assert texts == given["texts"]


# Rows of GCX1.


def sections_of(case: Case, name: str) -> list[dict[str, Any]]:
    defaults: dict[str, Any] = {"meta": {}, "declared": None, "rows": []}
    return [
        {**defaults, **{key: value for key, value in section.items() if key != "comments"}}
        for section in case.members[name]
    ]


def write_rows(case: Case) -> str:
    return gcx.dumps_sections(case.members["sections"], escape_commas=case.options.get("escape_commas") == "written")


def rows(case: Case) -> None:
    assert write_rows(case).encode() == case.input
    name = "decoded_sections" if "decoded_sections" in case.members else "sections"
    assert gcx.loads_sections(case.input, **decoding(case)) == sections_of(case, name)


def rows_decode(case: Case) -> None:
    assert gcx.loads_sections(case.input, **decoding(case)) == sections_of(case, "sections")


def rows_refuse(case: Case) -> None:
    fails(case, lambda: write_rows(case))


def rows_reject(case: Case) -> None:
    fails(case, lambda: gcx.loads_sections(case.input, **decoding(case)))


# Responses.


def gcx_options(case: Case) -> dict[str, Any]:
    return {
        "typed": case.options.get("typed") == "written",
        "escape_commas": case.options.get("escape_commas") == "written",
        "extra_columns": case.options.get("layout") in ("extra", "only_extra"),
    }


def goon_options(case: Case) -> dict[str, Any]:
    options = {name: case.options[name] for name in ("long_text", "other_text") if name in case.options}
    if "goon_version" in case.options:
        options["version"] = case.options["goon_version"]
    if "quote_numbers" in case.options:
        options["quote_numbers"] = True
    if case.options.get("truncation") == "off":
        options["truncation"] = False
    if case.options.get("unrepresentable") == "dropped":
        options["drop_unrepresentable"] = True
    return options


def exact(case: Case) -> dict[str, bool]:
    return {"exact": case.options.get("decimals") == "exact"}


def write_response(case: Case) -> str:
    """From an object, or from JSON text where only that can say it."""
    if case.format == "gcf":
        if "group_key" in case.options:
            options = {"key": case.options["group_key"], "group": case.options["group_field"]}
            return gcf.dumps_in_groups(case.document("json"), **options)
        options = {"spec": case.options["spec"]} if "spec" in case.options else {}
        if "json_text" in case.members:
            return gcf.from_json(case.members["json_text"], **options, **exact(case))
        return gcf.dumps(case.document("json"), flatten=case.options.get("flattening") != "off", **options)
    if case.format == "goon":
        if "json_text" in case.members:
            return goon.from_json(case.members["json_text"], **goon_options(case), **exact(case))
        return goon.dumps(case.document("json"), **goon_options(case))
    tool = case.members.get("tool")
    if case.options.get("layout") in ("only", "only_extra"):
        options = gcx_options(case)
        del options["typed"]
        text, left_out = gcx.dumps_layout(case.document("json"), tool, **options)
        assert left_out == case.members.get("left_out", [])
        return text
    if "json_text" in case.members:
        return gcx.from_json(case.members["json_text"], tool, **gcx_options(case), **exact(case))
    return gcx.dumps(case.document("json"), tool, **gcx_options(case))


def read_response(case: Case) -> Any:
    module: Any = {"gcf": gcf, "gcx": gcx, "goon": goon}[case.format]
    return module.loads(case.input, **decoding(case))


def response(case: Case) -> None:
    assert write_response(case).encode() == case.input
    found = read_response(case)
    if case.has("decoded_json"):
        assert same(found, case.document("decoded_json"))
    elif "json_text" in case.members:
        module: Any = {"gcf": gcf, "gcx": gcx, "goon": goon}[case.format]
        assert module.to_json(case.input) == case.members["json_text"]
    else:
        assert same(found, case.document("json"))


def response_decode(case: Case) -> None:
    assert same(read_response(case), case.document("json"))


def response_refuse(case: Case) -> None:
    fails(case, lambda: write_response(case))


def response_reject(case: Case) -> None:
    fails(case, lambda: read_response(case))


def response_rewrite(case: Case) -> None:
    value = read_response(case)
    expected = case.members.get("reencoded", case.members.get("text"))
    module: Any = {"gcf": gcf, "gcx": gcx, "goon": goon}[case.format]
    options = goon_options(case) if case.format == "goon" else {}
    assert module.dumps(value, **options) == expected


# The choice of the smallest form.


def estimate(case: Case) -> None:
    assert count_tokens(case.members["came"]) == case.members["tokens"]


def choose(case: Case) -> None:
    came, sent = case.members["came"], case.members["sent"]
    assert compact(came) == sent and compact(sent) == sent
    try:
        value = json.loads(came)
    except ValueError:
        return
    if isinstance(value, (list, dict)) and json.dumps(value, separators=(",", ":"), ensure_ascii=False) == came:
        assert smallest(value).text == compact(value) == sent


OPERATIONS: dict[str, Callable[[Case], None]] = {
    function.__name__: function
    for function in (
        encode, decode, roundtrip, refuse, reject, lenient, recover, irrecoverable,
        session, session_reject, delta, delta_decode, delta_refuse, delta_reject, diff, send_full, apply, apply_reject,
        root, root_refuse, exchange, rows, rows_decode, rows_refuse, rows_reject,
        set, set_refuse, set_delta, set_write, set_apply, set_reject, set_session,
        response, response_decode, response_refuse, response_reject, response_rewrite,
        estimate, choose,
    )
}  # fmt: skip


@pytest.mark.parametrize("case", RUN, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    if case.name in KEEPS_DIGITS:
        if case.operation == "response":
            assert write_response(case).encode() == case.input
        assert same(gcx.loads(case.input), json.loads(gcx.to_json(case.input)))
        return
    OPERATIONS[case.operation](case)


def test_nan_is_no_json() -> None:
    assert same(math.nan, math.nan) and not same(1, 1.0) and not same(0.0, -0.0) and not same(True, 1)

"""Threads, memory, and what outlives what."""

from __future__ import annotations

import gc
import json
import sys
import sysconfig
import threading
import time
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, is_dataclass
from importlib.metadata import distribution
from typing import Any, Optional

import numpy
import polars
import pydantic
import pytest

import wire_formats
from wire_formats import Payload, compact, count_tokens, gcb, gcf, gcx, goon, smallest, tool_result
from wire_formats.gcf import graph, keyed

ROWS = [{"id": i, "name": f"name {i}", "score": i / 7, "tags": ["a", "b"]} for i in range(20_000)]
GCF = gcf.dumps(ROWS)
GCX = gcx.dumps(ROWS)
JSON = json.dumps(ROWS)
PAYLOAD = Payload.from_dict(
    {
        "tool": "t",
        "symbols": [{"qualified_name": f"pkg.f{i}", "kind": "function", "score": 0.5} for i in range(20_000)],
    }
)
GRAPH = graph.dumps(PAYLOAD)
NODES = {"query_type": "search", "nodes": [{"type": "T", "id": i, "properties": {"n": i}} for i in range(20_000)], "edges": []}
GOON = goon.dumps(NODES)
GCB = gcb.dumps(PAYLOAD)
GOON_JSON = goon.to_json(GOON)
NEXT = Payload.from_dict(
    {"tool": "t", "symbols": [*PAYLOAD.symbols, {"qualified_name": "pkg.more", "kind": "function", "score": 0.5}]}
)
ANSWER = graph.Exchange().answer(None, PAYLOAD).text
PLAIN_ROWS = [{"id": i, "name": f"name {i}"} for i in range(20_000)]
SET = keyed.KeyedSet(PLAIN_ROWS, key="id")
OTHER_SET = keyed.KeyedSet(PLAIN_ROWS[1:], key="id")
SET_TEXT = SET.dumps()
SECTIONS = gcx.loads_sections(GCX)
TABLE = gcf.loads_arrow(gcf.dumps(PLAIN_ROWS))


def delta_of_all() -> graph.Delta:
    delta = graph.diff({"tool": "t"}, PAYLOAD)
    assert isinstance(delta, graph.Delta)
    return delta


DELTA = delta_of_all()
FIRST_ROWS = keyed.KeyedSet(PLAIN_ROWS[:9], key="id")
ROWS_DELTA, ROOTS = FIRST_ROWS.delta_to(SET), (FIRST_ROWS.root, SET.root)
REPLICA, EXCHANGE = graph.Replica(ANSWER), graph.Exchange()
NEXT_ANSWER = EXCHANGE.answer(None, NEXT).text


@tool_result
def tool() -> Any:
    return PLAIN_ROWS


GCX_PAYLOAD, GOON_PAYLOAD = gcx.dumps_payload(PAYLOAD), goon.dumps_payload(PAYLOAD)
DELTA_TEXT = DELTA.dumps()

# What works on bytes and no objects. `loads` builds objects when it has read them, so what it does first is shown.
RELEASING: dict[str, Callable[[], Any]] = {
    "gcf.loads": lambda: gcf.loads(GCF),
    "gcf.from_json": lambda: gcf.from_json(JSON),
    "gcf.to_json": lambda: gcf.to_json(GCF),
    "gcf.recover": lambda: gcf.recover("Here:\n" + GCF),
    "gcx.loads": lambda: gcx.loads(GCX),
    "gcx.from_json": lambda: gcx.from_json(JSON),
    "gcx.to_json": lambda: gcx.to_json(GCX),
    "goon.loads": lambda: goon.loads(GOON),
    "gcf.loads_arrow": lambda: gcf.loads_arrow(GCF),
    "gcx.loads_arrow": lambda: gcx.loads_arrow(GCX),
    "gcx.dumps_sections": lambda: gcx.dumps_sections(SECTIONS),
    "gcx.loads_sections": lambda: gcx.loads_sections(GCX),
    "gcx.dumps_payload": lambda: gcx.dumps_payload(PAYLOAD),
    "gcx.loads_payload": lambda: gcx.loads_payload(GCX_PAYLOAD),
    "goon.from_json": lambda: goon.from_json(GOON_JSON),
    "goon.to_json": lambda: goon.to_json(GOON),
    "goon.dumps_payload": lambda: goon.dumps_payload(PAYLOAD),
    "goon.loads_payload": lambda: goon.loads_payload(GOON_PAYLOAD),
    "gcb.loads": lambda: gcb.loads(GCB),
    "gcb.dumps": lambda: gcb.dumps(PAYLOAD),
    "graph.loads": lambda: graph.loads(GRAPH),
    "graph.dumps": lambda: graph.dumps(PAYLOAD),
    "graph.dumps, streamed": lambda: graph.dumps(PAYLOAD, dialect="v3", stream="labeled"),
    "graph.loads_lenient": lambda: graph.loads_lenient(GRAPH),
    "graph.recover": lambda: graph.recover("Here:\n" + GRAPH),
    "graph.pack_root": lambda: graph.pack_root(PAYLOAD),
    "graph.diff": lambda: graph.diff(PAYLOAD, NEXT),
    "graph.Delta.loads": lambda: graph.Delta.loads(DELTA_TEXT),
    "graph.Delta.dumps": lambda: DELTA.dumps(),
    "graph.Delta.apply": lambda: DELTA.apply({"tool": "t"}),
    "graph.Session.dumps": lambda: graph.Session().dumps(PAYLOAD),
    "graph.SessionReader.loads": lambda: graph.SessionReader().loads(GRAPH),
    "graph.Exchange.answer": lambda: graph.Exchange().answer(None, PAYLOAD),
    "graph.Replica": lambda: graph.Replica(ANSWER),
    "keyed.loads": lambda: keyed.loads(SET_TEXT),
    "keyed.receive": lambda: keyed.receive(SET_TEXT),
    "keyed.KeyedSet.dumps": lambda: SET.dumps(),
    "keyed.KeyedSet.delta_to": lambda: SET.delta_to(OTHER_SET),
    "keyed.KeyedSet.rows": lambda: SET.rows(),
    "keyed.KeyedSet.dumps_unchanged": lambda: SET.dumps_unchanged(),
    "keyed.KeyedSet.apply": lambda: FIRST_ROWS.apply(ROWS_DELTA),
    "keyed.Delta.dumps": lambda: ROWS_DELTA.dumps(),
    "keyed.Delta.is_worth_it": lambda: ROWS_DELTA.is_worth_it(SET),
    "keyed.Session.full": lambda: keyed.Session(SET).full(),
    "keyed.Session.next": lambda: keyed.Session(SET).next(OTHER_SET),
    "graph.Session.dumps_delta": lambda: graph.Session().dumps_delta(DELTA),
    "graph.SessionReader.apply_delta": lambda: graph.SessionReader().apply_delta(DELTA_TEXT, {"tool": "t"}),
    "graph.Replica.receive": lambda: REPLICA.receive(NEXT_ANSWER),
    "gcf.dumps, a frame": lambda: gcf.dumps(TABLE),
    "compact": lambda: compact(JSON),
    "smallest": lambda: smallest(PLAIN_ROWS),
    "tool_result": lambda: tool(),
    "count_tokens": lambda: count_tokens(JSON, counter="estimate"),
    "count_tokens, a vocabulary": lambda: count_tokens(JSON[:100_000], counter="o200k"),
}


# What reads or builds objects of Python, and nothing else that takes time.
KEEPING: dict[str, Callable[[], Any]] = {
    "gcf.dumps": lambda: gcf.dumps(ROWS),
    "gcf.dumps_in_groups": lambda: gcf.dumps_in_groups(PLAIN_ROWS, key="id", group="name"),
    "gcx.dumps": lambda: gcx.dumps(ROWS),
    "gcx.dumps_layout": lambda: gcx.dumps_layout({"results": [], "took_ms": 3}, "search_symbols"),
    "goon.dumps": lambda: goon.dumps(NODES),
    "keyed.KeyedSet": lambda: keyed.KeyedSet(PLAIN_ROWS, key="id"),
    "keyed.Delta": lambda: keyed.Delta(SET, *ROOTS, added=PLAIN_ROWS),
    "graph.Delta.from_dict": lambda: graph.Delta.from_dict(DELTA.to_dict()),
    "graph.Delta.to_dict": lambda: DELTA.to_dict(),
    "Payload.from_dict": lambda: Payload.from_dict(PAYLOAD.to_dict()),
    "Payload.to_dict": lambda: PAYLOAD.to_dict(),
}
# What takes no time to speak of, whatever it does with the GIL.
BRIEF = {
    "keyed.Session",
    "graph.Session",
    "graph.Session.confirm",
    "graph.Session.roll_back",
    "graph.Session.reset",
    "graph.SessionReader",
    "graph.SessionReader.reset",
    "graph.Exchange",
    "graph.Delta.is_worth_it",
}


def verbs() -> set[str]:
    """All that can be called, but for `dump` and `load`, which call others of these."""
    found = set()
    for module in (wire_formats, gcf, keyed, graph, gcx, goon, gcb):
        of = "" if module is wire_formats else module.__name__.rpartition(".")[2] + "."
        for name in module.__all__:
            thing = getattr(module, name)
            if not isinstance(thing, type):
                if callable(thing):
                    found.add(of + name)
            elif not issubclass(thing, Exception) and not is_dataclass(thing):
                made = {f"{of}{name}"} if "__new__" in vars(thing) else set()
                found |= made | {f"{of}{name}.{key}" for key in vars(thing) if key[0] != "_" and callable(getattr(thing, key))}
    return {name for name in found if name.rpartition(".")[2] not in ("dump", "load")}


def test_each_verb_is_known_here() -> None:
    releasing, keeping = ({name.partition(",")[0] for name in names if "," not in name} for names in (RELEASING, KEEPING))
    assert not releasing & keeping and not (releasing | keeping) & BRIEF
    assert releasing | keeping | BRIEF == verbs(), "say which verbs release the GIL"


def steps_of_another(call: Callable[[], Any]) -> int:
    """How far another thread gets meanwhile, where none is ever asked to let go of the GIL."""
    steps = 0
    stop = False

    def other() -> None:
        nonlocal steps
        while not stop:
            steps += 1
            time.sleep(0)  # lets go of the GIL, and waits for it

    # Before the other thread waits for the GIL, so that it never asks for it: with the usual interval, a busy machine is enough
    # for that.
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    thread = threading.Thread(target=other)
    thread.start()
    try:
        before = steps
        call()
        return steps - before
    finally:
        stop = True
        sys.setswitchinterval(switch)
        thread.join()


@pytest.mark.parametrize("name", RELEASING)
def test_other_threads_run_meanwhile(name: str) -> None:
    """Another thread may be slow to notice, so it is tried again."""
    assert any(steps_of_another(RELEASING[name]) for _ in range(500)), f"{name} holds the GIL"


@pytest.mark.parametrize("name", KEEPING)
def test_no_other_thread_runs_meanwhile(name: str) -> None:
    assert steps_of_another(KEEPING[name]) == 0, f"{name} releases the GIL; document it"


def test_the_garbage_collector_is_as_before() -> None:
    """It does not run while a large value is built, and is switched on again if it was."""
    runs: list[str] = []

    def noted(phase: str, info: dict[str, Any]) -> None:
        runs.append(phase)

    broken = gcx.from_json("[" + "9" * 5000 + ",1" * 5000 + "]")
    gc.callbacks.append(noted)
    try:
        for was_enabled in (True, False):
            (gc.enable if was_enabled else gc.disable)()
            gc.collect()
            runs.clear()
            found = gcf.loads(GCF)
            # Allocations after the call may run it once.
            assert len(runs) <= 2 and found == ROWS
            assert gc.isenabled() == was_enabled
            with pytest.raises(gcx.Error):
                gcx.loads(broken)
            assert gc.isenabled() == was_enabled
    finally:
        gc.callbacks.remove(noted)
        gc.enable()


def test_many_threads_at_once() -> None:
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: gcf.loads(GCF), range(16)):
            assert found == ROWS
        for text in pool.map(lambda _: gcf.dumps(ROWS), range(16)):
            assert text == GCF


def test_a_session_is_shared() -> None:
    session = graph.Session()
    small = {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "function"}]}
    with ThreadPoolExecutor(8) as pool:
        for sent in pool.map(lambda _: session.dumps(small), range(200)):
            session.confirm(sent)
    assert len(session) >= 1


def test_a_dict_that_another_thread_changes() -> None:
    shared: dict[str, Any] = {f"k{i}": i for i in range(200)}
    stop = threading.Event()

    def change() -> None:
        step = 0
        while not stop.is_set():
            step += 1
            shared[f"n{step % 50}"] = step
            shared.pop(f"n{(step + 25) % 50}", None)

    thread = threading.Thread(target=change)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread.start()
    outcomes = set()
    try:
        for _ in range(500):
            try:
                # `default` runs Python, so that the other thread gets its turn inside of the walk.
                text = gcf.dumps({"a": shared, "b": object(), "c": shared}, default=lambda _: sum(range(50)))
                assert gcf.loads(text)["a"]["k0"] == 0
                outcomes.add("text")
            except RuntimeError as error:
                assert "changed" in str(error)
                outcomes.add("error")
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(interval)
    assert outcomes <= {"text", "error"} and not thread.is_alive()
    # What is no longer changed is written again.
    assert gcf.loads(gcf.dumps({"a": shared}))["a"] == shared


def test_what_was_made_here_is_dropped_elsewhere() -> None:
    held = [graph.loads(GRAPH), graph.Session(), graph.Replica(graph.Exchange().answer(None, {"tool": "t"}).text)]
    held.append(graph.diff({"tool": "t"}, {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "type"}]}))
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    assert held == []


def test_keys_and_payloads_outlive_their_input() -> None:
    data = bytearray(GRAPH.encode())
    payload = graph.loads(data)
    data[:] = b"x" * len(data)
    del data
    gc.collect()
    assert payload.symbols[0]["qualified_name"] == "pkg.f0"


def test_the_gil_is_there() -> None:
    """The wheel is of the stable ABI; where it was built for a free-threaded interpreter, that one has switched the GIL on."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert getattr(sys, "_is_gil_enabled")()
        return
    wheel = distribution("wire-formats").read_text("WHEEL")
    assert wheel is not None and "Tag: cp310-abi3-" in wheel


SMALL: dict[str, Any] = {"a": [{"id": 1, "n": "x"}, {"id": 2, "n": "größe"}], "b": None}
SMALL_GCF, SMALL_GCX, SMALL_JSON = gcf.dumps(SMALL), gcx.dumps(SMALL), json.dumps(SMALL)
SMALL_ROWS = gcf.dumps(SMALL["a"])
SMALL_PAYLOAD = {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "function"}]}
SMALL_GRAPH, SMALL_GCB = graph.dumps(SMALL_PAYLOAD), gcb.dumps(SMALL_PAYLOAD)
SMALL_NODES = {"query_type": "search", "nodes": [{"type": "T", "id": 1}], "edges": []}
SMALL_GOON = goon.dumps(SMALL_NODES)


SMALL_SECTIONS, SMALL_GOON_JSON = gcx.loads_sections(SMALL_GCX), goon.to_json(SMALL_GOON)
LONG_INTEGER = gcx.from_json("[" + "9" * 5000 + "]")
SMALL_SET = keyed.KeyedSet(SMALL["a"], key="id")
SMALL_FRAME = polars.DataFrame({"a": [1, 2], "b": ["x", None]})
NUMBERS = numpy.array([[1, 2], [3, 4]])
SMALL_DELTA = graph.diff({"tool": "t"}, SMALL_PAYLOAD)
assert isinstance(SMALL_DELTA, graph.Delta)


@dataclass
class Row:
    id: int
    n: str


class Model(pydantic.BaseModel):
    id: int
    note: Optional[str] = None


@tool_result
def small_tool() -> Any:
    return SMALL


@tool_result
def iterating_tool() -> Any:
    yield SMALL


def ignoring(call: Callable[[], Any]) -> Callable[[], None]:
    def ignored() -> None:
        try:
            call()
        except (ValueError, TypeError):
            pass

    return ignored


LEAKS: dict[str, Callable[[], Any]] = {
    "gcf.dumps": lambda: gcf.dumps(SMALL),
    "gcf.dumps, default": lambda: gcf.dumps([object()], default=lambda _: 1),
    "gcf.dumps, an error": ignoring(lambda: gcf.dumps({"a": [2**70]})),
    "gcf.dumps, a type error": ignoring(lambda: gcf.dumps({"a": [b""]})),
    "gcf.loads": lambda: gcf.loads(SMALL_GCF),
    "gcf.loads, an error": ignoring(lambda: gcf.loads("GCF profile=generic\n## a [1]{x,y}\n1\n")),
    "gcf.loads_arrow": lambda: gcf.loads_arrow(SMALL_ROWS),
    "gcf.loads_arrow, taken": lambda: gcf.dumps(gcf.loads_arrow(SMALL_ROWS)),
    "gcf.loads_arrow, not taken": lambda: gcf.loads_arrow(SMALL_ROWS).__arrow_c_stream__(),
    "gcf.loads_arrow, an error": ignoring(lambda: gcf.loads_arrow(SMALL_GCF)),
    "gcf.from_json": lambda: gcf.from_json(SMALL_JSON),
    "gcf.to_json": lambda: gcf.to_json(SMALL_GCF),
    "gcf.recover": lambda: gcf.recover("x\n" + SMALL_GCF),
    "gcf.dumps_in_groups": lambda: gcf.dumps_in_groups([{"id": 1, "g": "x"}, {"id": 2, "g": "x"}], key="id", group="g"),
    "gcf.loads, type": lambda: gcf.loads(SMALL_ROWS, type=list[Row]),
    "gcf.loads, type, an error": ignoring(lambda: gcf.loads(SMALL_ROWS, type=list[int])),
    "gcf.dumps, a dataclass": lambda: gcf.dumps(Row(1, "x")),
    "gcf.dumps, a model": lambda: gcf.dumps(Model(id=1)),
    "gcf.dumps, a frame": lambda: gcf.dumps(SMALL_FRAME),
    "gcf.dumps, a set": lambda: gcf.dumps({"a": {"x", 2, None}}),
    "gcf.dumps, an iterator": lambda: gcf.dumps(iter([1, 2])),
    "gcf.dumps, NumPy": lambda: gcf.dumps(NUMBERS),
    "gcf.dumps, a column": lambda: gcf.dumps(SMALL_FRAME["a"]),
    "gcx.dumps": lambda: gcx.dumps(SMALL),
    "gcx.loads": lambda: gcx.loads(SMALL_GCX),
    "gcx.loads, an error": ignoring(lambda: gcx.loads(LONG_INTEGER)),
    "gcx.from_json": lambda: gcx.from_json(SMALL_JSON),
    "gcx.to_json": lambda: gcx.to_json(SMALL_GCX),
    "gcx.dumps_layout": lambda: gcx.dumps_layout({"results": [], "took_ms": 3}, "search_symbols"),
    "gcx.dumps_sections": lambda: gcx.dumps_sections(SMALL_SECTIONS),
    "gcx.loads_sections": lambda: gcx.loads_sections(SMALL_GCX),
    "gcx.dumps_payload": lambda: gcx.loads_payload(gcx.dumps_payload(SMALL_PAYLOAD)),
    "goon.dumps_payload": lambda: goon.loads_payload(goon.dumps_payload(SMALL_PAYLOAD)),
    "goon.from_json": lambda: goon.from_json(SMALL_GOON_JSON),
    "goon.to_json": lambda: goon.to_json(SMALL_GOON),
    "graph.loads_lenient": lambda: graph.loads_lenient(SMALL_GRAPH),
    "graph.recover": lambda: graph.recover("x\n" + SMALL_GRAPH),
    "graph.pack_root": lambda: graph.pack_root(SMALL_PAYLOAD),
    "graph.diff": lambda: graph.diff({"tool": "t"}, SMALL_PAYLOAD),
    "graph.Delta": lambda: graph.Delta.from_dict(graph.Delta.loads(SMALL_DELTA.dumps()).to_dict()).apply({"tool": "t"}),
    "graph.SessionReader": lambda: graph.SessionReader().loads(SMALL_GRAPH),
    "graph.SessionReader.apply_delta": ignoring(lambda: graph.SessionReader().apply_delta(SMALL_DELTA.dumps(), {"tool": "t"})),
    "graph.dumps, an error": ignoring(lambda: graph.dumps({"symbols": [{}]})),
    "Payload": lambda: Payload.from_dict(SMALL_PAYLOAD).to_dict(),
    "keyed.KeyedSet": lambda: keyed.KeyedSet(SMALL["a"], key="id").rows(),
    "keyed.Delta": lambda: SMALL_SET.apply(SMALL_SET.delta_to(SMALL_SET)),
    "keyed.Session": lambda: keyed.Session(SMALL_SET).next(SMALL_SET),
    "keyed.receive": lambda: keyed.receive(SMALL_SET.dumps()),
    "keyed.loads, an error": ignoring(lambda: keyed.loads(SMALL_GCF)),
    "count_tokens": lambda: count_tokens(SMALL_GCF, counter="estimate"),
    "count_tokens, a vocabulary": lambda: count_tokens(SMALL_GCF, "o200k"),
    "tool_result": lambda: small_tool(format="gcf"),
    "tool_result, an iterator": lambda: iterating_tool(format="json"),
    "gcx.loads_arrow": lambda: gcx.loads_arrow(gcx.dumps(SMALL["a"])),
    "smallest": lambda: smallest(SMALL),
    "goon.dumps": lambda: goon.dumps(SMALL_NODES),
    "goon.loads": lambda: goon.loads(SMALL_GOON),
    "gcb.dumps": lambda: gcb.dumps(SMALL_PAYLOAD),
    "gcb.loads": lambda: gcb.loads(SMALL_GCB),
    "graph.dumps": lambda: graph.dumps(SMALL_PAYLOAD),
    "graph.loads": lambda: graph.loads(SMALL_GRAPH),
    "graph.Session": lambda: graph.Session().dumps(SMALL_PAYLOAD),
    "graph.Exchange": lambda: graph.Replica(graph.Exchange().answer(None, SMALL_PAYLOAD).text),
}


def resident() -> int:
    """The resident memory of the process in bytes; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        return 0


@pytest.mark.parametrize("name", LEAKS)
def test_calls_grow_nothing(name: str, pytestconfig: pytest.Config) -> None:
    """In CI 50,000 calls; `--calls 1000000` makes a million of each. One word a call would be 400 kB, and is seen."""
    calls = pytestconfig.getoption("--calls")
    call = LEAKS[name]
    for _ in range(2000):
        call()
    gc.collect()
    tracemalloc.start()
    for _ in range(200):
        call()
    windows = []
    for _ in range(3):  # what is kept once grows the first of them, and what each call keeps grows all
        gc.collect()
        python = tracemalloc.get_traced_memory()[0]
        for _ in range(2000):
            call()
        gc.collect()
        windows.append(tracemalloc.get_traced_memory()[0] - python)
    grown = min(windows)
    tracemalloc.stop()
    assert grown < 4096, f"{name} keeps {grown} bytes of Python's memory in 2,000 calls"
    before = resident()
    for _ in range(calls):
        call()
    gc.collect()
    assert resident() - before < 300_000 + calls, name

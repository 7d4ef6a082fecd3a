"""The bill of conversations (`bill.py`): of a file, and of a small clone of tau-bench's shape; the engine is the real one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from wire_formats import count_tokens, gcf

RECIPES = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(RECIPES / "evaluation"))

import bill  # noqa: E402

POLICY = "Be brief and kind. " * 400
FLIGHTS = [{"flight": f"F{number}", "from": "Rome", "to": "Oslo", "price": 90 + number} for number in range(12)]


def call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{number}", "type": "function", "function": function}]}


def result(number: int, name: str, value: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"c{number}", "name": name, "content": json.dumps(value)}


def conversation(order: int, turns: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [{"role": "system", "content": POLICY}]
    for turn in range(turns):
        value = {"order_id": f"#{order}", "status": "open" if turn == 0 else f"changed {turn}", "flights": FLIGHTS}
        rows += [{"role": "user", "content": f"Order {order}, please: {turn}"}, call(turn, "get_order", order_id=f"#{order}")]
        rows += [result(turn, "get_order", value), {"role": "assistant", "content": f"It is {value['status']}."}]
    return rows


CONVERSATIONS = [conversation(1, 1), conversation(2, 3), conversation(3, 5)]


@pytest.fixture(scope="session")
def proxy() -> str:
    if program := os.environ.get("WIRE_PROXY"):
        return program
    root = RECIPES.parent
    subprocess.run(["cargo", "build", "-q", "--locked", "-p", "wire-proxy", "--target-dir", "target"], cwd=root, check=True)
    return str(root / "target/debug/wire-proxy")


def run(*arguments: object) -> str:
    command = [sys.executable, str(RECIPES / "evaluation/bill.py"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def cells(text: str) -> dict[str, list[str]]:
    """The rows of all tables; the second of a way is its bill."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("| "):
            way, *own = line.removeprefix("| ").removesuffix(" |").split(" | ")
            found[f"bill: {way}" if way in found or "results" in found and "bill for input" in found else way] = own
    return found


def percent(cell: str) -> float:
    return float(cell.removesuffix(" %").replace("−", "-"))


def test_a_file(proxy: str, tmp_path: Path) -> None:
    file = tmp_path / "three.json"
    file.write_text(json.dumps([{"traj": rows} for rows in CONVERSATIONS]), encoding="utf-8")
    said = run(proxy, file, "--tools", "500")
    assert said == run(proxy, file, "--tools", "500")
    rows = cells(said)
    texts = [row["content"] for one in CONVERSATIONS for row in one if row["role"] == "tool"]
    for way, written in (("as sent", texts), ("wire", [gcf.dumps(json.loads(text)) for text in texts])):
        assert rows[way][0] == f"{sum(count_tokens(text, counter='o200k') for text in written):,}"
    assert "- three has 3 conversations and 500 tokens of definitions of tools; results are " in said
    minified, wire, exact, delta = (rows[f"bill: {way}"] for way in list(bill.WAYS)[1:])
    for stable in (minified, wire, exact, delta):
        assert all(percent(cell) < 0 for cell in stable[:3]) and stable[3] == "0"
    # No result is equal to an earlier one, and each differs in a member.
    assert exact == wire and percent(delta[0]) < percent(wire[0]) < percent(minified[0])
    # The newest result of each call, or the last three, go as they came, and are written in another way one request later.
    for way, larger in (("a gateway that withholds the newest exchange", "2"), ("only results older than the last three", "1")):
        own = rows[f"bill: {way}"]
        assert percent(own[0]) > 0 > percent(own[2]) and own[3] == larger
    again, once = (rows[f"bill: lossy −60 %, {when}"] for when in ("again at each turn of the user", "once, for comparison"))
    assert percent(again[0]) > percent(once[0]) and again[2] == once[2] and once[3] == "0"


def test_an_older_copy_is_rewritten() -> None:
    rows = conversation(1, 3)
    full = [(f"row {at}", 100) for at in range(len(rows))]
    reference = ('Same as the last full result of get_order with order_id = "#1", but for 1 change:\nstatus = "changed"\n', 20)
    delta = [reference if at in (7, 11) else pair for at, pair in enumerate(full)]
    written = {bill.SENT: [("sent", 150)] * len(rows), bill.WIRE: full, bill.DELTA: delta}
    requests = bill.breaking(rows, written)["the older copy of a result becomes a reference"]
    assert [len(one) for one in requests] == bill.ends(rows) == [2, 4, 6, 8, 10, 12]
    # Once the newer result is there, the first one is the short one, and the newer one is in full.
    assert [one[3] for one in requests[2:]] == [full[3], ("as 7", 20), ("as 7", 20), ("as 11", 20)]
    assert [one[7] for one in requests[3:]] == [full[7]] * 3


TOOL = """
import json
from typing import Any
from tau_bench.envs.tool import Tool


class {name}(Tool):
    @staticmethod
    def invoke(data: dict[str, Any], order_id: str) -> str:
        data["seen"] += 1
        return json.dumps({{"seen": data["seen"], **data["orders"][order_id]}})

    @staticmethod
    def get_info() -> dict[str, Any]:
        return {{"type": "function", "function": {{"name": "get_order", "description": "An order."}}}}


ALL_TOOLS = [{name}]
"""
TASKS = """
from tau_bench.types import Action, Task

TASKS_TEST = [
    Task(annotator="0", user_id="ann", instruction="You are Ann.", outputs=[], actions=[
        Action(name="get_order", kwargs={"order_id": "#1"}), Action(name="get_order", kwargs={"order_id": "#9"})]),
    Task(annotator="0", user_id="bo", instruction="You are Bo.", outputs=[], actions=[Action(name="get_order", kwargs={"order_id": "#1"})]),
]
"""


def test_a_clone(proxy: str, tmp_path: Path) -> None:
    order = {"id": "#1", "flights": FLIGHTS}
    files = {
        "historical_trajectories/gpt-4o-airline.json": json.dumps([{"traj": rows} for rows in CONVERSATIONS]),
        # What would be needed to run an agent is not imported.
        "tau_bench/__init__.py": "import litellm_is_not_installed",
        "tau_bench/envs/__init__.py": "import litellm_is_not_installed",
        "tau_bench/envs/retail/__init__.py": "import litellm_is_not_installed",
        "tau_bench/types.py": "import pydantic_is_not_installed",
        "tau_bench/envs/tool.py": "class Tool: pass",
        "tau_bench/envs/airline/tools/__init__.py": TOOL.format(name="Airline"),
        "tau_bench/envs/retail/tools/__init__.py": TOOL.format(name="Retail"),
        "tau_bench/envs/retail/data/__init__.py": f"def load_data():\n    return {{'seen': 0, 'orders': {{'#1': {order}}}}}",
        "tau_bench/envs/retail/wiki.py": f"WIKI = {POLICY!r}",
        "tau_bench/envs/retail/tasks_test.py": TASKS,
    }
    for name, text in files.items():
        path = tmp_path / "clone" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- tables -->\n<!-- end -->\nafter\n", encoding="utf-8")
    said = run(proxy, tmp_path / "clone", "--page", page)
    assert page.read_text(encoding="utf-8") == f"before\n<!-- tables -->\n{said}<!-- end -->\nafter\n"
    info = json.dumps([{"type": "function", "function": {"name": "get_order", "description": "An order."}}], separators=(",", ":"))
    tools = count_tokens(info, counter="o200k")
    for name, count in (("airline", 3), ("retail", 2)):
        assert f"- {name} has {count} conversations and {tools} tokens of definitions of tools; results are " in said
    # Each task has the data as they are at first, and an error is a result.
    own = json.dumps({"seen": 1, **order})
    assert cells(said)["as sent"][3] == f"{2 * count_tokens(own, counter='o200k') + count_tokens(chr(69) + 'rror: ' + repr('#9'), counter='o200k'):,}"


def test_the_rules_of_a_cache() -> None:
    first, more = ("a", 100), ("b", 50)
    growing = [[first], [first, more]]
    assert bill.bill(growing, 1000, 1.25, 0.1) == 1100 * 1.25 + 1100 * 0.1 + 50 * 1.25
    assert bill.bill(growing, 1000, 1, 1) == 1100 + 1150
    # Another first row: what is left of the beginning is too short for a cache.
    assert bill.bill([[first], [("A", 90), more]], 1000, 1.25, 0.1) == 1100 * 1.25 + 1140 * 1.25
    assert bill.bill([[first], [("A", 90), more]], 1024, 1.25, 0.1) == 1124 * 1.25 + 1024 * 0.1 + 140 * 1.25
    # A short request is neither written to a cache nor read from one.
    assert bill.bill(growing, 0, 1.25, 0.1) == 100 + 150


def test_references_name_their_results() -> None:
    old, new = {"id": 7, "rows": [{"n": "x.y"}]}, {"id": 8, "rows": [{"n": "z"}]}
    rows = [result(0, "get", old), result(1, "list", old), result(2, "get", new), result(3, "get", old)]
    texts = ["", "", "", 'Same as the last full result of get with rows[0].n = "x.y", but for 1 change:\nid = 9\n']
    assert bill.bases(rows, [(text, 1) for text in texts]) == {3: 0}
    texts[3] = "Same as the last full result of get with id = 8."
    assert bill.bases(rows, [(text, 1) for text in texts]) == {3: 2}
    assert [bill.member(old, path) for path in ("rows[0].n", "rows[1].n", "id.n", "other")] == ["x.y", None, None, None]


def test_the_page_says_what_its_table_shows() -> None:
    page = bill.PAGE.read_text(encoding="utf-8")
    rows = cells(page)
    saved = [-percent(cell) for first in (0, 4) for cell in rows["bill: wire"][first : first + 3]]
    white = [percent(rows["bill: minified"][at]) / percent(rows["bill: wire"][at]) for at in (0, 1, 2, 4, 5, 6)]
    assert f"{min(saved):.0f}–{max(saved):.0f} %" in page.partition("\n## ")[0]
    assert f"{100 * min(white):.0f} to {100 * max(white):.0f} %" in page
    # Who writes a row in another way later on makes bills larger.
    assert all(percent(rows["bill: the older copy of a result becomes a reference"][at]) > 0 for at in (0, 4))
    assert all(rows[f"bill: {way}"][at] == "0" for way in list(bill.WAYS)[1:] for at in (3, 7))

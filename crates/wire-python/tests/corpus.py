"""The cases of `fixtures/`, and what the package does with each."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parents[3] / "fixtures"


@dataclass(frozen=True)
class Case:
    """A case: which file it is in, and its members."""

    name: str
    format: str
    members: dict[str, Any]

    @property
    def operation(self) -> str:
        return str(self.members["operation"])

    @property
    def options(self) -> dict[str, Any]:
        return self.members.get("options", {})

    @property
    def input(self) -> bytes:
        """The text, as bytes."""
        members = self.members
        if "hex" in members:
            return b"".join(bytes.fromhex(line.split(";")[0]) for line in members["hex"])
        if "text_file" in members:
            return (FIXTURES / members["text_file"]).read_bytes()
        return str(members["text"]).encode()

    def document(self, name: str) -> Any:
        """A member that may stand in a file."""
        if f"{name}_file" in self.members:
            return json.loads((FIXTURES / self.members[f"{name}_file"]).read_bytes())
        return self.members[name]

    def has(self, name: str) -> bool:
        return name in self.members or f"{name}_file" in self.members


def cases() -> Iterator[Case]:
    for path in sorted(FIXTURES.rglob("*.json")):
        document = json.loads(path.read_bytes())
        if not isinstance(document, dict) or "format" not in document:
            continue
        for members in document.get("cases", []):
            where = path.relative_to(FIXTURES).as_posix()
            yield Case(f"{where}#{members['name']}", document["format"], members)


def same(found: Any, expected: Any) -> bool:
    """Whether two JSON values are the same: 1 is not 1.0, and 0.0 is not -0.0."""
    if type(found) is not type(expected):
        return False
    if isinstance(found, dict):
        return found.keys() == expected.keys() and all(same(found[key], expected[key]) for key in found)
    if isinstance(found, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(found, float):
        return (found == expected and math.copysign(1, found) == math.copysign(1, expected)) or (
            math.isnan(found) and math.isnan(expected)
        )
    return bool(found == expected)


def with_numbers(value: Any) -> Any:
    """A payload of a case: numbers that JSON can't write are strings there."""
    words = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
    if isinstance(value, dict):
        numbers = ("score", "blast_radius", "confidence", "recency", "distance")
        return {
            key: words.get(inner, inner) if key in numbers and isinstance(inner, str) else with_numbers(inner)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [with_numbers(inner) for inner in value]
    return value

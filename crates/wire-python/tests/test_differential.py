"""The same bytes as gcf-python on random JSON values, and each reads the other's; where they differ is a table in docs/python.md."""

from __future__ import annotations

import dataclasses
import math
import random
from typing import Any

import gcf as peer  # type: ignore[import-not-found,import-untyped,unused-ignore]
import pytest

from wire_formats import gcf

WORDS = ["", "a", "null", "true", "12", "-", "~", "^", "a b", " x", "a|b", "a,b", 'q"q', "é", "line\nb", "#c", "##x", "@1", "=",
         "a=b", "\t", "😀", "{}", "[]", "-1.5", "1e5", "0x1", ".a", ".."]  # fmt: skip
DOUBLES = [0.1, 1.5, -2.25, 1e300, 1e-7, 123456.789, 1e21, 3.0, -0.0]
KEYS = ["id", "name", "a", "b c", "x>y", "k", "é", "", "1", "a=b"]


def value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randint(0, 9 if depth < 4 else 5)
    if kind < 6:
        scalars = [None, rng.random() < 0.5, rng.randint(-1000, 1000), rng.choice(DOUBLES), rng.choice(WORDS), rng.choice(WORDS)]
        return scalars[kind]
    if kind == 6:
        return [value(rng, depth + 1) for _ in range(rng.randint(0, 4))]
    if kind == 7:
        return {rng.choice(KEYS): value(rng, depth + 1) for _ in range(rng.randint(0, 4))}
    keys = rng.sample(["id", "name", "v", "t", "n", "o"], rng.randint(1, 4))
    return [{key: value(rng, depth + 1) for key in keys if rng.random() < 0.9} for _ in range(rng.randint(1, 4))]


def test_the_same_bytes() -> None:
    for seed in range(3000):
        given = value(random.Random(seed))
        ours = gcf.dumps(given, spec="3.6")  # gcf-python writes 3.6
        assert ours == peer.encode_generic(given), seed
        assert peer.decode_generic(ours) == given, seed
        assert peer.decode_generic(gcf.dumps(given)) == given, seed


@dataclasses.dataclass
class Point:
    x: int


def test_where_gcf_python_differs() -> None:
    assert peer.encode_generic(math.nan).endswith("\n=0\n")
    with pytest.raises(gcf.Error):
        gcf.dumps(math.nan)
    assert peer.decode_generic(peer.encode_generic((1, 2))) == "(1, 2)"
    assert gcf.loads(gcf.dumps((1, 2))) == [1, 2]
    assert peer.decode_generic(peer.encode_generic(Point(1))) == "Point(x=1)"
    assert gcf.loads(gcf.dumps(Point(1))) == {"x": 1}
    with pytest.raises(TypeError):
        peer.encode_generic({1: 2})
    looped: list[Any] = []
    looped.append(looped)
    with pytest.raises(RecursionError):
        peer.encode_generic(looped)
    assert peer.decode_generic("GCF profile=generic\na=1e400\n") == {"a": math.inf}
    with pytest.raises(gcf.Error):
        gcf.loads("GCF profile=generic\na=1e400\n")

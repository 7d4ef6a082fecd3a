"""`loads(text, type=Model)`."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import uuid
from typing import Any, Literal, Optional, Union

import pydantic
import pytest

from wire_formats import gcf, gcx


class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Item:
    sku: str
    price: decimal.Decimal
    colour: Optional[Colour] = None


@dataclasses.dataclass
class Order:
    id: int
    at: datetime.datetime
    items: list[Item]
    key: uuid.UUID
    weight: float = 1.0
    notes: dict[str, Union[int, str]] = dataclasses.field(default_factory=dict)
    state: Literal["open", "done"] = "open"
    pair: Optional[tuple[int, str]] = None
    counted: int = dataclasses.field(init=False, default=0)


class Model(pydantic.BaseModel):
    id: int
    when: datetime.date


ORDER = Order(
    1,
    datetime.datetime(2024, 1, 2, 3, 4),
    [Item("a", decimal.Decimal("1.10"), Colour.RED), Item("b", decimal.Decimal("2"))],
    uuid.UUID(int=7),
    weight=2.0,
    notes={"a": 1, "b": "1"},
    state="done",
    pair=(1, "x"),
)


@pytest.mark.parametrize("module", [gcf, gcx])
def test_dataclasses_come_back(module: Any) -> None:
    assert module.loads(module.dumps(ORDER), type=Order) == ORDER
    assert module.loads(module.dumps([ORDER, ORDER]), type=list[Order]) == [ORDER, ORDER]
    assert module.loads(module.dumps({"k": ORDER}), type=dict[str, Order]) == {"k": ORDER}


@pytest.mark.parametrize("module", [gcf, gcx])
def test_models_come_back(module: Any) -> None:
    model = Model(id=1, when=datetime.date(2024, 1, 2))
    assert module.loads(module.dumps(model), type=Model) == model
    assert module.loads(module.dumps([model]), type=list[Model]) == [model]
    with pytest.raises(pydantic.ValidationError):
        module.loads(module.dumps({"id": "x", "when": "y"}), type=Model)


@pytest.mark.parametrize(
    ("value", "type", "path"),
    [
        ({"sku": 1, "price": "1"}, Item, "$.sku"),
        ({"sku": "a"}, Item, "$"),
        ({"sku": "a", "price": "x"}, Item, "$.price"),
        ({"sku": "a", "price": "1", "more": 1}, Item, "$"),
        ({"sku": "a", "price": "1", "colour": "blue"}, Item, "$.colour"),
        ([1, "a"], list[int], "$[1]"),
        ([True], list[int], "$[0]"),
        ({"a": 1}, list[int], "$"),
        ([1], dict[str, int], "$"),
        ({"x": 1}, dict[int, int], "$"),
        ([1, 2, 3], tuple[int, int], "$"),
        ("x", Literal["y"], "$"),
        ("2024-13-01", datetime.date, "$"),
        (1, None, "$"),
    ],
)
def test_what_does_not_fit(value: Any, type: Any, path: str) -> None:
    if type is None:
        type = __import__("types").NoneType
    with pytest.raises(gcf.Error) as raised:
        gcf.loads(gcf.dumps(value), type=type)
    assert (raised.value.code, raised.value.path) == ("invalid_value", path)


def test_other_types() -> None:
    assert gcf.loads(gcf.dumps({1: 2.5, 3: 4}), type=dict[int, float]) == {1: 2.5, 3: 4.0}
    assert gcf.loads(gcf.dumps([1, 2, 2]), type=set[int]) == {1, 2}
    assert gcf.loads(gcf.dumps(["1", 1, None]), type=list[Union[int, str, None]]) == ["1", 1, None]
    assert gcf.loads(gcf.dumps([1]), type=Any) == [1]
    with pytest.raises(TypeError, match="can't be read"):
        gcf.loads(gcf.dumps([1]), type=list[object.__class__])

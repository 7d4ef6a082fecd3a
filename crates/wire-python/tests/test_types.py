"""`loads(text, type=Model)`."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import ipaddress
import pathlib
import uuid
from typing import Any, Generic, Literal, NamedTuple, NewType, Optional, TypeVar, Union

import pydantic
import pytest
from typing_extensions import Required, TypedDict

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


class Aliased(pydantic.BaseModel):
    user_id: int = pydantic.Field(alias="userId")
    site: pydantic.HttpUrl
    took: datetime.timedelta
    tags: set[int]
    price: decimal.Decimal
    score: float
    at: datetime.datetime


T = TypeVar("T")
K = TypeVar("K")


@dataclasses.dataclass
class Page(Generic[T]):
    items: list[T]
    next: Optional[T] = None


@dataclasses.dataclass
class Named(Page[T], Generic[K, T]):
    by_name: dict[str, K] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Pages(Page[Page[T]]):
    pass


Key = NewType("Key", int)


class Pair(NamedTuple):
    left: Key
    right: datetime.date


class Row(TypedDict, total=False):
    at: Required[datetime.date]
    pair: Pair


@dataclasses.dataclass
class Scaled:
    value: int
    factor: dataclasses.InitVar[int] = 1


@dataclasses.dataclass
class NeedsMore:
    value: int
    factor: dataclasses.InitVar[int]


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


@pytest.mark.parametrize("module", [gcf, gcx])
def test_models_are_written_as_pydantic_reads_them(module: Any) -> None:
    model = Aliased(
        userId=1, site="https://a.b/c", took=datetime.timedelta(seconds=90), tags={3}, price=decimal.Decimal("1.10"),
        score=0.1, at=datetime.datetime(2024, 1, 2, tzinfo=datetime.timezone.utc),
    )  # fmt: skip
    text = module.dumps(model)
    assert module.loads(text, type=Aliased) == model
    assert module.loads(text) == {
        "userId": 1, "site": "https://a.b/c", "took": "PT1M30S", "tags": [3], "price": "1.10", "score": 0.1,
        "at": "2024-01-02T00:00:00Z",
    }  # fmt: skip


def test_models_that_hold_what_is_not_written() -> None:
    class Holder(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
        thing: Any

    with pytest.raises(TypeError, match=r"^\$\.a: the model .*Holder.*default="):
        gcf.dumps({"a": Holder(thing=object())})
    assert gcf.loads(gcf.dumps(Holder(thing=object()), default=lambda _: "made")) == {"thing": "made"}
    with pytest.raises(gcf.Error) as raised:
        gcf.dumps([Holder(thing=[None, {"x": float("nan")}])])
    assert raised.value.path == "$[0].thing[1].x"


@pytest.mark.parametrize("module", [gcf, gcx])
def test_generic_types(module: Any) -> None:
    def back(value: Any, type: Any) -> Any:
        return module.loads(module.dumps(value), type=type)

    page = Page([ORDER], ORDER)
    assert back(page, Page[Order]) == page
    assert back(Page([1]), Page) == Page([1])
    named = Named([1, 2], 3, {"o": ORDER})
    assert back(named, Named[Order, int]) == named
    pages = Pages([Page([ORDER])])
    assert back(pages, Pages[Order]) == pages
    with pytest.raises(module.Error) as raised:
        back(Page(["x"]), Page[Order])
    assert raised.value.path == "$.items[0]"
    pair = Pair(Key(1), datetime.date(2024, 1, 2))
    assert back([pair], list[Pair]) == [pair]
    assert isinstance(back([pair], list[Pair])[0], Pair)
    row: Row = {"at": datetime.date(2024, 1, 2), "pair": pair}
    assert back(row, Row) == row
    assert back({"at": row["at"]}, Row) == {"at": row["at"]}
    assert back(Scaled(2, 3), Scaled) == Scaled(2)
    with pytest.raises(TypeError, match="InitVar 'factor'"):
        back(NeedsMore(1, 2), NeedsMore)


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
        (["x"], list[Key], "$[0]"),
        ([1], Pair, "$"),
        ([1, "x"], Pair, "$[1]"),
        ({"pair": [1, "2024-01-02"]}, Row, "$"),
        ({"at": "2024-01-02", "more": 1}, Row, "$"),
        (1, Row, "$"),
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


def test_nothing_is_rounded_or_lost() -> None:
    for value, type, code in [
        ([2**53 + 1], list[float], "out_of_range"),
        ({"1": 1, "01": 2}, dict[int, int], "invalid_value"),
        ({"1_0": 1}, dict[int, int], "invalid_value"),
        ({"1": 1, "1.0": 2}, dict[decimal.Decimal, int], "duplicate_key"),
    ]:
        with pytest.raises(gcf.Error) as raised:
            gcf.loads(gcf.dumps(value), type=type)
        assert raised.value.code == code, value
    with pytest.raises(gcx.Error) as beyond:
        gcx.loads(gcx.dumps([{"a": 10**400}]), type=list[dict[str, float]])
    assert beyond.value.code == "out_of_range"
    assert gcf.loads(gcf.dumps([2**53]), type=list[float]) == [2.0**53]


def test_other_types() -> None:
    assert gcf.loads(gcf.dumps({1: 2.5, 3: 4}), type=dict[int, float]) == {1: 2.5, 3: 4.0}
    assert gcf.loads(gcf.dumps([1, 2, 2]), type=set[int]) == {1, 2}
    assert gcf.loads(gcf.dumps(["1", 1, None]), type=list[Union[int, str, None]]) == ["1", 1, None]
    assert gcf.loads(gcf.dumps([1]), type=Any) == [1]
    with pytest.raises(TypeError, match="can't be read"):
        gcf.loads(gcf.dumps([1]), type=list[object.__class__])


@dataclasses.dataclass
class Visit:
    at: datetime.time
    took: datetime.timedelta
    path: pathlib.Path
    address: ipaddress.IPv4Address
    network: ipaddress.IPv6Network
    last: collections.deque[int]


def test_types_of_texts() -> None:
    visit = Visit(
        datetime.time(1, 2, 3, 4, datetime.timezone.utc),
        -datetime.timedelta(400, 5, 6),
        pathlib.Path("/a/b"),
        ipaddress.IPv4Address("1.2.3.4"),
        ipaddress.IPv6Network("fe80::/10"),
        collections.deque([1, 2]),
    )
    for module in (gcf, gcx):
        assert module.loads(module.dumps([visit]), type=list[Visit]) == [visit]
    for given in ("P", "PT", "1D", "P1H", "PT1.0000001S", "P1W", "P1D ", f"P{'9' * 30}D"):
        with pytest.raises(gcf.Error, match=r"^\$: .*the text of a timedelta"):
            gcf.loads(gcf.dumps(given), type=datetime.timedelta)
    for kind in (datetime.time, ipaddress.IPv6Address):
        with pytest.raises(gcf.Error, match=rf"expected the text of a {kind.__name__}"):
            gcf.loads(gcf.dumps("x"), type=kind)

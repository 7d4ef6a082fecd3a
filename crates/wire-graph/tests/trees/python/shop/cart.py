"""Carts."""
import functools

from shop import prices
from shop.prices import Money, total

LIMIT = 3


class Base:
    def describe(self):
        return "a cart"


def logged(function):
    return functools.wraps(function)(function)


class Cart(Base):
    """What is to be bought."""

    def __init__(self, items: list) -> None:
        self.items = items

    @logged
    def add(self, item) -> Money:
        self.items.append(item)
        return self.price()

    def price(self) -> Money:
        return prices.total(self.items)


def open_cart() -> Cart:
    cart = Cart([])
    cart.describe()
    total([])
    return cart

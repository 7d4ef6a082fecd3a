"""Objects that are written as what they hold: NumPy, iterators, paths, times."""

from __future__ import annotations

import datetime
import ipaddress
import pathlib
import sys
import zoneinfo
from collections import deque
from collections.abc import Iterator
from typing import Any

# Written as `str` writes them. An interface is a subclass of an address.
_TEXTS = (
    pathlib.PurePath,
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
    ipaddress.IPv4Network,
    ipaddress.IPv6Network,
)


def plain(value: Any, read: list[tuple[Any, list[Any] | None]] | None) -> Any:
    """What is written in place of an object, or `NotImplemented`.

    An iterator is noted in `read` with the list of its items, or None if it failed.
    """
    if isinstance(value, _TEXTS):
        return str(value)
    if isinstance(value, datetime.timedelta):
        microseconds = (value.days * 86_400 + value.seconds) * 10**6 + value.microseconds
        # A `pandas.Timedelta` also has nanoseconds.
        return duration(microseconds * 1000 + getattr(value, "nanoseconds", 0), 10**9)
    if isinstance(value, datetime.time):
        text = value.isoformat()
        return f"{text[:-6]}Z" if text.endswith("+00:00") else text
    if isinstance(value, deque):
        return list(value)
    if isinstance(value, Iterator):
        return _items(value, read)
    # Their objects exist only if they were imported.
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if numpy is not None and isinstance(value, (numpy.generic, numpy.ndarray)):
        return _of_numpy(value, numpy)
    if pandas is not None and isinstance(value, (pandas.Period, pandas.Interval)):
        return str(value)
    if pandas is not None and isinstance(value, (pandas.Index, pandas.api.extensions.ExtensionArray)):
        return value.tolist() if isinstance(value, pandas.MultiIndex) else pandas.Series(value)
    return NotImplemented


def _items(iterator: Iterator[Any], read: list[tuple[Any, list[Any] | None]] | None) -> list[Any]:
    if read is None:
        return list(iterator)
    read.append((iterator, None))
    items = list(iterator)
    read[-1] = (iterator, items)
    return items


def duration(count: int, per_second: int) -> str:
    """A duration of ISO 8601, as pydantic writes it: a year has 365 days."""
    seconds, part = divmod(abs(count), per_second)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    years, days = divmod(days, 365)
    fraction = str(per_second + part)[1:].rstrip("0")
    date = "".join(f"{number}{unit}" for number, unit in ((years, "Y"), (days, "D")) if number)
    time = "".join(f"{number}{unit}" for number, unit in ((hours, "H"), (minutes, "M")) if number)
    if seconds or fraction:
        time += f"{seconds}.{fraction}S" if fraction else f"{seconds}S"
    if not date and not time:
        time = "0S"
    return f"{'-' if count < 0 else ''}P{date}{time and 'T'}{time}"


def offset(zone: str, seconds: int) -> int | None:
    """The offset of a time zone in seconds, so many seconds after 1970; None if the zone or the year is not known here."""
    try:
        moment = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
        found = moment.astimezone(zoneinfo.ZoneInfo(zone)).utcoffset()
    except (OverflowError, OSError, ValueError, zoneinfo.ZoneInfoNotFoundError):
        return None
    return None if found is None else int(found.total_seconds())


def circle(value: Any) -> tuple[list[int | str], str] | None:
    """The steps to a container that contains itself, and what it is."""
    steps: list[int | str] = []
    around = {id(value): None}  # in their order, and found in constant time however deep they are
    done: set[int] = set()
    inner = [_steps(value)]
    while inner:
        for step, held in inner[-1]:
            if id(held) in around:
                return [*steps, step], type(held).__name__
            if isinstance(held, (dict, list, tuple)) and id(held) not in done:
                steps.append(step)
                around[id(held)] = None
                inner.append(_steps(held))
                break
        else:
            inner.pop()
            done.add(around.popitem()[0])
            del steps[-1:]
    return None


def _steps(value: Any) -> Iterator[tuple[int | str, Any]]:
    if isinstance(value, dict):
        return ((str(key), held) for key, held in value.items())
    return iter(enumerate(value)) if isinstance(value, (list, tuple)) else iter(())


def _of_numpy(value: Any, numpy: Any) -> Any:
    if value.dtype.kind in "mM":
        return list(value) if value.ndim else _time_of_numpy(value[()], numpy)
    if value.dtype.kind == "f" and value.dtype.itemsize < 8:
        # Their own shortest digits, which read back as the same number; as doubles they have others.
        value = numpy.asarray(value).astype(str).astype(float)
    held = value.item() if isinstance(value, numpy.generic) else value.tolist()
    # `longdouble` and its like have no counterpart in Python, and `item` returns them unchanged.
    return NotImplemented if isinstance(held, numpy.generic) else held


def _time_of_numpy(value: Any, numpy: Any) -> Any:
    """A date, a time or a duration. Where Python has no class for it, its item is a number without a unit."""
    if numpy.isnat(value):
        return None
    held = value.item()
    if not isinstance(held, int):
        return held
    unit, step = numpy.datetime_data(value.dtype)
    if value.dtype.kind == "M":
        exact = value.astype("datetime64[us]")
        held = exact.item() if exact == value else held
        return str(numpy.datetime_as_string(value)) if isinstance(held, int) else held
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9, "ps": 10**12, "fs": 10**15, "as": 10**18}
    return duration(held * step, per_second[unit]) if unit in per_second else NotImplemented

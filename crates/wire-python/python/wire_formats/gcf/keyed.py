"""GCF for tables that are sent again and again: sets of rows with a key, and what changes between calls.

>>> from wire_formats.gcf import keyed
>>> session = keyed.Session(keyed.KeyedSet([{"id": 1, "n": "x"}, {"id": 2, "n": "y"}], key="id"))
>>> held = keyed.receive(session.full())
>>> sent = session.next(keyed.KeyedSet([{"id": 1, "n": "x"}, {"id": 2, "n": "z"}], key="id"))
>>> sent.is_full, keyed.receive(sent.text, held).rows()
(False, [{'id': 1, 'n': 'x'}, {'id': 2, 'n': 'z'}])

Each text states the root of the set, so that a reader notices what it missed.
"""

from .. import _errors
from .._wire_formats import keyed as _native

Error, OutOfRangeError = _errors.CLASSES["gcf"]
loads = _native.loads
receive = _native.receive
Delta = _native.Delta
KeyedSet = _native.KeyedSet
Session = _native.Session
Unchanged = _native.Unchanged
Update = _native.Update

__all__ = ["Delta", "Error", "KeyedSet", "OutOfRangeError", "Session", "Unchanged", "Update", "loads", "receive"]

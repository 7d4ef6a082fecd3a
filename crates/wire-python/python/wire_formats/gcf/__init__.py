"""GCF: any object as text for language models.

>>> from wire_formats import gcf
>>> text = gcf.dumps({"users": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]})
>>> gcf.loads(text)
{'users': [{'id': 1, 'name': 'Ann'}, {'id': 2, 'name': 'Bo'}]}

Graphs have a form of their own, which is shorter: see `wire_formats.gcf.graph`. Tables that are sent again and again are
`wire_formats.gcf.keyed`.
"""

from .. import _errors, _files
from .._wire_formats import gcf as _native

Error, OutOfRangeError = _errors.CLASSES["gcf"]
dumps = _native.dumps
loads = _native.loads
loads_arrow = _native.loads_arrow
dumps_in_groups = _native.dumps_in_groups
from_json = _native.from_json
recover = _native.recover
to_json = _native.to_json
Recovered = _native.Recovered
Repair = _native.Repair
dump = _files.dump_with(dumps, __name__, "a file that takes text")
load = _files.load_with(loads, __name__, "a file of text or bytes")

from . import graph, keyed  # noqa: E402

__all__ = [
    "Error",
    "OutOfRangeError",
    "Recovered",
    "Repair",
    "dump",
    "dumps",
    "dumps_in_groups",
    "from_json",
    "graph",
    "keyed",
    "load",
    "loads",
    "loads_arrow",
    "recover",
    "to_json",
]

"""GCX1: rows as text, and the responses of tools by their layouts.

>>> from wire_formats import gcx
>>> gcx.loads(gcx.dumps([{"id": "a", "size": 1.5}, {"id": "b", "size": None}]))
[{'id': 'a', 'size': 1.5}, {'id': 'b', 'size': None}]
"""

from . import _errors, _files
from ._wire_formats import gcx as _native

Error, OutOfRangeError = _errors.CLASSES["gcx"]
dumps = _native.dumps
dumps_payload = _native.dumps_payload
loads = _native.loads
loads_payload = _native.loads_payload
loads_arrow = _native.loads_arrow
dumps_layout = _native.dumps_layout
dumps_sections = _native.dumps_sections
from_json = _native.from_json
loads_sections = _native.loads_sections
to_json = _native.to_json
dump = _files.dump_with(dumps, __name__, "a file that takes text")
load = _files.load_with(loads, __name__, "a file of text or bytes")

__all__ = [
    "Error",
    "OutOfRangeError",
    "dump",
    "dumps",
    "dumps_payload",
    "dumps_layout",
    "dumps_sections",
    "from_json",
    "load",
    "loads",
    "loads_payload",
    "loads_arrow",
    "loads_sections",
    "to_json",
]

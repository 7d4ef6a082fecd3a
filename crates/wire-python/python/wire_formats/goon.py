"""GOON: responses of graph queries as text."""

from . import _errors, _files
from ._wire_formats import goon as _native

Error, OutOfRangeError = _errors.CLASSES["goon"]
dumps = _native.dumps
dumps_payload = _native.dumps_payload
loads = _native.loads
loads_payload = _native.loads_payload
from_json = _native.from_json
to_json = _native.to_json
dump = _files.dump_with(dumps, __name__, "a file that takes text")
load = _files.load_with(loads, __name__, "a file of text or bytes")

__all__ = [
    "Error",
    "OutOfRangeError",
    "dump",
    "dumps",
    "dumps_payload",
    "from_json",
    "load",
    "loads",
    "loads_payload",
    "to_json",
]

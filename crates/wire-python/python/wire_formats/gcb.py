"""GCB1: payloads of graphs as bytes, for services and caches."""

from . import _errors, _files
from ._wire_formats import gcb as _native

Error, OutOfRangeError = _errors.CLASSES["gcb"]
dumps = _native.dumps
loads = _native.loads
dump = _files.dump_with(dumps, __name__, "a file that takes bytes")
load = _files.load_with(loads, __name__, "a file of bytes")

__all__ = [
    "Error",
    "OutOfRangeError",
    "dump",
    "dumps",
    "load",
    "loads",
]

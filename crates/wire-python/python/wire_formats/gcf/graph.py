"""GCF for graphs: payloads of symbols and edges, and what changes between calls.

Payloads are `wire_formats.Payload`, or dicts of its JSON form.
"""

from .. import _errors, _files
from .._wire_formats import graph as _native

Error, OutOfRangeError = _errors.CLASSES["gcf"]
dumps = _native.dumps
loads = _native.loads
diff = _native.diff
loads_lenient = _native.loads_lenient
pack_root = _native.pack_root
recover = _native.recover
Answer = _native.Answer
Delta = _native.Delta
Exchange = _native.Exchange
Recovered = _native.Recovered
Replica = _native.Replica
SendFull = _native.SendFull
Sent = _native.Sent
Session = _native.Session
SessionReader = _native.SessionReader
dump = _files.dump_with(dumps, __name__, "a file that takes text")
load = _files.load_with(loads, __name__, "a file of text or bytes")

__all__ = [
    "Answer",
    "Delta",
    "Error",
    "Exchange",
    "OutOfRangeError",
    "Recovered",
    "Replica",
    "SendFull",
    "Sent",
    "Session",
    "SessionReader",
    "diff",
    "dump",
    "dumps",
    "load",
    "loads",
    "loads_lenient",
    "pack_root",
    "recover",
]

"""The extension module; import `wire_formats`. Free-threaded interpreters switch the GIL on for
it: objects are read where they are, and what another thread does to them meanwhile is held off
by the GIL.
"""

from typing import Any

version: str
top: Any
gcf: Any
graph: Any
keyed: Any
gcx: Any
goon: Any
gcb: Any

from typing import Any

version: str
top: Any
gcf: Any
graph: Any
keyed: Any
gcx: Any
goon: Any
gcb: Any

from typing import Any

version: str
top: Any
gcf: Any
graph: Any
gcx: Any
goon: Any
gcb: Any

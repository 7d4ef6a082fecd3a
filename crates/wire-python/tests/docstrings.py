"""Writes the docstrings of the module into its stubs, which editors read:

    target/python/test/bin/python crates/wire-python/tests/docstrings.py
"""

from __future__ import annotations

import ast
import importlib
import inspect
import operator
import types
from pathlib import Path

MODULES = ["", ".gcf", ".gcf.graph", ".gcf.keyed", ".gcx", ".goon", ".gcb", "._wire_formats"]
STUBS = Path(__file__).resolve().parents[1] / "python"


def stub(module: types.ModuleType) -> Path:
    """The stub of a module, in the sources."""
    path = STUBS.joinpath(*module.__name__.split("."))
    return path / "__init__.pyi" if path.is_dir() else path.with_suffix(".pyi")


def members(body: list[ast.stmt], name: str) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    """The public functions and classes of a stub, of overloads the first."""
    found: dict[str, ast.FunctionDef | ast.ClassDef] = {}
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            found.setdefault(f"{name}{node.name}", node)
            if isinstance(node, ast.ClassDef):
                found.update(members(node.body, f"{name}{node.name}."))
    return found


def with_docstrings(text: str, module: types.ModuleType) -> str:
    """The text of a stub with the docstrings that its module has."""
    tree = ast.parse(text)
    nodes = {"": tree, **members(tree.body, "")}
    lines = text.encode().splitlines(keepends=True)
    # From the last to the first, so that the places of those before stay as they are.
    for name, node in sorted(nodes.items(), key=lambda item: item[1].body[0].lineno, reverse=True):
        said = inspect.getdoc(operator.attrgetter(name)(module) if name else module)
        assert said, f"{module.__name__}.{name} says nothing of itself"
        assert '"""' not in said, f"{module.__name__}.{name} has quotes that would end its docstring"
        first = node.body[0]
        # A docstring, or the `...` of a body that has none: it is replaced.
        is_constant = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        end_line, end = (first.end_lineno or first.lineno, first.end_col_offset or 0) if is_constant else (first.lineno, first.col_offset)
        before, after = lines[first.lineno - 1][: first.col_offset], lines[end_line - 1][end:]
        indent = before
        if before.strip():
            # A body in the line of its head, as in `def columns(self): ...`.
            indent = b" " * (node.col_offset + 4 if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else 0)
            before = before.rstrip() + b"\n" + indent
        paragraphs = [(indent + line.encode()).rstrip() for line in said.replace("\\", "\\\\").splitlines()]
        written = b'"""' + b"\n".join(paragraphs).strip() + (b"\n" + indent if len(paragraphs) > 1 else b"") + b'"""'
        if not is_constant:
            written += b"\n\n" + indent
        lines[first.lineno - 1 : end_line] = (before + written + after).splitlines(keepends=True)
    return b"".join(lines).decode()


def main() -> None:
    for name in MODULES:
        module = importlib.import_module(f"wire_formats{name}")
        path = stub(module)
        path.write_text(with_docstrings(path.read_text(encoding="utf-8"), module), encoding="utf-8")


if __name__ == "__main__":
    main()

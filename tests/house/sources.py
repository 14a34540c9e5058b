"""The source files of Atrium, parsed: what the tests of the house look at."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "atrium"
SQL_START = re.compile(
    r"\s*(with\s+(recursive\s+)?\w+\s+as|select|insert\s+into|update\s+[a-z_]\w*\s+\w+|delete\s+from)\b", re.I
)


@cache
def sources() -> dict[str, ast.Module]:
    """Each file of src/atrium by its path there."""
    return {str(path.relative_to(SRC)): ast.parse(path.read_text()) for path in sorted(SRC.rglob("*.py"))}


def constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The names assigned at the top of a module that are all uppercase, with what they are."""
    for node in tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name) and target.id.isupper():
                yield target.id, node.value


def is_sql(node: ast.AST | None) -> bool:
    """Whether the node is a text that begins as a statement that reads or changes rows does."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(SQL_START.match(node.value))


def is_put_together(node: ast.AST | None) -> bool:
    """Whether the node is a text with constants in it, each by its name, and with nothing else: a constant too."""
    return isinstance(node, ast.JoinedStr) and all(
        isinstance(part.value, ast.Name | ast.Attribute)
        and ast.unparse(part.value).rpartition(".")[2].isupper()
        and part.conversion == -1
        and part.format_spec is None
        for part in node.values
        if isinstance(part, ast.FormattedValue)
    )


@cache
def sql_constants() -> dict[str, str]:
    """Every SQL constant by `file:NAME`: all texts of queries.py, and what reads as SQL elsewhere. What begins with an
    underscore is a part of others."""
    return {
        f"{path}:{name}": getattr(import_module(f"atrium.{path.removesuffix('.py').replace('/', '.')}"), name)
        for path, tree in sources().items()
        for name, value in constants(tree)
        if not name.startswith("_") and _is_text(value) and (path.endswith("queries.py") or _begins_as_sql(value))
    }


def _is_text(node: ast.expr) -> bool:
    return is_put_together(node) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _begins_as_sql(node: ast.expr) -> bool:
    return is_sql(node.values[0] if isinstance(node, ast.JoinedStr) else node)

"""The parsed source files of Atrium, which the tests in this folder check."""

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
    """Return each file of src/atrium, parsed, by its path."""
    return {str(path.relative_to(SRC)): ast.parse(path.read_text()) for path in sorted(SRC.rglob("*.py"))}


def constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Return the uppercase names assigned at the top of a module, with their values."""
    for node in tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name) and target.id.isupper():
                yield target.id, node.value


def is_sql(node: ast.AST | None) -> bool:
    """Return whether the node is a text that starts like a statement that reads or changes rows."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(SQL_START.match(node.value))


def is_put_together(node: ast.AST | None) -> bool:
    """Return whether the node is a text composed of named constants only, which makes it a constant too."""
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
    """Return every SQL constant by `file:NAME`: all texts in queries.py, and texts elsewhere that read as SQL.

    Names with a leading underscore are left out, because they are only parts of others (test_sql_is_valid.py).
    """
    return {
        f"{path}:{name}": getattr(import_module(f"atrium.{path.removesuffix('.py').replace('/', '.')}"), name)
        for path, tree in sources().items()
        for name, value in constants(tree)
        if not name.startswith("_") and is_statement(path, value)
    }


def is_statement(path: str, node: ast.expr) -> bool:
    """Return whether a constant is SQL or a part of it: each text in queries.py, and one elsewhere that reads as SQL."""
    return _is_text(node) and (path.endswith("queries.py") or _begins_as_sql(node))


def _is_text(node: ast.expr) -> bool:
    return is_put_together(node) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _begins_as_sql(node: ast.expr) -> bool:
    return is_sql(node.values[0] if isinstance(node, ast.JoinedStr) else node)

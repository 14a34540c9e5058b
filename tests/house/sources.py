"""The source files of Atrium, parsed: what the tests of the house look at."""

import ast
import re
from collections.abc import Iterator
from functools import cache
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


def sql_constants() -> dict[str, str]:
    """Every SQL constant by `file:NAME`: whatever queries.py holds, and what reads as SQL elsewhere."""
    return {
        f"{path}:{name}": str(value.value)
        for path, tree in sources().items()
        for name, value in constants(tree)
        if isinstance(value, ast.Constant)
        and isinstance(value.value, str)
        and (path.endswith("queries.py") or is_sql(value))
    }

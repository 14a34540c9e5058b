"""src/atrium uses no private name of a library, and decision 0001 says why a library has an upper bound."""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.house.libraries import BOUNDED, normal
from tests.house.sources import ROOT, sources

DECISION = ROOT / "docs" / "decisions" / "0001-libraries.md"
DOCUMENTED = {"_replace", "_fields", "_asdict", "_make", "_value_"}  # of named tuples and enums
ROW = re.compile(r"^\| ([\w-]+) \| below [\d.]+ \|", re.MULTILINE)


def private_names(tree: ast.AST) -> Iterator[str]:
    """Return the private names that a module takes from elsewhere: imports, attributes, and inherited ones."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = f"{node.module or ''}." if isinstance(node, ast.ImportFrom) else ""
            paths = [f"{module}{each.name}".split(".") for each in node.names]
            yield from (part for path in paths if path[0] != "atrium" for part in path if _is_private(part))
        elif isinstance(node, ast.Attribute) and _is_private(node.attr) and not _is_own(node.value):
            yield node.attr
        elif isinstance(node, ast.ClassDef) and node.bases:
            yield from _inherited_names(node)


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in DOCUMENTED


def _is_own(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def _inherited_names(defined: ast.ClassDef) -> Iterator[str]:
    """Return the private names of `self` that the class does not define."""
    used, own = set[str](), set[str]()
    for node in ast.walk(defined):
        if isinstance(node, ast.Attribute) and _is_own(node.value) and _is_private(node.attr):
            (own if isinstance(node.ctx, ast.Store) else used).add(node.attr)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            own.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
    yield from used - own


@cache
def used_names() -> set[tuple[str, str]]:
    """Return each file with each private name that it uses."""
    return {(path, name) for path, tree in sources().items() for name in private_names(tree)}


def test_no_private_name_of_a_library_is_used() -> None:
    assert used_names() == set()


def test_only_libraries_in_the_table_have_bounds() -> None:
    assert set(map(normal, ROW.findall(DECISION.read_text()))) == BOUNDED


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("from library import _part", "_part"),
        ("import library._part", "_part"),
        ("library.thing._part()", "_part"),
        ("class Own(Base):\n    def run(self):\n        super()._part()", "_part"),
        ("class Own(Base):\n    def run(self):\n        return self._part", "_part"),
    ],
)
def test_each_form_of_a_private_name_is_found(code: str, name: str) -> None:
    assert set(private_names(ast.parse(code))) == {name}


@pytest.mark.parametrize(
    "code",
    [
        "class Own(Base):\n    def run(self):\n        self._part = 1\n        return self._part",
        "pair._replace(one=1)",
        "class Own(Base):\n    _part: int = 0\n    def run(self):\n        return self._part",
        "from __future__ import annotations",
        "from atrium.client import _sync",
        "thing.__class__",
        "import library.part",
    ],
)
def test_names_of_ones_own_are_not_found(code: str) -> None:
    assert list(private_names(ast.parse(code))) == []

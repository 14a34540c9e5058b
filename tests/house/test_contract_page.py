"""docs/contract.md names for each statement of the contract the test that checks it; those tests exist."""

import ast
import re
from functools import cache

from tests.house.sources import ROOT

PAGE = ROOT / "docs" / "contract.md"
REFERENCE = re.compile(r"`(tests/[\w/]+\.py)::(\w+)(?:\[[^`]*\])?`")


def rows() -> list[str]:
    """Return the rows of the page's tables, without the headers and the lines under them."""
    lines = PAGE.read_text().splitlines() if PAGE.exists() else []
    rules = {number for number, line in enumerate(lines) if re.fullmatch(r"\|[\s:|-]+\|", line)}
    return [
        line
        for number, line in enumerate(lines)
        if line.startswith("|") and number not in rules and number + 1 not in rules
    ]


@cache
def names_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text())
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_the_page_exists_and_has_rows() -> None:
    assert PAGE.exists()
    assert len(rows()) >= 10


def test_each_row_names_a_test() -> None:
    assert [row for row in rows() if not REFERENCE.search(row)] == []


def test_each_test_that_is_named_exists() -> None:
    named = sorted(set(REFERENCE.findall("\n".join(rows()))))
    assert [f"{path}::{name}" for path, name in named if not is_a_test(path, name)] == []


def is_a_test(path: str, name: str) -> bool:
    return (ROOT / path).exists() and name.startswith("test_") and name in names_in(path)

"""docs/contract.md names for each statement of the contract the test that checks it; those tests exist."""

import ast
import re
from functools import cache

import pytest

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


@pytest.mark.parametrize("row", rows())
def test_a_row_names_a_test(row: str) -> None:
    assert REFERENCE.search(row), f"no test is named in: {row}"


@pytest.mark.parametrize(("path", "name"), sorted(set(REFERENCE.findall("\n".join(rows())))))
def test_a_test_that_is_named_exists(path: str, name: str) -> None:
    assert (ROOT / path).exists(), path
    assert name.startswith("test_")
    assert name in names_in(path), f"{path} has no {name}"

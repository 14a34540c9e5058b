"""Functions are within 25 lines, files within 300."""

import ast

import pytest

from tests.conftest import LONGEST
from tests.house.sources import SRC, sources

MAX_FUNCTION_LINES, MAX_FILE_LINES = 25, 300
# All exceptions, each with its reason. The fewer the better.
LONGER_FUNCTIONS: dict[str, str] = {}
LONGER_FILES: dict[str, str] = {}


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of lines of signature and body, without decorators and docstring."""
    docstring = function.body[0] if ast.get_docstring(function) is not None else None
    spared = (docstring.end_lineno or 0) - docstring.lineno + 1 if docstring else 0
    return (function.end_lineno or 0) - function.lineno + 1 - spared


def too_long(path: str) -> dict[str, int]:
    functions = [node for node in ast.walk(sources()[path]) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    found = {f"{path}:{each.name}": lines_of(each) for each in functions}
    return {name: lines for name, lines in found.items() if lines > MAX_FUNCTION_LINES}


@pytest.mark.parametrize("path", sources())
def test_functions_are_small(path: str) -> None:
    assert {name: lines for name, lines in too_long(path).items() if name not in LONGER_FUNCTIONS} == {}


@pytest.mark.parametrize("path", sources())
def test_files_are_small(path: str) -> None:
    assert len((SRC / path).read_text().splitlines()) <= MAX_FILE_LINES or path in LONGER_FILES


def test_every_size_exception_is_still_needed() -> None:
    needed = {name for path in sources() for name in too_long(path)}
    assert set(LONGER_FUNCTIONS) <= needed
    assert all(len((SRC / path).read_text().splitlines()) > MAX_FILE_LINES for path in LONGER_FILES)


def test_the_tests_to_start_first_exist() -> None:
    files = LONGEST.read_text().split()
    assert len(files) == len(set(files))
    assert [name for name in files if not (LONGEST.parent / name).exists()] == []

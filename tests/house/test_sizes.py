"""Functions are within 25 lines, files within 300."""

import ast

from tests.house.sources import SRC, sources

MAX_FUNCTION_LINES, MAX_FILE_LINES = 25, 300


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of lines of signature and body, without decorators and docstring."""
    docstring = function.body[0] if ast.get_docstring(function) is not None else None
    spared = (docstring.end_lineno or 0) - docstring.lineno + 1 if docstring else 0
    return (function.end_lineno or 0) - function.lineno + 1 - spared


def test_functions_are_small() -> None:
    functions = [
        (f"{path}:{node.lineno} {node.name}", lines_of(node))
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert [(name, lines) for name, lines in functions if lines > MAX_FUNCTION_LINES] == []


def test_files_are_small() -> None:
    lengths = {path: len((SRC / path).read_text().splitlines()) for path in sources()}
    assert {path: lines for path, lines in lengths.items() if lines > MAX_FILE_LINES} == {}

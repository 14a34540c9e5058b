"""Functions are within 30 lines, one argument to a line where a call is long, and files within 320."""

import ast

from tests.house.sources import SRC, sources

MAX_FUNCTION_LINES, MAX_FILE_LINES = 30, 320


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of lines of the body, without the docstring."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


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

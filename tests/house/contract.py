"""The rules of docs/contract.md and the tests that are marked with them.

Run as a script to list both: `python -m tests.house.contract [RULE]`.
"""

import ast
import re
import sys
from collections import defaultdict
from functools import cache

from tests.house.sources import ROOT

PAGE = ROOT / "docs" / "contract.md"
MARK = "@pytest.mark.contract("


def rules(page: str) -> dict[str, str]:
    """Return the text of each rule by its name: its section and its number, such as `Authentication 6`."""
    found = {}
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        title = section.partition("\n")[0]
        for number, text in re.findall(r"^(\d+)\. (.*)$", section, re.MULTILINE):
            found[f"{title} {number}"] = text
    return found


def rules_of(test: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Return the rules that a test is marked with."""
    calls = [call for call in test.decorator_list if isinstance(call, ast.Call)]
    marks = [call for call in calls if ast.unparse(call.func) == "pytest.mark.contract"]
    return [ast.literal_eval(argument) for call in marks for argument in call.args]


@cache
def marked_tests() -> dict[str, list[str]]:
    """Return the marked tests, as `path::name`, by rule."""
    found = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        source = path.read_text()
        for node in ast.walk(ast.parse(source)) if MARK in source else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for rule in rules_of(node):
                    found[rule].append(f"{path.relative_to(ROOT)}::{node.name}")
    return dict(found)


def main(wanted: str) -> None:
    """Print each rule whose name begins with `wanted`, and its tests."""
    tests = marked_tests()
    for rule, text in rules(PAGE.read_text()).items():
        if rule == wanted or rule.startswith(f"{wanted} ") or not wanted:
            print(f"{rule}. {text}", *tests.get(rule, ()), sep="\n    ")


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))

"""Every rule of docs/contract.md has a test, and every mark of a test names a rule."""

import re
from itertools import groupby

from tests.house.contract import PAGE, marked_tests, rules
from tests.house.sources import ROOT

RULES = rules(PAGE.read_text())


def test_the_page_has_rules() -> None:
    assert len(RULES) >= 10


def test_each_rule_has_a_test() -> None:
    assert sorted(RULES.keys() - marked_tests().keys()) == []


def test_each_mark_names_a_rule() -> None:
    assert {rule: tests for rule, tests in marked_tests().items() if rule not in RULES} == {}


def test_the_numbers_of_a_section_are_those_that_a_browser_shows() -> None:
    """Markdown numbers a list again from one, so a gap would change the names of the rules after it."""
    numbers = re.findall(r"^(?:## (.*)|(\d+)\. .*)$", PAGE.read_text(), re.MULTILINE)
    lists = [
        [int(number) for _, number in group]
        for is_title, group in groupby(numbers, lambda n: bool(n[0]))
        if not is_title
    ]
    assert [numbers for numbers in lists if numbers != list(range(1, len(numbers) + 1))] == []


def test_every_mark_is_found() -> None:
    """A mark in a form that `marked_tests` does not read, such as one of a whole module, would count for nothing."""
    tests = [name for names in marked_tests().values() for name in names]
    files = {str(path.relative_to(ROOT)): path.read_text() for path in (ROOT / "tests").rglob("*.py")}
    marked = {path: len(re.findall(r"\bmark\.contract\(", source)) for path, source in files.items()}
    found = {path: len({test for test in tests if test.startswith(f"{path}::")}) for path in files}
    assert {path: n for path, n in marked.items() if n != found[path] and path != "tests/house/contract.py"} == {}

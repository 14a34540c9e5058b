"""The web application has a text for every action of the audit log."""

import ast
import re

from tests.house.sources import ROOT, sources

WORDS = ROOT / "ui" / "src" / "texts" / "auditActions.ts"
ACTION = re.compile(r"[a-z_]+\.[a-z_]+")


def recorded_actions() -> set[str]:
    """Return the actions named in calls that record."""
    calls = (node for tree in sources().values() for node in ast.walk(tree) if isinstance(node, ast.Call))
    within = (each for call in calls if _records(call.func) for first in call.args[:1] for each in ast.walk(first))
    texts = (each.value for each in within if isinstance(each, ast.Constant) and isinstance(each.value, str))
    return {text for text in texts if ACTION.fullmatch(text)}


def _records(function: ast.expr) -> bool:
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name == "record" or name.endswith(("Change", "_change"))


def test_exactly_the_recorded_actions_have_descriptions() -> None:
    worded = set(re.findall(r'^  "([a-z_.]+)": "', WORDS.read_text(), re.MULTILINE))
    actions = recorded_actions()
    assert len(actions) > 50
    assert actions <= worded
    written = "".join(ast.unparse(tree) for tree in sources().values())
    assert {each for each in worded if each not in written} == set()

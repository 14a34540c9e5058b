"""A mutation of the source, and the tests that must detect it."""

import ast
from dataclasses import dataclass
from pathlib import Path

SRC = Path(__file__).parents[2] / "src" / "atrium"


class NoLongerAppliesError(Exception):
    """The source has changed: the text to replace is missing or not unique."""


@dataclass(frozen=True)
class Mutation:
    """Replace `old` by `new` in `file` (of src/atrium), which breaks the rule. `part` names the constant to replace in,
    if others have the same text.
    """

    rule: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    part: str = ""

    def applied(self, source: str) -> str:
        """Return the mutated source. Raise NoLongerAppliesError."""
        before, within, behind = _around(source, self.part)
        if within.count(self.old) != 1:
            raise NoLongerAppliesError(f"{self.file} {self.part} has the text {within.count(self.old)} times")
        mutant = before + within.replace(self.old, self.new) + behind
        if mutant == source:
            raise NoLongerAppliesError(f"{self.file} is the same afterwards")
        if self.file.endswith(".py"):
            ast.parse(mutant)
        return mutant


def sql_of(function: str) -> str:
    """Return the file of an SQL function or of a trigger's."""
    [script] = (SRC / "migrations").glob(f"*/{function}.sql")
    return str(script.relative_to(SRC))


def broken(rule: str, file: str, old: str, new: str, *tests: str, part: str = "") -> Mutation:
    """Return a mutation; tests are named as in tests/."""
    return Mutation(rule, file, old, new, tuple(f"tests/{test}" for test in tests), part)


def _around(source: str, part: str) -> tuple[str, str, str]:
    """Return the text before a multi-line constant, the constant and the text after it."""
    if not part:
        return "", source, ""
    beginning = f'\n{part} = f"""' if f'\n{part} = f"""' in source else f'\n{part} = """'
    before, _, rest = source.partition(beginning)
    within, end, behind = rest.partition('"""\n')
    return before + beginning, within, end + behind

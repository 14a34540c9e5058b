"""What an import does not take over as it is, counted and named for the person who imports."""

from collections import Counter, defaultdict
from collections.abc import Mapping

from atrium.slack.mrkdwn import storable

NAMED, MAX_KINDS = 5, 1000  # names in a line, and different ones that are counted
LONGEST_NAME = 100  # characters


class Notes:
    """Lines of a report, each with a number and the first names that it is about."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = defaultdict(int)
        self._names: dict[str, Counter[str]] = defaultdict(Counter)

    def add(self, what: str, name: str, number: int = 1) -> None:
        """Count something under its name."""
        names = self._names[what]
        self._counts[what] += number
        if name in names or len(names) < MAX_KINDS:
            names[name] += number

    def lines(self) -> list[str]:
        """Return one line for each kind."""
        return [f"{what}: {count:,}: {listed(self._names[what])}" for what, count in self._counts.items()]


def listed(names: Mapping[str, int]) -> str:
    """Return the first names, each with its number if that is more than one."""
    shown = [f"{_short(name)} ({number:,})" if number > 1 else _short(name) for name, number in names.items()]
    return ", ".join(shown[:NAMED]) + (", …" if len(names) > NAMED else "")


def _short(name: str) -> str:
    plain = " ".join(storable(name).split())
    return plain if len(plain) <= LONGEST_NAME else plain[: LONGEST_NAME - 1] + "…"

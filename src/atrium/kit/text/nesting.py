"""How deeply Markdown nests, told in one pass and without reading it as Markdown; pure.

Quotes and lists that stand in each other are opened by marks at a line's beginning, one behind another or behind the
indentation that a list goes on with, so a line nests no deeper than its marks and half its indentation; lines of code
between fences are no such lines. Emphasis in emphasis is told by marks of different kinds that stand in a row.
"""

import re

from atrium.kit.text.fences import pieces

MOST_LEVELS = 100
TOO_DEEP = "its quotes, lists or emphasis nest more than 100 deep"
TAB = 4  # columns
MARK = r"(?:>|[-+*](?=[ \t\r\n]|$)|\d{1,9}[.)](?=[ \t\r\n]|$))"
OPENING = re.compile(rf"^[ \t]*{MARK}(?:[ \t]*{MARK})*")
SUSPECT = re.compile(r"[ \t>+*_~\d.)-]{50}")  # what nests too deeply has such a run; ordinary texts cost only this look
ONE_MARK = re.compile(MARK)
EMPHASIS = re.compile(rf"(?<![`*_~])[*_~]{{{MOST_LEVELS},}}(?![`*_~])")  # not where it is all of a code span
CHANGE = re.compile(r"(?<=\*)[_~]|(?<=_)[*~]|(?<=~)[*_]")


def nests_too_deeply(markdown: str) -> bool:
    """Return whether quotes, lists or emphasis stand in each other more than a hundred deep."""
    return _is_suspect(markdown) and any(not is_code and _is_deep(line) for line, is_code in pieces(markdown))


def flattened(markdown: str) -> str:
    """Return the same text with what nests too deeply shown as it was typed."""
    if not _is_suspect(markdown):
        return markdown
    return "".join(_flat(line) if not is_code and _is_deep(line) else line for line, is_code in pieces(markdown))


def _is_suspect(markdown: str) -> bool:
    return SUSPECT.search(markdown) is not None


def _is_deep(line: str) -> bool:
    if not _is_suspect(line):
        return False
    opening = OPENING.match(line)
    return (opening is not None and _levels(opening[0]) > MOST_LEVELS) or any(
        _changes(found[0]) > MOST_LEVELS for found in EMPHASIS.finditer(line)
    )


def _flat(line: str) -> str:
    text = OPENING.sub(lambda found: _escaped(found[0]) if _levels(found[0]) > MOST_LEVELS else found[0], line)
    return EMPHASIS.sub(lambda found: f"`{found[0]}`" if _changes(found[0]) > MOST_LEVELS else found[0], text)


def _escaped(opening: str) -> str:
    mark = opening.lstrip(" \t")
    return f"{opening[: -len(mark)]}\\{mark}"


def _changes(run: str) -> int:
    return len(CHANGE.findall(run))


def _levels(opening: str) -> int:
    """Return how many levels the beginning of a line opens or goes on with, at most."""
    marks = ONE_MARK.findall(opening)
    columns = len(opening.expandtabs(TAB)) - sum(map(len, marks))
    return len(marks) + max(0, columns - len(marks)) // 2

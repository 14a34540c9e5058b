"""Limit the nesting depth of Markdown, in one pass and without parsing it.

Quotes and lists are opened by marks at the beginning of a line, after each other or after the indentation of a list. So
a line nests at most as deeply as its marks and half its indentation; fenced code does not count. Nested emphasis
consists of different marks in a row.
"""

import re

from atrium.kit.text.fences import pieces

MAX_LEVELS = 100
TOO_DEEP = "quotes, lists or emphasis are nested more than 100 levels deep"
TAB = 4  # columns
MARK = r"(?:>|[-+*](?=[ \t\r\n]|$)|\d{1,9}[.)](?=[ \t\r\n]|$))"
OPENING = re.compile(rf"^[ \t]*{MARK}(?:[ \t]*{MARK})*")
SUSPECT = re.compile(
    r"[ \t>+*_~\d.)-]{50}"
)  # text that nests too deeply has such a run; most texts need no other check
ONE_MARK = re.compile(MARK)
EMPHASIS = re.compile(rf"(?<![`*_~])[*_~]{{{MAX_LEVELS},}}(?![`*_~])")  # unless it fills a code span
CHANGE = re.compile(r"(?<=\*)[_~]|(?<=_)[*~]|(?<=~)[*_]")


def nests_too_deeply(markdown: str) -> bool:
    """Return whether quotes, lists or emphasis nest more than a hundred levels deep."""
    return _is_suspect(markdown) and any(not is_code and _is_deep(line) for line, is_code in pieces(markdown))


def escape_deep_nesting(markdown: str) -> str:
    """Return the text with marks that nest too deeply escaped, so that they are shown as typed."""
    if not _is_suspect(markdown):
        return markdown
    return "".join(_flat(line) if not is_code and _is_deep(line) else line for line, is_code in pieces(markdown))


def _is_suspect(markdown: str) -> bool:
    return SUSPECT.search(markdown) is not None


def _is_deep(line: str) -> bool:
    if not _is_suspect(line):
        return False
    opening = OPENING.match(line)
    return (opening is not None and _levels(opening[0]) > MAX_LEVELS) or any(
        _changes(found[0]) > MAX_LEVELS for found in EMPHASIS.finditer(line)
    )


def _flat(line: str) -> str:
    text = OPENING.sub(lambda found: _escaped(found[0]) if _levels(found[0]) > MAX_LEVELS else found[0], line)
    return EMPHASIS.sub(lambda found: f"`{found[0]}`" if _changes(found[0]) > MAX_LEVELS else found[0], text)


def _escaped(opening: str) -> str:
    mark = opening.lstrip(" \t")
    return f"{opening[: -len(mark)]}\\{mark}"


def _changes(run: str) -> int:
    return len(CHANGE.findall(run))


def _levels(opening: str) -> int:
    """Return how many levels the beginning of a line opens or continues, at most."""
    marks = ONE_MARK.findall(opening)
    columns = len(opening.expandtabs(TAB)) - sum(map(len, marks))
    return len(marks) + max(0, columns - len(marks)) // 2

"""Which lines of Markdown are code between fences, told line by line as CommonMark has it; pure.

Quotes and list items are followed with what interrupts a paragraph and what goes on with it lazily, for a fence ends
with what it stands in. Where that cannot be told without reading more (HTML, definitions of links), no line from there
on is called code: whoever asks may take code for Markdown, and never Markdown for code.
"""

import re
from collections.abc import Iterator

LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
QUOTE, WIDEST, MOST_CONTAINERS = 0, 3, 100
ITEM = re.compile(r"([-+*]|[0-9]{1,9}[.)])( +|$)")
RULE = re.compile(r"([-*_])(?: *\1){2,} *$")
UNDERLINE = re.compile(r"(?:=+|-+)$")
HEADING = re.compile(r"#{1,6}(?: |$)")
FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
HTML = re.compile(r"<(?:[!?]|/?[A-Za-z][A-Za-z0-9-]*(?:[ /]|>|$))")
LONG_HTML = re.compile(r"<(?:[!?]|script|pre|style|textarea)", re.IGNORECASE)  # goes on behind an empty line
DEFINITION = re.compile(r"\[[^\]\\]*(?:\]:|\\|$)")
START = re.compile(r"[-+*_=>#`~<0-9]")


def pieces(markdown: str) -> Iterator[tuple[str, bool]]:
    """Tell each line with its end, and whether it is code between fences; a fence's first line is not."""
    followed = _Followed()
    for line in LINE.findall(markdown):
        yield line, followed.is_code(line)


class _Followed:
    """The quotes (0) and list items (how wide their indentation is) that are open, and what stands in them."""

    def __init__(self) -> None:
        self._containers: list[int] = []
        self._fence: str | None = None
        self._in_paragraph = self._is_unsure = self._is_lost = self._has_empty_item = False

    def is_code(self, line: str) -> bool:
        """Go on to the next line."""
        if self._is_lost:
            return False
        carried, rest = self._carried_on(line.expandtabs(4).rstrip(" \r\n"))
        whole = carried == len(self._containers)
        if self._fence and whole:
            self._fence = None if _closes(rest, self._fence) else self._fence
            return True
        self._fence = None
        if self._is_unsure and rest:
            self._is_lost = not whole or START.match(rest.lstrip(" ")) is not None
        else:
            self._open(carried, rest)
        return False

    def _carried_on(self, rest: str) -> tuple[int, str]:
        """How many of the containers the line goes on with, and what follows."""
        for nr, width in enumerate(self._containers):
            if not rest:
                left = self._containers[nr:]
                return nr + (left.index(QUOTE) if QUOTE in left else len(left)), rest
            indent = _indent(rest)
            if width == QUOTE and indent <= WIDEST and rest.startswith(">", indent):
                rest = rest[indent + 1 :].removeprefix(" ")
            elif width != QUOTE and indent >= width:
                rest = rest[width:]
            else:
                return nr, rest
        return len(self._containers), rest

    def _open(self, carried: int, rest: str) -> None:
        whole = carried == len(self._containers)
        goes_on = self._in_paragraph and whole
        kept = self._containers[:carried]
        while len(kept) <= MOST_CONTAINERS and (found := _container(rest, interrupting=goes_on)) is not None:
            kept.append(found[0])
            rest, goes_on, self._in_paragraph = found[1], False, False
        is_new = len(kept) > carried
        if not rest and self._has_empty_item and whole and not is_new:
            kept.pop()
        self._has_empty_item = not rest and is_new and kept[-1] != QUOTE
        self._is_unsure = False
        self._is_lost = len(kept) > MOST_CONTAINERS
        self._fill(kept, rest, interrupting=goes_on)

    def _fill(self, kept: list[int], rest: str, *, interrupting: bool) -> None:
        indent, bare = _indent(rest), rest.lstrip(" ")
        begins = indent <= WIDEST
        if begins and (HTML.match(bare) or DEFINITION.match(bare)):
            self._is_lost = bool(LONG_HTML.match(bare)) or (self._in_paragraph and not interrupting)
            self._is_unsure = True
        elif begins and (found := FENCE.match(bare)):
            self._fence, self._in_paragraph = found[1] or found[2], False
        elif not rest or (begins and _is_line(bare, interrupting=interrupting)):
            self._in_paragraph = False
        elif self._in_paragraph:
            return  # it goes on, perhaps lazily, and so does all that it stands in
        else:
            self._in_paragraph = begins
        self._containers = kept


def _closes(rest: str, fence: str) -> bool:
    bare = rest.strip(" ")
    return _indent(rest) <= WIDEST and len(bare) >= len(fence) and not bare.strip(fence[0])


def _is_line(bare: str, *, interrupting: bool) -> bool:
    """Whether it is a heading, or a rule, or makes a heading of the paragraph before it."""
    return any(kind.match(bare) for kind in ((HEADING, RULE, UNDERLINE) if interrupting else (HEADING, RULE)))


def _container(rest: str, *, interrupting: bool) -> tuple[int, str] | None:
    """The quote or list item that the line opens, and what follows its mark."""
    indent = _indent(rest)
    bare = rest[indent:]
    if indent > WIDEST:
        return None
    if bare.startswith(">"):
        return QUOTE, bare[1:].removeprefix(" ")
    found = None if RULE.match(bare) else ITEM.match(bare)
    if found is None or (interrupting and not _may_interrupt(bare, found[1])):
        return None
    mark, spaces = len(found[1]), len(found[2])
    wide = mark + (spaces if 1 <= spaces <= 4 else 1)
    return indent + wide, bare[wide:]


def _may_interrupt(bare: str, mark: str) -> bool:
    return bare != mark and (not mark[0].isdigit() or int(mark[:-1]) == 1)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))

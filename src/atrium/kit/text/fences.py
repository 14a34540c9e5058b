"""Find the lines of Markdown that are fenced code, line by line, by the rules of CommonMark.

A fence ends with its container, so quotes and list items are tracked, including lazy continuation lines. After a
line that cannot be decided without more context (HTML, link definitions), no line is treated as code. So this may treat
code as Markdown, but never Markdown as code.
"""

import re
from collections.abc import Iterator

LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
QUOTE, MAX_INDENT, MAX_CONTAINERS = 0, 3, 100
ITEM = re.compile(r"([-+*]|[0-9]{1,9}[.)])( +|$)")
RULE = re.compile(r"([-*_])(?: *\1){2,} *$")
UNDERLINE = re.compile(r"(?:=+|-+)$")
HEADING = re.compile(r"#{1,6}(?: |$)")
FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
HTML = re.compile(r"<(?:[!?]|/?[A-Za-z][A-Za-z0-9-]*(?:[ /]|>|$))")
LONG_HTML = re.compile(r"<(?:[!?]|script|pre|style|textarea)", re.IGNORECASE)  # continues after an empty line
DEFINITION = re.compile(r"\[[^\]\\]*(?:\]:|\\|$)")
START = re.compile(r"[-+*_=>#`~<0-9]")


def pieces(markdown: str) -> Iterator[tuple[str, bool]]:
    """Yield each line with its line break, and whether it is fenced code. The opening fence itself is not."""
    state = _State()
    for line in LINE.findall(markdown):
        yield line, state.is_code(line)


class _State:
    """The open containers (0 for a quote, the width of its indentation for a list item) and their content."""

    def __init__(self) -> None:
        self._containers: list[int] = []
        self._fence: str | None = None
        self._in_paragraph = self._is_ambiguous = self._gave_up = self._has_empty_item = False

    def is_code(self, line: str) -> bool:
        """Process the next line and return whether it is code."""
        if self._gave_up:
            return False
        continued, rest = self._continued(line.expandtabs(4).rstrip(" \r\n"))
        in_all = continued == len(self._containers)
        if self._fence and in_all:
            self._fence = None if _closes_fence(rest, self._fence) else self._fence
            return True
        self._fence = None
        if self._is_ambiguous and rest:
            self._gave_up = not in_all or START.match(rest.lstrip(" ")) is not None
        else:
            self._open_containers(continued, rest)
        return False

    def _continued(self, rest: str) -> tuple[int, str]:
        """Return how many containers the line continues, and the rest of the line."""
        for nr, width in enumerate(self._containers):
            if not rest:
                left = self._containers[nr:]
                return nr + (left.index(QUOTE) if QUOTE in left else len(left)), rest
            indent = _indent(rest)
            if width == QUOTE and indent <= MAX_INDENT and rest.startswith(">", indent):
                rest = rest[indent + 1 :].removeprefix(" ")
            elif width != QUOTE and indent >= width:
                rest = rest[width:]
            else:
                return nr, rest
        return len(self._containers), rest

    def _open_containers(self, continued: int, rest: str) -> None:
        in_all = continued == len(self._containers)
        in_paragraph = self._in_paragraph and in_all
        containers = self._containers[:continued]
        while len(containers) <= MAX_CONTAINERS and (found := _container(rest, interrupting=in_paragraph)) is not None:
            containers.append(found[0])
            rest, in_paragraph, self._in_paragraph = found[1], False, False
        is_new = len(containers) > continued
        if not rest and self._has_empty_item and in_all and not is_new:
            containers.pop()
        self._has_empty_item = not rest and is_new and containers[-1] != QUOTE
        self._is_ambiguous = False
        self._gave_up = len(containers) > MAX_CONTAINERS
        self._update_content(containers, rest, interrupting=in_paragraph)

    def _update_content(self, containers: list[int], rest: str, *, interrupting: bool) -> None:
        indent, bare = _indent(rest), rest.lstrip(" ")
        begins = indent <= MAX_INDENT
        if begins and (HTML.match(bare) or DEFINITION.match(bare)):
            self._gave_up = bool(LONG_HTML.match(bare)) or (self._in_paragraph and not interrupting)
            self._is_ambiguous = True
        elif begins and (found := FENCE.match(bare)):
            self._fence, self._in_paragraph = found[1] or found[2], False
        elif not rest or (begins and _is_line(bare, interrupting=interrupting)):
            self._in_paragraph = False
        elif self._in_paragraph:
            return  # the paragraph continues, perhaps lazily, and so do its containers
        else:
            self._in_paragraph = begins
        self._containers = containers


def _closes_fence(rest: str, fence: str) -> bool:
    bare = rest.strip(" ")
    return _indent(rest) <= MAX_INDENT and len(bare) >= len(fence) and not bare.strip(fence[0])


def _is_line(bare: str, *, interrupting: bool) -> bool:
    """Return whether a line is a heading, a rule, or the underline of a heading."""
    return any(kind.match(bare) for kind in ((HEADING, RULE, UNDERLINE) if interrupting else (HEADING, RULE)))


def _container(rest: str, *, interrupting: bool) -> tuple[int, str] | None:
    """Return the container that a line opens and the text after its mark, or None."""
    indent = _indent(rest)
    bare = rest[indent:]
    if indent > MAX_INDENT:
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

"""Escape characters that mean something in Markdown and nothing in the source.

Only those that would change what is shown get a backslash, so that `snake_case`, `2 * 3` and `[1]` stay as they are.
What is Markdown already stands in the text as a placeholder, NUL digits NUL, and is left alone.
"""

import re

PUNCTUATION = r"!-/:-@\[-`{-~"
SPECIAL = re.compile(r"[\\`*_~<&\]#+=|:>-]|^[ \t]*[\d\[]|^(?: {4}| *\t)", re.MULTILINE)
INLINE = re.compile(rf"\\(?=[{PUNCTUATION}\n\x00]|$)|`|&(?=#?\w+;)|<(?=[A-Za-z/!?\x00])|\](?=[(\[:])")
RUN = re.compile(r"\*+|_+|~+")
BRACKET = re.compile(r"\\.|[\[\]]", re.DOTALL)
MARK = r"(?:>|-(?=[ \t]+\S)|\d{1,9}[.)](?=[ \t]+\S))"  # of a quote or a list, which people write in Slack too
MARKS = re.compile(rf"(?:[ \t]*{MARK})*")
RULE = re.compile(r"[ \t]*([-_*])(?:[ \t]*\1){2,}[ \t]*$")
OPENS = re.compile(  # a heading, a bullet, an underline or a rule, a fence, the rule of a table
    r"#{1,6}(?=[ \t]|$)|[+*](?=[ \t]|$)|([-_*=])\1*[ \t]*$|([-_*])(?:[ \t]*\2){2,}[ \t]*$|~~~"
    r"|(?=[^\n]*-)[|:-][|: \t-]*$"
)
OPENS_PLAIN = re.compile(r">|-(?=[ \t]|$)")
NUMBER = re.compile(r"\d{1,9}(?=[.)](?:[ \t]|$))")
TASK = re.compile(r"\[[ xX]\](?=[ \t]|$)")
NO_BREAK_SPACE = "\u00a0"
TAB = 4  # columns


def escape(text: str, *, plain: bool = False, marks: str = "") -> str:
    """Return the text so that Markdown shows it as it is. Quotes and lists stay, unless the source is `plain` text.
    `marks` are the marks of emphasis behind placeholders."""
    if not SPECIAL.search(text):
        return text
    lines, previous = list[str](), ""
    for line in escape_inline(text, marks).split("\n"):
        lines.append(_line(line, previous, plain=plain))
        previous = line
    return "\n".join(lines)


def escape_inline(text: str, marks: str = "") -> str:
    """Return a part of a line so that Markdown shows it as it is."""
    return _without_emphasis(INLINE.sub(lambda found: "\\" + found[0], text), set(marks))


def escape_label(text: str) -> str:
    """Return Markdown for the label of a link: its brackets are escaped, unless they are already."""
    return BRACKET.sub(lambda found: found[0] if len(found[0]) > 1 else "\\" + found[0], text)


def _without_emphasis(text: str, closing: set[str]) -> str:
    """Escape the marks that could open an emphasis which a later one closes, or one of `closing`."""
    pieces, end = list[str](), len(text)
    for run in reversed(list(RUN.finditer(text))):
        before, after = text[max(0, run.start() - 1) : run.start()], text[run.end() : run.end() + 1]
        mark = run[0][0]
        is_at_markdown = "\x00" in (before, after)  # which may be the same mark
        if is_at_markdown or (mark in closing and _opens(mark, before, after)):
            pieces += [text[run.end() : end], "".join(f"\\{each}" for each in run[0])]
            end = run.start()
        if _opens(mark, after, before):
            closing.add(mark)
    return "".join([text[:end], *reversed(pieces)])


def _opens(mark: str, outside: str, inside: str) -> bool:
    """Return whether a mark with these characters around it may open an emphasis; swapped, whether it may close one."""
    return bool(inside) and not inside.isspace() and not (mark == "_" and outside.isalnum())


def _line(line: str, previous: str, *, plain: bool) -> str:
    opening = None if plain or RULE.match(line) else MARKS.match(line)
    marks = opening[0] if opening else ""
    rest = line[len(marks) :].lstrip(" \t")
    indent = line[len(marks) : len(line) - len(rest)]
    columns = len(indent.expandtabs(TAB))
    if rest and (columns > TAB or (columns == TAB and not marks and _may_be_code_after(previous))):
        indent = NO_BREAK_SPACE * columns
    if plain and (numbered := NUMBER.match(rest)):
        return f"{indent}{numbered[0]}\\{rest[numbered.end() :]}"
    is_special = OPENS.match(rest) or (plain and OPENS_PLAIN.match(rest)) or (marks and TASK.match(rest))
    return marks + indent + (_escaped_start(rest) if is_special else rest)


def _escaped_start(rest: str) -> str:
    run = RUN.match(rest)
    first = run[0] if run else rest[0]
    return "".join(f"\\{each}" for each in first) + rest[len(first) :]


def _may_be_code_after(previous: str) -> bool:
    """Return whether an indented line after this one may be code: it continues no paragraph."""
    return not previous.strip() or previous.endswith("\x00")

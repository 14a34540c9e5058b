"""The comments above SQL constants."""

import re

PARENTHESIS = re.compile(r"\([^()]*\)")


def header_of(source: str, constant: str) -> dict[str, str]:
    """Return the paragraphs of the comment above a constant that begin with "Parameters:" or "Returns:"."""
    before = re.split(rf"^{constant} = ", source, maxsplit=1, flags=re.MULTILINE)[0].splitlines()
    lines: list[str] = []
    while before and before[-1].startswith("# "):
        lines.insert(0, before.pop()[2:])
    paragraphs = re.split(r"(?:^|\n)(Parameters|Returns): ", "\n".join(lines))
    return dict(zip(paragraphs[1::2], paragraphs[2::2], strict=True))


def named_columns(text: str) -> list[str]:
    """Return the names, without text in parentheses or after a colon."""
    names = PARENTHESIS.sub("", text).partition(":")[0].replace("\n", " ").split(",")
    return [name.strip() for name in names if name.strip()]

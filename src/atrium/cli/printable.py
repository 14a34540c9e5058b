"""Text from elsewhere, as it may stand on a terminal."""


def printable(text: str) -> str:
    """`text` without what a terminal would obey instead of showing; line breaks and tabs stay."""
    return "".join(each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}" for each in text)

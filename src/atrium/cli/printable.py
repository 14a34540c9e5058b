"""Make untrusted text safe to print on a terminal."""


def printable(text: str) -> str:
    """Replace control characters in `text`, except line breaks and tabs."""
    return "".join(each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}" for each in text)

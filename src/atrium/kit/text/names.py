"""When two names are the same name, and how equal names are numbered."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import count

from atrium.kit.text.types import UNSEEN

MAX_LENGTH = 200  # characters of a name
INVISIBLE = re.compile(f"(?!\\s)[{UNSEEN}]")


def name_key(name: str) -> str:
    """Return what equal names have in common: everything except case, spaces around and runs of them, invisible
    characters and compatible forms of one letter. Not computed in PostgreSQL, so that its locale makes no difference.
    """
    plain = INVISIBLE.sub("", unicodedata.normalize("NFKC", name))
    return " ".join(unicodedata.normalize("NFKC", plain.casefold()).split())


def numbered(name: str) -> Iterator[str]:
    """Yield the name, then "name (2)", "name (3)" and so on, at most 200 characters each."""
    yield name
    for nr in count(2):
        suffix = f" ({nr})"
        yield name[: MAX_LENGTH - len(suffix)].rstrip() + suffix

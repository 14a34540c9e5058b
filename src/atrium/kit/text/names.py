"""Compare names, and number duplicates."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import count

from atrium.kit.text.types import INVISIBLE_CHARACTERS

MAX_LENGTH = 200  # characters of a name
INVISIBLE = re.compile(f"(?!\\s)[{INVISIBLE_CHARACTERS}]")


def name_key(name: str) -> str:
    """Return the normalized form by which names are compared. It ignores case, extra white space, invisible characters
    and compatibility variants (NFKC). Computed here, so that it does not depend on PostgreSQL's locale.
    """
    plain = INVISIBLE.sub("", unicodedata.normalize("NFKC", name))
    return " ".join(unicodedata.normalize("NFKC", plain.casefold()).split())


def numbered(name: str) -> Iterator[str]:
    """Yield the name, then "name (2)", "name (3)" and so on, at most 200 characters each."""
    yield name
    for nr in count(2):
        suffix = f" ({nr})"
        yield name[: MAX_LENGTH - len(suffix)].rstrip() + suffix

"""The path and query of a URL exactly as they are written.

Libraries for URLs write them again: `%2F` becomes `/`, `[]` becomes `%5B%5D`, `/a/../b` becomes `/b`, and the `?` of an
empty query is lost. A signature in a URL, or a router that compares paths, would not survive that.
"""

import re
from urllib.parse import quote

BEFORE_PATH = re.compile(r"[^/?#]*//[^/?#\\]*")
# RFC 3986, and of the other characters those that browsers send as they are.
UNSENDABLE = re.compile(r"[^!$-;=?-\[\]-~]|%(?![0-9A-Fa-f]{2})")


class InexactURL(ValueError):
    """A URL that no request can name as it is written; `str()` is the message for users."""


def written_path(url: str) -> str:
    """Return the path and query of an http or https URL as they are written."""
    rest = BEFORE_PATH.sub("", url, count=1).partition("#")[0]
    return rest if rest.startswith("/") else f"/{rest}"


def is_sendable(path: str) -> bool:
    """Return whether a request can name a path and query as they are written."""
    return UNSENDABLE.search(path) is None


def require_exact(url: str) -> None:
    """Raise InexactURL unless requests can name exactly this URL."""
    if "#" in url:
        raise InexactURL(
            "the URL must not have a fragment: it is not sent. Write # as %23 if it is part of the path or query"
        )
    if (found := UNSENDABLE.search(written_path(url))) is None:
        return
    if found[0] == "%":
        raise InexactURL("the URL has a % that is not followed by two hexadecimal digits. Write it as %25")
    raise InexactURL(f"the URL has {found[0]} in its path or query. Write it as {quote(found[0])}")

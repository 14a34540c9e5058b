"""Entity tags (RFC 7644, section 3.14; RFC 9110, section 13.1)."""

from atrium.kit.http.request import Request
from atrium.scim.errors import VersionMismatch


def require_match(etag: str, wanted: str | None) -> None:
    """Raise VersionMismatch if `If-Match`, or the version in a bulk operation, does not name this version."""
    if wanted is not None and not names(wanted, etag):
        raise VersionMismatch(f"The resource is at version {etag}.")


def names(header: str, etag: str) -> bool:
    """Return whether the list of tags in a header contains this tag, compared weakly."""
    tags = [tag.strip().removeprefix("W/").strip('"') for tag in header.split(",")]
    return header.strip() == "*" or etag.removeprefix("W/").strip('"') in tags


def if_match(request: Request) -> str | None:
    """Return the header `If-Match` of a request, or None."""
    return _header(request, b"if-match")


def if_none_match(request: Request) -> str | None:
    """Return the header `If-None-Match` of a request, or None."""
    return _header(request, b"if-none-match")


def _header(request: Request, name: bytes) -> str | None:
    raw = request.headers.get(name)
    return None if raw is None else raw.decode("latin-1")

"""Protection against cross-site request forgery.

A browser adds cookies to every request, including those that pages of other sites make. A request that is authenticated
by a cookie and changes something must therefore come from a page of this server. An Authorization header needs no such
check, because no other site can add it.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from atrium.kit.errors import Forbidden
from atrium.kit.settings import Settings


class ForgedRequest(Forbidden):
    """The request uses or sets a session cookie, and `Sec-Fetch-Site` or `Origin` does not show that it comes from a
    page of this server. A program sends an API key instead, or an `Origin` header."""

    code = "forged_request"
    title = "The request does not come from a page of this server"


def require_same_origin(headers: Mapping[bytes, bytes], settings: Settings) -> None:
    """Raise ForgedRequest unless a page of this server sent the request."""
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        is_own = site == b"same-origin"
    else:
        origin, host = (headers.get(name, b"").decode("latin-1").lower() for name in (b"origin", b"host"))
        is_own = _is_own_origin(origin, host, settings)
    if not is_own:
        raise ForgedRequest


def _is_own_origin(origin: str, host: str, settings: Settings) -> bool:
    """Return whether an origin is this server's, by its public URL or by the Host header of the request."""
    scheme, _, authority = origin.partition("://")
    if scheme not in ("http", "https") or not authority:
        return False
    public = urlsplit(settings.base_url)
    return origin == f"{public.scheme}://{public.netloc}".lower() or authority == host

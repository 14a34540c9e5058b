"""Requests that a browser was made to send by somebody else's page: told by what browsers say of where they come from.

A cookie goes along with whatever a browser sends, so a request that changes something by a cookie has to come from a
page of this server. A key in the Authorization header is put there by whoever knows it, and needs no such check.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from atrium.kit.errors import Forbidden
from atrium.kit.settings import Settings


class ForgedRequest(Forbidden):
    """The request came with a cookie, or asks for one, and the browser does not say that it comes from a page of this
    server. A program sends a key instead, or its own `Origin`."""

    code = "forged_request"
    title = "The request does not come from a page of this server"


def require_same_origin(headers: Mapping[bytes, bytes], settings: Settings) -> None:
    """Raises ForgedRequest unless a page of this server sent the request."""
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        own = site == b"same-origin"
    else:
        origin, host = (headers.get(name, b"").decode("latin-1").lower() for name in (b"origin", b"host"))
        own = _is_own(origin, host, settings)
    if not own:
        raise ForgedRequest


def _is_own(origin: str, host: str, settings: Settings) -> bool:
    """Whether the origin is this server's, by the address that people know it by or by the one that was asked."""
    scheme, _, asked = origin.partition("://")
    if scheme not in ("http", "https") or not asked:
        return False
    public = urlsplit(settings.base_url)
    return origin == f"{public.scheme}://{public.netloc}".lower() or asked == host

"""The headers by which a caller says who he is: a key, or a browser's session in a cookie."""

from collections.abc import Mapping
from functools import lru_cache

from atrium.kit.errors import Unauthenticated

SESSION_COOKIE = "atrium_session"
HOST = "__Host-"  # a cookie of that name comes from this host alone, and over https
SESSION_MARK = "atrs_"  # how the token of a session begins


@lru_cache(4096)
def bearer_in(authorization: bytes) -> str:
    """The key in an Authorization header. Raises Unauthenticated where there is none."""
    scheme, _, token = authorization.decode("latin-1").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("Send your key in the header `Authorization: Bearer <API_KEY>`.")
    return token.strip()


def cookie_in(cookies: bytes, name: str) -> str | None:
    """The value of a cookie in a Cookie header, None where it is not there."""
    for pair in cookies.decode("latin-1").split(";"):
        found, _, value = pair.strip().partition("=")
        if found == name:
            return value
    return None


def host_cookies(cookies: bytes) -> bytes:
    """The cookies of a Cookie header that this host itself set over https, by their plain names, without all others:
    those any other host of the domain could have set."""
    pairs = (pair.strip() for pair in cookies.split(b";"))
    return b"; ".join(pair.removeprefix(HOST.encode()) for pair in pairs if pair.startswith(HOST.encode()))


def session_in(cookies: bytes) -> str | None:
    """The token of a browser session in a Cookie header. No key is taken from there: whoever could set a cookie could
    make a browser act with his own."""
    token = cookie_in(cookies, SESSION_COOKIE) if cookies else None
    return token if token and token.startswith(SESSION_MARK) else None


def bearer_of(headers: Mapping[bytes, bytes]) -> str:
    """The key in the Authorization header, else the session in the cookie. Raises Unauthenticated without either."""
    authorization = headers.get(b"authorization")
    if authorization is None and (token := session_in(headers.get(b"cookie", b""))):
        return token
    return bearer_in(authorization or b"")

"""The request headers that identify the caller: an API key, or a browser session in a cookie."""

from collections.abc import Mapping
from functools import lru_cache

from atrium.kit.errors import Unauthenticated

SESSION_COOKIE = "atrium_session"
HOST = "__Host-"  # browsers accept a cookie with this prefix from this host only, over https
SESSION_PREFIX = "atrs_"


@lru_cache(4096)
def token_in(authorization: bytes) -> str:
    """Return the key in an Authorization header. Raise Unauthenticated if there is none."""
    scheme, _, token = authorization.decode("latin-1").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("Send your key in the header `Authorization: Bearer <API_KEY>`.")
    return token.strip()


def cookie_in(cookies: bytes, name: str) -> str | None:
    """Return the value of a cookie in a Cookie header, or None (docs/decisions/0001-libraries.md)."""
    for pair in cookies.decode("latin-1").split(";"):
        found, _, value = pair.strip().partition("=")
        if found == name:
            return value
    return None


def host_cookies(cookies: bytes) -> bytes:
    """Return a Cookie header with only the cookies that have the prefix `__Host-`, which is removed.

    Any other host of the domain can set the remaining ones.
    """
    pairs = (pair.strip() for pair in cookies.split(b";"))
    return b"; ".join(pair.removeprefix(HOST.encode()) for pair in pairs if pair.startswith(HOST.encode()))


def session_in(cookies: bytes) -> str | None:
    """Return the session token in a Cookie header, or None.

    An API key is not accepted there: another host could set it to make a browser act for another account.
    """
    token = cookie_in(cookies, SESSION_COOKIE) if cookies else None
    return token if token and token.startswith(SESSION_PREFIX) else None


def token_of(headers: Mapping[bytes, bytes]) -> str:
    """Return the key in the Authorization header, or else the session in the cookie. Raise Unauthenticated."""
    authorization = headers.get(b"authorization")
    if authorization is None and (token := session_in(headers.get(b"cookie", b""))):
        return token
    return token_in(authorization or b"")

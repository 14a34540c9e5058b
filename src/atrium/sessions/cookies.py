"""The cookies of signing in: not readable by scripts, not sent with other sites' forms."""

from datetime import timedelta

from atrium.kit.http.request import HOST, SESSION_COOKIE
from atrium.kit.http.responses import Headers
from atrium.kit.settings import Settings

STATE_COOKIE = "atrium_sign_in"
STATE_PATH = "/v1/sign-in/oidc"


def session_cookie(token: str, settings: Settings) -> Headers:
    """Return the header that sets the session cookie."""
    return _set(SESSION_COOKIE, token, "/", settings.session_lifetime, settings)


def expired_session_cookie(settings: Settings) -> Headers:
    """Return the header that removes the session cookie."""
    return _set(SESSION_COOKIE, "", "/", timedelta(0), settings)


def state_cookie(sealed: str, max_age: timedelta, settings: Settings) -> Headers:
    """Return the header that ties a sign-in through the provider to its browser."""
    return _set(STATE_COOKIE, sealed, STATE_PATH, max_age, settings)


def expired_state_cookie(settings: Settings) -> Headers:
    """Return the header that removes the state cookie."""
    return _set(STATE_COOKIE, "", STATE_PATH, timedelta(0), settings)


def _set(name: str, value: str, path: str, max_age: timedelta, settings: Settings) -> Headers:
    age = int(max_age.total_seconds())
    if settings.is_https:  # the prefix keeps other hosts of the domain from setting it, and requires Path=/
        cookie = f"{HOST}{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax; Secure"
    else:
        cookie = f"{name}={value}; Path={path}; Max-Age={age}; HttpOnly; SameSite=Lax"
    return (("set-cookie", cookie),)

"""The types of signing in, and its pure rules."""

from datetime import timedelta
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.kit.errors import Problem
from atrium.kit.http.attempts import Limit
from atrium.kit.text.types import NO_NUL, Timestamp
from atrium.people.model import Profile

LINK_LIFETIME, RESET_LIFETIME = timedelta(minutes=30), timedelta(minutes=30)
MAX_USER_AGENT_LENGTH = 300

Password = Annotated[str, Meta(max_length=200, pattern=NO_NUL, examples=["correct horse battery staple"])]
NewPassword = Annotated[
    str,
    Meta(
        min_length=12,
        max_length=200,
        pattern=NO_NUL,
        examples=["correct horse battery staple"],
        description="12 to 200 characters",
    ),
]
Token = Annotated[str, Meta(min_length=1, max_length=200, pattern=NO_NUL, description="from the emailed link")]


class Way(StrEnum):
    """The method of a sign-in."""

    PASSWORD = "password"  # noqa: S105
    LINK = "link"
    RESET = "reset"
    INVITATION = "invitation"
    OIDC = "oidc"
    SET_UP = "set_up"


class Purpose(StrEnum):
    """The purpose of an emailed link."""

    SIGN_IN = "sign_in"
    PASSWORD = "password"  # noqa: S105


class Session(Struct, frozen=True):
    """A signed-in browser, until it is signed out or until `expires_at`."""

    session_id: UUID
    user_agent: Annotated[str, Meta(examples=["Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0"])]
    address: Annotated[str | None, Meta(examples=["203.0.113.7"])]
    signed_in_by: Way
    created_at: Timestamp
    last_used_at: Annotated[Timestamp | None, Meta(description="to the minute")]
    expires_at: Timestamp
    current: Annotated[bool, Meta(description="whether it is the session of this request")]


class SignedIn(Struct, frozen=True):
    """A new session, whose token is in the cookie `atrium_session`, and its owner's profile."""

    session: Session
    profile: Profile


class SignInRefused(Problem):
    """The address or the password is wrong, or the account is deactivated."""

    status = 401
    code = "sign_in_refused"
    title = "The address or the password is wrong"
    headers = (("www-authenticate", "Bearer"),)


class LinkRefused(Problem):
    """The link is unknown, used or expired, or its account is deactivated."""

    status = 401
    code = "link_refused"
    title = "The link is unknown, used or expired"
    headers = (("www-authenticate", "Bearer"),)


GUESSES_ON_ACCOUNT = Limit("account", 5, timedelta(seconds=30), timedelta(hours=1), timedelta(hours=24))
GUESSES_FROM_NETWORK = Limit("address", 100, timedelta(seconds=30), timedelta(hours=1), timedelta(hours=1))
SET_UPS_FROM_NETWORK = Limit("set-up", 20, timedelta(seconds=30), timedelta(hours=1), timedelta(hours=1))
MAILS_TO_ACCOUNT_FROM_NETWORK = Limit("mail to", 5, timedelta(minutes=5), timedelta(hours=6), timedelta(hours=6))
MAILS_TO_ACCOUNT = Limit("all mail to", 20, LINK_LIFETIME / 2, LINK_LIFETIME / 2, timedelta(hours=6))
MAILS_FROM_NETWORK = Limit("mail from", 100, timedelta(minutes=1), timedelta(hours=1), timedelta(hours=1))


def local_path(text: str) -> str:
    """Return `text` if it is a path on this server, else the sign-in page, so that redirects stay on this server."""
    inside = text.startswith("/") and not text.startswith(("//", "/\\"))
    plain = text.isascii() and text.isprintable() and "\\" not in text and " " not in text
    return text if inside and plain and len(text) <= 2000 else "/sign-in"

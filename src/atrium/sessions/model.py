"""The rules of signing in, apart from any database."""

from datetime import timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Annotated, NamedTuple
from uuid import UUID

from msgspec import Meta, Struct

from atrium.kit.errors import FieldError, Problem
from atrium.kit.texts import NO_NUL, Timestamp
from atrium.people.model import Profile

LINK_LASTS, RESET_LASTS = timedelta(minutes=30), timedelta(minutes=30)
LONGEST_USER_AGENT = 300

Password = Annotated[str, Meta(max_length=200, pattern=NO_NUL, examples=["correct horse battery staple"])]
NewPassword = Annotated[
    str,
    Meta(min_length=12, max_length=200, pattern=NO_NUL, examples=["correct horse battery staple"],
         description="12 to 200 characters"),
]  # fmt: skip
Token = Annotated[str, Meta(min_length=1, max_length=200, pattern=NO_NUL, description="from the link in the mail")]


class Way(StrEnum):
    """How somebody signed in."""

    PASSWORD = "password"  # noqa: S105
    LINK = "link"
    RESET = "reset"
    INVITATION = "invitation"
    OIDC = "oidc"
    SET_UP = "set_up"


class Purpose(StrEnum):
    """What a link by mail is good for."""

    SIGN_IN = "sign_in"
    PASSWORD = "password"  # noqa: S105


class Session(Struct, frozen=True):
    """A browser that somebody is signed in with. It ends when it is told to, or at `expires_at`."""

    session_id: UUID
    user_agent: Annotated[str, Meta(examples=["Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0"])]
    address: Annotated[str | None, Meta(examples=["203.0.113.7"])]
    signed_in_by: Way
    created_at: Timestamp
    last_used_at: Annotated[Timestamp | None, Meta(description="to the minute")]
    expires_at: Timestamp
    current: Annotated[bool, Meta(description="whether this request came with it")]


class SignedIn(Struct, frozen=True):
    """A session just begun, which the cookie `atrium_session` carries, and whose it is."""

    session: Session
    profile: Profile


class SignInRefused(Problem):
    """The address and the password do not belong together, or the account is not to be signed in to."""

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


class TooManyAttempts(Problem):
    """Too many attempts on this account, or from this address; `Retry-After` says for how many seconds none is looked
    at, a right one neither. A link by mail signs in meanwhile."""

    status = 429
    code = "too_many_attempts"
    title = "Too many attempts"

    def __init__(
        self, detail: str | None = None, *, errors: list[FieldError] | None = None, retry_after: int = 1
    ) -> None:
        super().__init__(detail, errors=errors)
        self.headers = (("retry-after", str(retry_after)),)


class Limit(NamedTuple):
    """How many attempts of a kind go free; from then on a pause follows each, twice as long as the one before."""

    kind: str
    free: int
    first_pause: timedelta
    longest_pause: timedelta
    forgotten_after: timedelta


GUESSES_ON_ACCOUNT = Limit("account", 5, timedelta(seconds=30), timedelta(hours=1), timedelta(hours=24))
GUESSES_FROM_ADDRESS = Limit("address", 100, timedelta(seconds=30), timedelta(hours=1), timedelta(hours=1))
SET_UPS_FROM_ADDRESS = Limit("set-up", 20, timedelta(seconds=30), timedelta(hours=1), timedelta(hours=1))
MAILS_TO_ACCOUNT = Limit("mail to", 5, timedelta(minutes=5), timedelta(hours=6), timedelta(hours=6))
MAILS_FROM_ADDRESS = Limit("mail from", 100, timedelta(minutes=1), timedelta(hours=1), timedelta(hours=1))


def pause_after(attempts: int, limit: Limit) -> timedelta:
    """How long nothing is looked at after so many attempts without a success."""
    if attempts < limit.free:
        return timedelta(0)
    doublings = min(attempts - limit.free, 20)
    longer: timedelta = limit.first_pause * 2**doublings
    return min(longer, limit.longest_pause)


def counted_as(limit: Limit, text: str) -> bytes:
    """What the database keeps of an account or address whose attempts are counted."""
    return sha256(f"{limit.kind}\n{text.lower()}".encode()).digest()


def local_path(text: str) -> str:
    """`text` where it leads to a page of this server, else the sign-in page: nobody is sent elsewhere from here."""
    inside = text.startswith("/") and not text.startswith(("//", "/\\"))
    plain = text.isascii() and text.isprintable() and "\\" not in text and " " not in text
    return text if inside and plain and len(text) <= 2000 else "/sign-in"

"""`/v1/sign-in`: what ways there are to sign in, and the one through an OpenID Connect provider.

What a round trip was begun with travels in a sealed cookie, so it belongs to the browser that began it, and may come
back once. Whatever goes wrong ends on the sign-in page, which says what.
"""

import secrets
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from typing import Annotated

import asyncpg
import msgspec
from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.answers import Afterwards, Headed
from atrium.kit.clock import Clock, to_ms
from atrium.kit.database import Pool, connection
from atrium.kit.headers import cookie_in
from atrium.kit.sealing import WrongKey, open_vault
from atrium.sessions.actions import begin_session, note_refused, spend_state
from atrium.sessions.cookies import STATE_COOKIE, no_state_cookie, session_cookie, state_cookie
from atrium.sessions.joining import Refused, account_of_vouched
from atrium.sessions.model import SignInRefused, Way, local_path
from atrium.sessions.provider import NotVouched, ProviderAway, Trip, Vouched, authorization_url, vouched_for

TRIP_LASTS = timedelta(minutes=10)
PAGE = "/sign-in"


class Trouble(StrEnum):
    """Why a sign-in through a provider came to nothing; the sign-in page has a sentence for each."""

    NOT_OFFERED = "oidc_not_offered"
    AWAY = "oidc_away"
    DENIED = "oidc_denied"
    STALE = "oidc_stale"
    NOT_VOUCHED = "oidc_not_vouched"


class Provider(Struct, frozen=True):
    """The single sign-on that is offered, and where it starts."""

    name: Annotated[str, Meta(examples=["Analytical Engines SSO"])]
    start: Annotated[str, Meta(examples=["/v1/sign-in/oidc/start"])]


class Methods(Struct, frozen=True):
    """The ways to sign in that are offered; `oidc` is null where there is no provider."""

    password: bool
    link: bool
    oidc: Provider | None


class Starting(Struct):
    """Where to go afterwards."""

    return_to: Annotated[str, Meta(description="a path of this server; anything else is the sign-in page")] = PAGE


class CameBack(Struct):
    """What the provider sends a browser back with."""

    state: Annotated[str, Meta(description="as it was sent")] = ""
    code: Annotated[str, Meta(description="to redeem for the id token")] = ""
    error: Annotated[str, Meta(description="why there is no code")] = ""


class _Sealed(Struct):
    state: str
    nonce: str
    verifier: str
    return_to: str
    until: int


async def list_sign_in_methods(call: Call) -> Methods:
    """Which ways to sign in this server offers."""
    settings = call.settings
    oidc = Provider(settings.oidc_name, "/v1/sign-in/oidc/start") if settings.oidc_issuer else None
    return Methods(password=True, link=True, oidc=oidc)


async def start_oidc(call: Call, query: Starting) -> Afterwards[Headed[None]]:
    """Go to the OpenID Connect provider to sign in there.

    It leads to the provider's own page, or back to the sign-in page with a `problem` where that cannot be.
    """
    settings = call.settings

    async def get(_pool: Pool, _clock: Clock) -> Headed[None]:
        if not settings.oidc_issuer:
            return _stopped(Trouble.NOT_OFFERED)
        trip = Trip(*(secrets.token_urlsafe(32) for _ in Trip._fields))
        try:
            url = await authorization_url(settings, trip)
        except ProviderAway:
            return _stopped(Trouble.AWAY)
        kept = _Sealed(*trip, local_path(query.return_to), to_ms(call.now + TRIP_LASTS))
        sealed = open_vault(settings).seal(msgspec.json.encode(kept)).decode()
        return _to(url, state_cookie(sealed, TRIP_LASTS, settings))

    return Afterwards(get)


async def finish_oidc(call: Call, query: CameBack) -> Afterwards[Headed[None]]:
    """Come back from the OpenID Connect provider; the answer sets the cookie of the session and leads to the page that
    was asked for, or else to the sign-in page with a `problem`."""

    async def get(pool: Pool, _clock: Clock) -> Headed[None]:
        kept = _opened(call, query.state)
        try:
            if kept is None or not await spend_state(pool, kept.state, call.now + TRIP_LASTS):
                return _stopped(Trouble.STALE, call)
            if query.error or not query.code:
                return _stopped(Trouble.DENIED, call)
            trip = Trip(kept.state, kept.nonce, kept.verifier)
            vouched = await vouched_for(call.settings, trip, query.code, call.now)
            return await _enter(pool, call, vouched, kept.return_to)
        except ProviderAway:
            return _stopped(Trouble.AWAY, call)
        except NotVouched:
            return _stopped(Trouble.NOT_VOUCHED, call)

    return Afterwards(get)


async def _enter(pool: Pool, call: Call, vouched: Vouched, return_to: str) -> Headed[None]:
    try:
        async with connection(pool, writing=True) as db:
            present = replace(call, db=db)
            begun = await begin_session(present, await account_of_vouched(present, vouched), Way.OIDC)
    except Refused as refused:
        if refused.account:
            async with connection(pool, writing=True) as db:
                await note_refused(replace(call, db=db), refused.account)
        return _stopped(refused.why, call)
    except SignInRefused:
        return _stopped(Refused.DEACTIVATED, call)
    except asyncpg.UniqueViolationError:  # the same new person, twice at once
        return _stopped(Trouble.STALE, call)
    cookies = session_cookie(begun.token, call.settings) + no_state_cookie(call.settings)
    return _to(return_to, cookies)


def _opened(call: Call, state: str) -> _Sealed | None:
    """What this browser's round trip was begun with; None where it is another's, or too long ago."""
    sealed = cookie_in(call.headers.get(b"cookie", b""), STATE_COOKIE)
    try:
        kept = msgspec.json.decode(open_vault(call.settings).unseal((sealed or "").encode()), type=_Sealed)
    except (WrongKey, msgspec.DecodeError):
        return None
    fresh = to_ms(call.now) < kept.until
    return kept if fresh and secrets.compare_digest(kept.state.encode(), state.encode()) else None


def _stopped(why: str, call: Call | None = None) -> Headed[None]:
    return _to(f"{PAGE}?problem={why}", no_state_cookie(call.settings) if call else ())


def _to(url: str, cookies: tuple[tuple[str, str], ...]) -> Headed[None]:
    return Headed(None, ("location", url), ("cache-control", "no-store"), *cookies)

"""`/v1/sign-in`: the ways to sign in, and signing in through an OpenID Connect provider.

The state of a sign-in is in an encrypted cookie, so only the browser that started it can finish it, once. Every error
leads to the sign-in page, which explains it.
"""

import secrets
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import asyncpg
import msgspec
from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.clock import Clock, to_ms
from atrium.kit.encryption import WrongKey, installation_cipher
from atrium.kit.http.request import cookie_in
from atrium.kit.http.responses import AfterCommit, WithHeaders
from atrium.kit.postgres.database import Pool, connection
from atrium.kit.process.deferred import Deferred, import_in_thread
from atrium.sessions.actions import consume_state, create_session, record_failed_sign_in
from atrium.sessions.cookies import STATE_COOKIE, expired_state_cookie, session_cookie, state_cookie
from atrium.sessions.model import SignInRefused, Way, local_path
from atrium.sessions.oidc.accounts import IdentityRejected, account_of_identity, proven_email
from atrium.sessions.oidc.identity import AuthorizationFlow, ProviderIdentity, ProviderUnavailable, UntrustedResponse

if TYPE_CHECKING:
    from atrium.sessions.oidc import provider
else:
    provider = Deferred("atrium.sessions.oidc.provider")

PROVIDER = ("atrium.sessions.oidc.provider",)  # imports libraries that only servers with a provider need
FLOW_LIFETIME = timedelta(minutes=10)
PAGE = "/sign-in"


class SignInProblem(StrEnum):
    """The reason for a failed sign-in through a provider; the sign-in page explains each."""

    NOT_OFFERED = "oidc_not_offered"
    UNAVAILABLE = "oidc_away"
    DENIED = "oidc_denied"
    EXPIRED = "oidc_stale"
    UNTRUSTED = "oidc_not_vouched"


class Provider(Struct, frozen=True):
    """The single sign-on of this server, and the path where it starts."""

    name: Annotated[str, Meta(examples=["Analytical Engines SSO"])]
    start: Annotated[str, Meta(examples=["/v1/sign-in/oidc/start"])]


class Methods(Struct, frozen=True):
    """The ways to sign in to this server; `oidc` is null without a provider. Without a `mail_server`, links are stored
    and not sent; an admin can copy them."""

    password: bool
    link: bool
    oidc: Provider | None
    mail_server: bool


class StartOidcQuery(Struct):
    """The page to open after signing in."""

    return_to: Annotated[
        str, Meta(description="a path on this server; any other value redirects to the sign-in page")
    ] = PAGE


class OidcCallbackQuery(Struct):
    """The query parameters of the provider's redirect."""

    state: Annotated[str, Meta(description="as it was sent")] = ""
    code: Annotated[str, Meta(description="the authorization code")] = ""
    error: Annotated[str, Meta(description="the reason, if there is no code")] = ""


class _FlowState(Struct):
    state: str
    nonce: str
    verifier: str
    return_to: str
    until: int


async def list_sign_in_methods(call: Call) -> Methods:
    """List the ways to sign in to this server."""
    settings = call.settings
    oidc = Provider(settings.oidc_name, "/v1/sign-in/oidc/start") if settings.oidc_issuer else None
    return Methods(password=True, link=True, oidc=oidc, mail_server=settings.smtp_url is not None)


async def start_oidc(call: Call, query: StartOidcQuery) -> AfterCommit[WithHeaders[None]]:
    """Redirect to the OpenID Connect provider.

    If that is not possible, this redirects to the sign-in page with a `problem`.
    """
    settings = call.settings

    async def produce(_pool: Pool, _clock: Clock) -> WithHeaders[None]:
        if not settings.oidc_issuer:
            return _fail(SignInProblem.NOT_OFFERED)
        flow = AuthorizationFlow(*(secrets.token_urlsafe(32) for _ in AuthorizationFlow._fields))
        await import_in_thread(PROVIDER)
        try:
            url = await provider.authorization_url(settings, flow)
        except ProviderUnavailable:
            return _fail(SignInProblem.UNAVAILABLE)
        flow_state = _FlowState(*flow, local_path(query.return_to), to_ms(call.now + FLOW_LIFETIME))
        sealed = installation_cipher(settings).encrypt(msgspec.json.encode(flow_state)).decode()
        return _to(url, state_cookie(sealed, FLOW_LIFETIME, settings))

    return AfterCommit(produce)


async def finish_oidc(call: Call, query: OidcCallbackQuery) -> AfterCommit[WithHeaders[None]]:
    """Finish a sign-in through the OpenID Connect provider.

    This sets the session cookie and redirects to the requested page, or to the sign-in page with a `problem`.
    """

    async def produce(pool: Pool, _clock: Clock) -> WithHeaders[None]:
        flow_state = _state_of(call, query.state)
        try:
            if flow_state is None or not await consume_state(pool, flow_state.state, call.now + FLOW_LIFETIME):
                return _fail(SignInProblem.EXPIRED, call)
            if query.error or not query.code:
                return _fail(SignInProblem.DENIED, call)
            flow = AuthorizationFlow(flow_state.state, flow_state.nonce, flow_state.verifier)
            await import_in_thread(PROVIDER)
            identity = await provider.fetch_identity(call.settings, flow, query.code, call.now)
            return await _finish(pool, call, identity, flow_state.return_to)
        except ProviderUnavailable:
            return _fail(SignInProblem.UNAVAILABLE, call)
        except UntrustedResponse:
            return _fail(SignInProblem.UNTRUSTED, call)

    return AfterCommit(produce)


async def _finish(pool: Pool, call: Call, identity: ProviderIdentity, return_to: str) -> WithHeaders[None]:
    try:
        async with connection(pool, writing=True) as db:
            present = replace(call, db=db)
            account = await account_of_identity(present, identity)
            proven = proven_email(account, identity)
            created = await create_session(present, account, Way.OIDC, proven_email=proven)
    except IdentityRejected as error:
        if error.account:
            async with connection(pool, writing=True) as db:
                await record_failed_sign_in(replace(call, db=db), error.account)
        return _fail(error.code, call)
    except SignInRefused:
        return _fail(IdentityRejected.DEACTIVATED, call)
    except asyncpg.UniqueViolationError:  # two concurrent sign-ins of the same new person
        return _fail(SignInProblem.EXPIRED, call)
    cookies = session_cookie(created.token, call.settings) + expired_state_cookie(call.settings)
    return _to(return_to, cookies)


def _state_of(call: Call, state: str) -> _FlowState | None:
    """Return the state of this browser's sign-in, None if it is another one's or has expired."""
    sealed = cookie_in(call.headers.get(b"cookie", b""), STATE_COOKIE)
    try:
        flow_state = msgspec.json.decode(
            installation_cipher(call.settings).decrypt((sealed or "").encode()), type=_FlowState
        )
    except (WrongKey, msgspec.DecodeError):
        return None
    fresh = to_ms(call.now) < flow_state.until
    return flow_state if fresh and secrets.compare_digest(flow_state.state.encode(), state.encode()) else None


def _fail(code: str, call: Call | None = None) -> WithHeaders[None]:
    return _to(f"{PAGE}?problem={code}", expired_state_cookie(call.settings) if call else ())


def _to(url: str, cookies: tuple[tuple[str, str], ...]) -> WithHeaders[None]:
    return WithHeaders(None, ("location", url), ("cache-control", "no-store"), *cookies)

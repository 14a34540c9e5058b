"""Sign in through a provider."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx

from atrium.kit.clock import utc_now
from tests.conftest import TLS, Api, FakeClock, in_process_client
from tests.sessions.provider import Provider

START, CALLBACK = "/v1/sign-in/oidc/start", "/v1/sign-in/oidc/callback"
CLIENT, SECRET = "atrium", "a secret/with: signs"
Alter = Callable[[dict[str, str]], dict[str, str]]


@asynccontextmanager
async def atrium(api: Api, provider: Provider, **more: Any) -> AsyncIterator[tuple[httpx.AsyncClient, FakeClock]]:
    """Run a server that offers the provider, with a browser."""
    clock = FakeClock(utc_now())
    settings = api.settings.with_changes(
        public_url="http://atrium.test",
        oidc_issuer=provider.url,
        oidc_client_id=CLIENT,
        oidc_client_secret=SECRET,
        oidc_name="Acme SSO",
        **more,
    )
    async with in_process_client(settings, clock) as client:
        yield client, clock


def same(query: dict[str, str]) -> dict[str, str]:
    return query


async def through(client: httpx.AsyncClient, sub: str, alter: Alter = same, **start: str) -> str:
    """Go to the provider and back; return where the browser is redirected with a code."""
    begun = await client.get(START, params=start)
    assert begun.status_code == 302, begun.text
    url = urlsplit(begun.headers["location"])
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    async with httpx.AsyncClient(timeout=60, verify=TLS) as outside:
        there = url._replace(query=urlencode(alter(query))).geturl()
        came = await outside.post(there, data={"sub": sub} if sub else {"action": "deny"})
    assert came.status_code == 302, came.text
    return came.headers["location"]


async def sign_in(client: httpx.AsyncClient, sub: str, alter: Alter = same, **start: str) -> httpx.Response:
    return await client.get(await through(client, sub, alter, **start))


def new_user(provider: Provider, email: str | None = None, **claims: Any) -> tuple[str, str]:
    """Create a user of the provider with a verified address."""
    sub = os.urandom(6).hex()
    email = email or f"{sub}@example.org"
    provider.put_user(sub, **{"email": email, "email_verified": True, "name": "Grace Hopper", **claims})
    return sub, email


def run(scenario: Callable[[], Any]) -> None:
    """Run a coroutine in a loop of its own."""
    asyncio.run(scenario())


def assert_stopped(answer: httpx.Response, problem: str, client: httpx.AsyncClient) -> None:
    """Assert that a sign-in ended at the sign-in page with a problem, and without a session."""
    assert (answer.status_code, answer.headers["location"]) == (302, f"/sign-in?problem={problem}"), answer.text
    assert "atrium_session" not in client.cookies

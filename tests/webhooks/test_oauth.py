"""Deliveries with access tokens: a real token endpoint and a real receiver that demands them."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import asyncpg
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from atrium.kit.encryption import installation_cipher
from atrium.kit.settings import Settings
from atrium.webhooks.authentication.access_tokens import usable_until
from atrium.webhooks.delivery.attempt import INTERNAL_ERROR
from atrium.webhooks.delivery.worker import open_delivery_worker
from tests.webhooks.harness import NOON, Harness, with_harness
from tests.webhooks.receiver import Received, running_endpoint

SECRET = "client secret +%"
Json = dict[str, Any]


@dataclass
class Provider:
    """A token endpoint: it grants `token-1`, `token-2`, …, or answers as a test says."""

    url: str = ""
    requests: list[tuple[dict[str, str], dict[str, str]]] = field(default_factory=list)
    grant: Json = field(default_factory=lambda: {"token_type": "Bearer", "expires_in": 3600})
    answer: Json | None = None
    hangs_at: int = 0  # the request that gets no answer
    hung: asyncio.Event = field(default_factory=asyncio.Event)

    async def take(self, request: web.Request) -> web.Response:
        self.requests.append((dict(request.headers), dict(await request.post())))
        if len(self.requests) == self.hangs_at:
            self.hung.set()
            await asyncio.Event().wait()
        if self.answer is not None:
            return web.Response(**self.answer)
        return web.json_response({"access_token": f"token-{len(self.requests)}", **self.grant})

    def authentication(self, **more: Any) -> Json:
        return {"type": "oauth2", "token_url": self.url, "client_id": "a:b", "client_secret": SECRET, **more}


@asynccontextmanager
async def running_provider() -> AsyncIterator[Provider]:
    provider = Provider()
    async with running_endpoint(provider.take) as provider.url:
        yield provider


def tokens(harness: Harness) -> list[str]:
    """Return the tokens of the requests that arrived at the receiver."""
    return [each.headers["Authorization"].removeprefix("Bearer token-") for each in harness.receiver.received]


async def attempts(harness: Harness, webhook: Json) -> list[Json]:
    return (await harness.log(webhook))[0]["attempts"]


@pytest.mark.contract("Webhook details 3", "Webhook details 6")
def test_a_token_is_requested_once_for_many_deliveries_and_never_logged(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        async with running_provider() as provider:
            webhook = await harness.subscribe(
                authentication=provider.authentication(scope="a b", audience="urn:x"), headers={"X-Team": "one"}
            )
            for _ in range(50):
                await harness.send()
            assert await harness.worker.deliver_due() == 50
        assert tokens(harness) == ["1"] * 50
        [(headers, form)] = provider.requests
        assert form == {"grant_type": "client_credentials", "scope": "a b", "audience": "urn:x"}
        assert headers["Authorization"] == "Basic " + b64encode(b"a%3Ab:client+secret+%2B%25").decode()
        log = await harness.log(webhook, limit=50)
        assert {each["status"] for each in log} == {"DELIVERY_STATUS_SUCCEEDED"}
        rows = str([dict(row) for row in await harness.db.fetch("select * from deliveries")])
        assert not any(secret in str(log) + rows for secret in ("token-1", "Authorization", SECRET))

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 6")
def test_the_client_can_be_authenticated_in_the_body(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        async with running_provider() as provider:
            await harness.subscribe(authentication=provider.authentication(client_authentication="body"))
            await harness.send()
            await harness.worker.deliver_due()
        [(headers, form)] = provider.requests
        assert form == {"grant_type": "client_credentials", "client_id": "a:b", "client_secret": SECRET}
        assert "Authorization" not in headers

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 6")
@pytest.mark.parametrize(
    ("expires_in", "minutes"), [(600, 9), ("600", 9), (100, 1.5), (None, 59), (10**300, 1439), (0, 0), (-5, 0)]
)
def test_a_token_is_used_until_shortly_before_it_expires(settings: Settings, expires_in: Any, minutes: float) -> None:
    async def act(harness: Harness) -> None:
        async with running_provider() as provider:
            provider.grant["expires_in"] = expires_in
            await harness.subscribe(authentication=provider.authentication())
            for passed in (0, minutes * 60 - 1, 1):
                harness.pass_time(seconds=max(0, passed))
                await harness.send()
                await harness.worker.deliver_due()
        assert tokens(harness) == (["1", "1", "2"] if minutes else ["1", "2", "3"])

    with_harness(settings, act)


@given(st.none() | st.floats())
def test_a_token_is_used_for_at_most_a_day_and_never_after_it_expires(lifetime: float | None) -> None:
    until = usable_until(NOON, lifetime)
    assert NOON <= until < NOON + timedelta(days=1)
    if lifetime is not None and 0 < lifetime < 86_400:
        assert until <= NOON + timedelta(seconds=lifetime)


@pytest.mark.contract("Webhook details 6")
def test_a_token_that_the_receiver_rejects_is_renewed_once_for_all_deliveries(settings: Settings) -> None:
    def valid_from_second(received: Received) -> int:
        return 200 if received.headers["Authorization"] != "Bearer token-1" else 401

    async def act(harness: Harness) -> None:
        harness.receiver.answer = valid_from_second
        async with running_provider() as provider:
            webhook = await harness.subscribe(authentication=provider.authentication())
            for _ in range(12):
                await harness.send()
            await harness.worker.deliver_due()
            assert len(provider.requests) == 2
        assert {each["status"] for each in await harness.log(webhook)} == {"DELIVERY_STATUS_SUCCEEDED"}
        assert len(await attempts(harness, webhook)) == 1, "the renewal is a part of the attempt"

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 6")
def test_a_token_is_not_renewed_twice_in_an_attempt(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        harness.receiver.status = 401
        async with running_provider() as provider:
            webhook = await harness.subscribe(authentication=provider.authentication())
            await harness.send()
            await harness.worker.deliver_due()
        assert tokens(harness) == ["1", "2"]
        assert len({each.delivery_id for each in harness.receiver.received}) == 1
        [attempt] = await attempts(harness, webhook)
        assert (attempt["response_code"], attempt["error"]) == (401, "HTTP 401")

    with_harness(settings, act)


NOT_A_TOKEN = "OAuth: the token endpoint's response is not JSON with an access_token"


@pytest.mark.contract("Webhook details 7")
@pytest.mark.parametrize(
    ("response", "error"),
    [
        ({"status": 503, "text": "secret-page"}, "OAuth: the token endpoint answered 503"),
        (
            {"status": 401, "text": '{"error": "invalid_client"}'},
            "OAuth: the token endpoint answered 401: invalid_client",
        ),
        ({"status": 400, "text": '{"error": "secret-page"}'}, "OAuth: the token endpoint answered 400"),
        ({"status": 302, "headers": {"Location": "/"}}, "OAuth: the token endpoint answered 302"),
        ({"text": "<html>secret-page"}, NOT_A_TOKEN),
        ({"text": '{"access_token": 5, "secret-page": 1}'}, NOT_A_TOKEN),
        ({"text": '{"token": "secret-page"}'}, NOT_A_TOKEN),
        ({"body": b"\xff\xfe"}, NOT_A_TOKEN),
        ({"text": '{"secret-page":' + "[" * 60_000}, NOT_A_TOKEN),
        ({"status": 400, "text": '{"a":' + "[" * 60_000}, "OAuth: the token endpoint answered 400"),
        ({"text": '{"access_token": "' + "secret-page" * 9000 + '"}'}, NOT_A_TOKEN),
        (
            {"text": '{"access_token": "secret-page\\r\\nX-A: b"}'},
            "OAuth: the token endpoint granted a token that no header can contain",
        ),
        (
            {"text": '{"access_token": "secret-page", "token_type": "DPoP"}'},
            "OAuth: the token endpoint granted a token that is not a bearer token",
        ),
    ],
)
def test_an_attempt_without_a_token_fails_with_its_reason_and_is_retried(
    settings: Settings, response: Json, error: str
) -> None:
    async def act(harness: Harness) -> None:
        async with running_provider() as provider:
            webhook = await harness.subscribe(authentication=provider.authentication())
            await harness.send()
            provider.answer = response
            await harness.worker.deliver_due()
            log = await harness.log(webhook)
            [attempt] = log[0]["attempts"]
            assert (attempt["error"], attempt["response_code"], attempt["response_excerpt"]) == (error, None, "")
            assert "secret-page" not in str(log) and harness.receiver.received == []
            provider.answer = None
            harness.pass_time(minutes=1)
            await harness.worker.deliver_due()
        assert (await harness.log(webhook))[0]["status"] == "DELIVERY_STATUS_SUCCEEDED"
        assert tokens(harness) == ["2"]

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 7")
def test_a_slow_token_endpoint_is_within_the_time_limit_and_one_that_is_down_is_named(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        async with running_provider() as provider:
            webhook = await harness.subscribe(authentication=provider.authentication(), time_limit=1)
            provider.hangs_at = 1
            await asyncio.gather(*(harness.send() for _ in range(4)))
            await harness.worker.deliver_due()
            assert len(provider.requests) == 1
            for each in await harness.log(webhook):
                [attempt] = each["attempts"]
                assert attempt["error"] == "OAuth: the token endpoint: no response within 1 second"
                assert 900 <= attempt["duration_ms"] < 5000
        harness.pass_time(minutes=1)
        await harness.worker.deliver_due()
        assert (await attempts(harness, webhook))[1]["error"] == "OAuth: the token endpoint: the connection was refused"

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 6")
def test_a_changed_configuration_uses_no_token_of_the_one_before(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        async with running_provider() as provider:
            webhook = await harness.subscribe(authentication=provider.authentication())
            for change in ({"name": "same"}, {"authentication": provider.authentication(scope="more")}):
                await harness.send()
                await harness.worker.deliver_due()
                assert (await harness.change(webhook, **change)).status_code == 200
            await harness.send()
            await harness.worker.deliver_due()
            assert (await harness.change(webhook, authentication=None)).status_code == 200
            await harness.send()
            await harness.worker.deliver_due()
        assert [each.headers.get("Authorization") for each in harness.receiver.received] == [
            "Bearer token-1",
            "Bearer token-1",
            "Bearer token-2",
            None,
        ]

    with_harness(settings, act)


def test_a_test_requests_a_token_of_its_own(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        async with running_provider() as provider:
            webhook = await harness.subscribe(authentication=provider.authentication())
            await harness.send()
            await harness.worker.deliver_due()
            provider.answer = {"status": 401, "text": '{"error": "invalid_client"}'}
            path = f"{harness.hooks}/{webhook['webhook']['id']}/test"
            delivery = (await harness.client.post(path)).json()["delivery"]
        assert delivery["attempts"][0]["error"] == "OAuth: the token endpoint answered 401: invalid_client"

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 4")
def test_a_test_during_a_change_sends_no_new_secret_to_the_old_url(settings: Settings) -> None:
    waiting = "select from pg_locks where not granted and relation = 'public.deliveries'::regclass"

    async def act(harness: Harness) -> None:
        async with running_provider() as provider:
            webhook = await harness.subscribe()
            await harness.worker.queue_events()
            other = await asyncpg.connect(harness.settings.database_url)
            async with other.transaction():
                await other.execute("lock table public.deliveries in exclusive mode")
                testing = asyncio.create_task(harness.client.post(f"{harness.hooks}/{webhook['webhook']['id']}/test"))
                while await harness.db.fetchrow(waiting) is None:
                    await asyncio.sleep(0.01)
                new = {"endpoint_url": provider.url, "authentication": provider.authentication()}
                assert (await harness.change(webhook, **new)).status_code == 200
            await other.close()
            assert (await testing).json()["delivery"]["status"] == "DELIVERY_STATUS_SUCCEEDED"
            assert [headers.get("Authorization") for headers, _ in provider.requests][1:] == ["Bearer token-1"]
            assert harness.receiver.received == []

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 7")
def test_an_attempt_with_an_internal_error_is_logged_and_retried_as_others_are(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe()
        unknown = installation_cipher(harness.settings).encrypt(b'{"type": "of a later release"}')
        await harness.db.execute("update webhooks set authentication = $1", unknown)
        await harness.send()
        with capture_logs() as logs:
            await harness.worker.deliver_due()
        await harness.db.execute("update webhooks set authentication = null")
        [attempt] = await attempts(harness, webhook)
        assert (attempt["error"], attempt["response_code"]) == (INTERNAL_ERROR, None)
        [error] = [each for each in logs if each["log_level"] == "error"]
        assert "of a later release" in str(error["exc_info"]), "the log has the reason"
        harness.pass_time(minutes=1)
        await harness.worker.deliver_due()
        assert (await harness.log(webhook))[0]["status"] == "DELIVERY_STATUS_SUCCEEDED"

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 7")
def test_a_worker_that_is_killed_during_a_renewal_leaves_the_delivery_to_others_under_its_id(
    settings: Settings,
) -> None:
    async def act(harness: Harness) -> None:
        async with running_provider() as provider:
            await harness.subscribe(authentication=provider.authentication())
            await harness.send()
            harness.receiver.status, provider.hangs_at = 401, 2
            async with open_delivery_worker(harness.settings, harness.clock) as killed:
                dying = asyncio.create_task(killed.deliver_due())
                await provider.hung.wait()
                dying.cancel()
            harness.receiver.status = 200
            assert await harness.worker.deliver_due() == 0, "it is leased"
            harness.pass_time(seconds=61)
            assert await harness.worker.deliver_due() == 1
        assert tokens(harness) == ["1", "3"]
        assert len({each.delivery_id for each in harness.receiver.received}) == 1

    with_harness(settings, act)

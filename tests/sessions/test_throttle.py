"""Guessing is slowed down by account and by client address, on every process."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

import asyncpg
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.bootstrap.actions import set_up_with_keys as set_up
from atrium.kit.http.attempts import Limit, counted_as, pause_after
from atrium.kit.settings import Settings
from atrium.sessions.model import GUESSES_FROM_NETWORK, GUESSES_ON_ACCOUNT, MAILS_TO_ACCOUNT
from tests.conftest import Api, FakeClock, in_process_client, own_postgres
from tests.faults.wrong_clock import run_statements
from tests.sessions.visitor import PASSWORD, browser, mails_to, visitor

START = datetime(2026, 11, 21, 9, tzinfo=UTC)
EMAIL = "ada@example.org"
OWN = {"sec-fetch-site": "same-origin"}


@pytest.fixture(scope="module")
def own_settings() -> Iterator[Settings]:
    """Return settings of a separate database, because the test moves its time."""
    with own_postgres() as made:

        async def bootstrap() -> None:
            db = await asyncpg.connect(made.database_url)
            async with db.transaction():
                await set_up(db, "http://x", organization="Acme", email=EMAIL, name="Ada", now=START)
            await db.close()

        asyncio.run(bootstrap())
        yield made


@asynccontextmanager
async def fresh(settings: Settings) -> AsyncIterator[tuple[httpx.AsyncClient, FakeClock]]:
    """Run a server without any counts, whose super_admin has a password."""
    clock = FakeClock(START)
    db = await asyncpg.connect(settings.database_url)
    await db.execute("truncate sign_in_attempts")
    async with in_process_client(settings, clock) as client:
        token = await link(settings)
        content = {"token": token, "password": PASSWORD}
        answer = await client.post("/v1/password-resets/confirm", json={"content": content}, headers=OWN)
        assert answer.status_code == 200, answer.text
        client.cookies.clear()
        yield client, clock
    await db.close()


async def link(settings: Settings, purpose: str = "password") -> str:
    """Insert a link into the database; return its token."""
    db = await asyncpg.connect(settings.database_url)
    token = f"{purpose}-{await db.fetchval('select count(*) from sign_in_links')}"
    await db.execute(
        "insert into sign_in_links select sha256($1::text::bytea), person_id, $2, $3, null, $4 from people",
        token,
        START,
        START + timedelta(days=9),
        purpose,
    )
    await db.close()
    return token


async def guess(client: httpx.AsyncClient, password: str = "wrong", email: str = EMAIL) -> httpx.Response:
    body = {"content": {"email": email, "password": password}}
    answer = await client.post("/v1/sessions", json=body, headers=OWN)
    client.cookies.clear()
    return answer


@pytest.mark.contract("Signing in 6")
def test_after_five_wrong_passwords_each_attempt_waits_twice_as_long(own_settings: Settings) -> None:
    async def scenario() -> None:
        async with fresh(own_settings) as (client, clock):
            for pause in (30, 60, 120, 240, 480, 960, 1920, 3600, 3600):
                for _ in range(6):
                    if (answer := await guess(client)).status_code != 401:
                        break
                assert answer.status_code == 429
                assert answer.json()["code"] == "too_many_attempts"
                assert int(answer.headers["retry-after"]) == pause
                assert (await guess(client, PASSWORD)).status_code == 429
                clock.at += timedelta(seconds=pause) - timedelta(milliseconds=1)
                last = await guess(client, PASSWORD)
                assert (last.status_code, last.headers["retry-after"]) == (429, "1")
                clock.at += timedelta(milliseconds=1)
                assert (await guess(client)).status_code == 401
            clock.at += timedelta(hours=1)
            assert (await guess(client, PASSWORD)).status_code == 201

    asyncio.run(scenario())


def test_a_successful_sign_in_clears_the_count(own_settings: Settings) -> None:
    async def scenario() -> None:
        async with fresh(own_settings) as (client, _):
            for _ in range(6):
                assert [(await guess(client)).status_code for _ in range(4)] == [401] * 4
                assert (await guess(client, PASSWORD)).status_code == 201

    asyncio.run(scenario())


def test_a_day_without_a_guess_clears_the_count(own_settings: Settings) -> None:
    async def scenario() -> None:
        async with fresh(own_settings) as (client, clock):
            assert [(await guess(client)).status_code for _ in range(6)] == [401] * 5 + [429]
            clock.at += timedelta(days=1, seconds=1)
            assert [(await guess(client)).status_code for _ in range(6)] == [401] * 5 + [429]

    asyncio.run(scenario())


@pytest.mark.contract("Signing in 6")
def test_a_link_signs_in_while_guessing_is_blocked_and_resets_the_count(own_settings: Settings) -> None:
    async def scenario() -> None:
        async with fresh(own_settings) as (client, _):
            assert [(await guess(client)).status_code for _ in range(6)] == [401] * 5 + [429]
            body = {"content": {"token": await link(own_settings, "sign_in")}}
            assert (await client.post("/v1/sessions/link", json=body, headers=OWN)).status_code == 201
            assert (await guess(client, PASSWORD)).status_code == 201

    asyncio.run(scenario())


def test_guesses_at_an_unknown_account_are_slowed_down(own_settings: Settings) -> None:
    async def scenario() -> None:
        async with fresh(own_settings) as (client, _):
            seen = [(await guess(client, email="nobody@example.org")).status_code for _ in range(6)]
            assert seen == [401] * 5 + [429]
            assert (await guess(client, PASSWORD)).status_code == 201

    asyncio.run(scenario())


@pytest.mark.contract("Signing in 6")
def test_concurrent_guesses_are_all_counted(own_settings: Settings) -> None:
    async def scenario() -> None:
        async with fresh(own_settings) as (client, _):
            answers = await asyncio.gather(*(guess(client) for _ in range(30)))
            assert sorted(answer.status_code for answer in answers) == [401] * 5 + [429] * 25

    asyncio.run(scenario())


@pytest.mark.contract("Signing in 6")
def test_one_address_guesses_at_a_hundred_accounts_and_then_waits_even_with_a_correct_password(
    own_settings: Settings,
) -> None:
    async def scenario() -> None:
        async with fresh(own_settings) as (client, clock):
            db = await asyncpg.connect(own_settings.database_url)
            subject = counted_as(GUESSES_FROM_NETWORK, "127.0.0.1")
            await db.execute("insert into sign_in_attempts values ($1, 99, $2)", subject, START)
            assert (await guess(client, email="one@example.org")).status_code == 401
            assert (await guess(client, email="two@example.org")).status_code == 429
            assert (await guess(client, PASSWORD)).status_code == 429
            clock.at += timedelta(seconds=30)
            assert (await guess(client, PASSWORD)).status_code == 201
            assert (await db.fetchval("select failures from sign_in_attempts where subject = $1", subject)) == 100
            await db.close()

    asyncio.run(scenario())


def test_mail_requests_are_limited(own_settings: Settings) -> None:
    async def scenario() -> None:
        async with fresh(own_settings.with_changes(trusted_proxies=("127.0.0.1",))) as (client, clock):
            for path in ("/v1/sign-in-links", "/v1/password-resets"):
                for email in (EMAIL, "nobody@example.org"):
                    await client.post(path, json={"content": {"email": email}})
            for email in (EMAIL, "nobody@example.org"):
                body = {"content": {"email": email}}
                seen = [(await client.post("/v1/sign-in-links", json=body)).status_code for _ in range(4)]
                assert seen == [202] * 3 + [429]
            elsewhere = {"x-forwarded-for": "192.0.2.7"}  # endless requests from one address lock no one else out
            body = {"content": {"email": EMAIL}}
            assert (await client.post("/v1/sign-in-links", json=body, headers=elsewhere)).status_code == 202
            clock.at += timedelta(minutes=5)
            assert (await client.post("/v1/sign-in-links", json={"content": {"email": EMAIL}})).status_code == 202

    asyncio.run(scenario())


@pytest.mark.contract("Signing in 7")
def test_one_ipv6_network_is_one_client(own_settings: Settings) -> None:
    async def scenario() -> None:
        async with fresh(own_settings.with_changes(trusted_proxies=("127.0.0.1",))) as (client, _):
            ask = lambda nr, path, content: client.post(  # noqa: E731
                path, json={"content": content}, headers={**OWN, "x-forwarded-for": f"2001:db8:0:1::{nr:x}"}
            )
            links = [(await ask(nr, "/v1/sign-in-links", {"email": EMAIL})).status_code for nr in range(7)]
            assert links == [202] * 5 + [429] * 2
            guessed = [
                (await ask(nr, "/v1/sessions", {"email": f"{nr}@example.org", "password": "x"})).status_code
                for nr in range(102)
            ]
            assert guessed == [401] * 100 + [429] * 2
            other = {**OWN, "x-forwarded-for": "2001:db8:0:2::1"}
            body = {"content": {"email": EMAIL, "password": PASSWORD}}
            assert (await client.post("/v1/sessions", json=body, headers=other)).status_code == 201

    asyncio.run(scenario())


@pytest.mark.contract("Signing in 9")
def test_links_expire(own_settings: Settings) -> None:
    async def scenario() -> None:
        async with fresh(own_settings) as (client, clock):
            db = await asyncpg.connect(own_settings.database_url)
            for age, status in ((timedelta(minutes=30), 401), (timedelta(minutes=29, seconds=59), 201)):
                await client.post("/v1/sign-in-links", json={"content": {"email": EMAIL}})
                mail = await db.fetchval("select body from mails order by mail_id desc limit 1")
                token = mail.partition("#token=")[2].split()[0]
                clock.at += age
                body = {"content": {"token": token}}
                assert (await client.post("/v1/sessions/link", json=body, headers=OWN)).status_code == status
            await db.close()

    asyncio.run(scenario())


def test_a_session_expires(own_settings: Settings) -> None:
    async def scenario() -> None:
        async with fresh(own_settings.with_changes(session_lifetime="2d")) as (client, clock):
            body = {"content": {"email": EMAIL, "password": PASSWORD}}
            answer = await client.post("/v1/sessions", json=body, headers=OWN)
            assert "Max-Age=172800" in answer.headers["set-cookie"]
            token = client.cookies["atrium_session"]
            client.cookies.clear()
            cookie = {"cookie": f"other=1; atrium_session={token}"}
            clock.at += timedelta(days=2) - timedelta(milliseconds=1)
            assert (await client.get("/v1/me/profile", headers=cookie)).status_code == 200
            clock.at += timedelta(milliseconds=1)
            assert (await client.get("/v1/me/profile", headers=cookie)).status_code == 401

    asyncio.run(scenario())


@pytest.mark.contract("Signing in 2")
def test_over_https_the_cookie_is_secure_and_bound_to_its_host(own_settings: Settings) -> None:
    async def scenario() -> None:
        async with fresh(own_settings.with_changes(public_url="https://atrium.example")) as (client, _):
            body = {"content": {"email": EMAIL, "password": PASSWORD}}
            named = {"origin": "https://atrium.example"}
            answer = await client.post("/v1/sessions", json=body, headers=named)
            assert answer.status_code == 201, answer.text
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith("__Host-atrium_session=atrs_")
            assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
            assert "Domain" not in cookie
            token = cookie.partition("=")[2].partition(";")[0]
            for sent, status in {
                f"__Host-atrium_session={token}": 200,
                f"atrium_session=atrs_x; __Host-atrium_session={token}; other=1": 200,
                f"atrium_session={token}": 401,  # which any other host of the domain could set
            }.items():
                client.cookies.clear()
                assert (await client.get("/v1/me/profile", headers={"cookie": sent})).status_code == status

    asyncio.run(scenario())


def test_the_count_is_shared_by_all_processes(api: Api) -> None:
    grace = visitor(api)
    seen = [grace.sign_in("wrong").status_code for _ in range(10)]
    assert seen == [401] * 5 + [429] * 5
    assert grace.sign_in().status_code == 429


@pytest.mark.parametrize("spelled", ["\u0130", "\u0131"], ids=["dotted capital", "dotless small"])
def test_an_address_in_look_alike_letters_is_a_different_address(api: Api, spelled: str) -> None:
    grace = visitor(api, email=f"i{os.urandom(6).hex()}@example.org")
    mails = mails_to(api, grace.email)
    [*map(grace.sign_in, ["wrong"] * 6)]
    other = grace.email.replace("i", spelled, 1)
    assert replace(grace, email=other).sign_in().status_code == 401
    response = browser(api).post("/v1/sign-in-links", json={"content": {"email": other}})
    assert (response.status_code, mails_to(api, grace.email)) == (202, mails)


@given(st.integers(0, 10_000))
def test_pauses_only_grow_and_are_bounded(attempts: int) -> None:
    for limit in (GUESSES_ON_ACCOUNT, GUESSES_FROM_NETWORK):
        pause, longer = pause_after(attempts, limit), pause_after(attempts + 1, limit)
        assert timedelta(0) <= pause <= longer <= limit.longest_pause
        assert bool(pause) == (attempts >= limit.free)


def test_a_day_of_guessing_at_one_account_is_a_few_dozen_guesses() -> None:
    at, made = timedelta(0), 0
    while at < timedelta(days=1):
        made += 1
        at += pause_after(made, GUESSES_ON_ACCOUNT)
    assert made < 40


@given(st.emails())
def test_an_account_is_counted_case_insensitively_and_separately_from_a_client_address(email: str) -> None:
    assert counted_as(GUESSES_ON_ACCOUNT, email.upper()) == counted_as(GUESSES_ON_ACCOUNT, email.lower())
    other = Limit("other", 1, timedelta(1), timedelta(1), timedelta(1))
    assert counted_as(GUESSES_ON_ACCOUNT, email) != counted_as(other, email)


@pytest.mark.contract("Messages and blocks 2")
def test_a_pause_does_not_outlast_a_clock_that_is_set_back(own_settings: Settings) -> None:
    async def scenario() -> None:
        async with fresh(own_settings) as (client, clock):
            clock.at = START + timedelta(days=40)
            assert [(await guess(client)).status_code for _ in range(6)] == [401] * 5 + [429]
            clock.at = START
            db = await asyncpg.connect(own_settings.database_url)
            await run_statements(db, START)
            await db.close()
            assert (await guess(client, PASSWORD)).status_code == 201

    asyncio.run(scenario())


LAST_MAIL = "select body from mails where recipient = $1 and mail_id <> all($2::uuid[]) order by mail_id desc limit 1"


@pytest.mark.contract("Signing in 8")
def test_mails_to_one_person_from_everywhere_are_limited_and_leave_a_link_that_works(own_settings: Settings) -> None:
    """Else anyone with many addresses could fill a mailbox, or with another limit keep its owner out."""

    async def scenario() -> None:
        async with fresh(own_settings.with_changes(trusted_proxies=("127.0.0.1",))) as (client, clock):
            db = await asyncpg.connect(own_settings.database_url)
            numbers = count()
            known = [row["mail_id"] for row in await db.fetch("select mail_id from mails")]  # of other tests

            async def mail() -> int:
                clock.at += timedelta(milliseconds=1)  # mails of one millisecond have no order
                headers = {"x-forwarded-for": f"2001:db8:{next(numbers):x}::1"}
                answer = await client.post("/v1/sign-in-links", json={"content": {"email": EMAIL}}, headers=headers)
                return answer.status_code

            assert [await mail() for _ in range(25)] == [202] * 20 + [429] * 5
            for _ in range(5):  # someone goes on for as long as they like
                clock.at += MAILS_TO_ACCOUNT.longest_pause - timedelta(seconds=1)
                assert await mail() == 429
                text = await db.fetchval(LAST_MAIL, EMAIL, known)
                body = {"content": {"token": text.partition("#token=")[2].split()[0]}}
                link = await client.post("/v1/sessions/link", json=body, headers=OWN)
                client.cookies.clear()
                assert link.status_code == 201, "the owner signs in with the last mail"
                clock.at += timedelta(seconds=1)
                assert [await mail() for _ in range(3)] == [202, 429, 429]
            await db.close()

    asyncio.run(scenario())

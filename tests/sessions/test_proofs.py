"""Proofs of an address: no mail that another person has read, or may have read."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import asyncpg
import httpx
import pytest

from tests.cli.running import as_json
from tests.conftest import Api
from tests.sessions.accounts import (
    ACCEPT,
    LINKS,
    SAME_ORIGIN,
    accept,
    account,
    address,
    by_scim,
    change_address,
    client_with_mail,
    invite_by_mail,
    join_organization,
    read_statuses,
)
from tests.sessions.provider import running_provider
from tests.sessions.single_sign_on import atrium as with_provider
from tests.sessions.single_sign_on import new_user, sign_in, through
from tests.sessions.visitor import Visitor, browser, invite, token_in, visitor

WAITS = "select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))"


def read_mail(api: Api, email: str, link: str) -> str:
    """Return the token of a link in a mail, as an admin reads it on a server without mail."""
    mails = api.person.get(f"{api.organization}/mails", params={"limit": 200}).json()["mails"]
    texts = [
        api.person.get(f"{api.organization}/mails/{each['mail_id']}").json()["text"]
        for each in mails
        if each["to"] == email
    ]
    return next(token_in(text, link) for text in texts if f"#{link}=" in text)


def proven(api: Api) -> Visitor:
    grace = visitor(api)
    api.sql("update people set mailbox_proven_at = now() where person_id::text = $1", grace.person_id)
    return grace


def by_link(api: Api, email: str) -> httpx.Client:
    """Sign in with a link that an admin has read."""
    session = browser(api)
    assert session.post(LINKS, json={"content": {"email": email}}).status_code == 202
    content = {"token": read_mail(api, email, "token")}
    assert session.post("/v1/sessions/link", json={"content": content}).status_code == 201
    return session


def add_by_directory(home: Api, away: Api, grace: Visitor) -> httpx.Client:
    home.person.delete(f"{home.organization}/members/{grace.person_id}")
    by_scim(away, Path(), grace.email)
    return by_link(away, grace.email)


def member_of_both(home: Api, away: Api, grace: Visitor) -> httpx.Client:
    join_organization(grace.signed_in_client(), away)
    home.sql("update people set mailbox_proven_at = now() where person_id::text = $1", grace.person_id)
    home.person.delete(f"{home.organization}/members/{grace.person_id}")
    return by_link(away, grace.email)


def invite_by_the_operator(home: Api, away: Api, grace: Visitor) -> httpx.Client:
    home.person.delete(f"{home.organization}/members/{grace.person_id}")
    as_json(away, "people", "invite", grace.email, "--organization", away.organization_id)
    session, token = browser(away), read_mail(away, grace.email, "invitation")
    content = {"token": token, "name": "Mallory", "password": "mallory mallory"}
    assert session.post(ACCEPT, json={"content": content}).status_code == 201
    return session


@pytest.mark.contract("Signing in 13", "Signing in 21")
@pytest.mark.parametrize("enter", [add_by_directory, member_of_both, invite_by_the_operator])
def test_who_read_the_mail_of_an_account_does_not_come_along_to_where_it_is_added(
    api: Api, outsider: Api, enter: Callable[[Api, Api, Visitor], httpx.Client]
) -> None:
    grace = proven(api)
    mallory = enter(api, outsider, grace)
    assert read_statuses(outsider, mallory)[0] == 200
    assert by_scim(api, Path(), grace.email) == grace.person_id
    assert read_statuses(api, mallory) == [404] * 3


@pytest.mark.contract("Signing in 13")
def test_an_invitation_that_an_admin_has_read_opens_no_account(api: Api) -> None:
    """It was mailed while the server had a mail server, and read when it had none."""
    grace = visitor(api)
    api.person.delete(f"{api.organization}/members/{grace.person_id}")

    async def scenario() -> httpx.Response:
        async with client_with_mail(api) as client:
            _, mailed = await invite_by_mail(api, client, grace.email)
            assert await asyncio.to_thread(read_mail, api, grace.email, "invitation") == mailed
            return await accept(client, mailed)

    assert asyncio.run(scenario()).status_code == 404


@pytest.mark.contract("Signing in 13")
def test_an_invitation_opens_no_account_that_got_its_address_later(api: Api, outsider: Api) -> None:
    grace, later = visitor(api), address()
    member = f"{api.organization}/members/{grace.person_id}"

    async def scenario() -> httpx.Response:
        async with client_with_mail(outsider) as client:
            _, mailed = await invite_by_mail(outsider, client, later)
            await asyncio.to_thread(change_address, api, grace.person_id, later)
            assert (await asyncio.to_thread(account, api, grace.person_id))[0] == later
            off = await asyncio.to_thread(api.person.patch, member, json={"content": {"active": False}})
            assert off.is_success
            return await accept(client, mailed)

    assert asyncio.run(scenario()).status_code == 404


@pytest.mark.contract("Signing in 13")
def test_a_sign_in_through_the_provider_during_an_adoption_waits_for_it(api: Api) -> None:
    grace = visitor(api)

    async def scenario(sub: str) -> None:
        async with with_provider(api, provider) as (client, _):
            await sign_in(client, sub)
            client.cookies.clear()
            back = await through(client, sub)
            db = await asyncpg.connect(api.settings.database_url)
            async with db.transaction():
                await db.execute("select from people where person_id::text = $1 for update", grace.person_id)
                await db.execute("delete from identities where person_id::text = $1", grace.person_id)
                await db.execute("update people set email = 'x' || email where person_id::text = $1", grace.person_id)
                answer = asyncio.create_task(client.get(back))
                while not await db.fetch(WAITS):
                    await asyncio.sleep(0.01)
            await db.close()
            assert "problem=oidc_no_account" in (await answer).headers["location"]

    with running_provider() as provider:
        asyncio.run(scenario(new_user(provider, grace.email)[0]))


@pytest.mark.contract("Signing in 13")
def test_who_joins_with_their_own_session_keeps_their_identity_at_the_provider(api: Api, outsider: Api) -> None:
    """Their address there may be another one than the directory has."""
    grace, later = visitor(api), address()

    async def scenario(sub: str) -> None:
        async with with_provider(api, provider, smtp_url="smtp://127.0.0.1:1") as (client, _):
            await sign_in(client, sub)
            await asyncio.to_thread(
                api.sql,
                "update people set email = $2, mailbox_proven_at = null where person_id::text = $1",
                grace.person_id,
                later,
            )
            _, token = await asyncio.to_thread(invite, outsider)
            body = {"content": {"token": token, "name": "x"}}
            assert (await client.post(ACCEPT, json=body, headers=SAME_ORIGIN)).status_code == 201
            client.cookies.clear()
            assert (await sign_in(client, sub)).headers["location"] == "/sign-in"

    with running_provider() as provider:
        asyncio.run(scenario(new_user(provider, grace.email)[0]))

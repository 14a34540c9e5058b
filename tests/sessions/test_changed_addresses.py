"""A directory changes the address of an account: what was sent to the old address proves nothing about the new one."""

import asyncio
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from tests.before_it_commits import WAITING, before_it_commits
from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.imports.export import one_day, run_import, slack_message
from tests.sessions.accounts import (
    ACCEPT,
    DOORS,
    LINKS,
    PENDING,
    SAME_ORIGIN,
    Door,
    accept_path,
    account,
    address,
    by_scim,
    change_address,
    client_with_mail,
    members,
    sign_in_by_mail,
)
from tests.sessions.provider import running_provider
from tests.sessions.single_sign_on import atrium as with_provider
from tests.sessions.single_sign_on import new_user, sign_in
from tests.sessions.visitor import mails_to, token_in


@pytest.mark.contract("Signing in 14")
@pytest.mark.parametrize("purpose", [LINKS, "/v1/password-resets"])
def test_a_link_to_the_former_address_of_an_account_signs_nobody_in(api: Api, outsider: Api, purpose: str) -> None:
    """Else the person who receives it would get what is given to the owner of the new address."""
    former, victim = address(), address()
    person_id = by_scim(outsider, Path(), former)

    async def attack() -> int:
        async with client_with_mail(outsider) as client:
            assert (await client.post(purpose, json={"content": {"email": former}})).status_code == 202
            [mail] = await asyncio.to_thread(mails_to, outsider, former)
            await asyncio.to_thread(change_address, outsider, person_id, victim)
            assert await asyncio.to_thread(by_scim, api, Path(), victim) == person_id
            name, path, more = (
                ("token", "/v1/sessions/link", {})
                if purpose == LINKS
                else ("reset", "/v1/password-resets/confirm", {"password": "correct horse battery"})
            )
            content = {"content": {"token": token_in(mail, name), **more}}
            return (await client.post(path, json=content, headers=SAME_ORIGIN)).status_code

    assert asyncio.run(attack()) == 401
    assert [each["active"] for each in members(api) if each["person_id"] == person_id] == [False]
    assert account(api, person_id) == (victim, False)


@pytest.mark.contract("Signing in 14")
def test_an_address_that_is_written_again_ends_no_link(outsider: Api) -> None:
    email = address()
    person_id = by_scim(outsider, Path(), email)

    async def act() -> int:
        async with client_with_mail(outsider) as client:
            await client.post(LINKS, json={"content": {"email": email}})
            [mail] = await asyncio.to_thread(mails_to, outsider, email)
            await asyncio.to_thread(change_address, outsider, person_id, email.upper())
            content = {"content": {"token": token_in(mail, "token")}}
            return (await client.post("/v1/sessions/link", json=content, headers=SAME_ORIGIN)).status_code

    assert asyncio.run(act()) == 201


async def mail_invitation(api: Api, client: httpx.AsyncClient, email: str) -> dict[str, Any]:
    """Invite an address; return the body that accepts the invitation in its mail."""
    key = {"authorization": f"Bearer {api.personal_key}"}
    path = f"{api.organization}/invitations"
    assert (await client.post(path, json={"content": {"email": email}}, headers=key)).status_code == 201
    [mail] = await asyncio.to_thread(mails_to, api, email)
    return {"content": {"token": token_in(mail, "invitation"), "name": "Mallory"}}


@pytest.mark.contract("Signing in 14")
def test_a_mailed_invitation_proves_no_address_that_changes_meanwhile(outsider: Api) -> None:
    former, victim = address(), address()
    person_id = by_scim(outsider, Path(), former)

    async def attack() -> httpx.Response:
        async with client_with_mail(outsider) as client:
            body = await mail_invitation(outsider, client, former)
        async with before_it_commits(outsider, lambda: change_address(outsider, person_id, victim)) as then:
            return await then(asyncio.to_thread(outsider.client(None).post, ACCEPT, json=body))

    taken = asyncio.run(attack())
    assert taken.status_code == 201, taken.text
    assert taken.json()["person_id"] != person_id
    assert account(outsider, person_id) == (victim, False)


@pytest.mark.contract("Signing in 14")
def test_a_verified_claim_proves_no_address_that_changes_meanwhile(outsider: Api) -> None:
    former, victim = address(), address()
    person_id = by_scim(outsider, Path(), former)

    async def attack(sub: str) -> None:
        async with (
            with_provider(outsider, provider) as (client, _),
            before_it_commits(outsider, lambda: change_address(outsider, person_id, victim)) as then,
        ):
            await then(sign_in(client, sub))

    with running_provider() as provider:
        asyncio.run(attack(new_user(provider, former)[0]))
    assert account(outsider, person_id) == (victim, False)


@pytest.mark.contract("Signing in 15")
def test_an_identity_of_the_former_address_signs_nobody_in_after_the_new_one_is_proven(api: Api, outsider: Api) -> None:
    """Else the person who had the account would share it with the owner of the new address."""
    former, victim = address(), address()
    person_id = by_scim(outsider, Path(), former)

    async def attack(sub: str) -> httpx.Response:
        async with with_provider(outsider, provider) as (client, _):
            assert (await sign_in(client, sub)).headers["location"] == "/sign-in"
            await asyncio.to_thread(change_address, outsider, person_id, victim)
            assert await asyncio.to_thread(by_scim, api, Path(), victim) == person_id
            async with client_with_mail(api) as owner:
                assert (await sign_in_by_mail(owner, api, victim)).status_code == 201
                assert (await owner.post(accept_path(api), headers=SAME_ORIGIN)).status_code == 200
                assert (await owner.get(api.organization)).status_code == 200
            client.cookies.clear()
            await sign_in(client, sub)
            return await client.get(api.organization)

    with running_provider() as provider:
        assert asyncio.run(attack(new_user(provider, former)[0])).status_code == 401
    assert account(api, person_id) == (victim, True)


@pytest.mark.contract("Signing in 15")
def test_an_identity_that_proves_the_new_address_of_its_account_stays(api: Api, outsider: Api) -> None:
    former, email = address(), address()
    person_id = by_scim(outsider, Path(), former)

    async def act(sub: str) -> list[tuple[int, str]]:
        async with with_provider(outsider, provider) as (client, _):
            await sign_in(client, sub)
            await asyncio.to_thread(change_address, outsider, person_id, email)
            await asyncio.to_thread(by_scim, api, Path(), email)
            found = []
            for is_verified in (True, False):  # the first proves the address, the second knows the account only by then
                provider.put_user(sub, email=email, email_verified=is_verified)
                client.cookies.clear()
                await sign_in(client, sub)
                accepted = await client.post(accept_path(api), headers=SAME_ORIGIN)
                assert accepted.status_code == (200 if is_verified else 404)
                profile = await client.get("/v1/me/profile")
                found.append(((await client.get(api.organization)).status_code, profile.json()["person_id"]))
            return found

    with running_provider() as provider:
        assert asyncio.run(act(new_user(provider, former)[0])) == [(200, person_id)] * 2


@pytest.mark.contract("Signing in 14")
def test_a_directory_adds_no_account_whose_address_changes_meanwhile(api: Api, outsider: Api) -> None:
    former, victim = address(), address()
    person_id = by_scim(outsider, Path(), victim)

    async def attack() -> Any:
        async with before_it_commits(outsider, lambda: change_address(outsider, person_id, former)) as then:
            return await then(asyncio.to_thread(by_scim, api, Path(), victim))

    assert asyncio.run(attack()) != person_id
    assert person_id not in {each["person_id"] for each in members(api)}


@pytest.mark.contract("Signing in 21")
def test_nobody_accepts_under_an_address_that_the_organization_did_not_give(api: Api, outsider: Api) -> None:
    """A directory changes the address of an account while another one adds it."""
    email, later = address(), address()
    person_id = by_scim(outsider, Path(), email)

    async def attack() -> None:
        async with before_it_commits(outsider, lambda: by_scim(api, Path(), email)) as then:
            await then(asyncio.to_thread(change_address, outsider, person_id, later))
        async with client_with_mail(api) as owner:
            assert (await sign_in_by_mail(owner, api, later)).status_code == 201
            assert (await owner.get(PENDING)).json()["pending_memberships"] == []
            assert (await owner.post(accept_path(api), headers=SAME_ORIGIN)).status_code == 404

    asyncio.run(attack())
    assert account(api, person_id) == (later, False)


@pytest.mark.contract("Signing in 17")
def test_two_invitations_that_are_accepted_at_the_same_time_give_an_account_to_one(outsider: Api) -> None:
    email = address()
    person_id = by_scim(outsider, Path(), email)
    path = f"{outsider.organization}/invitations"
    tokens = [outsider.person.post(path, json={"content": {"email": email}}).json()["token"] for _ in range(2)]
    first, second = ({"content": {"token": token, "name": "Ada"}} for token in tokens)
    # as in an earlier release, in which a new invitation did not replace the one before it
    outsider.sql(
        "update invitations set expires_at = now() + interval '1 day', revoked_at = null where email = $1", email
    )

    async def attack() -> httpx.Response:
        async with before_it_commits(outsider, lambda: outsider.client(None).post(ACCEPT, json=first)) as then:
            return await then(asyncio.to_thread(outsider.client(None).post, ACCEPT, json=second))

    assert asyncio.run(attack()).status_code == 409
    keys = outsider.sql("select from api_keys where actor_id::text = $1", person_id)
    assert len(keys) == 1


def look_alikes() -> tuple[str, str]:
    """Return the addresses of two mailboxes that PostgreSQL takes for one, without regard to case."""
    return (ascii_only := address()), ascii_only.replace("i", "İ", 1)


@pytest.mark.contract("Signing in 16")
@DOORS
def test_an_address_that_only_looks_the_same_joins_no_account(
    api: Api, outsider: Api, tmp_path: Path, door: Door
) -> None:
    email, other = look_alikes()
    mallory, _ = outsider.new_person(email=other)
    outsider.sql("update people set mailbox_proven_at = now() where person_id::text = $1", mallory)
    before = {each["person_id"] for each in members(api)}
    if door is by_scim:
        by_scim(api, tmp_path, email)
    else:
        user = {"id": "U1", "name": "victim", "profile": {"email": email}}
        run_import(api, one_day(tmp_path / "a.zip", [slack_message(1)], users=[user]))
    [added] = {each["person_id"] for each in members(api)} - before
    assert added != mallory
    assert [row["email"] for row in api.sql("select email from people where person_id::text = $1", added)] == [None]


@pytest.mark.contract("Signing in 16")
def test_a_mailed_invitation_proves_no_address_that_only_looks_the_same(outsider: Api) -> None:
    email, other = look_alikes()
    person_id = by_scim(outsider, Path(), email)

    async def attack() -> httpx.Response:
        async with client_with_mail(outsider) as client:
            return await client.post(ACCEPT, json=await mail_invitation(outsider, client, other))

    assert assert_problem(asyncio.run(attack()), 409)["code"] == "account_exists"
    assert account(outsider, person_id) == (email, False)


@pytest.mark.contract("Signing in 17")
def test_an_account_that_joins_while_an_admin_deactivates_it_causes_no_deadlock(outsider: Api) -> None:
    person_id = by_scim(outsider, Path(), email := address())
    made = outsider.person.post(f"{outsider.organization}/invitations", json={"content": {"email": email}})
    joining = {"content": {"token": made.json()["token"], "name": "Ada"}}
    member, off = f"{outsider.organization}/members/{person_id}", {"content": {"active": False}}

    async def both() -> list[httpx.Response]:
        db = await asyncpg.connect(outsider.settings.database_url)
        locking = db.transaction()
        await locking.start()
        await db.execute("select from people where person_id::text = $1 for update", person_id)
        running = []
        for send, path, body in (
            (outsider.client(None).post, ACCEPT, joining),
            (outsider.person.patch, member, off),
        ):
            running.append(asyncio.create_task(asyncio.to_thread(send, path, json=body)))
            while len(await db.fetch(WAITING)) < len(running):
                await asyncio.sleep(0.01)
        await locking.rollback()
        await db.close()
        return await asyncio.gather(*running)

    assert [answer.status_code for answer in asyncio.run(both())] == [201, 200]

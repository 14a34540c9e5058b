"""Accounts created by others: preparing one for an address gives no access once its owner joins."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.scim.conftest import PATCH_OP
from tests.sessions.accounts import (
    ACCEPT,
    DOORS,
    LINKS,
    SAME_ORIGIN,
    Door,
    accept_path,
    address,
    by_scim,
    client_with_mail,
    join_organization,
    members,
    read_statuses,
    sign_in_by_mail,
)
from tests.sessions.provider import running_provider
from tests.sessions.single_sign_on import atrium as with_provider
from tests.sessions.single_sign_on import new_user, sign_in
from tests.sessions.visitor import PASSWORD, browser, invite, mails_to, status_of, token_in, visitor


@pytest.mark.contract("Signing in 11")
@DOORS
def test_a_prepared_account_gains_nothing_until_its_mailbox_is_proven(
    api: Api, outsider: Api, tmp_path: Path, door: Door
) -> None:
    """The attacker has a key, a password and a session of the account; all end when its owner joins."""
    email = address()
    prepared, key = outsider.new_person(email=email)
    mallory = api.client(key)
    assert mallory.put("/v1/me/password", json={"content": {"password": PASSWORD}}).status_code == 200
    session = browser(api)
    assert session.post("/v1/sessions", json={"content": {"email": email, "password": PASSWORD}}).status_code == 201
    assert door(api, tmp_path, email) == prepared
    assert [read_statuses(api, each) for each in (mallory, session)] == [[404] * 3] * 2

    async def owner_comes() -> None:
        async with client_with_mail(api) as owner:
            assert (await sign_in_by_mail(owner, api, email)).status_code == 201
            assert (await owner.get(api.messages)).status_code == 404
            assert (await owner.post(accept_path(api), headers=SAME_ORIGIN)).status_code == 200
            assert (await owner.get(api.messages)).status_code == 200

    for each in (mallory, session):
        assert assert_problem(each.post(accept_path(api)), 409)["code"] == "mailbox_not_proven"
    asyncio.run(owner_comes())
    assert [status_of(each) for each in (mallory, session)] == [401, 401]
    again = browser(api).post("/v1/sessions", json={"content": {"email": email, "password": PASSWORD}})
    assert assert_problem(again, 401)["code"] == "sign_in_refused"
    entries = api.person.get(f"{api.organization}/audit-log", params={"action": "account.adopted"}).json()["entries"]
    assert [entry["target"]["id"] for entry in entries] == [prepared]


@pytest.mark.contract("Signing in 11")
def test_changes_by_the_directory_give_no_access_before_and_apply_after_adoption(api: Api, outsider: Api) -> None:
    email = address()
    person_id, key = outsider.new_person(email=email)
    by_scim(api, Path(), email)
    user, member = f"/scim/v2/Users/{person_id}", f"{api.organization}/members/{person_id}"
    waiting = api.person.patch(member, json={"content": {"active": True}})
    assert assert_problem(waiting, 409)["code"] == "membership_pending"
    for active in (False, True, False):
        operation = {"op": "replace", "path": "active", "value": active}
        changed = api.integration.patch(user, json={"schemas": [PATCH_OP], "Operations": [operation]})
        assert changed.status_code == 200, changed.text
        assert changed.json()["active"] == active
        assert read_statuses(api, api.client(key)) == [404] * 3

    async def owner_comes() -> None:
        async with client_with_mail(api) as owner:
            assert (await sign_in_by_mail(owner, api, email, "/v1/password-resets")).status_code == 200
            assert (await owner.post(accept_path(api), headers=SAME_ORIGIN)).status_code == 404
            assert (await owner.get(api.organization)).status_code == 404
            assert (await owner.get(outsider.organization)).status_code == 200

    asyncio.run(owner_comes())
    assert [each["active"] for each in members(api) if each["person_id"] == person_id] == [False]


@pytest.mark.contract("Signing in 11")
def test_mail_that_administrators_read_proves_nothing(api: Api, outsider: Api) -> None:
    """Without a mail server, the person who prepared the account can read its sign-in link."""
    email = address()
    outsider.new_person(email=email)
    by_scim(api, Path(), email)
    assert browser(api).post(LINKS, json={"content": {"email": email}}).status_code == 202
    session = browser(api)
    token = token_in(mails_to(api, email)[-1], "token")
    assert session.post("/v1/sessions/link", json={"content": {"token": token}}).status_code == 201
    assert assert_problem(session.post(accept_path(api)), 409)["code"] == "mailbox_not_proven"
    assert read_statuses(api, session) == [404] * 3


@pytest.mark.contract("Signing in 12")
def test_a_proven_account_keeps_its_keys_when_its_owner_accepts(api: Api, outsider: Api, tmp_path: Path) -> None:
    email = address()

    async def accept_by_mail() -> str:
        async with client_with_mail(api) as client:
            where, content = f"{outsider.organization}/invitations", {"email": email}
            key = {"authorization": f"Bearer {outsider.personal_key}"}
            made = await client.post(where, json={"content": content}, headers=key)
            token = token_in((await asyncio.to_thread(mails_to, api, email))[-1], "invitation")
            assert token != made.json()["token"], "the one who invites knows no token that proves the mailbox"
            return str((await client.post(ACCEPT, json={"content": {"token": token, "name": "Grace"}})).json()["key"])

    client = api.client(asyncio.run(accept_by_mail()))
    by_scim(api, tmp_path, email)
    assert read_statuses(api, client) == [404] * 3
    assert client.post(accept_path(api)).status_code == 200
    assert read_statuses(api, client) == [200] * 3


@pytest.mark.contract("Signing in 12")
@pytest.mark.parametrize("proven", ["null", "now()"])
def test_an_account_of_no_other_organization_joins_without_its_former_keys(
    api: Api, outsider: Api, proven: str
) -> None:
    """Its address may have another owner now than when its keys were made."""
    person_id, key = outsider.new_person(email=(email := address()))
    outsider.sql(f"update people set mailbox_proven_at = {proven} where person_id::text = $1", person_id)
    assert outsider.person.delete(f"{outsider.organization}/members/{person_id}").is_success
    assert by_scim(api, Path(), email) == person_id
    assert status_of(api.client(key)) == 401
    assert [each["active"] for each in members(api) if each["person_id"] == person_id] == [True]


@pytest.mark.contract("Signing in 12")
def test_an_account_that_is_deactivated_elsewhere_waits_for_a_new_proof_and_loses_nothing(
    api: Api, outsider: Api
) -> None:
    person_id, key = outsider.new_person(email=(email := address()))
    outsider.sql("update people set mailbox_proven_at = now() where person_id::text = $1", person_id)
    member = f"{outsider.organization}/members/{person_id}"
    assert outsider.person.patch(member, json={"content": {"active": False}}).is_success
    assert by_scim(api, Path(), email) == person_id
    assert [each["active"] for each in members(api) if each["person_id"] == person_id] == [False]
    assert outsider.person.patch(member, json={"content": {"active": True}}).is_success
    assert [read_statuses(each, api.client(key)) for each in (outsider, api)] == [[200] * 3, [404] * 3]


@pytest.mark.contract("Signing in 11")
def test_joining_with_an_account_gives_access_to_no_one_else(api: Api, outsider: Api) -> None:
    """Another person's key of an account gives no access to organizations that its owner joins later."""
    _, key = outsider.new_person(email=(email := address()))
    mine = api.client(key).post("/v1/me/integrations", json={"content": {"name": "mine"}}).json()["key"]
    _, token = invite(api, email)
    assert api.client(mine).post(ACCEPT, json={"content": {"token": token, "name": "x"}}).status_code == 201
    assert (status_of(api.client(key)), read_statuses(api, api.client(mine))) == (401, [200] * 3)


@pytest.mark.contract("Signing in 11")
def test_a_mailed_invitation_adopts_the_account_of_its_address(api: Api, outsider: Api) -> None:
    person_id, key = outsider.new_person(email=(email := address()))
    other = api.client(key).post("/v1/me/integrations", json={"content": {"name": "other"}}).json()["key"]

    async def join() -> None:
        async with client_with_mail(api) as client:
            key_of = {"authorization": f"Bearer {api.personal_key}"}
            await client.post(f"{api.organization}/invitations", json={"content": {"email": email}}, headers=key_of)
            token = token_in((await asyncio.to_thread(mails_to, api, email))[-1], "invitation")
            mine = {"authorization": f"Bearer {other}"}
            taken = await client.post(ACCEPT, json={"content": {"token": token, "name": "x"}}, headers=mine)
            assert taken.status_code == 201, taken.text

    asyncio.run(join())
    assert status_of(api.client(key)) == 401
    found = api.sql("select mailbox_proven_at from people where person_id::text = $1", person_id)
    assert found[0]["mailbox_proven_at"] is not None


@pytest.mark.contract("Signing in 11")
@pytest.mark.parametrize("waits", [True, False])
def test_a_verified_sign_in_removes_what_was_prepared(api: Api, outsider: Api, waits: bool) -> None:
    person_id, key = outsider.new_person(email=(email := address()))
    if waits:
        by_scim(api, Path(), email)

    def scenario() -> Coroutine[Any, Any, None]:
        async def act() -> None:
            async with with_provider(api, provider) as (client, _):
                assert (await sign_in(client, sub)).headers["location"] == "/sign-in"
                assert (await client.get("/v1/me/profile")).json()["person_id"] == person_id
                assert (await client.get(api.organization)).status_code == 404
                accepted = await client.post(accept_path(api), headers=SAME_ORIGIN)
                assert accepted.status_code == (200 if waits else 404)
                assert (await client.get(api.organization)).status_code == accepted.status_code

        return act()

    with running_provider() as provider:
        sub, _ = new_user(provider, email)
        asyncio.run(scenario())
    assert status_of(api.client(key)) == 401


def test_a_verified_sign_in_removes_nothing_from_a_proven_account(api: Api) -> None:
    person_id, key = api.new_person(email=(email := address()))
    api.sql("update people set mailbox_proven_at = now() where person_id::text = $1", person_id)

    async def sign_in_once(sub: str) -> None:
        async with with_provider(api, provider) as (client, _):
            await sign_in(client, sub)
            assert (await client.get("/v1/me/profile")).json()["person_id"] == person_id

    with running_provider() as provider:
        asyncio.run(sign_in_once(new_user(provider, email)[0]))
    assert status_of(api.client(key)) == 200


@pytest.mark.contract("Signing in 19")
def test_a_person_who_joins_another_organization_signs_in_again_with_the_password(api: Api, outsider: Api) -> None:
    """Without a mail server nothing else would let them in."""
    grace = visitor(api)
    session, other = grace.signed_in_client(), grace.signed_in_client()
    [mail] = join_organization(session, outsider)
    assert "Your password stays the same." in mail
    assert "You have proven" not in mail
    assert session.delete("/v1/sessions/current").status_code == 204
    assert [status_of(session), status_of(other)] == [401, 401]
    again = grace.signed_in_client()
    assert [again.get(each.organization).status_code for each in (api, outsider)] == [200, 200]
    for action, expected in (("account.secured", [grace.person_id]), ("account.adopted", [])):
        entries = api.person.get(f"{api.organization}/audit-log", params={"action": action}).json()["entries"]
        assert [entry["target"]["id"] for entry in entries] == expected


@pytest.mark.contract("Signing in 19")
def test_joining_from_a_link_session_removes_a_password_that_others_may_know(api: Api, outsider: Api) -> None:
    grace, session = visitor(api), browser(api)
    assert session.post(LINKS, json={"content": {"email": grace.email}}).status_code == 202
    token = token_in(mails_to(api, grace.email)[-1], "token")
    assert session.post("/v1/sessions/link", json={"content": {"token": token}}).status_code == 201
    [mail] = join_organization(session, outsider)
    assert "revoked its API keys, removed its password and" in mail
    assert assert_problem(grace.sign_in(), 401)["code"] == "sign_in_refused"


@pytest.mark.contract("Signing in 19")
def test_joining_removes_the_password_of_an_account_that_can_sign_in_by_mail(api: Api, outsider: Api) -> None:
    grace = visitor(api)
    sign_in_with = {"json": {"content": {"email": grace.email, "password": PASSWORD}}, "headers": SAME_ORIGIN}
    accept_with = {"json": {"content": {"token": invite(outsider)[1], "name": "x"}}, "headers": SAME_ORIGIN}

    async def join() -> None:
        async with client_with_mail(api) as client:
            assert (await client.post("/v1/sessions", **sign_in_with)).status_code == 201
            taken = await client.post(ACCEPT, **accept_with)
            assert taken.status_code == 201, taken.text
            assert (await client.post("/v1/sessions", **sign_in_with)).status_code == 401
            client.cookies.clear()
            answer = await sign_in_by_mail(client, api, grace.email, "/v1/password-resets")
            assert answer.status_code == 200, answer.text
            assert (await client.get(outsider.organization)).status_code == 200

    asyncio.run(join())

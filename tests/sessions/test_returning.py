"""Someone who was removed from their only organization is invited again. Nobody can sign in as them, so the invitation in
their mail lets them return, and no one who only knows the token that the inviter sees."""

import asyncio
from pathlib import Path

import httpx
import pytest

from tests.cli.running import as_json
from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.sessions.accounts import (
    ACCEPT,
    NEW_PASSWORD,
    SAME_ORIGIN,
    accept,
    accept_path,
    address,
    by_import,
    by_scim,
    client_with_mail,
    invite_by_mail,
    join_organization,
)
from tests.sessions.visitor import PASSWORD, browser, invite, status_of, visitor


def remove_person(api: Api) -> tuple[str, str, str]:
    """Return the id, the address and the former key of someone who was removed."""
    person_id, key = api.new_person(email=(email := address()))
    assert api.client(key).put("/v1/me/password", json={"content": {"password": PASSWORD}}).status_code == 200
    assert api.person.delete(f"{api.organization}/members/{person_id}").status_code == 204
    return person_id, email, key


async def has_account(client: httpx.AsyncClient, token: str) -> bool:
    answer = await client.post("/v1/invitations/preview", json={"content": {"token": token}})
    return bool(answer.json()["invitation"]["has_account"])


@pytest.mark.contract("Roles and keys 6")
def test_a_removed_person_returns_by_the_invitation_in_their_mail(api: Api) -> None:
    person_id, email, key = remove_person(api)

    async def scenario() -> None:
        async with client_with_mail(api) as client:
            seen, mailed = await invite_by_mail(api, client, email)
            assert [await has_account(client, each) for each in (seen, mailed)] == [True, False]
            assert assert_problem(await accept(client, seen), 409)["code"] == "account_exists"
            returned = await accept(client, mailed)
            assert (returned.status_code, returned.json()["person_id"]) == (201, person_id)
            assert (await client.get(api.organization)).status_code == 200

    asyncio.run(scenario())
    assert status_of(api.client(key)) == 401
    former, new = ({"content": {"email": email, "password": each}} for each in (PASSWORD, NEW_PASSWORD))
    assert [browser(api).post("/v1/sessions", json=each).status_code for each in (former, new)] == [401, 201]
    entries = api.person.get(f"{api.organization}/audit-log", params={"action": "account.adopted"}).json()["entries"]
    assert [entry["target"]["id"] for entry in entries] == [person_id]


@pytest.mark.contract("Roles and keys 6")
def test_without_a_mail_server_a_removed_person_returns_by_an_invitation_of_the_operator(api: Api) -> None:
    person_id, email, _ = remove_person(api)
    client = browser(api)
    content = {"token": invite(api, email)[1], "name": "Grace", "password": NEW_PASSWORD}
    assert assert_problem(client.post(ACCEPT, json={"content": content}), 409)["code"] == "account_exists"
    token = as_json(api, "people", "invite", email, "--organization", api.organization_id)["token"]
    returned = client.post(ACCEPT, json={"content": content | {"token": token}})
    assert (returned.status_code, returned.json()["person_id"]) == (201, person_id)


@pytest.mark.contract("Roles and keys 6")
def test_who_works_elsewhere_returns_with_their_own_session(api: Api, outsider: Api) -> None:
    grace = visitor(api)
    session = grace.signed_in_client()
    join_organization(session, outsider)
    assert api.person.delete(f"{api.organization}/members/{grace.person_id}").status_code == 204

    async def scenario() -> None:
        async with client_with_mail(api) as client:
            _, mailed = await invite_by_mail(api, client, grace.email)
            assert await has_account(client, mailed)
            assert assert_problem(await accept(client, mailed), 409)["code"] == "account_exists"
            assert session.post(ACCEPT, json={"content": {"token": mailed, "name": "x"}}).status_code == 201

    asyncio.run(scenario())


@pytest.mark.contract("Signing in 21")
def test_an_invitation_that_proves_an_address_accepts_only_itself(api: Api, outsider: Api, tmp_path: Path) -> None:
    person_id = by_import(api, tmp_path, email := address())
    assert by_scim(outsider, tmp_path, email) == person_id

    async def scenario() -> None:
        async with client_with_mail(api) as client:
            _, mailed = await invite_by_mail(api, client, email)
            assert (await accept(client, mailed)).status_code == 201
            assert (await client.get(outsider.organization)).status_code == 404
            assert (await client.post(accept_path(outsider), headers=SAME_ORIGIN)).status_code == 200
            assert (await client.get(outsider.organization)).status_code == 200

    asyncio.run(scenario())

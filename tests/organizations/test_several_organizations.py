"""People of one organization whom another one adds: it learns and changes nothing until they accept, and afterwards
only what is its own."""

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.imports.export import one_day, run_import, slack_message
from tests.keys.member_keys import keys, revoke
from tests.live.client import listen, streams
from tests.scim.conftest import PATCH_OP
from tests.sessions.accounts import DOORS, PENDING, Door, accept_path, address, by_scim, members
from tests.sessions.visitor import PASSWORD, browser, mails_to, status_of


@dataclass
class Grace:
    """A person of the organization `home`, with a key and a password."""

    home: Api
    person_id: str
    email: str
    key: str

    @property
    def client(self) -> httpx.Client:
        return self.home.client(self.key)

    @property
    def key_id(self) -> str:
        return str(self.client.get("/v1/me/integrations").json()["integrations"][0]["api_key_id"])

    def has_all(self) -> bool:
        """Return whether they have their name, address and password, and everything that they could do."""
        sign_in = browser(self.home).post("/v1/sessions", json={"content": {"email": self.email, "password": PASSWORD}})
        made = self.client.post("/v1/me/integrations", json={"content": {"name": "Another"}})
        profile = self.client.get("/v1/me/profile").json()
        sent = self.client.post(self.home.messages, json={"text": "hi"})
        answers = (sign_in.status_code, made.status_code, sent.status_code, profile["name"], profile["email"])
        return answers == (201, 201, 201, "Grace Hopper", self.email)


@pytest.fixture
def grace(outsider: Api) -> Grace:
    """Return a person of another organization, whose address is verified."""
    person_id, key = outsider.new_person(email=(email := address()))
    client = outsider.client(key)
    assert client.patch("/v1/me/profile", json={"content": {"name": "Grace Hopper"}}).is_success
    assert client.put("/v1/me/password", json={"content": {"password": PASSWORD}}).is_success
    outsider.sql("update people set mailbox_proven_at = now() where person_id::text = $1", person_id)
    return Grace(outsider, person_id, email, key)


def patch_user(api: Api, person_id: str, path: str, value: Any) -> httpx.Response:
    operation = {"op": "replace", "path": path, "value": value}
    body = {"schemas": [PATCH_OP], "Operations": [operation]}
    return api.integration.patch(f"/scim/v2/Users/{person_id}", json=body)


def policy(api: Api, personal_keys: str) -> None:
    put = api.person.put(f"{api.organization}/key-policy", json={"content": {"personal_keys": personal_keys}})
    assert put.is_success, put.text


@pytest.mark.contract("Signing in 20")
@DOORS
def test_nothing_that_an_organization_does_to_someone_who_has_not_accepted_has_an_effect(
    api: Api, grace: Grace, tmp_path: Path, door: Door
) -> None:
    assert door(api, tmp_path, grace.email) == grace.person_id
    member, user = f"{api.organization}/members/{grace.person_id}", f"/scim/v2/Users/{grace.person_id}"
    assert keys(api, person_id=grace.person_id) == []
    assert assert_problem(revoke(api, {"api_key_id": grace.key_id}), 404)["code"] == "api_key_not_found"
    policy(api, "none")
    for path, value in (("displayName", "Renamed"), ("emails", [{"value": address()}]), ("active", False)):
        assert patch_user(api, grace.person_id, path, value).is_success
    assert api.person.patch(member, json={"content": {"role": "admin"}}).is_success
    space = api.person.put(f"/v1/spaces/{api.space_id}/members/{grace.person_id}", json={"content": {"role": "admin"}})
    assert assert_problem(space, 404)["code"] == "member_not_found"
    assert api.send(f"hello <@{grace.person_id}>")["mentions"] == []
    assert grace.has_all()
    for organization, expected in ((api.organization, 404), (grace.home.organization, 200)):
        assert grace.client.get(organization).status_code == expected
    assert api.integration.delete(user).status_code == 204
    assert grace.has_all()


@pytest.mark.contract("Signing in 20")
@DOORS
def test_an_organization_learns_nothing_about_someone_who_has_not_accepted(
    api: Api, grace: Grace, tmp_path: Path, door: Door
) -> None:
    given = {by_scim: grace.email}.get(door, "victim")
    door(api, tmp_path, grace.email)
    grace.has_all()
    grace.client.get(api.organization)  # refused requests are in the audit log of the organization of the path
    actors = {"ids": grace.person_id}
    shown = [
        api.person.get(path, params=params).text
        for path, params in (
            (f"{api.organization}/members", {}),
            (f"{api.organization}/actors", actors),
            (api.messages, {}),
            (f"{api.organization}/audit-log", {"actor_id": grace.person_id}),
            (f"{api.organization}/personal-keys", {}),
            (f"{api.organization}/search", {"q": "from:grace"}),
            (f"{api.organization}/overview", {}),
        )
    ] + [api.integration.get(f"/scim/v2/{kind}").text for kind in ("Users", "Groups")]
    assert [text for text in shown if "Grace" in text or "Another" in text] == []
    [known] = api.person.get(f"{api.organization}/actors", params=actors).json()["actors"]
    assert (known["name"], known["email"], known["active"]) == (given, grace.email, False)


@pytest.mark.contract("Signing in 24")
def test_the_home_organization_sees_the_mail_of_someone_whom_another_one_added_or_invited(
    api: Api, grace: Grace
) -> None:
    def subjects_seen_by(viewer: Api) -> list[str]:
        mails = viewer.person.get(f"{viewer.organization}/mails", params={"limit": 200}).json()["mails"]
        return [mail["subject"] for mail in mails if mail["to"] == grace.email]

    by_scim(api, Path(), grace.email)
    invited = api.person.post(f"{api.organization}/invitations", json={"content": {"email": grace.email}})
    assert invited.status_code == 201
    assert browser(api).post("/v1/sign-in-links", json={"content": {"email": grace.email}}).status_code == 202
    assert subjects_seen_by(grace.home)[0] == "Your link to sign in"
    assert not any("added you" in subject or api_name(api) in subject for subject in subjects_seen_by(grace.home))
    assert subjects_seen_by(api) == []


def api_name(api: Api) -> str:
    return str(api.person.get(api.organization).json()["organization"]["name"])


@pytest.mark.contract("Signing in 21")
def test_the_owner_is_notified_once_and_accepts(api: Api, grace: Grace) -> None:
    for _ in range(2):
        by_scim(api, Path(), grace.email)
        assert api.integration.delete(f"/scim/v2/Users/{grace.person_id}").status_code == 204
    by_scim(api, Path(), grace.email)
    assert len([mail for mail in mails_to(api, grace.email) if "added this address" in mail]) == 1
    [pending] = grace.client.get(PENDING).json()["pending_memberships"]
    assert (pending["organization_id"], pending["name"]) == (api.organization_id, api_name(api))
    own = grace.client.get("/v1/me/organizations").json()["organizations"]
    assert [each["organization_id"] for each in own] == [grace.home.organization_id]
    accepted = grace.client.post(accept_path(api))
    assert accepted.json()["member"]["name"] == "Grace Hopper"
    assert [grace.client.get(each.organization).status_code for each in (api, grace.home)] == [200, 200]
    assert grace.client.get(PENDING).json()["pending_memberships"] == []
    assert assert_problem(grace.client.post(accept_path(api)), 404)["code"] == "pending_membership_not_found"
    [entry] = api.person.get(f"{api.organization}/audit-log", params={"action": "membership"}).json()["entries"]
    assert (entry["action"], entry["actor"]["id"]) == ("membership.accepted", grace.person_id)
    assert [each["name"] for each in members(api) if each["person_id"] == grace.person_id] == ["Grace Hopper"]


def test_an_admin_changes_the_role_of_a_pending_person_and_asks_who_declined_again(api: Api, grace: Grace) -> None:
    by_scim(api, Path(), grace.email)
    member = f"{api.organization}/members/{grace.person_id}"
    changed = api.person.patch(member, json={"content": {"role": "reader"}})
    assert (changed.json()["member"]["role"], changed.json()["member"]["active"]) == ("reader", False)
    assert len(grace.client.get(PENDING).json()["pending_memberships"]) == 1
    assert grace.client.delete(f"{PENDING}/{api.organization_id}").status_code == 204
    assert api.person.patch(member, json={"content": {"active": True}}).json()["member"]["active"] is False
    assert grace.client.post(accept_path(api)).json()["member"]["role"] == "reader"


@pytest.mark.contract("Signing in 21")
def test_who_declines_is_inactive_for_the_directory_until_it_asks_again(api: Api, grace: Grace) -> None:
    by_scim(api, Path(), grace.email)
    assert grace.client.delete(f"{PENDING}/{api.organization_id}").status_code == 204
    assert api.integration.get(f"/scim/v2/Users/{grace.person_id}").json()["active"] is False
    assert grace.client.get(PENDING).json()["pending_memberships"] == []
    assert assert_problem(grace.client.delete(f"{PENDING}/{api.organization_id}"), 404)
    [entry] = api.person.get(f"{api.organization}/audit-log", params={"action": "membership"}).json()["entries"]
    assert (entry["action"], entry["actor"]["name"], entry["address"]) == ("membership.declined", grace.email, None)
    assert patch_user(api, grace.person_id, "active", True).json()["active"] is True
    assert len(grace.client.get(PENDING).json()["pending_memberships"]) == 1
    assert grace.client.get(api.organization).status_code == 404


@pytest.mark.contract("Signing in 21")
def test_a_key_with_scopes_accepts_and_declines_nothing(api: Api, grace: Grace) -> None:
    by_scim(api, Path(), grace.email)
    limited = {"content": {"name": "limited", "scopes": ["messages:read"]}}
    client = api.client(grace.client.post("/v1/me/integrations", json=limited).json()["key"])
    for answer in (
        client.get(PENDING),
        client.post(accept_path(api)),
        client.delete(f"{PENDING}/{api.organization_id}"),
    ):
        assert assert_problem(answer, 403)["code"] == "insufficient_scope"
    assert_problem(api.integration.get(PENDING), 403)


@pytest.fixture
def member_of_both(api: Api, grace: Grace) -> Iterator[Grace]:
    """Return a person of both organizations."""
    by_scim(api, Path(), grace.email)
    assert grace.client.post(accept_path(api)).status_code == 200
    yield grace


@pytest.mark.contract("Signing in 22")
def test_a_key_that_an_admin_of_one_organization_revokes_works_in_the_other(api: Api, member_of_both: Grace) -> None:
    [found] = keys(api, person_id=member_of_both.person_id)
    assert revoke(api, found).status_code == 204
    assert member_of_both.client.get(member_of_both.home.organization).status_code == 200
    assert member_of_both.client.post(member_of_both.home.messages, json={"text": "still here"}).status_code == 201
    for answer in (
        member_of_both.client.get(api.organization),
        member_of_both.client.get(api.messages),
        member_of_both.client.post(api.messages, json={"text": "no"}),
        member_of_both.client.get(f"/v2/rooms/{api.room_id}"),
    ):
        assert assert_problem(answer, 403)["code"] == "key_policy"
    own = member_of_both.client.get("/v1/me/organizations").json()["organizations"]
    assert [each["organization_id"] for each in own] == [member_of_both.home.organization_id]
    assert keys(api, person_id=member_of_both.person_id) == []
    assert assert_problem(revoke(api, found), 404)["code"] == "api_key_not_found"
    assert len(keys(member_of_both.home, person_id=member_of_both.person_id)) == 1
    entries = member_of_both.home.person.get(
        f"{member_of_both.home.organization}/audit-log", params={"action": "personal_key.revoked"}
    )
    assert [each for each in entries.json()["entries"] if each["target"]["id"] == found["api_key_id"]] == []
    rotated = browser(api)
    assert rotated.post(
        "/v1/sessions", json={"content": {"email": member_of_both.email, "password": PASSWORD}}
    ).is_success
    again = rotated.post(f"/v1/me/integrations/{found['api_key_id']}/rotate")
    assert api.client(again.json()["key"]).get(api.organization).status_code == 403, "a new secret is the same key"


@pytest.mark.contract("Signing in 22")
def test_an_open_stream_of_such_a_key_receives_the_events_of_the_other_alone(api: Api, member_of_both: Grace) -> None:
    [found] = keys(api, person_id=member_of_both.person_id)

    async def act() -> list[str]:
        async with streams(listen(api.url, member_of_both.key)) as [stream]:
            await asyncio.to_thread(revoke, api, found)
            for organization, text in ((api, "away"), (member_of_both.home, "home")):
                await asyncio.to_thread(organization.send, text)
            await stream.until("message.sent", text="home")
            return stream.texts()

    assert asyncio.run(act()) == ["home"]


@pytest.mark.contract("Signing in 22")
@pytest.mark.parametrize("deactivated", [True, False])
def test_a_key_ends_where_its_person_belongs_to_no_other_organization(
    api: Api, member_of_both: Grace, deactivated: bool
) -> None:
    member = f"{member_of_both.home.organization}/members/{member_of_both.person_id}"
    if deactivated:  # they belong there still, and may be reactivated
        member_of_both.home.person.patch(member, json={"content": {"active": False}})
    else:
        member_of_both.home.person.delete(member)
    [found] = keys(api, person_id=member_of_both.person_id)
    assert revoke(api, found).status_code == 204
    member_of_both.home.person.patch(member, json={"content": {"active": True}})
    assert status_of(member_of_both.client) == (200 if deactivated else 401)


@pytest.mark.contract("Signing in 23")
def test_a_directory_of_two_organizations_changes_only_the_membership(api: Api, member_of_both: Grace) -> None:
    for path, value in (("displayName", "Renamed"), ("emails", [{"value": address()}]), ("active", False)):
        assert patch_user(api, member_of_both.person_id, path, value).is_success
    assert member_of_both.has_all()
    assert member_of_both.client.get(api.organization).status_code == 404
    assert api.integration.delete(f"/scim/v2/Users/{member_of_both.person_id}").status_code == 204
    assert member_of_both.has_all()


@pytest.mark.contract("Signing in 20")
def test_another_organization_adding_an_unverified_account_ends_none_of_its_keys_when_it_signs_in(
    api: Api, outsider: Api
) -> None:
    """Only accepting does: then the person who created the account may not come along."""
    person_id, key = outsider.new_person(email=(email := address()))
    by_scim(api, Path(), email)
    token = os.urandom(16).hex()
    outsider.sql(
        "insert into sign_in_links (token_hash, person_id, created_at, expires_at, proves_mailbox) "
        "select sha256($1::text::bytea), $2::text::uuid, now(), now() + interval '1 hour', true",
        token,
        person_id,
    )
    session = browser(api)
    assert session.post("/v1/sessions/link", json={"content": {"token": token}}).status_code == 201
    assert status_of(outsider.client(key)) == 200
    assert assert_problem(outsider.client(key).post(accept_path(api)), 409)["code"] == "mailbox_not_proven"
    assert session.post(accept_path(api)).status_code == 200
    assert [status_of(outsider.client(key)), status_of(session)] == [401, 200]


@pytest.mark.contract("Signing in 20")
def test_the_owner_is_notified_by_an_import_too(api: Api, grace: Grace, tmp_path: Path) -> None:
    user = {"id": "U1", "name": "victim", "profile": {"email": grace.email}}
    run_import(api, one_day(tmp_path / "a.zip", [slack_message(1)], users=[user]))
    [mail] = [mail for mail in mails_to(api, grace.email) if "added this address" in mail]
    assert "/settings" in mail

"""Invitations: created by an admin, accepted by the person who has the token."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from atrium.kit.http.attempts import counted_as
from atrium.organizations.invitations.actions import INVITATIONS_BY_PERSON
from tests.before_it_commits import before_it_commits
from tests.conftest import Api
from tests.contract.tour import assert_problem

ACCEPT = "/v1/invitations/accept"


def invite(api: Api, email: str = "grace@example.org", **fields: str) -> dict[str, object]:
    response = api.person.post(f"{api.organization}/invitations", json={"content": {"email": email, **fields}})
    assert response.status_code == 201, response.text
    return dict(response.json())


def test_an_invitation_is_shown_with_its_token(api: Api) -> None:
    made = invite(api)
    assert set(made) == {"invitation", "token"}
    shown = made["invitation"]
    assert isinstance(shown, dict)
    assert set(shown) == {"invitation_id", "organization_id", "email", "role", "spaces", "created_at", "expires_at"}
    assert (shown["email"], shown["role"]) == ("grace@example.org", "member")


def test_an_accepted_invitation_creates_a_member_with_a_key(api: Api) -> None:
    email = f"{api.organization_id}@example.org"
    body = {"content": {"token": invite(api, email, role="reader")["token"], "name": "Grace"}}
    taken = api.client(None).post(ACCEPT, json=body)
    assert taken.status_code == 201
    assert set(taken.json()) == {"organization_id", "person_id", "key"}
    grace = api.client(taken.json()["key"])
    assert grace.get("/v1/me/profile").json()["email"] == email
    assert grace.get(api.organization).json()["organization"]["role"] == "reader"
    again = api.client(None).post(ACCEPT, json=body)
    assert assert_problem(again, 404)["code"] == "invitation_not_found"


def test_an_expired_or_unknown_invitation_is_not_found(api: Api) -> None:
    made = invite(api)
    api.sql("update invitations set expires_at = now() where organization_id = $1::text::uuid", api.organization_id)
    for token in (made["token"], "x", "\u0000", "ü"):
        answer = api.client(None).post(ACCEPT, json={"content": {"token": token, "name": "x"}})
        assert assert_problem(answer, 404)["code"] == "invitation_not_found"


def test_only_the_hash_of_the_token_is_stored(api: Api) -> None:
    token = invite(api)["token"]
    rows = api.sql(
        "select i::text as row from invitations i where organization_id = $1::text::uuid", api.organization_id
    )
    assert rows
    assert all(str(token) not in row["row"] for row in rows)


def test_a_member_is_not_invited_twice(api: Api) -> None:
    email = f"{api.organization_id}@example.org"
    api.new_person(email=email)
    again = api.person.post(f"{api.organization}/invitations", json={"content": {"email": email.upper()}})
    assert assert_problem(again, 409)["code"] == "already_member"


def test_an_invitation_does_not_give_access_to_an_existing_account(api: Api, outsider: Api) -> None:
    """The inviter has the token; for an address with an account it must not open that account."""
    email = f"{api.organization_id}@example.org"
    _, key = api.new_person(email=email)
    body = {"content": {"token": invite(outsider, email.upper())["token"], "name": "Mallory"}}
    taken = outsider.client(None).post(ACCEPT, json=body)
    assert "key" not in assert_problem(taken, 409)
    assert api.client(key).get("/v1/me/profile").json()["name"] != "Mallory"
    assert_problem(api.client(key).get(outsider.organization), 404)


def test_a_person_with_an_account_accepts_with_their_own_key(api: Api, outsider: Api) -> None:
    person_id, key = api.new_person()
    body = {"content": {"token": invite(outsider, "other-address@example.org")["token"], "name": "ignored"}}
    assert_problem(api.integration.post(ACCEPT, json=body), 403)
    assert_problem(api.client("atrp_x").post(ACCEPT, json=body), 401)
    taken = api.client(key).post(ACCEPT, json=body)
    assert taken.status_code == 201, taken.text
    assert taken.json() == {"organization_id": outsider.organization_id, "person_id": person_id, "key": None}
    assert api.client(key).get(outsider.messages).status_code == 200
    assert api.client(key).get("/v1/me/profile").json()["name"] != "ignored"
    assert_problem(api.client(key).post(ACCEPT, json=body), 404)


@pytest.mark.contract("Roles and keys 5")
def test_pending_invitations_are_listed_without_tokens_and_can_be_revoked(api: Api) -> None:
    made = invite(api)
    taken = f"{api.organization_id}@example.org"
    api.new_person(email=taken)
    listed = api.person.get(f"{api.organization}/invitations").json()["invitations"]
    assert listed == [made["invitation"]]
    one = f"{api.organization}/invitations/{listed[0]['invitation_id']}"
    assert api.person.delete(one).status_code == 204
    assert api.person.get(f"{api.organization}/invitations").json()["invitations"] == []
    body = {"content": {"token": made["token"], "name": "Grace"}}
    assert_problem(api.client(None).post(ACCEPT, json=body), 404)
    assert_problem(api.person.delete(one), 404)


@pytest.mark.contract("Roles and keys 5")
def test_invitations_are_listed_for_readers_and_revoked_by_roles_that_could_have_created_them(api: Api) -> None:
    invitation = invite(api, role="super_admin")["invitation"]
    assert isinstance(invitation, dict)
    one = f"{api.organization}/invitations/{invitation['invitation_id']}"
    (_, member), (_, reader), (_, admin) = (api.new_person(role) for role in ("member", "reader", "admin"))
    assert_problem(api.client(member).get(f"{api.organization}/invitations"), 403)
    assert api.client(reader).get(f"{api.organization}/invitations").status_code == 200
    assert_problem(api.client(reader).delete(one), 403)
    assert_problem(api.client(admin).delete(one), 403)
    assert api.person.delete(one).status_code == 204


def provision(api: Api, email: str) -> str:
    """Provision a user who never had a key; return their id."""
    user = {"userName": email, "emails": [{"value": email}]}
    return str(api.integration.post("/scim/v2/Users", json=user).json()["id"])


def change_role(api: Api, person_id: str, role: str) -> None:
    member = f"{api.organization}/members/{person_id}"
    assert api.person.patch(member, json={"content": {"role": role}}).status_code == 200


def invite_as(client: httpx.Client, api: Api, email: str) -> httpx.Response:
    return client.post(f"{api.organization}/invitations", json={"content": {"email": email, "role": "guest"}})


@pytest.mark.contract("Roles and keys 8")
@pytest.mark.parametrize("role", ["admin", "super_admin"])
def test_an_admin_cannot_open_a_higher_membership_by_inviting_its_address(api: Api, role: str) -> None:
    """The invitation names a low role; the existing membership keeps its own."""
    email = f"{api.organization_id}@example.org"
    admin = api.client(api.new_person("admin")[1])
    change_role(api, provision(api, email), role)
    assert_problem(invite_as(admin, api, email), 403)
    assert invite_as(api.person, api, email).status_code == 201


@pytest.mark.contract("Roles and keys 8")
def test_an_invitation_does_not_open_a_membership_that_was_raised_since(api: Api) -> None:
    email = f"{api.organization_id}@example.org"
    admin = api.client(api.new_person("admin")[1])
    token = invite_as(admin, api, email).json()["token"]
    change_role(api, provision(api, email), "super_admin")
    body = {"content": {"token": token, "name": "Mallory"}}
    for content in (body["content"], {**body["content"], "password": "correct horse battery"}):
        taken = api.client(None).post(ACCEPT, json={"content": content}, headers={"sec-fetch-site": "same-origin"})
        assert "key" not in assert_problem(taken, 403)
        assert "set-cookie" not in taken.headers


@pytest.mark.contract("Roles and keys 8")
def test_an_invitation_does_not_restore_a_member_above_its_inviter(api: Api, outsider: Api) -> None:
    person_id, key = outsider.new_person()
    there = {"content": {"token": invite(api, "one@example.org", role="super_admin")["token"], "name": "x"}}
    assert api.client(key).post(ACCEPT, json=there).status_code == 201
    member = f"{api.organization}/members/{person_id}"
    assert api.person.patch(member, json={"content": {"active": False}}).status_code == 200
    admin_id, admin = api.new_person("admin")
    again = {"content": {"token": invite_as(api.client(admin), api, "two@example.org").json()["token"], "name": "x"}}
    assert_problem(api.client(key).post(ACCEPT, json=again), 403)
    change_role(api, admin_id, "super_admin")
    assert api.client(key).post(ACCEPT, json=again).status_code == 201, "who may now may now"
    assert api.client(key).get(api.organization).json()["organization"]["role"] == "guest"


@pytest.mark.contract("Roles and keys 8")
@pytest.mark.parametrize(
    ("inviter", "role", "change"),
    [
        ("admin", "member", {"role": "member"}),
        ("admin", "member", {"active": False}),
        ("super_admin", "admin", {"role": "admin"}),
        ("super_admin", "super_admin", None),
    ],
)
def test_an_invitation_ends_when_its_inviter_may_no_longer_give_its_role(
    api: Api, outsider: Api, inviter: str, role: str, change: dict[str, object] | None
) -> None:
    """Someone who is dismissed could come back by an invitation to another address of theirs."""
    person_id, key = api.new_person(inviter)
    content = {"email": f"{api.organization_id}@example.org", "role": role}
    token = api.client(key).post(f"{api.organization}/invitations", json={"content": content}).json()["token"]
    [listed] = api.person.get(f"{api.organization}/invitations").json()["invitations"]
    member = f"{api.organization}/members/{person_id}"
    lost = api.person.patch(member, json={"content": change}) if change else api.person.delete(member)
    assert lost.is_success, lost.text
    body = {"content": {"token": token, "name": "Grace"}}
    for taker in (api.client(None), outsider.person):
        assert assert_problem(taker.post(ACCEPT, json=body), 404)["code"] == "invitation_not_found"
    shown = api.client(None).post("/v1/invitations/preview", json={"content": {"token": token}}).json()
    assert shown["invitation"]["state"] == "revoked"
    assert api.person.get(f"{api.organization}/invitations").json()["invitations"] == []
    assert_problem(api.person.delete(f"{api.organization}/invitations/{listed['invitation_id']}"), 404)
    assert api.person.get(f"{api.organization}/overview").json()["counts"]["invited_people"] == 0
    if change is not None:
        given_back = api.person.patch(member, json={"content": {"role": inviter, "active": True}})
        assert given_back.is_success, given_back.text
        assert api.client(None).post(ACCEPT, json=body).status_code == 201, "who may again may again"


@pytest.mark.contract("Roles and keys 8")
def test_an_invitation_is_not_accepted_while_its_inviter_is_dismissed(api: Api) -> None:
    person_id, key = api.new_person("admin")
    token = invite_as(api.client(key), api, "two@example.org").json()["token"]
    member, body = f"{api.organization}/members/{person_id}", {"content": {"token": token, "name": "Grace"}}
    client, anyone = api.person, api.client(None)

    async def attack() -> httpx.Response:
        async with before_it_commits(api, lambda: client.delete(member)) as then:
            answer: httpx.Response = await then(asyncio.to_thread(anyone.post, ACCEPT, json=body))
            return answer

    assert_problem(asyncio.run(attack()), 404)


@pytest.mark.contract("Roles and keys 15")
@pytest.mark.parametrize("role", ["admin", "super_admin"])
def test_integrations_cannot_invite(api: Api, role: str) -> None:
    """By inviting a guest, it could reach what it was not granted."""
    bot = api.client(api.new_integration(role=role)["key"])
    assert_problem(invite_as(bot, api, "puppet@example.org"), 403)
    assert bot.get(f"{api.organization}/invitations").status_code == 200


@pytest.mark.contract("Roles and keys 10")
def test_a_new_invitation_replaces_the_one_before_it(api: Api) -> None:
    """One address has one open invitation of an organization, also if two are made at the same time."""
    first, other = invite(api), invite(api, "other@example.org")
    second = invite(api, "Grace@Example.org", role="reader")
    shown = api.person.get(f"{api.organization}/invitations").json()["invitations"]
    assert [each["invitation_id"] for each in shown] == [
        made["invitation"]["invitation_id"]  # type: ignore[index]
        for made in (other, second)
    ]
    for token, status in ((first["token"], 404), (second["token"], 201)):
        answer = api.client(None).post(ACCEPT, json={"content": {"token": token, "name": "Grace"}})
        assert answer.status_code == status
    log = api.person.get(f"{api.organization}/audit-log", params={"limit": 20}).json()["entries"]
    assert [each["action"] for each in log].count("invitation.revoked") == 1


@pytest.mark.contract("Roles and keys 10")
def test_invitations_made_at_the_same_time_leave_one_open(api: Api) -> None:
    with ThreadPoolExecutor(8) as hands:
        made = list(hands.map(lambda _: invite(api), range(8)))
    shown = api.person.get(f"{api.organization}/invitations").json()["invitations"]
    assert len(shown) == 1
    assert shown[0]["invitation_id"] in {each["invitation"]["invitation_id"] for each in made}  # type: ignore[index]


@pytest.mark.contract("Roles and keys 10")
def test_an_admin_does_not_replace_an_invitation_that_ranks_above_them(api: Api) -> None:
    invite(api, role="admin")
    _, key = api.new_person("admin")
    answer = api.client(key).post(f"{api.organization}/invitations", json={"content": {"email": "grace@example.org"}})
    assert_problem(answer, 403)
    [shown] = api.person.get(f"{api.organization}/invitations").json()["invitations"]
    assert shown["role"] == "admin"


@pytest.mark.contract("Roles and keys 11")
def test_invitations_to_an_address_and_by_a_person_are_limited(api: Api, outsider: Api) -> None:
    path = f"{api.organization}/invitations"
    ask = lambda email: api.person.post(path, json={"content": {"email": email}})  # noqa: E731
    answers = [ask("grace@example.org") for _ in range(12)]
    assert [each.status_code for each in answers] == [201] * 10 + [429] * 2
    assert assert_problem(answers[-1], 429)["code"] == "too_many_attempts"
    invite(outsider), invite(api, "other@example.org")
    subject = counted_as(INVITATIONS_BY_PERSON, api.person_id)
    api.sql("update sign_in_attempts set failures = 499 where subject = $1", subject)
    assert [ask(f"{nr}@example.org").status_code for nr in range(2)] == [201, 429]

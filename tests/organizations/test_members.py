"""The members of an organization: their roles, and the rights that they lose when they leave."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem

ROLES = ["guest", "member", "reader", "admin", "super_admin"]


def member(api: Api, person_id: str) -> str:
    return f"{api.organization}/members/{person_id}"


def give(client: httpx.Client, api: Api, person_id: str, **content: object) -> httpx.Response:
    return client.patch(member(api, person_id), json={"content": content})


def test_members_are_listed_with_their_roles(api: Api) -> None:
    people = [api.new_person(role)[0] for role in ROLES]
    first = api.person.get(f"{api.organization}/members", params={"limit": 4})
    assert first.status_code == 200
    rest = api.person.get(f"{api.organization}/members", params={"limit": 4, "cursor": first.json()["next_cursor"]})
    members = first.json()["members"] + rest.json()["members"]
    assert rest.json()["next_cursor"] is None
    assert [each["person_id"] for each in members] == [api.person_id, *people]
    assert [each["role"] for each in members] == ["super_admin", *ROLES]
    fields = {"person_id", "name", "email", "role", "active", "created_at", "imported"}
    assert all(set(each) == fields for each in members)
    assert all(each["active"] and not each["imported"] for each in members)


@pytest.mark.parametrize(
    ("role", "listing", "changing"),
    [("guest", 403, 403), ("member", 403, 403), ("reader", 200, 403), ("admin", 200, 200), ("super_admin", 200, 200)],
)
def test_readers_see_members_and_admins_change_them(api: Api, role: str, listing: int, changing: int) -> None:
    subject, _ = api.new_person("member")
    for key, inviting in ((api.new_person(role)[1], 201), (api.new_integration(role=role)["key"], 403)):
        client = api.client(key)
        assert client.get(f"{api.organization}/members").status_code == listing
        assert give(client, api, subject, role="reader").status_code == changing
        assert give(client, api, subject, role="member").status_code == changing
        invited = client.post(f"{api.organization}/invitations", json={"content": {"email": f"{key[-9:]}@example.org"}})
        assert invited.status_code == (inviting if changing == 200 else 403)


@pytest.mark.contract("Roles and keys 26")
@pytest.mark.parametrize("named", ["admin", "super_admin"])
def test_only_a_super_admin_appoints_admins(api: Api, named: str) -> None:
    subject, _ = api.new_person("member")
    named_before, _ = api.new_person(named)
    admin, bot = api.client(api.new_person("admin")[1]), api.integration
    for client in (admin, bot):
        assert_problem(give(client, api, subject, role=named), 403)
        assert_problem(give(client, api, named_before, role="member"), 403)
        assert_problem(give(client, api, named_before, active=False), 403)
        assert_problem(client.delete(member(api, named_before)), 403)
        invitation = {"content": {"email": "boss@example.org", "role": named}}
        assert_problem(client.post(f"{api.organization}/invitations", json=invitation), 403)
        wish = {"content": {"name": "x", "spaces": [], "organization_role": named}}
        assert_problem(client.post(f"{api.organization}/api-keys", json=wish), 403)
    changed = give(api.person, api, subject, role=named)
    assert (changed.status_code, changed.json()["member"]["role"]) == (200, named)


def test_a_change_returns_the_member_and_takes_effect_immediately(api: Api) -> None:
    person_id, key = api.new_person("guest")
    client = api.client(key)
    assert_problem(client.get(f"/v1/spaces/{api.space_id}"), 404)
    changed = give(api.person, api, person_id, role="member")
    assert changed.status_code == 200
    assert changed.json()["member"]["person_id"] == person_id
    assert client.get(f"/v1/spaces/{api.space_id}").json()["space"]["role"] == "member"
    give(api.person, api, person_id, role="admin")
    assert client.get(f"/v1/spaces/{api.space_id}").json()["space"]["role"] == "admin"
    assert give(api.person, api, person_id).json()["member"]["role"] == "admin"


def test_a_deactivated_person_is_locked_out_immediately_and_returns_unchanged(api: Api) -> None:
    person_id, key = api.new_person()
    client = api.client(key)
    spare = api.client(client.post("/v1/me/integrations", json={"content": {"name": "x"}}).json()["key"])
    sent = client.post(api.messages, json={"text": "mine"}).json()
    off = give(api.person, api, person_id, active=False)
    assert (off.status_code, off.json()["member"]["active"]) == (200, False)
    for each in (client, spare):
        assert_problem(each.get("/v1/me/profile"), 401)
        assert_problem(each.get(api.messages), 401)
        assert_problem(each.post(api.messages, json={"text": "x"}), 401)
        assert_problem(each.get(f"/v2/rooms/{api.room_id}"), 401)
    assert api.person.get(f"{api.messages}/{sent['message_id']}").json()["user_id"] == person_id
    back = give(api.person, api, person_id, active=True)
    assert back.json()["member"]["active"] is True
    for each in (client, spare):
        assert each.get("/v1/me/profile").status_code == 200
    assert client.get(api.messages).status_code == 200


def test_a_removed_member_loses_the_organization_and_its_spaces(api: Api) -> None:
    person_id, key = api.new_person()
    private = api.new_space("private")
    api.person.put(f"/v1/spaces/{private}/members/{person_id}", json={"content": {"role": "admin"}})
    assert api.client(key).get(f"/v1/spaces/{private}").status_code == 200
    assert api.person.delete(member(api, person_id)).status_code == 204
    assert_problem(api.client(key).get("/v1/me/profile"), 401)
    assert_problem(api.client(key).get(api.messages), 401)
    assert person_id not in api.person.get(f"{api.organization}/members").text
    assert person_id not in api.person.get(f"/v1/spaces/{private}/members").text
    assert assert_problem(api.person.delete(member(api, person_id)), 404)["code"] == "member_not_found"
    assert_problem(give(api.person, api, person_id, role="member"), 404)


def test_a_person_with_another_organization_keeps_their_account_there(api: Api, outsider: Api) -> None:
    person_id, key = api.new_person()
    response = outsider.person.post(
        f"{outsider.organization}/invitations", json={"content": {"email": "x@example.org"}}
    )
    body = {"content": {"token": response.json()["token"], "name": "x"}}
    assert api.client(key).post("/v1/invitations/accept", json=body).status_code == 201
    client = api.client(key)
    assert {each["name"] for each in client.get("/v1/me/organizations").json()["organizations"]} == {"Acme", "Others"}
    assert give(api.person, api, person_id, active=False).status_code == 200
    assert_problem(client.get(api.organization), 404)
    assert_problem(client.get(api.messages), 404)
    assert client.get(outsider.messages).status_code == 200
    assert api.person.delete(member(api, person_id)).status_code == 204
    assert client.get("/v1/me/organizations").json()["organizations"][0]["name"] == "Others"


def test_people_of_other_organizations_are_not_members(api: Api, outsider: Api) -> None:
    person_id, _ = outsider.new_person()
    bot = api.new_integration()["api_key"]["integration_id"]
    for who in (person_id, outsider.person_id, bot):
        assert assert_problem(give(api.person, api, who, role="member"), 404)["code"] == "member_not_found"
        assert_problem(api.person.delete(member(api, who)), 404)


@pytest.mark.contract("Roles and keys 4")
def test_the_last_super_admin_cannot_be_removed(api: Api) -> None:
    for answer in (
        give(api.person, api, api.person_id, role="admin"),
        give(api.person, api, api.person_id, active=False),
        give(api.person, api, api.person_id, role="guest", active=False),
        api.person.delete(member(api, api.person_id)),
    ):
        assert assert_problem(answer, 409)["code"] == "last_super_admin"
    assert api.person.get(api.organization).json()["organization"]["role"] == "super_admin"


def test_a_deactivated_super_admin_and_an_integration_do_not_count(api: Api) -> None:
    other, _ = api.new_person("super_admin")
    api.new_integration(role="super_admin")
    assert give(api.person, api, other, active=False).status_code == 200
    assert assert_problem(give(api.person, api, api.person_id, role="admin"), 409)["code"] == "last_super_admin"
    assert_problem(api.person.delete(member(api, api.person_id)), 409)
    assert give(api.person, api, other, active=True).status_code == 200
    assert give(api.person, api, api.person_id, role="admin").status_code == 200


@pytest.mark.contract("Roles and keys 4")
@pytest.mark.parametrize("act", ["demote", "deactivate", "remove", "demote oneself"])
def test_two_concurrent_changes_cannot_remove_both_last_super_admins(api: Api, act: str) -> None:
    for _ in range(5):
        other, key = api.new_person("super_admin")
        clients, people = [api.client(api.personal_key), api.client(key)], [api.person_id, other]
        targets = people if act == "demote oneself" else people[::-1]

        def strike(client: httpx.Client, target: str) -> int:
            if act == "remove":
                return client.delete(member(api, target)).status_code
            content = {"active": False} if act == "deactivate" else {"role": "member"}
            return give(client, api, target, **content).status_code

        with ThreadPoolExecutor(2) as pool:
            statuses = sorted(pool.map(strike, clients, targets))
        left = api.sql(
            "select actor_id::text from memberships where organization_id = $1::text::uuid and role = 'super_admin' "
            "and deactivated_at is null and actor_id in (select person_id from people)",
            api.organization_id,
        )
        assert len(left) == 1, statuses
        assert statuses[0] in (200, 204)
        assert statuses[1] in (401, 403, 404, 409)
        api.sql("update memberships set role = 'member' where actor_id = $1::text::uuid", other)
        api.sql(
            "insert into memberships values ($1::text::uuid, $2::text::uuid, 'super_admin', now()) on conflict "
            "(actor_id, organization_id) do update set role = 'super_admin', deactivated_at = null",
            api.person_id,
            api.organization_id,
        )

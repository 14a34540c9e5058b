"""Groups give their members roles in spaces, and concurrent changes of a group lose nothing."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import httpx
import pytest

from tests.audit.entries import entries
from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.scim.conftest import Directory, error_in

AT_ONCE = 200


@pytest.mark.contract("Directory provisioning 15")
def test_a_group_grants_and_withdraws_a_role_immediately(directory: Directory) -> None:
    api = directory.api
    space = api.new_space("private")
    room = api.new_room(space)["room_id"]
    person_id, key = api.new_person("guest")
    person, page = api.client(key), f"/v2/rooms/{room}/messages"
    group = directory.group(members=[person_id])
    grant = f"/v1/spaces/{space}/groups/{group['id']}"
    assert_problem(person.get(page), 404)
    for given, read, sent in (("reader", 200, 403), ("member", 200, 201), ("admin", 200, 201)):
        put = api.person.put(grant, json={"content": {"role": given}})
        assert put.json() == {"group": {"group_id": group["id"], "name": "Crew", "member_count": 1, "role": given}}
        assert person.get(page).status_code == read
        assert person.post(page, json={"text": "hi"}).status_code == sent
    assert [each["space_id"] for each in person.get(f"{api.organization}/spaces").json()["spaces"]] == [space]
    members = api.person.get(f"/v1/spaces/{space}/members").json()["members"]
    assert [(each["role"], each["granted"]) for each in members if each["actor_id"] == person_id] == [("admin", None)]
    directory.patch_and_read(group, {"op": "remove", "path": f'members[value eq "{person_id}"]'})
    for _ in range(4):
        assert_problem(person.get(page), 404)
    directory.patch_and_read(group, {"op": "add", "path": "members", "value": [{"value": person_id}]})
    assert person.get(page).status_code == 200
    assert api.person.delete(grant).status_code == 204
    assert_problem(person.get(page), 404)
    assert_problem(person.post(page, json={"text": "hi"}), 404)


def test_the_highest_role_counts_and_a_deleted_group_grants_none(directory: Directory) -> None:
    api = directory.api
    space = api.new_space("private")
    person_id, key = api.new_person("member")
    low, high = directory.group("Low", [person_id]), directory.group("High", [person_id])
    api.person.put(f"/v1/spaces/{space}/members/{person_id}", json={"content": {"role": "member"}})
    for group, role in ((low, "reader"), (high, "admin")):
        api.person.put(f"/v1/spaces/{space}/groups/{group['id']}", json={"content": {"role": role}})
    effective_role = lambda: api.client(key).get(f"/v1/spaces/{space}").json()["space"]["role"]  # noqa: E731
    assert effective_role() == "admin"
    assert directory.client.delete(f"/Groups/{high['id']}").status_code == 204
    assert effective_role() == "member"
    api.person.delete(f"/v1/spaces/{space}/members/{person_id}")
    assert effective_role() == "reader"
    directory.patch_and_read(
        {"id": person_id, "meta": {"resourceType": "User"}}, {"op": "replace", "value": {"active": False}}
    )
    assert api.client(key).get(f"/v1/spaces/{space}").status_code == 401


def test_in_an_open_space_a_group_adds_to_the_default_role(directory: Directory) -> None:
    api = directory.api
    person_id, key = api.new_person("member")
    group = directory.group(members=[person_id])
    for role, effective in (("reader", "member"), ("admin", "admin")):
        api.person.put(f"/v1/spaces/{api.space_id}/groups/{group['id']}", json={"content": {"role": role}})
        assert api.client(key).get(f"/v1/spaces/{api.space_id}").json()["space"]["role"] == effective


@pytest.mark.contract("Directory provisioning 15")
def test_groups_and_their_roles_are_managed_with_permission_only(directory: Directory, outsider: Api) -> None:
    api = directory.api
    groups = [directory.group(f"G{nr}") for nr in range(3)]
    listed = api.person.get(f"{api.organization}/groups", params={"limit": 2}).json()
    assert [each["name"] for each in listed["groups"]] == ["G0", "G1"]
    more = api.person.get(f"{api.organization}/groups", params={"cursor": listed["next_cursor"]}).json()
    assert ([each["name"] for each in more["groups"]], more["next_cursor"]) == (["G2"], None)
    grant, body = f"/v1/spaces/{api.space_id}/groups/{groups[0]['id']}", {"content": {"role": "reader"}}
    member = api.client(api.new_person("member")[1])
    assert_problem(member.get(f"{api.organization}/groups"), 403)
    assert_problem(member.put(grant, json=body), 403)
    assert api.person.put(grant, json=body).status_code == 200
    assert len(member.get(f"/v1/spaces/{api.space_id}/groups").json()["groups"]) == 1
    assert [entry["action"] for entry in entries(api)][:1] == ["space_group.set"]
    assert_problem(outsider.person.put(f"/v1/spaces/{outsider.space_id}/groups/{groups[0]['id']}", json=body), 404)
    missing = api.person.put(f"/v1/spaces/{api.space_id}/groups/{uuid4()}", json=body)
    assert assert_problem(missing, 404)["code"] == "group_not_found"
    assert api.person.delete(grant).status_code == 204
    assert assert_problem(api.person.delete(grant), 404)["code"] == "group_not_found"


@pytest.mark.parametrize("value", [str(uuid4()), "no-uuid", ""], ids=["unknown", "no uuid", "empty"])
def test_an_unknown_member_is_rejected_and_changes_nothing(directory: Directory, value: str) -> None:
    user = directory.user()
    group = directory.group()
    added = {"op": "add", "path": "members", "value": [{"value": user["id"]}, {"value": value}]}
    error_in(directory.patch(group, {"op": "replace", "path": "displayName", "value": "x"}, added), 400, "invalidValue")
    assert (directory.read(group)["displayName"], directory.members(group)) == ("Crew", set())
    gone = {"op": "remove", "path": "members", "value": [{"value": value}]}
    assert directory.patch(group, gone).status_code == 204


def test_members_are_removed_by_a_filter_without_ids(directory: Directory) -> None:
    one = directory.user(displayName="Ada One")["id"]
    two = directory.user(displayName="Grace")["id"]
    group = directory.group(members=[one, two])
    directory.patch_and_read(group, {"op": "remove", "path": 'members[display sw "ada"]'})
    assert directory.members(group) == {two}
    error_in(
        directory.patch(group, {"op": "replace", "path": f'members[value eq "{two}"].display', "value": "x"}),
        400,
        "mutability",
    )


@pytest.mark.contract("Directory provisioning 16")
def test_adding_a_member_to_thousands_writes_one_row(directory: Directory) -> None:
    group, one = directory.group(), directory.user()["id"]
    directory.api.sql(
        """with made as (insert into actors (actor_id, kind, name, created_at)
                         select gen_random_uuid(), 'person', 'p' || nr, now() from generate_series(1, 3000) nr
                         returning actor_id)
           insert into people (person_id) select actor_id from made""",
    )
    add = """insert into memberships (actor_id, organization_id, role, created_at)
             select actor_id, $1, 'member', now() from actors a where kind = 'person' and name ~ '^p[0-9]+$'
             and not exists (select from memberships m where m.actor_id = a.actor_id)"""
    directory.api.sql(add, directory.api.organization_id)
    directory.api.sql(
        """insert into group_members (group_id, organization_id, actor_id)
           select $1, organization_id, user_id from directory_users where organization_id = $2 and user_id <> $3
           and not provisioned""",
        group["id"],
        directory.api.organization_id,
        one,
    )
    rows = "select xmin::text, actor_id::text from group_members where group_id = $1"
    before = {tuple(each) for each in directory.api.sql(rows, group["id"])}
    directory.patch_and_read(group, {"op": "add", "path": "members", "value": [{"value": one}]})
    after = {tuple(each) for each in directory.api.sql(rows, group["id"])}
    assert before < after
    assert {each for _, each in after - before} == {one}
    assert len(directory.members(group)) == len(after) > 3000


@pytest.mark.contract("Directory provisioning 16")
def test_two_hundred_concurrent_patches_lose_no_member(directory: Directory) -> None:
    operations = [
        {"method": "POST", "path": "/Users", "bulkId": str(nr), "data": {"userName": f"user{nr}"}}
        for nr in range(AT_ONCE)
    ]
    made = directory.client.post("/Bulk", json={"Operations": operations}).json()["Operations"]
    ids = [each["location"].rpartition("/")[2] for each in made]
    group = directory.group()

    async def add_all() -> list[int]:
        limits = httpx.Limits(max_connections=50)
        async with httpx.AsyncClient(
            base_url=directory.client.base_url, headers=directory.client.headers, limits=limits, timeout=120
        ) as client:
            answers = await asyncio.gather(
                *(
                    client.patch(
                        f"/Groups/{group['id']}",
                        json={"Operations": [{"op": "Add", "path": "members", "value": [{"value": each}]}]},
                    )
                    for each in ids
                )
            )
        return [answer.status_code for answer in answers]

    assert set(asyncio.run(add_all())) == {204}
    assert directory.members(group) == set(ids)
    assert directory.read(group)["meta"]["version"] == f'W/"{AT_ONCE + 1}"'


def test_concurrent_bulks_of_a_group_and_a_user_do_not_deadlock(directory: Directory) -> None:
    users = [directory.user()["id"] for _ in range(8)]
    group = directory.group()

    def put(user: str) -> list[str]:
        join = [{"op": "add", "path": "members", "value": [{"value": user}]}]
        title = [{"op": "replace", "path": "title", "value": "Captain"}]
        operations = [
            {"method": "PATCH", "path": f"/Groups/{group['id']}", "data": {"Operations": join}},
            {"method": "PATCH", "path": f"/Users/{user}", "data": {"Operations": title}},
        ]
        answer = directory.client.post("/Bulk", json={"Operations": operations})
        assert answer.status_code == 200, answer.text
        return [each["status"] for each in answer.json()["Operations"]]

    with ThreadPoolExecutor(8) as together:
        assert list(together.map(put, users)) == [["200", "200"]] * 8
    assert directory.members(group) == set(users)

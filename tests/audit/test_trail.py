"""The audit log has one entry for each change, with the names of that time and no secrets."""

import asyncio
import csv
import io
import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.audit import queries
from atrium.audit.trail import changed_fields
from atrium.kit.clock import utc_now
from tests.audit.entries import (
    ELSEWHERE,
    EXAMPLES_OF_TEXT,
    ON_ITS_WAY,
    READ_BY_POST,
    SAME_AS_BEFORE,
    entries,
    request_entries,
)
from tests.conftest import Api
from tests.contract.tour import assert_problem, handler_name, populate, tour

SECRETS = re.compile(r"atr[opsh]_[0-9A-Za-z]{36}|whsec_|\"t\"")


@pytest.mark.contract("Audit log 1")
def test_each_change_leaves_exactly_one_entry_without_secrets(api: Api) -> None:
    world = populate(api)
    for route in tour():
        if route.method == "GET" or handler_name(route) == "create_set_up":  # needs an empty server: tests/bootstrap
            continue
        body = None if route.body is None else world.body(route)
        before = len(request_entries(api))
        answer = world.ask(route, **({} if body is None else {"json": body}))
        assert answer.status_code == route.status, (handler_name(route), answer.text)
        found = request_entries(api)
        added = found[: len(found) - before]
        without = EXAMPLES_OF_TEXT | ELSEWHERE | READ_BY_POST | ON_ITS_WAY | SAME_AS_BEFORE
        assert len(added) == (0 if handler_name(route) in without else 1), (
            handler_name(route),
            added,
        )
        assert all(entry["request_id"] == answer.headers["x-request-id"] for entry in added)
        assert not SECRETS.search(json.dumps(added)), handler_name(route)
        for shown in secrets_in(answer):
            assert shown not in json.dumps(added)


def secrets_in(answer: httpx.Response) -> list[str]:
    fields = answer.json() if answer.content and "json" in answer.headers["content-type"] else {}
    return [str(fields[name]) for name in ("key", "secret", "token") if fields.get(name)]


@pytest.mark.contract("Audit log 3")
def test_an_entry_has_its_actor_action_and_origin(api: Api) -> None:
    key_id = api.person.get(f"{api.organization}/api-keys").json()["api_keys"][0]["api_key_id"]
    made = api.integration.post(f"{api.organization}/spaces", json={"content": {"name": "Lab"}})
    entry = entries(api)[0]
    assert entry["action"] == "space.created"
    assert (entry["actor"]["type"], entry["actor"]["name"]) == ("integration", "First integration")
    assert entry["target"] == {"type": "space", "id": made.json()["space"]["space_id"], "name": "Lab"}
    assert (entry["before"], entry["after"]["name"]) == (None, "Lab")
    assert (entry["api_key_id"], entry["address"]) == (key_id, "127.0.0.1")
    assert entry["request_id"] == made.headers["x-request-id"]


@pytest.mark.contract("Audit log 3")
def test_a_change_shows_the_fields_that_changed_and_no_others(api: Api) -> None:
    api.person.patch(f"/v2/rooms/{api.room_id}", json={"name": "plans"})
    assert (entries(api)[0]["before"], entries(api)[0]["after"]) == ({"name": "general"}, {"name": "plans"})
    api.person.patch(f"/v2/rooms/{api.room_id}", json={"name": "plans"})
    assert (entries(api)[0]["before"], entries(api)[0]["after"]) == ({}, {})


@pytest.mark.contract("Audit log 1")
def test_an_entry_keeps_the_names_of_its_time(api: Api) -> None:
    [key] = api.person.get(f"{api.organization}/api-keys").json()["api_keys"]
    api.integration.patch(f"/v1/spaces/{api.space_id}", json={"content": {"description": "x"}})
    api.person.patch(f"{api.organization}/api-keys/{key['api_key_id']}", json={"content": {"name": "Renamed"}})
    api.integration.patch(f"/v1/spaces/{api.space_id}", json={"content": {"description": "y"}})
    names = [entry["actor"]["name"] for entry in entries(api, action="space.updated")]
    assert names == ["Renamed", "First integration"]


def test_accepting_an_invitation_is_recorded_under_the_new_members_name_without_a_key(api: Api) -> None:
    person_id, _ = api.new_person("reader", email="ada@example.org")
    accepted = entries(api, action="invitation.accepted")[0]
    assert accepted["actor"] == {"type": "person", "id": person_id, "name": "ada"}
    assert (accepted["api_key_id"], accepted["after"]["role"]) == (None, "reader")


def test_a_rolled_back_or_repeated_request_leaves_no_entry(api: Api) -> None:
    before = len(entries(api))
    bad = {"content": {"name": "Bot", "spaces": [{"space_id": api.room_id, "role": "member"}]}}
    assert_problem(api.person.post(f"{api.organization}/api-keys", json=bad), 404)
    assert len(entries(api)) == before
    for _ in range(3):
        made = api.person.post(
            f"{api.organization}/spaces", json={"content": {"name": "Once"}}, headers={"idempotency-key": "k"}
        )
        assert made.status_code == 201
    assert len(entries(api)) == before + 1


@pytest.mark.contract("Audit log 2")
def test_what_auditors_look_for_has_an_action_of_its_own(api: Api) -> None:
    person_id, _ = api.new_person("member")
    room = f"/v2/rooms/{api.new_room()['room_id']}"
    for change in ({"role": "reader"}, {"active": False}, {"active": True, "role": "member"}):
        assert api.person.patch(f"{api.organization}/members/{person_id}", json={"content": change}).status_code == 200
    for change in ({"archived": True}, {"archived": False, "name": "again"}, {"name": "x"}):
        assert api.person.patch(room, json=change).status_code == 200
    assert [entry["action"] for entry in entries(api)[:6]] == [
        "room.updated",
        "room.unarchived",
        "room.archived",
        "member.reactivated",
        "member.deactivated",
        "member.role_changed",
    ]


@pytest.mark.contract("Audit log 7")
def test_the_list_is_filtered_by_action_actor_target_key_and_time(api: Api) -> None:
    room = api.new_room()
    api.integration.patch(f"/v2/rooms/{room['room_id']}", json={"name": "x"})
    assert {entry["action"] for entry in entries(api, action="room")} == {"room.created", "room.updated"}
    assert {entry["action"] for entry in entries(api, action="room.updated")} == {"room.updated"}
    assert {entry["actor"]["id"] for entry in entries(api, actor_id=api.person_id)} == {api.person_id}
    assert {entry["target"]["id"] for entry in entries(api, target_id=room["room_id"])} == {room["room_id"]}
    newest = entries(api)[0]
    assert {entry["api_key_id"] for entry in entries(api, api_key_id=newest["api_key_id"])} == {newest["api_key_id"]}
    assert entries(api, since=newest["at"])[0] == newest
    assert newest not in entries(api, until=newest["at"])
    for name in ("since", "until", "actor_id", "target_id"):
        answer = api.person.get(f"{api.organization}/audit-log", params={name: "never"})
        assert assert_problem(answer, 400)["errors"][0]["parameter"] == name


def test_pages_contain_each_entry_once_newest_first(api: Api) -> None:
    for nr in range(5):
        api.new_room(name=f"r{nr}")
    found, cursor = [], None
    while True:
        query = {"limit": "2", "action": "room.created"} | ({"cursor": cursor} if cursor else {})
        page = api.person.get(f"{api.organization}/audit-log", params=query).json()
        found += page["entries"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert [entry["target"]["name"] for entry in found] == ["r4", "r3", "r2", "r1", "r0"]
    assert found == entries(api, action="room.created")


@pytest.mark.contract("Audit log 7")
def test_the_export_is_the_complete_list_with_one_entry_per_line(api: Api) -> None:
    populate(api)
    answer = api.person.get(f"{api.organization}/audit-log/export", params={"action": "member"})
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert [json.loads(line) for line in answer.text.splitlines()] == entries(api, action="member")
    whole = api.person.get(f"{api.organization}/audit-log/export").text.splitlines()
    assert [json.loads(line) for line in whole] == entries(api)


@pytest.mark.contract("Audit log 7")
def test_the_export_as_csv_has_the_same_entries_and_no_formulas(api: Api) -> None:
    api.new_room(name="=1+1")
    path = f"{api.organization}/audit-log/export"
    answer = api.person.get(path, params={"action": "room", "format": "csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.content.startswith(b"\xef\xbb\xbfat,actor_type,")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))
    shown = entries(api, action="room")
    assert [row["entry_id"] for row in rows] == [entry["entry_id"] for entry in shown]
    assert json.loads(rows[0]["after"]) == shown[0]["after"]
    assert (rows[0]["target_name"], shown[0]["target"]["name"]) == ("'=1+1", "=1+1")
    by_header = api.person.get(path, params={"action": "room"}, headers={"accept": "text/csv"})
    assert by_header.content == answer.content
    both = api.person.get(path, params={"action": "room", "format": "jsonl"}, headers={"accept": "text/csv"})
    assert both.headers["content-type"] == "application/x-ndjson"
    assert assert_problem(api.person.get(path, params={"format": "xml"}), 400)["errors"][0]["parameter"] == "format"


def test_an_export_of_many_entries_is_complete(api: Api) -> None:
    statement = """
        insert into audit_entries (organization_id, entry_id, at, actor_kind, actor_name, action, target_kind)
        select $1, id_at(((extract(epoch from now()) * 1000)::bigint - nr) << 12), now(), 'system', 'x', 'many.made', 'x'
        from generate_series(1, 2500) nr"""
    api.sql(statement, UUID(api.organization_id))
    lines = api.person.get(f"{api.organization}/audit-log/export", params={"action": "many"}).text.splitlines()
    assert len({json.loads(line)["entry_id"] for line in lines}) == 2500
    table = api.person.get(f"{api.organization}/audit-log/export", params={"action": "many", "format": "csv"}).text
    assert len(table.splitlines()) == 2501


@pytest.mark.contract("Audit log 7")
def test_readers_see_the_audit_log_and_members_do_not(api: Api, outsider: Api) -> None:
    for role, status in (("reader", 200), ("member", 403), ("guest", 403)):
        client = api.client(api.new_person(role)[1])
        for path in ("/audit-log", "/audit-log/export"):
            assert client.get(api.organization + path).status_code == status
    assert_problem(outsider.person.get(f"{api.organization}/audit-log"), 404)
    other = [entry["target"]["id"] for entry in entries(outsider)]
    assert not {entry["target"]["id"] for entry in entries(api)} & set(other)


@pytest.mark.contract("Audit log 5")
def test_a_denied_attempt_is_recorded_once_per_minute(api: Api) -> None:
    person_id, key = api.new_person("member")
    client = api.client(key)
    for _ in range(5):
        assert_problem(client.post(f"{api.organization}/spaces", json={"content": {"name": "x"}}), 403)
    assert_problem(client.get(f"{api.organization}/webhooks"), 403)
    refused = entries(api, action="request.refused")
    assert [entry["actor"]["id"] for entry in refused] == [person_id] * 2
    assert [entry["after"]["path"] for entry in refused] == [
        "/v1/organizations/{organization_id}/webhooks",
        "/v1/organizations/{organization_id}/spaces",
    ]
    assert refused[0]["after"]["code"] == "forbidden"


@pytest.mark.contract("Audit log 5")
def test_use_of_a_revoked_key_is_recorded_and_use_of_an_unknown_key_is_not(api: Api, outsider: Api) -> None:
    made = api.new_integration()
    api.person.delete(f"{api.organization}/api-keys/{made['api_key']['api_key_id']}")
    client = api.client(made["key"])
    assert_problem(client.get(api.organization), 401)
    assert_problem(client.get(api.messages), 401)
    refused = entries(api, action="request.refused")
    assert {(entry["actor"]["name"], entry["after"]["status"]) for entry in refused} == {("Another", 401)}
    assert len(refused) == 2
    assert_problem(outsider.person.get(api.organization), 404)
    assert_problem(api.client("atro_" + "0" * 36).get(api.organization), 401)
    assert entries(api, action="request.refused") == refused


@pytest.mark.contract("Audit log 5")
def test_a_thousand_attempts_do_not_leave_a_thousand_entries(api: Api) -> None:
    """Sequential, concurrent or different requests leave few entries."""
    made = api.new_integration()
    api.person.delete(f"{api.organization}/api-keys/{made['api_key']['api_key_id']}")
    paths = [api.messages] * 10 + [f"/v2/rooms/{uuid4()}/messages" for _ in range(30)]
    with ThreadPoolExecutor(10) as crowd:
        answers = list(crowd.map(api.client(made["key"]).get, paths))
    assert {answer.status_code for answer in answers} == {401}
    [entry] = entries(api, action="request.refused")
    assert (entry["actor"]["name"], entry["after"]["path"]) == ("Another", "/v2/rooms/{room_id}/messages")


@pytest.mark.contract("Audit log 6")
def test_no_code_updates_the_audit_log(api: Api) -> None:
    before = entries(api)
    for statement in (
        "update audit_entries set actor_name = 'someone else'",
        "delete from audit_entries",
        "truncate audit_entries",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append-only"):
            api.sql(statement)
    assert entries(api) == before


@pytest.mark.contract("Audit log 6")
def test_only_entries_past_their_retention_are_deleted(api: Api) -> None:
    async def forget() -> None:
        db = await asyncpg.connect(api.settings.database_url)
        open_transaction = db.transaction()
        await open_transaction.start()
        await db.execute("set local session_replication_role = replica")
        oldest = "select entry_id from audit_entries where organization_id = $1 order by entry_id limit 1"
        entry_id = await db.fetchval(oldest, UUID(api.organization_id))
        old = utc_now() - timedelta(days=500)
        await db.execute("update audit_entries set at = $2 where entry_id = $1", entry_id, old)
        await db.execute("set local session_replication_role = origin")
        assert await db.fetchval(queries.DELETE_OLD, utc_now() - timedelta(days=400)) == 1
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await db.execute("delete from audit_entries")
        await open_transaction.rollback()
        await db.close()

    api.new_room()
    asyncio.run(forget())


def test_the_first_entry_of_an_organization_is_its_creation(api: Api) -> None:
    first = entries(api)[-1]
    assert (first["action"], first["actor"]["type"]) == ("organization.created", "system")
    assert first["after"]["super_admin"]["person_id"] == api.person_id


FIELDS = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 2))


@given(FIELDS, FIELDS)
def test_each_difference_has_an_old_and_a_new_value(before: dict[str, int], after: dict[str, int]) -> None:
    old, new = changed_fields(before, after)
    assert old is not None
    assert new is not None
    assert old.keys() == new.keys()
    assert {**before, **{name: value for name, value in new.items() if value is not None}} == {**before, **after}
    assert all(old[name] != new[name] for name in old)

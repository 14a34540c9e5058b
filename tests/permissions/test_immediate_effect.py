"""A key that stops, stops: every request that starts after a change was acknowledged obeys it, on every process."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import pytest

from atrium.kit.clock import parse_time, rfc3339, utc_now
from tests.conftest import Api
from tests.messages.concurrent import callers

CALLERS = 20
BEFORE, AFTER = 2, 3  # requests of each caller before the change, and after it
Request = tuple[str, str]


@dataclass(frozen=True)
class Case:
    """A key, a change made while it is used, and the statuses of its requests before and after."""

    key: str
    change: Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]
    after: dict[Request, int]


async def _stops(api: Api, case: Case) -> None:
    changed, answered = asyncio.Event(), [0] * CALLERS

    async def call(number: int, client: httpx.AsyncClient) -> list[tuple[Request, bool, httpx.Response]]:
        requests, got, late = list(case.after), [], 0
        while late < AFTER * len(requests):
            method, path = request = requests[(number + len(got)) % len(requests)]
            started_after = changed.is_set()
            body = {"json": {"text": "m"}} if method == "POST" else {}
            got.append((request, started_after, await client.request(method, path, **body)))
            answered[number] += 1
            late += started_after
        return got

    async def change(client: httpx.AsyncClient) -> None:
        while min(answered) < BEFORE:
            await asyncio.sleep(0.01)
        done = await case.change(client)
        changed.set()
        assert done.is_success, done.text

    async with callers(api, CALLERS, key=case.key) as clients, callers(api, 1) as admins:
        _, *all_got = await asyncio.gather(change(admins[0]), *(call(n, each) for n, each in enumerate(clients)))
    early = {(request, r.status_code) for got in all_got for request, _, r in got[:BEFORE]}
    assert early <= {(request, 201 if request[0] == "POST" else 200) for request in case.after}, "it worked before"
    late = {(request, r.status_code) for got in all_got for request, late, r in got if late}
    assert late == set(case.after.items())


def _everything(api: Api, root_id: str, *, page: int, send: int, more: dict[Request, int]) -> dict[Request, int]:
    thread = f"/v2/rooms/{api.room_id}/threads/{root_id}/messages"
    reads = {("GET", path): page for path in (api.messages, thread, f"/v2/rooms/{api.room_id}")}
    return {**reads, ("POST", api.messages): send, **more}


def _own_key(api: Api) -> tuple[str, str]:
    made = api.person.post("/v1/me/integrations", json={"content": {"name": "another"}}).json()
    return made["key"], made["api_key"]["api_key_id"]


def _request(method: str, path: str, body: Any = None) -> Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]:
    return lambda client: client.request(method, path, json=body)


@pytest.mark.contract("API key 8")
@pytest.mark.parametrize("what", ["rotate", "revoke"])
def test_a_personal_key_rotated_or_revoked_stops_immediately(api: Api, what: str) -> None:
    key, key_id = _own_key(api)
    own = f"/v1/me/integrations/{key_id}"
    change = _request("POST", f"{own}/rotate") if what == "rotate" else _request("DELETE", own)
    more = {("GET", "/v1/me/profile"): 401, ("GET", api.organization): 401}
    after = _everything(api, api.send()["message_id"], page=401, send=401, more=more)
    asyncio.run(_stops(api, Case(key, change, after)))


@pytest.mark.contract("API key 8")
@pytest.mark.parametrize("what", ["rotate", "revoke"])
def test_an_organization_key_rotated_or_revoked_stops_immediately(api: Api, what: str) -> None:
    made = api.new_integration([{"space_id": api.space_id, "role": "member"}])
    path = f"{api.organization}/api-keys/{made['api_key']['api_key_id']}"
    change = _request("POST", f"{path}/rotate") if what == "rotate" else _request("DELETE", path)
    after = _everything(api, api.send()["message_id"], page=401, send=401, more={("GET", api.organization): 401})
    asyncio.run(_stops(api, Case(made["key"], change, after)))


@pytest.mark.contract("Authentication 5")
def test_the_key_that_replaces_a_rotated_key_works_immediately(api: Api) -> None:
    key, key_id = _own_key(api)
    rotated = api.person.post(f"/v1/me/integrations/{key_id}/rotate").json()
    assert rotated["key"] != key
    assert api.client(rotated["key"]).get(api.messages).status_code == 200
    assert api.client(key).get(api.messages).status_code == 401


def test_spaces_removed_from_an_integration_are_unreachable_immediately(api: Api) -> None:
    made = api.new_integration([{"space_id": api.space_id, "role": "member"}])
    path = f"{api.organization}/api-keys/{made['api_key']['api_key_id']}"
    after = _everything(api, api.send()["message_id"], page=404, send=404, more={("GET", api.organization): 200})
    asyncio.run(_stops(api, Case(made["key"], _request("PATCH", path, {"content": {"spaces": []}}), after)))


def test_a_revoked_space_role_stops_working_immediately(api: Api) -> None:
    guest, key = api.new_person("guest")
    member = f"/v1/spaces/{api.space_id}/members/{guest}"
    assert api.person.put(member, json={"content": {"role": "member"}}).status_code == 200
    more = {("GET", f"/v1/spaces/{api.space_id}"): 404, ("GET", "/v1/me/profile"): 200}
    after = _everything(api, api.send()["message_id"], page=404, send=404, more=more)
    asyncio.run(_stops(api, Case(key, _request("DELETE", member), after)))


@pytest.mark.contract("Roles and keys 29")
def test_a_space_role_lowered_to_reader_can_read_and_no_longer_send(api: Api) -> None:
    guest, key = api.new_person("guest")
    member = f"/v1/spaces/{api.space_id}/members/{guest}"
    assert api.person.put(member, json={"content": {"role": "member"}}).status_code == 200
    after = _everything(api, api.send()["message_id"], page=200, send=403, more={})
    asyncio.run(_stops(api, Case(key, _request("PUT", member, {"content": {"role": "reader"}}), after)))


@pytest.mark.contract("Roles and keys 29")
def test_an_admin_lowered_to_member_loses_administration(api: Api) -> None:
    admin, key = api.new_person("admin")
    hidden = api.new_space("private")
    room = api.new_room(hidden)["room_id"]
    after = {
        ("GET", f"{api.organization}/api-keys"): 403,
        ("GET", f"{api.organization}/members"): 403,
        ("GET", f"/v1/spaces/{hidden}"): 404,
        ("GET", f"/v2/rooms/{room}/messages"): 404,
        ("POST", f"/v2/rooms/{room}/messages"): 404,
        ("GET", api.messages): 200,
    }
    lower = _request("PATCH", f"{api.organization}/members/{admin}", {"content": {"role": "member"}})
    asyncio.run(_stops(api, Case(key, lower, after)))


def test_a_member_lowered_to_guest_loses_the_open_spaces(api: Api) -> None:
    person, key = api.new_person("member")
    after = _everything(api, api.send()["message_id"], page=404, send=404, more={("GET", api.organization): 200})
    lower = _request("PATCH", f"{api.organization}/members/{person}", {"content": {"role": "guest"}})
    asyncio.run(_stops(api, Case(key, lower, after)))


@pytest.mark.contract("API key 5")
@pytest.mark.parametrize("how", ["deactivated", "removed"])
def test_the_keys_of_a_deactivated_account_stop_immediately(api: Api, how: str) -> None:
    person, key = api.new_person("member")
    path = f"{api.organization}/members/{person}"
    change = _request("DELETE", path) if how == "removed" else _request("PATCH", path, {"content": {"active": False}})
    more = {("GET", "/v1/me/profile"): 401, ("GET", api.organization): 401}
    after = _everything(api, api.send()["message_id"], page=401, send=401, more=more)
    asyncio.run(_stops(api, Case(key, change, after)))


def test_an_archived_room_can_be_read_and_not_written(api: Api) -> None:
    after = _everything(api, api.send()["message_id"], page=200, send=409, more={})
    archive = _request("PATCH", f"/v2/rooms/{api.room_id}", {"archived": True})
    asyncio.run(_stops(api, Case(api.organization_key, archive, after)))


@pytest.mark.parametrize("what", ["room", "space"])
def test_a_deleted_room_or_space_is_unreachable_immediately(api: Api, what: str) -> None:
    space = api.new_space()
    room = api.new_room(space)["room_id"]
    path = f"/v2/rooms/{room}/messages"
    delete = _request("DELETE", f"/v2/rooms/{room}" if what == "room" else f"/v1/spaces/{space}")
    after = {("GET", path): 404, ("POST", path): 404, ("GET", f"/v2/rooms/{room}"): 404}
    asyncio.run(_stops(api, Case(api.new_person("admin")[1], delete, after)))


@pytest.mark.contract("Roles and keys 28")
def test_a_key_ends_at_the_moment_it_expires(api: Api) -> None:
    """The servers use the same clock as this test: every request that starts after that moment is rejected."""
    expires_at = rfc3339(utc_now() + timedelta(seconds=1.5))
    content = {"name": "short", "expires_at": expires_at}
    made = api.person.post("/v1/me/integrations", json={"content": content})
    assert made.status_code == 201, made.text
    moment, key = parse_time(expires_at), made.json()["key"]

    async def call(client: httpx.AsyncClient) -> list[tuple[bool, bool, int]]:
        got = []
        while sum(late for late, _, _ in got) < 3:
            late = utc_now() >= moment
            answers = [await client.get(api.messages), await client.get("/v1/me/profile")]
            answers.append(await client.post(api.messages, json={"text": "m"}))
            early = utc_now() < moment
            got += [(late, early, answer.status_code) for answer in answers]
        return got

    async def example() -> list[list[tuple[bool, bool, int]]]:
        async with callers(api, 20, key=key) as clients:
            return await asyncio.gather(*map(call, clients))

    got = [each for calls in asyncio.run(example()) for each in calls]
    assert {status for late, _, status in got if late} == {401}
    assert {status for _, early, status in got if early} <= {200, 201}
    assert any(early for _, early, _ in got)

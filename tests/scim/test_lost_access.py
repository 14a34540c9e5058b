"""Access lost through groups, directories or signing out ends immediately in streams, search and unread counts."""

import asyncio

import httpx

from tests.conftest import Api
from tests.live.client import listen, streams
from tests.live.rooms import private_room, run, say_in
from tests.scim.conftest import Directory
from tests.search.harness import wait_until_indexed
from tests.sessions.visitor import visitor


def count_results(api: Api, client: httpx.Client, word: str) -> int:
    return len(client.get(f"/v2/organizations/{api.organization_id}/search", params={"q": word}).json()["results"])


def unread(api: Api, client: httpx.Client, room_id: str) -> int:
    rooms = client.get(f"/v2/organizations/{api.organization_id}/unread").json()["rooms"]
    return sum(room["unread_count"] for room in rooms if room["room_id"] == room_id)


def test_access_lost_through_a_group_ends_in_streams_search_and_unread_counts(directory: Directory) -> None:
    api = directory.api
    space, room = private_room(api)
    person_id, key = api.new_person()
    client, group = api.client(key), directory.group(members=[person_id])
    say_in(api, room, "earlier zebra")

    async def act() -> None:
        async with streams(listen(api.url, key)) as [stream]:
            role = f"/v1/spaces/{space}/groups/{group['id']}"
            await asyncio.to_thread(api.person.put, role, json={"content": {"role": "reader"}})
            assert unread(api, client, room) == 0, "what was there when the group came counts as read"
            await asyncio.to_thread(say_in, api, room, "zebra")
            await stream.until("message.sent", text="zebra")
            wait_until_indexed(api)
            assert (count_results(api, client, "zebra"), unread(api, client, room)) == (2, 1)
            left = {"op": "remove", "path": f'members[value eq "{person_id}"]'}
            await asyncio.to_thread(directory.patch_and_read, group, left)
            assert (count_results(api, client, "zebra"), unread(api, client, room)) == (0, 0)
            await asyncio.to_thread(say_in, api, room, "unheard")
            await asyncio.to_thread(api.send, "heard")
            await stream.until("message.sent", text="heard")
            assert stream.texts() == ["zebra", "heard"]

    run(act())


def test_a_session_streams_with_its_cookie_until_sign_out(api: Api) -> None:
    browser = visitor(api).signed_in_client()

    async def act() -> None:
        async with streams(listen(api.url, browser.cookies["atrium_session"])) as [stream]:
            await asyncio.to_thread(api.send, "hello")
            await stream.until("message.sent", text="hello")
            assert (await asyncio.to_thread(browser.delete, "/v1/sessions/current")).status_code == 204
            await stream.until_ended()

    run(act())


def test_a_deactivated_user_receives_no_more_events(directory: Directory) -> None:
    api, guest = directory.api, visitor(directory.api)
    browser = guest.signed_in_client()

    async def act() -> None:
        async with streams(listen(api.url, browser.cookies["atrium_session"])) as [stream]:
            user = {"id": guest.person_id, "meta": {"resourceType": "User"}}
            await asyncio.to_thread(directory.patch_and_read, user, {"op": "Replace", "value": {"active": "False"}})
            await stream.until_ended()
            for _ in range(4):
                assert browser.get("/v1/me/profile").status_code == 401

    run(act())


def test_a_read_marker_is_sent_only_to_the_persons_own_streams(api: Api) -> None:
    _, key = api.new_person()
    message_id = api.send("read me")["message_id"]

    async def act() -> None:
        async with streams(listen(api.url, key), listen(api.url, api.personal_key)) as (own, other):
            marker = f"/v2/rooms/{api.room_id}/read-marker"
            put = await asyncio.to_thread(api.client(key).put, marker, json={"message_id": message_id})
            assert put.status_code == 200
            moved = await own.until("read_marker.moved", message_id=message_id)
            assert moved.data["room_id"] == api.room_id
            await asyncio.to_thread(api.send, "afterwards")
            await other.until("message.sent", text="afterwards")
            assert "read_marker.moved" not in other.kinds()

    run(act())

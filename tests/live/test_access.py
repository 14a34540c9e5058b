"""A stream sends the events that its caller can access at that time, and ends when its key does."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from atrium.kit.clock import rfc3339
from atrium.server.app import create_app
from tests.conftest import Api, FakeClock, new_organization, own_postgres
from tests.live.client import LocalStream, Stream, listen, streams
from tests.live.rooms import private_room, run, say_in
from tests.messages.concurrent import callers

Act = Callable[[Api, str], Any]


@pytest.mark.contract("Live events 4")
def test_people_without_access_receive_no_events_of_a_private_space(api: Api, outsider: Api) -> None:
    space, room = private_room(api)
    _, member = api.new_person()
    granted = api.new_integration([{"space_id": space, "role": "reader"}])["key"]

    async def act() -> None:
        keys = (outsider.personal_key, member, granted, api.personal_key)
        async with streams(*(listen(api.url, key) for key in keys)) as (out, inside, reader, admin):
            await asyncio.to_thread(say_in, api, room, "secret")
            await asyncio.to_thread(api.send, "open")
            await asyncio.to_thread(outsider.send, "elsewhere")
            await admin.until("message.sent", text="open")
            await inside.until("message.sent", text="open")
            await reader.until("message.sent", text="secret")
            await out.until("message.sent", text="elsewhere")
            assert out.texts() == ["elsewhere"]
            assert inside.texts() == ["open"]
            assert reader.texts() == ["secret"]
            assert admin.texts() == ["secret", "open"]

    run(act())


def _ungrant(api: Api, person_id: str, space: str) -> Any:
    return api.person.delete(f"/v1/spaces/{space}/members/{person_id}")


def _close(api: Api, _person_id: str, space: str) -> Any:
    content = {"content": {"visibility": "private"}}
    return api.person.patch(f"/v1/spaces/{space}", json=content)


def _delete(api: Api, _person_id: str, space: str) -> Any:
    return api.person.delete(f"/v1/spaces/{space}")


def _demote(api: Api, person_id: str, _space: str) -> Any:
    return api.person.patch(f"{api.organization}/members/{person_id}", json={"content": {"role": "guest"}})


@pytest.mark.contract("Live events 4")
@pytest.mark.parametrize(
    ("visibility", "lose"),
    [("private", _ungrant), ("open", _close), ("open", _delete), ("open", _demote)],
    ids=["grant-withdrawn", "space-closed", "space-deleted", "role-lowered"],
)
def test_a_stream_that_loses_a_space_receives_nothing_more_of_it_while_sends_continue(
    api: Api, visibility: str, lose: Callable[[Api, str, str], Any]
) -> None:
    space = api.new_space(visibility)
    room, private = api.new_room(space)["room_id"], private_room(api)
    person_id, key = api.new_person()
    grant = {"content": {"role": "member"}}
    for each in (private[0], *([space] if visibility == "private" else [])):
        api.person.put(f"/v1/spaces/{each}/members/{person_id}", json=grant)

    async def act() -> None:
        lost, after, before = asyncio.Event(), set[str](), 0

        async def send(client: Any) -> None:
            nonlocal before
            late = 0
            while late < 10:
                is_late = lost.is_set()
                sent = await client.post(f"/v2/rooms/{room}/messages", json={"text": "x"})
                if is_late and sent.status_code == 201:
                    after.add(sent.json()["message_id"])
                late, before = late + is_late, before + 1

        async def change(stream: Stream) -> None:
            while before < 30:
                await stream.read_some()
            answer = await asyncio.to_thread(lose, api, person_id, space)
            assert answer.is_success, answer.text
            lost.set()

        async with callers(api, 6) as clients, streams(listen(api.url, key)) as [stream]:
            await asyncio.gather(change(stream), *(send(client) for client in clients))
            await asyncio.to_thread(say_in, api, private[1], "still here")
            await stream.until("message.sent", text="still here")
            received = [event.data["message_id"] for event in stream.events if event.kind == "message.sent"]
            assert received[:-1], "it received events of the space before"
            assert not after & set(received)
            kinds = stream.kinds()
            assert kinds[kinds.index("access.changed") :].count("message.sent") == 1, "after the change, the last alone"

    run(act())


@pytest.mark.contract("Live events 4")
def test_a_stream_receives_a_newly_reached_space_from_its_first_message(api: Api) -> None:
    space, room = private_room(api)
    person_id, key = api.new_person()
    other = listen(api.url, api.new_person()[1])

    async def act() -> None:
        async with streams(listen(api.url, key), other) as [stream, neighbor]:
            for nr in range(10):
                grant = {"content": {"role": "reader"}}
                member = f"/v1/spaces/{space}/members/{person_id}"
                await asyncio.to_thread(api.person.put, member, json=grant)
                await asyncio.to_thread(say_in, api, room, f"in {nr}")
                await stream.until("message.sent", text=f"in {nr}")
                await asyncio.to_thread(api.person.delete, member)
                await asyncio.to_thread(say_in, api, room, f"out {nr}")
                # The earlier event is decided before later ones arrive; only then is access granted again.
                await asyncio.to_thread(api.send, f"end {nr}")
                await stream.until("message.sent", text=f"end {nr}")
            await neighbor.until("message.sent", text="end 9")
            assert stream.texts() == [text for nr in range(10) for text in (f"in {nr}", f"end {nr}")]
            assert neighbor.texts() == [f"end {nr}" for nr in range(10)]

    run(act())


def _own_key(api: Api) -> tuple[str, str]:
    made = api.person.post("/v1/me/integrations", json={"content": {"name": "another"}}).json()
    return made["key"], f"/v1/me/integrations/{made['api_key']['api_key_id']}"


def _revoke(api: Api) -> tuple[str, Callable[[], Any]]:
    key, path = _own_key(api)
    return key, lambda: api.person.delete(path)


def _rotate(api: Api) -> tuple[str, Callable[[], Any]]:
    key, path = _own_key(api)
    return key, lambda: api.person.post(f"{path}/rotate")


def _organization_key_revoked(api: Api) -> tuple[str, Callable[[], Any]]:
    made = api.new_integration([{"space_id": api.space_id, "role": "reader"}])
    path = f"{api.organization}/api-keys/{made['api_key']['api_key_id']}"
    return made["key"], lambda: api.person.delete(path)


def _deactivate(api: Api) -> tuple[str, Callable[[], Any]]:
    person_id, key = api.new_person()
    path = f"{api.organization}/members/{person_id}"
    return key, lambda: api.person.patch(path, json={"content": {"active": False}})


def _remove(api: Api) -> tuple[str, Callable[[], Any]]:
    person_id, key = api.new_person()
    return key, lambda: api.person.delete(f"{api.organization}/members/{person_id}")


@pytest.mark.contract("Live events 6")
@pytest.mark.parametrize("stopping", [_revoke, _rotate, _organization_key_revoked, _deactivate, _remove])
def test_a_stream_ends_with_its_key(api: Api, stopping: Callable[[Api], tuple[str, Callable[[], Any]]]) -> None:
    key, stop = stopping(api)

    async def act() -> None:
        async with streams(listen(api.url, key), listen(api.url, api.personal_key)) as [stream, other]:
            answer = await asyncio.to_thread(stop)
            assert answer.is_success, answer.text
            await asyncio.to_thread(api.send, "unheard")
            await stream.until_ended()
            assert stream.texts() == []
            await other.until("message.sent", text="unheard")
            assert (await listen(api.url, key)).status == 401

    run(act())


def test_another_use_of_a_key_ends_nothing(api: Api) -> None:
    key, _ = _own_key(api)

    async def act() -> None:
        async with streams(listen(api.url, key)) as [stream]:
            await asyncio.to_thread(api.sql, "update api_keys set last_used_at = now()")
            await asyncio.to_thread(api.send, "heard")
            await stream.until("message.sent", text="heard")

    run(act())


@pytest.mark.contract("Live events 6")
def test_a_stream_ends_when_its_key_expires() -> None:
    with own_postgres() as settings:
        api, clock = new_organization(settings, "http://atrium.test"), FakeClock(datetime.now(UTC))
        until = rfc3339(clock.at + timedelta(hours=1))
        api.sql("update api_keys set expires_at = $1::text::timestamptz where actor_id = $2", until, api.person_id)

        async def act() -> None:
            app = create_app(settings, clock)
            async with app.lifespan():
                stream, other = LocalStream(app, api.personal_key), LocalStream(app, api.organization_key)
                await stream.until("hello")
                await other.until("hello")
                clock.at += timedelta(minutes=59)
                publish = "select emit_to_actor('read_marker.moved', $1, null, null, null, '{}')"
                await asyncio.to_thread(api.sql, publish, api.person_id)
                await stream.until("read_marker.moved")
                clock.at += timedelta(minutes=1)
                await stream.until_ended()
                await other.close()

        asyncio.run(act())


def test_a_stream_can_be_of_one_room_or_one_organization(api: Api) -> None:
    room = api.new_room()["room_id"]
    queries = (f"?room_id={room}", f"?organization_id={api.organization_id}")

    async def act() -> None:
        async with streams(*(listen(api.url, api.personal_key, query=query) for query in queries)) as [one, all_]:
            await asyncio.to_thread(api.send, "elsewhere too")
            await asyncio.to_thread(say_in, api, room, "inside")
            for stream in (one, all_):
                await stream.until("message.sent", text="inside")
            assert one.texts() == ["inside"]
            assert all_.texts() == ["elsewhere too", "inside"]

    run(act())


def test_a_person_of_two_organizations_receives_events_of_the_requested_one(api: Api, outsider: Api) -> None:
    invited = outsider.person.post(
        f"{outsider.organization}/invitations", json={"content": {"email": f"{uuid4().hex}@example.org"}}
    ).json()
    accept = {"content": {"token": invited["token"], "name": "x"}}
    assert api.person.post("/v1/invitations/accept", json=accept).status_code == 201

    async def act() -> None:
        query = f"?organization_id={api.organization_id}"
        opening = listen(api.url, api.personal_key), listen(api.url, api.personal_key, query=query)
        async with streams(*opening) as [both, one]:
            await asyncio.to_thread(outsider.send, "there")
            await asyncio.to_thread(api.send, "here")
            for stream in (both, one):
                await stream.until("message.sent", text="here")
            assert both.texts() == ["there", "here"]
            assert one.texts() == ["here"]

    run(act())


@pytest.mark.parametrize("name", ["room_id", "organization_id"])
def test_unreachable_resources_cannot_be_streamed(api: Api, outsider: Api, name: str) -> None:
    missing = api.person.get("/v2/events", params={name: str(uuid4())})
    unreachable = api.person.get("/v2/events", params={name: getattr(outsider, name)})
    assert missing.status_code == unreachable.status_code == 404
    assert missing.json()["code"] == unreachable.json()["code"]
    assert api.person.get("/v2/events", params={name: "x"}).status_code == 400
    assert api.client(None).get("/v2/events", params={name: "x"}).status_code == 401

"""The events of a stream, one by one, with the payloads that the API returns."""

import asyncio

import httpx
import pytest

from tests.conftest import Api
from tests.live.client import Act, Json, ReceivedEvent, Stream, listen, receive, streams


def test_a_stream_begins_with_hello_and_its_position(api: Api) -> None:
    async def run() -> Stream:
        async with streams(listen(api.url, api.personal_key)) as [stream]:
            return stream

    stream = asyncio.run(run())
    assert stream.kinds() == ["hello"]
    assert stream.events[0].id


@pytest.mark.contract("Live events 8")
def test_a_stream_sends_only_events_after_its_start(api: Api) -> None:
    async def run() -> list[list[str]]:
        texts = []
        async with streams(*(listen(api.url, api.personal_key) for _ in range(8))):  # every process reads the log
            for nr in range(20):
                await asyncio.to_thread(api.send, "before")
                async with streams(listen(api.url, api.personal_key)) as [stream]:
                    await asyncio.to_thread(api.send, f"{nr}")
                    await stream.until("message.sent", text=f"{nr}")
                    texts.append(stream.texts())
        return texts

    assert asyncio.run(run()) == [[f"{nr}"] for nr in range(20)]


@pytest.mark.contract("Live events 1")
def test_the_event_of_a_message_has_the_message_as_the_api_returns_it(api: Api) -> None:
    answers: list[Json] = []
    event = receive(api, lambda: answers.append(api.send("hello")), "message.sent")
    assert event.data == answers[0]


def test_the_event_of_a_reply_names_its_thread(api: Api) -> None:
    root = api.send("root")["message_id"]
    event = receive(api, lambda: api.send("reply", parent_id=root), "message.sent", text="reply")
    assert event.data["thread_root_id"] == root


@pytest.mark.contract("Live events 1")
def test_an_edit_is_an_event(api: Api) -> None:
    message = f"{api.messages}/{api.send('befroe')['message_id']}"
    event = receive(api, lambda: api.person.patch(message, json={"text": "before"}), "message.edited")
    assert event.data == api.person.get(message).json()
    assert event.data["text"] == "before"


@pytest.mark.contract("Live events 1")
def test_a_deletion_is_an_event_with_the_tombstone(api: Api) -> None:
    message = f"{api.messages}/{api.send('gone')['message_id']}"
    event = receive(api, lambda: api.person.delete(message), "message.deleted")
    assert event.data == api.person.get(message).json()
    assert (event.data["status"], event.data["text"]) == ("DELETED", "")


@pytest.mark.contract("Live events 1")
def test_the_event_of_a_reaction_has_its_actor_and_emoji(api: Api) -> None:
    message = f"{api.messages}/{api.send('look')['message_id']}"
    event = receive(api, lambda: api.person.put(f"{message}/reactions/+1"), "reaction.added")
    assert (event.data["emoji"], event.data["user_id"]) == ("+1", api.person_id)
    assert event.data["message"] == api.person.get(message).json()
    event = receive(api, lambda: api.person.delete(f"{message}/reactions/+1"), "reaction.removed")
    assert event.data["message"]["reactions"] == []


def test_a_reaction_that_changes_nothing_is_no_event(api: Api) -> None:
    reaction = f"{api.messages}/{api.send('look')['message_id']}/reactions/+1"

    async def run() -> list[str]:
        async with streams(listen(api.url, api.organization_key)) as [stream]:
            for method in ("PUT", "PUT", "DELETE", "DELETE"):
                await asyncio.to_thread(api.person.request, method, reaction)
            await asyncio.to_thread(api.send, "end")
            await stream.until("message.sent")
            return stream.kinds()

    assert asyncio.run(run()) == ["hello", "reaction.added", "reaction.removed", "message.sent"]


@pytest.mark.contract("Live events 2")
def test_the_events_of_rooms_have_the_room_as_the_api_returns_it(api: Api) -> None:
    made: list[Json] = []
    event = receive(api, lambda: made.append(api.new_room(name="plans")), "room.created")
    assert event.data == made[0]
    room = f"/v2/rooms/{made[0]['room_id']}"
    event = receive(api, lambda: api.person.patch(room, json={"name": "ideas"}), "room.updated")
    assert event.data == api.person.get(room).json()
    event = receive(api, lambda: api.person.patch(room, json={"archived": True}), "room.archived")
    assert event.data == api.person.get(room).json()
    event = receive(api, lambda: api.person.patch(room, json={"archived": False}), "room.updated")
    assert event.data["archived_at"] is None
    event = receive(api, lambda: api.person.delete(room), "room.deleted")
    assert event.data == {"room_id": made[0]["room_id"], "space_id": api.space_id}


@pytest.mark.contract("Live events 2")
def test_the_events_of_a_space_are_sent_to_those_who_can_reach_it(api: Api) -> None:
    _, key = api.new_person()
    event = receive(api, api.new_space, "space.created", key)
    shown = api.person.get(f"/v1/spaces/{event.data['space_id']}").json()["space"]
    assert event.data.items() <= shown.items()
    change = {"content": {"name": "Lab"}}
    event = receive(api, lambda: api.person.patch(f"/v1/spaces/{api.space_id}", json=change), "space.updated")
    assert event.data["name"] == "Lab"


@pytest.mark.contract("Live events 2")
def test_changes_of_space_roles_are_events(api: Api) -> None:
    person_id, _ = api.new_person()
    member = f"/v1/spaces/{api.space_id}/members/{person_id}"

    def put(role: str) -> Act:
        return lambda: api.person.put(member, json={"content": {"role": role}})

    about = {"space_id": api.space_id, "actor_id": person_id}
    assert receive(api, put("reader"), "space_member.added").data == {**about, "granted": "reader"}
    assert receive(api, put("admin"), "space_member.updated").data == {**about, "granted": "admin"}
    assert receive(api, lambda: api.person.delete(member), "space_member.removed").data == {**about, "granted": None}


@pytest.mark.contract("Live events 2")
def test_a_membership_change_is_an_event_for_its_person(api: Api) -> None:
    person_id, key = api.new_person()
    change = {"content": {"role": "guest"}}
    member = f"{api.organization}/members/{person_id}"
    event = receive(api, lambda: api.person.patch(member, json=change), "access.changed", key)
    assert event.data == {"organization_id": api.organization_id}


@pytest.mark.contract("Live events 3")
def test_typing_is_an_event_at_most_every_three_seconds(api: Api) -> None:
    typing = f"/v2/rooms/{api.room_id}/typing"

    async def run() -> list[ReceivedEvent]:
        async with streams(listen(api.url, api.organization_key)) as [stream]:
            for _ in range(5):
                answer = await asyncio.to_thread(api.person.post, typing)
                assert answer.status_code == 204
            await asyncio.to_thread(api.send, "there")
            await stream.until("message.sent")
            return stream.events

    events = [event for event in asyncio.run(run()) if event.kind == "typing"]
    assert [event.data for event in events] == [{"room_id": api.room_id, "user_id": api.person_id}]


@pytest.mark.parametrize("archived", [True, False])
def test_typing_requires_the_permission_to_send(api: Api, outsider: Api, archived: bool) -> None:
    typing = f"/v2/rooms/{api.room_id}/typing"
    reader = api.new_integration([{"space_id": api.space_id, "role": "reader"}])["key"]
    api.person.patch(f"/v2/rooms/{api.room_id}", json={"archived": archived})
    assert outsider.person.post(typing).status_code == 404
    assert api.client(reader).post(typing).status_code == 403
    assert api.person.post(typing).status_code == (409 if archived else 204)


def test_an_import_of_messages_publishes_no_events(api: Api) -> None:
    """Messages that were not sent, such as imported ones, publish no event."""
    add = """
    insert into messages (room_id, message_id, user_id, sender_type, text, sent_at)
    values ($1, gen_random_uuid(), $2, 'person', 'old', now())
    """

    async def run() -> list[str]:
        async with streams(listen(api.url, api.personal_key)) as [stream]:
            await asyncio.to_thread(api.sql, add, api.room_id, api.person_id)
            await asyncio.to_thread(api.send, "new")
            await stream.until("message.sent")
            return stream.texts()

    assert asyncio.run(run()) == ["new"]


@pytest.mark.contract("Live events 3")
def test_personal_events_reach_only_the_streams_of_their_actor(api: Api) -> None:
    _, other = api.new_person()
    publish = "select emit_to_actor('read_marker.moved', $1, $2, $3, $4, $5)"
    marker = (api.person_id, api.organization_id, api.space_id, api.room_id, '{"room_id": "x"}')

    async def run() -> tuple[list[str], list[str]]:
        async with streams(listen(api.url, api.personal_key), listen(api.url, other)) as [his, others]:
            await asyncio.to_thread(api.sql, publish, *marker)
            await asyncio.to_thread(api.send, "end")
            assert (await his.until("read_marker.moved")).data == {"room_id": "x"}
            await his.until("message.sent")
            await others.until("message.sent")
            return his.kinds(), others.kinds()

    his, others = asyncio.run(run())
    assert his == ["hello", "read_marker.moved", "message.sent"]
    assert others == ["hello", "message.sent"]


def test_the_response_is_an_event_stream_that_is_not_cached(api: Api) -> None:
    with httpx.stream(
        "GET", f"{api.url}/v2/events", headers={"authorization": f"Bearer {api.personal_key}"}, timeout=60
    ) as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-request-id"]
        lines = answer.iter_lines()
        assert next(lines).startswith("retry: ")

"""Unread state compared with a simple model, for any sequence of actions of two people in rooms and threads."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atrium.unread.queries import RECORD
from tests.conftest import Api, RunningServer, new_organization
from tests.unread.model import Model, Sent, count_mentions

Json = dict[str, Any]


class Step(NamedTuple):
    """Something that one person does. `nr` chooses the message, and the room of a new one."""

    action: str
    person: int
    nr: int
    in_thread: bool
    mentions: bool


@dataclass
class People:
    """Two members of an organization, with their clients."""

    api: Api
    ids: list[str]
    clients: list[httpx.Client]

    def read(self, person: int, name: str) -> Json:
        answer = self.clients[person].get(f"/v2/organizations/{self.api.organization_id}/{name}", params={"limit": 200})
        assert answer.status_code == 200, answer.text
        page: Json = answer.json()
        return page


@pytest.fixture(scope="module")
def people(server: RunningServer) -> Iterator[People]:
    made = new_organization(server.settings, server.url)
    (ada, ada_key), (grace, grace_key) = made.new_person(), made.new_person()
    yield People(made, [ada, grace], [made.client(ada_key), made.client(grace_key)])
    made.close()


ACTIONS = ("send", "send", "send", "open", "mark", "mark_unread", "delete", "record")
STEPS = st.lists(
    st.builds(Step, st.sampled_from(ACTIONS), st.integers(0, 1), st.integers(0, 30), st.booleans(), st.booleans()),
    max_size=25,
)


@pytest.mark.contract("Search and unread state 18")
@settings(max_examples=25, deadline=None)
@given(steps=STEPS)
def test_the_counts_equal_those_of_a_simple_model(people: People, steps: list[Step]) -> None:
    rooms, model = [people.api.new_room()["room_id"] for _ in range(2)], Model()
    try:
        for step in steps:
            take(people, rooms, model, step)
            for person in (0, 1):
                assert counts_of(people.read(person, "unread"), rooms) == expected(model, rooms, person)
        for person in (0, 1):
            assert_lists(people, rooms, model, person)
    finally:
        for room in rooms:  # the next example's rooms have to be on the first page
            assert people.api.person.delete(f"/v2/rooms/{room}").status_code == 204


def assert_lists(people: People, rooms: list[str], model: Model, person: int) -> None:
    threads = [each for each in people.read(person, "threads")["threads"] if each["room_id"] in rooms]
    assert [each["root"]["message_id"] for each in threads] == model.threads(person)
    assert [each["unread_count"] for each in threads] == [
        len(model.of_thread(root, person)) for root in model.threads(person)
    ]
    mentions = [each["message"] for each in people.read(person, "mentions")["mentions"]]
    assert [each["message_id"] for each in mentions if each["room_id"] in rooms] == model.mentions(person)


def take(people: People, rooms: list[str], model: Model, step: Step) -> None:
    if step.action == "send":
        send(people, rooms, model, step)
    elif step.action == "record":
        people.api.sql(RECORD, 100, 1 + step.nr)
    elif model.sent:
        message = model.sent[step.nr % len(model.sent)]
        if step.action == "delete":
            delete(people, model, message)
        else:
            mark(people, model, step, message)


def send(people: People, rooms: list[str], model: Model, step: Step) -> None:
    parent = model.sent[step.nr % len(model.sent)] if step.in_thread and model.sent else None
    room = parent.room if parent else rooms[step.nr % len(rooms)]
    mentioned = {1 - step.person} if step.mentions else set[int]()
    text = "x" + "".join(f" <@{people.ids[each]}>" for each in mentioned)
    body = {"text": text, **({"parent_id": parent.message_id} if parent else {})}
    answer = people.clients[step.person].post(f"/v2/rooms/{room}/messages", json=body)
    assert answer.status_code == 201, answer.text
    root = (parent.root or parent.message_id) if parent else ""
    model.send(Sent(answer.json()["message_id"], room, step.person, root, mentioned))


def delete(people: People, model: Model, message: Sent) -> None:
    if not message.deleted:
        path = f"/v2/rooms/{message.room}/messages/{message.message_id}"
        assert people.clients[message.sender].delete(path).status_code == 204
        model.delete(message)


def mark(people: People, model: Model, step: Step, message: Sent) -> None:
    """Read a room or a thread up to a message, or up to its end if it is opened, or mark it as unread from there."""
    root = message.root or message.message_id
    if step.action == "open":
        message = [
            each
            for each in model.sent
            if (root in (each.root, each.message_id) if step.in_thread else each.room == message.room)
        ][-1]
    key, path = (root, f"/threads/{root}") if step.in_thread else (message.room, "")
    unread = step.action == "mark_unread"
    body = {"message_id": message.message_id, "unread": unread}
    answer = people.clients[step.person].put(f"/v2/rooms/{message.room}{path}/read-marker", json=body)
    assert answer.status_code == 200, answer.text
    model.mark(step.person, key, message, unread=unread)


def counts_of(page: Json, rooms: list[str]) -> tuple[Any, ...]:
    names = ("unread_count", "mention_count", "first_unread_message_id", "last_read_message_id", "capped")
    in_rooms = {each["room_id"]: tuple(each[name] for name in (*names, "last_message_id")) for each in page["rooms"]}
    in_threads = {
        each["thread_root_id"]: tuple(each[name] for name in names)
        for each in page["threads"]
        if each["room_id"] in rooms
    }
    return {room: in_rooms[room] for room in rooms if room in in_rooms}, in_threads


def expected(model: Model, rooms: list[str], person: int) -> tuple[Any, ...]:
    roots = {each.root for each in model.sent if each.root}
    of_rooms = {room: messages for room in rooms if (messages := model.of_room(room, person))}
    of_threads = {root: messages for root in roots if (messages := model.of_thread(root, person))}
    return (
        {room: (*figures(model, person, room, messages), model.head(room)) for room, messages in of_rooms.items()},
        {root: figures(model, person, root, messages) for root, messages in of_threads.items()},
    )


def figures(model: Model, person: int, key: str, unread: list[Sent]) -> tuple[int, int, str, str | None, bool]:
    read = model.place(person, key).read or None
    return len(unread), count_mentions(unread, person), unread[0].message_id, read, False

"""Unread state compared with a simple model, for any sequence of actions."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import Api, RunningServer, new_organization


@dataclass
class Model:
    """A room as a reader would count it manually."""

    messages: list[tuple[str, bool]] = field(default_factory=list)
    deleted: set[str] = field(default_factory=set)
    read_up_to: str = ""

    @property
    def unread(self) -> list[str]:
        return [one for one, own in self.messages if one > self.read_up_to and not own and one not in self.deleted]


@pytest.fixture(scope="module")
def api_and_reader(server: RunningServer) -> Iterator[tuple[Api, httpx.Client]]:
    made = new_organization(server.settings, server.url)
    yield made, made.client(made.new_person()[1])
    made.close()


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("hear"), st.just(0)), st.tuples(st.just("hear"), st.just(0)),
        st.tuples(st.just("send"), st.just(0)), st.tuples(st.just("mark"), st.integers(0, 30)),
        st.tuples(st.just("delete"), st.integers(0, 30)),
    ),
    max_size=25,
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(steps=STEPS)
def test_the_counts_equal_those_of_a_simple_model(
    api_and_reader: tuple[Api, httpx.Client], steps: list[tuple[str, int]]
) -> None:
    api, reader = api_and_reader
    room = f"/v2/rooms/{api.new_room()['room_id']}"
    model = Model()
    for step, nr in steps:
        take(api, reader, room, model, step, nr)
        page = reader.get(f"/v2/organizations/{api.organization_id}/unread", params={"limit": 200}).json()
        shown = next((each for each in page["rooms"] if each["room_id"] == room.rpartition("/")[2]), None)
        assert counted(shown) == expected(model)


def take(api: Api, reader: httpx.Client, room: str, model: Model, step: str, nr: int) -> None:
    if step in ("hear", "send"):
        client = reader if step == "send" else api.person
        sent = client.post(f"{room}/messages", json={"text": "x"}).json()["message_id"]
        model.messages.append((sent, step == "send"))
        model.read_up_to = sent if step == "send" else model.read_up_to
    elif model.messages:
        message_id = model.messages[nr % len(model.messages)][0]
        if step == "mark":
            assert reader.put(f"{room}/read-marker", json={"message_id": message_id}).status_code == 200
            model.read_up_to = message_id
        elif message_id not in model.deleted:
            assert api.person.delete(f"{room}/messages/{message_id}").status_code == 204
            model.deleted.add(message_id)


def counted(shown: dict[str, Any] | None) -> tuple[Any, ...]:
    if shown is None:
        return (0,)
    names = ("unread_count", "capped", "first_unread_message_id", "last_read_message_id", "last_message_id")
    return tuple(shown[name] for name in names)


def expected(model: Model) -> tuple[Any, ...]:
    if not model.unread:
        return (0,)
    return (len(model.unread), False, model.unread[0], model.read_up_to or None, model.messages[-1][0])

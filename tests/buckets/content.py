"""Something of everything in two rooms, one in each bucket, and what is read of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from atrium.kit.settings import Settings
from tests.conftest import Api, new_organization, running_server
from tests.contract.tour import subscription
from tests.faults.receivers import Receiver
from tests.wait_until import wait_until

# Each table of each bucket.
TABLES = """
select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname ~ '^(public|bucket_[0-9]+)$' and c.relkind in ('r', 'p') and not c.relispartition
  and c.relpersistence = 'p' order by 1
"""
ROWS = "select coalesce(md5(string_agg(row_text, '' order by row_text)), '') from (select t::text row_text from {} t) x"
SEQUENCES = "select schemaname, sequencename, last_value from pg_sequences order by 1, 2"
# Not compared: they tell databases apart, or are about a process.
OWN = {"live_origin", "live_events", "timelines"}


@contextmanager
def served(settings: Settings, like: Api | None = None) -> Iterator[Api]:
    """Run a server on the database; yield its organization, or a new one."""
    with running_server(settings) as running:
        if like is None:
            api = new_organization(running.settings, running.url)
        else:
            keys = (
                like.organization_id,
                like.person_id,
                like.space_id,
                like.room_id,
                like.organization_key,
                like.personal_key,
            )
            api = Api(running.url, running.settings, *keys, sign_in_url="")
        yield api
        api.close()


def fill(api: Api, receiver: Receiver) -> list[str]:
    """Write messages, threads, reactions and read markers in two rooms; return the rooms."""
    rooms = [api.room_id, api.new_room()["room_id"]]
    other, key = api.new_person()
    content = {"name": "x", "endpoint_url": receiver.url, "subscriptions": [subscription(each) for each in rooms]}
    made = api.person.post(f"{api.organization}/webhooks", json={"content": content})
    assert made.status_code == 201, made.text
    for room in rooms:
        _fill_room(api, f"/v2/rooms/{room}", other, key)
    wait_until(lambda: len(found(api, "message")) == 5 * len(rooms), "both rooms are indexed")
    return rooms


def _fill_room(api: Api, room: str, other: str, key: str) -> None:
    root, gone = (_send(api, room, text) for text in (f"one for <@{other}>", "two"))
    changes = [
        api.client(key).post(
            f"{room}/messages", json={"text": "answer", "parent_id": root}, headers={"Idempotency-Key": "k"}
        ),
        api.person.patch(f"{room}/messages/{root}", json={"text": f"one for <@{other}>, edited"}),
        api.client(key).put(f"{room}/messages/{root}/reactions/👍"),
        api.person.delete(f"{room}/messages/{gone}"),
        api.client(key).put(f"{room}/read-marker", json={"message_id": root}),
        api.client(key).put(f"{room}/threads/{root}/read-marker", json={"message_id": root}),
    ]
    assert all(each.is_success for each in changes), [each.text for each in changes]
    for number in range(5):
        _send(api, room, f"message {number}")


def _send(api: Api, room: str, text: str) -> str:
    sent = api.person.post(f"{room}/messages", json={"text": text})
    assert sent.status_code == 201, sent.text
    return str(sent.json()["message_id"])


def found(api: Api, words: str) -> list[dict[str, Any]]:
    """Return what a search finds."""
    answer = api.person.get(f"/v2/organizations/{api.organization_id}/search", params={"q": words})
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


def read(api: Api, rooms: list[str]) -> dict[str, Any]:
    """Return what the API shows of the rooms, and of what crosses them."""
    organization = f"/v2/organizations/{api.organization_id}"
    paths = [
        f"{organization}/{name}" for name in ("search?q=message", "search?q=answer", "unread", "threads", "mentions")
    ]
    for room in rooms:
        messages = api.person.get(f"/v2/rooms/{room}/messages").json()["messages"]
        paths += [f"/v2/rooms/{room}", f"/v2/rooms/{room}/messages", f"/v2/rooms/{room}/messages?top_level=true"]
        paths += [f"/v2/rooms/{room}/threads/{each['message_id']}/messages" for each in messages if each["reply_count"]]
        paths += [f"/v2/rooms/{room}/messages/{each['message_id']}" for each in messages]
    answers = {path: api.person.get(path) for path in paths}
    assert not [path for path, each in answers.items() if not each.is_success]
    return {path: each.json() for path, each in answers.items()}


def contents(settings: Settings) -> dict[str, Any]:
    """Return a digest of each table of each bucket, and the sequences."""
    with psycopg.connect(settings.database_url or "", options="-c search_path=public") as db:
        names = [name for (name,) in db.execute(TABLES) if name not in OWN]
        return {name: db.execute(ROWS.format(name).encode()).fetchone() for name in names} | {
            f"{schema}.{name}": last for schema, name, last in db.execute(SEQUENCES)
        }

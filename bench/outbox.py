"""Webhooks, events written as requests write them, and the receivers where they arrive."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.request import urlopen
from uuid import uuid4

import httpx
import psycopg

from atrium.webhooks.queue.queries import HAS_EVENTS
from bench.environment import Database
from bench.load import BenchError

SENT = "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT"

READY = "WEBHOOK_SUBSCRIPTION_TYPE_ROOM_RECORDING_READY"

# Write `events` events to the log, in turn in each of the rooms; their data has the tag.
WRITE_EVENTS = """
insert into live_events (kind, space_id, room_id, data)
select 'room_recording_ready', %(space)s, room_id, jsonb_build_object(
    'recording_id', %(tag)s::text, 'room_id', room_id, 'user_id', %(person)s::text, 'created_at', now())
from generate_series(1, %(events)s) nr,
     lateral (select (%(rooms)s::uuid[])[nr %% cardinality(%(rooms)s::uuid[]) + 1] as room_id) room
"""
SUBSCRIBE_TO_ROOMS = """
insert into subscriptions (webhook_id, nr, subject_type, subject_id, subscription_type)
select hook, last.nr + row_number() over (partition by hook), 'WEBHOOK_SUBJECT_TYPE_ROOM', room_id, %s
from unnest(%s::uuid[]) hook cross join lateral (select max(nr) as nr from subscriptions where webhook_id = hook) last
cross join unnest(%s::uuid[]) room_id
"""
# The deliveries of tagged events.
TAGGED = """
select delivery_id::text, webhook_id::text, tag
from deliveries cross join lateral (
    select convert_from(body, 'UTF8')::jsonb -> 'data' ->> 'recording_id' as tag offset 0) event
where event_type = 'room_recording_ready' and tag = any(%s)
"""
SUBSCRIBE = """
insert into subscriptions (webhook_id, nr, subject_type, subject_id, subscription_type, words)
values (%s, %s, 'WEBHOOK_SUBJECT_TYPE_SPACE', %s, %s, %s)
"""
# The worker locks several of these rows too, in another order: what it has locked is deleted once it is free.
DELETE_DUE = """
delete from due_deliveries where ctid = any(array(select ctid from due_deliveries for update skip locked))
"""
HAS_DUE = f"select exists (select from due_deliveries) or ({HAS_EVENTS})"
# Reset webhooks that failed or were paused, in the order in which the worker locks them.
RESET_WEBHOOKS = """
with changed as materialized (
    select webhook_id from webhooks where status <> 'WEBHOOK_STATUS_ACTIVE' or failure_count > 0
    order by webhook_id for no key update
)
update webhooks w set status = 'WEBHOOK_STATUS_ACTIVE', failure_count = 0, first_failure_at = null, paused_at = null,
       pause_reason = null
from changed where w.webhook_id = changed.webhook_id
"""


@dataclass(frozen=True)
class Receiver:
    """The receiver process: a URL that answers and one that never does."""

    url: str
    hanging: str

    def get(self, path: str) -> Any:
        """Request /reset, /record or /state."""
        with urlopen(self.url + path, timeout=30) as answer:
            body = answer.read()
        return json.loads(body) if path == "/state" else None

    def wait_for(self, count: int, *, within: float) -> float:
        """Return when delivery number `count` came, in seconds since 1970. Raise BenchError if it is not in time."""
        deadline = time.monotonic() + within
        while (state := self.get("/state"))["count"] < count:
            if time.monotonic() > deadline:
                raise BenchError(f"{state['count']} of {count} deliveries arrived within {within:.0f} s")
            time.sleep(0.05)
        last: float = state["last"]
        return last


@contextmanager
def running_receiver() -> Iterator[Receiver]:
    """Run a receiver process."""
    with subprocess.Popen([sys.executable, "-m", "bench.receiver"], stdout=subprocess.PIPE, text=True) as process:
        try:
            ports = json.loads(process.stdout.readline() if process.stdout else "")
            yield Receiver(*(f"http://127.0.0.1:{ports[name]}" for name in ("quick", "hanging")))
        finally:
            process.kill()


@contextmanager
def hostile_receivers(count: int) -> Iterator[list[str]]:
    """Run hostile receivers in a process of their own and yield their URLs."""
    command = [sys.executable, "-m", "bench.hostile", str(count)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield json.loads(process.stdout.readline() if process.stdout else "")
        finally:
            process.kill()


@dataclass(frozen=True)
class Outbox:
    """A database with webhooks, and the connection that writes events."""

    db: psycopg.Connection[Any]
    database: Database
    room_id: str
    rooms: dict[tuple[str, ...], list[str]] = field(default_factory=dict)  # of webhooks that events were for

    def emit(self, hooks: Sequence[str], events: int = 1, rooms: Sequence[str] = ()) -> str:
        """Commit events for all of these webhooks, in a room of their own or in these; return the tag of the events."""
        key = (*hooks, *rooms)
        if key not in self.rooms:
            self.rooms[key] = list(rooms or [str(uuid4())])
            self.db.execute(SUBSCRIBE_TO_ROOMS, [READY, list(hooks), self.rooms[key]])
        values = {
            "person": self.database.person_id,
            "space": self.database.space_id,
            "events": events,
            "rooms": self.rooms[key],
            "tag": str(uuid4()),
        }
        self.db.execute(WRITE_EVENTS, values, prepare=True)
        return str(values["tag"])

    def deliveries_of(self, tags: Sequence[str]) -> list[tuple[str, str, str]]:
        """Return the deliveries of events: the id of each, its webhook's, and the tag."""
        return self.db.execute(TAGGED, [list(tags)]).fetchall()

    def bodies(self, count: int) -> list[bytes]:
        """Return the bodies of the newest deliveries."""
        rows = self.db.execute("select body from deliveries order by delivery_id desc limit %s", [count])
        return [bytes(row[0]) for row in rows]

    def wait_until_recorded(self, within: float = 30.0) -> None:
        """Wait until no delivery is due. Raise BenchError if that takes too long."""
        deadline = time.monotonic() + within
        while self._has_due():
            if time.monotonic() > deadline:
                raise BenchError("deliveries are still under way")
            time.sleep(0.05)

    def order(self, hook: str, ordering: str | None) -> None:
        """Set the order of a webhook's deliveries."""
        self.db.execute("update webhooks set ordering = %s where webhook_id = %s", [ordering, hook])

    def reset(self) -> None:
        """Delete all due deliveries and reset every webhook; attempts in progress still finish."""
        deadline = time.monotonic() + 30
        while self.db.execute(DELETE_DUE).rowcount or self._has_due():
            if time.monotonic() > deadline:
                raise BenchError("deliveries that are due cannot be deleted")
            time.sleep(0.05)
        self.db.execute(RESET_WEBHOOKS)

    def _has_due(self) -> bool:
        return self.db.execute(HAS_DUE).fetchone() == (True,)

    def subscribe(self, hooks: Sequence[str], filters: Sequence[list[str] | None]) -> None:
        """Subscribe each webhook to the messages of the whole space, with each of these words or None for all."""
        rows = [
            (hook, nr, self.database.space_id, SENT, words) for hook in hooks for nr, words in enumerate(filters, 2)
        ]
        with self.db.cursor() as cursor:
            cursor.executemany(SUBSCRIBE, rows)

    def unsubscribe(self) -> None:
        """Undo `subscribe`."""
        self.db.execute("delete from subscriptions where nr > 1")
        self.rooms.clear()


def new_hooks(url: str, outbox: Outbox, endpoints: Sequence[str]) -> list[str]:
    """Create webhooks through the API, subscribed to a room where nothing is sent, and return their ids."""
    (organization,) = outbox.db.execute("select organization_id from organizations").fetchone() or ("",)
    subject = {"subject_type": "WEBHOOK_SUBJECT_TYPE_ROOM", "subject_id": outbox.room_id, "subscription_type": SENT}
    headers = {"authorization": f"Bearer {outbox.database.personal_key}"}
    hooks = list[str]()
    with httpx.Client(base_url=f"{url}/v1/organizations/{organization}", headers=headers, timeout=30) as client:
        for nr, endpoint in enumerate(endpoints):
            content = {"name": f"Hook {nr}", "endpoint_url": endpoint, "subscriptions": [subject]}
            made = client.post("/webhooks", json={"content": content})
            if made.status_code != 201:
                raise BenchError(f"a webhook could not be created: {made.text}")
            hooks.append(made.json()["webhook"]["id"])
    return hooks

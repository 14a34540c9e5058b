"""Webhooks, deliveries inserted as a send inserts them, and the receivers where they arrive."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.request import urlopen

import httpx
import psycopg

from bench.environment import Database
from bench.load import BenchError

SENT = "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT"

# `events` events for each of the webhooks, in turn in each of the rooms; the same as the end of SEND.
INSERT_DELIVERIES = """
with inserted as (
    insert into deliveries (webhook_id, delivery_id, event_type, subject_type, subject_id, body, status,
                            next_attempt_at, created_at)
    select webhook_id, id_at(ms << 12), 'message_sent', 'room', room_id,
           room_event('message_sent', room_id, ms, concat('{"message_id":"', id_at(ms << 12), '","room_id":"', room_id,
               '","user_id":"', %(person)s::uuid, '","status":"SENT","created_at":', json_time_of_ms(ms), '}')),
           'DELIVERY_STATUS_PENDING', time_of_ms(ms), time_of_ms(ms)
    from generate_series(1, %(events)s) nr, unnest(%(hooks)s::uuid[]) webhook_id,
         lateral (select (%(rooms)s::uuid[])[nr %% cardinality(%(rooms)s::uuid[]) + 1] as room_id) room,
         (select floor(extract(epoch from now()) * 1000)::bigint as ms) moment
    returning webhook_id, delivery_id, subject_id, next_attempt_at
), due as (
    insert into due_deliveries (webhook_id, delivery_id, subject_id, due_at)
    select webhook_id, delivery_id, subject_id, next_attempt_at from inserted
)
select delivery_id::text, webhook_id::text from inserted
"""
SUBSCRIBE = """
insert into subscriptions (webhook_id, nr, subject_type, subject_id, subscription_type, words)
values (%s, %s, 'WEBHOOK_SUBJECT_TYPE_SPACE', %s, %s, %s)
"""
# The worker locks several of these rows too, in another order: what it has locked is deleted once it is free.
DELETE_DUE = """
delete from due_deliveries where ctid = any(array(select ctid from due_deliveries for update skip locked))
"""
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
def receiving() -> Iterator[Receiver]:
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
    """A database with webhooks, and the connection that inserts deliveries."""

    db: psycopg.Connection[Any]
    database: Database
    room_id: str

    def insert(
        self, hooks: Sequence[str], events: int = 1, rooms: Sequence[str] | None = None
    ) -> Sequence[tuple[str, str]]:
        """Commit events for all of these webhooks and return pairs of delivery and webhook ids."""
        among = list(rooms or [self.room_id])
        values = {"person": self.database.person_id, "events": events, "hooks": list(hooks), "rooms": among}
        return self.db.execute(INSERT_DELIVERIES, values, prepare=True).fetchall()

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
        """Delete what is due and reset every webhook; attempts in progress still finish."""
        deadline = time.monotonic() + 30
        while self.db.execute(DELETE_DUE).rowcount or self._has_due():
            if time.monotonic() > deadline:
                raise BenchError("deliveries that are due cannot be deleted")
            time.sleep(0.05)
        self.db.execute(RESET_WEBHOOKS)

    def _has_due(self) -> bool:
        return self.db.execute("select exists (select from due_deliveries)").fetchone() == (True,)

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

"""What deliveries are measured on: webhooks, deliveries put down as a send puts them down, and where they arrive."""

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

from bench.ground import Database
from bench.load import BenchError

SENT = "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT"

# As many events as asked for, each for every webhook given; the end of SEND's statement.
PUT_DOWN = """
with told as (
    insert into deliveries (webhook_id, delivery_id, event_type, subject_type, subject_id, body, status,
                            next_attempt_at, created_at)
    select webhook_id, id_at(ms << 12), 'message_sent', 'room', room_id,
           room_event('message_sent', room_id, ms, concat('{"message_id":"', id_at(ms << 12), '","room_id":"', room_id,
               '","user_id":"', %(person)s::uuid, '","status":"SENT","created_at":', json_time_of_ms(ms), '}')),
           'DELIVERY_STATUS_PENDING', time_of_ms(ms), time_of_ms(ms)
    from generate_series(1, %(events)s), unnest(%(hooks)s::uuid[]) webhook_id, (select %(room)s::uuid as room_id) room,
         (select floor(extract(epoch from now()) * 1000)::bigint as ms) moment
    returning webhook_id, delivery_id, next_attempt_at
), due as (
    insert into due_deliveries (webhook_id, delivery_id, due_at)
    select webhook_id, delivery_id, next_attempt_at from told
)
select delivery_id::text, webhook_id::text from told
"""
SUBSCRIBE = """
insert into subscriptions (webhook_id, nr, subject_type, subject_id, subscription_type)
values (%s, 2, 'WEBHOOK_SUBJECT_TYPE_SPACE', %s, %s)
"""
# Those that failed meanwhile start anew, as if nothing had been.
REVIVE = """
update webhooks set status = 'WEBHOOK_STATUS_ACTIVE', failure_count = 0, first_failure_at = null, paused_at = null,
       pause_reason = null
where status <> 'WEBHOOK_STATUS_ACTIVE' or failure_count > 0
"""


@dataclass(frozen=True)
class Receiver:
    """The receiver process: where it answers, and where it never does."""

    url: str
    hanging: str

    def ask(self, path: str) -> Any:
        """What it says: /reset, /record or /state."""
        with urlopen(self.url + path, timeout=30) as answer:
            said = answer.read()
        return json.loads(said) if path == "/state" else None

    def wait_for(self, count: int, *, within: float) -> float:
        """When the last of so many came, in seconds since 1970. Raises BenchError where they do not come in time."""
        deadline = time.monotonic() + within
        while (state := self.ask("/state"))["count"] < count:
            if time.monotonic() > deadline:
                raise BenchError(f"{state['count']} of {count} deliveries arrived within {within:.0f} s")
            time.sleep(0.05)
        last: float = state["last"]
        return last


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver process for as long as this lasts."""
    with subprocess.Popen([sys.executable, "-m", "bench.receiver"], stdout=subprocess.PIPE, text=True) as process:
        try:
            ports = json.loads(process.stdout.readline() if process.stdout else "")
            yield Receiver(*(f"http://127.0.0.1:{ports[name]}" for name in ("quick", "hanging")))
        finally:
            process.kill()


@contextmanager
def receiving_with_ill_will(count: int) -> Iterator[list[str]]:
    """Hostile receivers, in a process of their own for as long as this lasts: their URLs."""
    command = [sys.executable, "-m", "bench.hostile", str(count)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield json.loads(process.stdout.readline() if process.stdout else "")
        finally:
            process.kill()


@dataclass(frozen=True)
class Outbox:
    """A database with webhooks in it, and the connection through which deliveries are put down."""

    db: psycopg.Connection[Any]
    database: Database
    room_id: str

    def put_down(self, hooks: Sequence[str], events: int = 1) -> Sequence[tuple[str, str]]:
        """Commit events for all of these webhooks: the delivery and webhook of each."""
        values = {"person": self.database.person_id, "events": events, "hooks": list(hooks), "room": self.room_id}
        return self.db.execute(PUT_DOWN, values, prepare=True).fetchall()

    def bodies(self, count: int) -> list[bytes]:
        """The bodies of the newest deliveries."""
        rows = self.db.execute("select body from deliveries order by delivery_id desc limit %s", [count])
        return [bytes(row[0]) for row in rows]

    def wait_until_recorded(self, within: float = 30.0) -> None:
        """Wait until no delivery is under way. Raises BenchError where that does not come about."""
        deadline = time.monotonic() + within
        while self.db.execute("select exists (select from due_deliveries)").fetchone() == (True,):
            if time.monotonic() > deadline:
                raise BenchError("deliveries are still under way")
            time.sleep(0.05)

    def forget(self) -> None:
        """Nothing is due any more, and every webhook is as new; what is under way comes to its end."""
        self.db.execute("delete from due_deliveries")
        self.db.execute(REVIVE)

    def subscribe(self, hook: str) -> None:
        """Subscribe a webhook to the whole space."""
        self.db.execute(SUBSCRIBE, [hook, self.database.space_id, SENT])

    def unsubscribe(self, hook: str) -> None:
        """Take that back."""
        self.db.execute("delete from subscriptions where webhook_id = %s and nr = 2", [hook])


def new_hooks(url: str, outbox: Outbox, endpoints: Sequence[str]) -> list[str]:
    """Webhooks made through the API, subscribed to a room where nothing is sent: their ids."""
    (organization,) = outbox.db.execute("select organization_id from organizations").fetchone() or ("",)
    subject = {"subject_type": "WEBHOOK_SUBJECT_TYPE_ROOM", "subject_id": outbox.room_id, "subscription_type": SENT}
    headers = {"authorization": f"Bearer {outbox.database.personal_key}"}
    hooks = list[str]()
    with httpx.Client(base_url=f"{url}/v1/organizations/{organization}", headers=headers, timeout=30) as client:
        for nr, endpoint in enumerate(endpoints):
            content = {"name": f"Hook {nr}", "endpoint_url": endpoint, "subscriptions": [subject]}
            made = client.post("/webhooks", json={"content": content})
            if made.status_code != 201:
                raise BenchError(f"a webhook could not be made: {made.text}")
            hooks.append(made.json()["webhook"]["id"])
    return hooks

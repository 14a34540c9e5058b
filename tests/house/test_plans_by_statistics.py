"""The plans of hot statements, for all that PostgreSQL may know of their tables: a batch reads rows and calls functions
once for each of its requests, and never for each pair of them.

A plan is made from the statistics of its moment: of tables that were never analyzed, or while they were empty, or full,
or full of dead rows. All of these are tried, with few and with many subscriptions, messages and deliveries.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import product
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import ClientCursor

from atrium.keys.tokens import hash_of
from atrium.kit.clock import to_ms, utc_now
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import BY_INDEX, SESSION
from atrium.kit.settings import Settings
from atrium.messages.page_queries import PAGE_OF_ROOM, PAGE_OF_THREAD, PAGE_OF_TOP_LEVEL
from atrium.messages.queries import SEND
from atrium.messages.requests import PageRequest, SendRequest, ThreadPageRequest
from atrium.webhooks.delivery.queries import CLAIM, FAIL, LOCK_FOR_FAILURES, SUCCEED
from atrium.webhooks.queue.queries import QUEUE
from tests.conftest import Api, fresh_database, new_organization

BATCH, PAGE, WINDOW_MS, OTHERS = 8, 5, 86_400_000, 30  # others: further webhooks
COUNTS = (1, 10, 302, 1000, 10_000)
NEVER, EMPTY, FULL, DEAD = LEARNED = ("never analyzed", "analyzed empty", "analyzed full", "analyzed with dead rows")

ADD_WEBHOOK = """
insert into webhooks (webhook_id, organization_id, name, description, endpoint_url, headers, secret, status, created_by,
                      created_at)
values (%s, %s, 'Hook', '', 'https://example.org', '', '', %s, %s, now())
"""
# Half of them want words, the others want messages of someone else.
SUBSCRIBE = """
insert into subscriptions (webhook_id, nr, subject_type, subject_id, subscription_type, sender_ids, words)
select %s, nr, 'WEBHOOK_SUBJECT_TYPE_SPACE', %s, 'WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT', array[gen_random_uuid()],
       case when nr %% 2 = 0 then array['word' || nr, 'other' || nr] end
from generate_series(1, %s) nr
"""
# Of each other webhook, to another space.
SUBSCRIBE_OTHERS = """
insert into subscriptions (webhook_id, nr, subject_type, subject_id, subscription_type)
select webhook_id, 1, 'WEBHOOK_SUBJECT_TYPE_SPACE', gen_random_uuid(), 'WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT'
from webhooks where webhook_id <> %s
"""
# A message, and later ones, two thirds of which are replies to it.
ADD_MESSAGES = """
insert into messages (room_id, message_id, user_id, sender_type, parent_id, thread_root_id, text, blocks, mentions,
                      attachments, sent_at)
select %(room)s, case when nr = 0 then %(root)s else id_at(%(first)s + nr) end, %(person)s, 'person',
       case when nr %% 3 > 0 then %(root)s end, case when nr %% 3 > 0 then %(root)s end, 'text', '[]', '{}', '[]', now()
from generate_series(0, %(count)s) nr
"""
ADD_EVENTS = """
insert into live_events (kind, space_id, room_id, message_id)
select 'message.sent', %s, %s, message_id from messages
"""
ADD_DELIVERIES = """
with queued as (
    insert into deliveries (webhook_id, delivery_id, event_type, subject_type, subject_id, body, status, created_at)
    select %(hook)s, id_at(nr), 'message_sent', 'room', %(room)s, '{}', 'DELIVERY_STATUS_PENDING', now()
    from generate_series(%(first)s - %(count)s, %(first)s) nr
    returning webhook_id, delivery_id, subject_id
)
insert into due_deliveries (webhook_id, delivery_id, subject_id, due_at)
select webhook_id, delivery_id, subject_id, now() - interval '1 minute' from queued
"""
FILLED = "subscriptions, filter_words, filtered_subjects, messages, live_events, deliveries, due_deliveries"
FORGET = f"""
truncate {FILLED} cascade;
delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
"""
ANALYZE = f"analyze webhooks, {FILLED}"


@dataclass
class Database:
    """A database with one organization that has a webhook, and a session as processes have it."""

    api: Api
    db: psycopg.Connection[Any]
    webhook_id: UUID

    def fill(self, learned: str, statement: str, values: Any) -> None:
        """Add rows to empty tables, of which the planner has learned what it does in this state."""
        self.db.execute(FORGET.encode())
        if learned == EMPTY:
            self.db.execute(ANALYZE.encode())
        with self.db.transaction(force_rollback=True):
            self.db.execute(statement.encode(), values)
            if learned != DEAD:
                raise psycopg.Rollback
        self.db.execute(statement.encode(), values)
        if learned in (FULL, DEAD):
            self.db.execute(ANALYZE.encode())

    def explain(self, statement: str, columns: Sequence[Any]) -> list[dict[str, Any]]:
        """Return the nodes of the plan for any parameters, after a run with these."""
        self.db.execute("deallocate all")
        self.db.execute(f"prepare hot as {statement}".encode())
        holes = ", ".join(["%s"] * len(columns))
        with self.db.transaction(force_rollback=True):
            run = f"explain (analyze, timing off, format json) execute hot ({holes})"
            row = self.db.execute(run.encode(), columns).fetchone()
        assert row is not None
        return list(_nodes(row[0][0]["Plan"]))

    def messages(self) -> list[Any]:
        """Return the parameters of a batch of messages."""
        key, room_id = hash_of(self.api.personal_key), UUID(self.api.room_id)
        batch = [SendRequest(key, room_id, f"{nr}", "[]", "{}") for nr in range(BATCH)]
        return [*map(list, zip(*batch, strict=True)), to_ms(utc_now())]

    def events(self, found: str = "{}") -> list[Any]:
        """Add a batch of messages, which have some words of filters, and return the parameters of QUEUE for them."""
        where = {"room": UUID(self.api.room_id), "person": UUID(self.api.person_id), "root": new_id(utc_now())}
        self.db.execute(ADD_MESSAGES.encode(), where | {"count": BATCH - 1, "first": (to_ms(utc_now()) + 1) << 12})
        self.db.execute(ADD_EVENTS.encode(), [self.api.space_id, where["room"]])
        ids = [row[0] for row in self.db.execute("select message_id from messages")]
        row = self.db.execute("select pg_current_snapshot()::text").fetchone()
        assert row is not None
        return ["1:1:", row[0], 0, 1 << 40, utc_now(), ids, [found] * BATCH, True]

    def add_messages(self, count: int, learned: str) -> UUID:
        """Add a message and `count` later ones; return its id."""
        now = utc_now()
        root, first = new_id(now), (to_ms(now) + 1) << 12
        where = {"room": UUID(self.api.room_id), "person": UUID(self.api.person_id)}
        self.fill(learned, ADD_MESSAGES, where | {"count": count, "first": first, "root": root})
        return root


@pytest.fixture(scope="module")
def database(settings: Settings) -> Iterator[Database]:
    with fresh_database(settings) as own:
        api, webhook_id = new_organization(own, ""), uuid4()
        with _connect(own, {}) as db:
            db.execute(ADD_WEBHOOK, [webhook_id, api.organization_id, "WEBHOOK_STATUS_ACTIVE", api.person_id])
            for _ in range(OTHERS):
                db.execute(ADD_WEBHOOK, [uuid4(), api.organization_id, "WEBHOOK_STATUS_INACTIVE", api.person_id])
            yield Database(api, db, webhook_id)


@pytest.fixture(scope="module")
def worker(database: Database) -> Iterator[Database]:
    """Connect as the worker does."""
    with _connect(database.api.settings, BY_INDEX) as db:
        yield replace(database, db=db)


def _connect(own: Settings, session: dict[str, str]) -> psycopg.Connection[Any]:
    options = " ".join(f"-c {name}={value}" for name, value in (SESSION | session).items())
    return psycopg.connect(own.database_url or "", options=options, autocommit=True, cursor_factory=ClientCursor)


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", ()):
        yield from _nodes(child)


def reads_of(nodes: list[dict[str, Any]], table: str) -> tuple[int, float]:
    """Return how often a plan looks into a table, at most in one place, and how many rows it reads, kept or not."""
    found = [node for node in nodes if str(node.get("Relation Name")).startswith(table) and "Scan" in node["Node Type"]]
    rows = [(node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"] for node in found]
    return max((node["Actual Loops"] for node in found), default=0), sum(rows)


@pytest.mark.contract("Events and deliveries 12")
@pytest.mark.parametrize("learned", LEARNED)
@pytest.mark.parametrize("count", COUNTS)
def test_subscribers_are_looked_for_once_for_each_message(worker: Database, count: int, learned: str) -> None:
    for found in ("{}", "{word2}"):
        worker.fill(learned, SUBSCRIBE, [worker.webhook_id, worker.api.space_id, count])
        worker.db.execute(SUBSCRIBE_OTHERS.encode(), [worker.webhook_id])
        plan = worker.explain(QUEUE, worker.events(found))
        looks, rows = reads_of(plan, "subscriptions")
        assert looks == BATCH
        assert rows <= 2 * BATCH * (count + 1)  # those without words, those with found ones, and whether there are any
        assert reads_of(plan, "filter_words")[1] <= 10 * BATCH  # all of a small table
        for table in ("messages", "rooms", "spaces", "webhooks"):
            assert reads_of(plan, table) <= (BATCH, BATCH), table


def test_a_send_reads_once_for_each_message(database: Database) -> None:
    for count, learned in product((1, 3000), LEARNED):
        database.add_messages(count, learned)
        plan = database.explain(SEND, database.messages())
        for table in ("api_keys", "memberships", "rooms", "messages"):
            assert reads_of(plan, table)[0] <= BATCH, table


def test_a_page_is_read_once_for_each_request(database: Database) -> None:
    key, room, now = hash_of(database.api.personal_key), UUID(database.api.room_id), to_ms(utc_now())
    for count, learned in product((1, 3000), LEARNED):
        root, of_room = database.add_messages(count, learned), [PageRequest(key, room, None, None, PAGE)] * BATCH
        of_thread = [ThreadPageRequest(key, room, root, None, PAGE)] * BATCH
        for statement, batch, shared in (
            (PAGE_OF_ROOM, of_room, [now, WINDOW_MS]),
            (PAGE_OF_TOP_LEVEL, of_room, [now, WINDOW_MS]),
            (PAGE_OF_THREAD, of_thread, [now]),
        ):
            plan = database.explain(statement, [*map(list, zip(*batch, strict=True)), *shared])
            looks, rows = reads_of(plan, "messages")
            assert 0 < looks <= BATCH
            assert rows <= BATCH * 4 * PAGE
            for table in ("api_keys", "memberships", "rooms"):
                assert reads_of(plan, table)[0] <= BATCH, table


def test_a_workers_statement_reads_the_deliveries_that_it_is_for(database: Database, worker: Database) -> None:
    values = {"hook": database.webhook_id, "room": database.api.room_id}
    for count, learned in product((BATCH, 3000), LEARNED):
        database.fill(learned, ADD_DELIVERIES, {**values, "count": count - 1, "first": to_ms(utc_now()) << 12})
        ids = [row[0] for row in database.db.execute("select delivery_id from due_deliveries limit %s", [BATCH])]
        hooks, now = [database.webhook_id] * BATCH, utc_now()
        lease = now + timedelta(minutes=1)
        for statement, columns in (
            (CLAIM, [now, lease, BATCH, BATCH, BATCH, now, hooks[:0], [], lease, [], []]),
            (SUCCEED, [hooks, ids, ["[]"] * BATCH, [False] * BATCH]),
            (LOCK_FOR_FAILURES, [hooks, ids]),
            (
                FAIL,
                [
                    hooks,
                    ids,
                    ["DELIVERY_STATUS_RETRYING"] * BATCH,
                    [lease] * BATCH,
                    ["[]"] * BATCH,
                    [1] * BATCH,
                    [True] * BATCH,
                ],
            ),
        ):
            plan = worker.explain(statement, columns)
            for table in ("due_deliveries", "deliveries"):
                looks, rows = reads_of(plan, table)
                assert looks <= BATCH, (table, count, learned)
                assert rows <= 4 * BATCH, (table, count, learned)

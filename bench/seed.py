"""Write history with SQL: the rows that sends would write, room by room in each part of the time, as the worker packs
them."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

import psycopg

from atrium.kit.clock import from_ms, utc_now
from atrium.kit.ids import new_id
from atrium.kit.settings import Settings
from bench.environment import Database

DAY = 86_400_000
WINDOW = Settings().window_ms
CHUNK = 250_000  # messages, as many as the worker packs together at least
WRITERS = 2
WORDS = (
    "Shipped the new build this morning, please have a look before the call and say whether the numbers hold up. "
    "The second half of the list is still open; I will take it on Thursday unless someone else would like to. "
)

ADD_ROOMS = """
insert into rooms (room_id, space_id, name, description, room_type, created_by, created_at, name_key)
select room_id, %(space)s, 'Room ' || room_id, '', 'chat', %(person)s, %(at)s, 'room ' || room_id
from unnest(%(rooms)s::uuid[]) as room_id
"""

FILL = """
insert into messages (room_id, message_id, user_id, sender_type, text, sent_at)
select room_id, id_at(seq), %(person)s, 'person',
       substr(%(words)s, (1 + (i * 7 + nr) %% 60)::int, (20 + (i * 31 + nr * 17) %% 120)::int), time_of_ms(seq >> 12)
from (select room_id, i, nr, (%(start)s::bigint + i * %(step)s::bigint + nr %% %(step)s::bigint) << 12 as seq
      from generate_series(%(first)s::bigint, %(last)s::bigint) i,
           unnest(%(rooms)s::uuid[]) with ordinality as room (room_id, nr)
      order by nr, i) laid
"""

REPLY = """
insert into messages (room_id, message_id, user_id, sender_type, parent_id, thread_root_id, text, sent_at)
select room_id, id_at(seq), %(person)s, 'person', root.message_id, root.message_id,
       substr(%(words)s, (1 + i %% 60)::int, (20 + i * 31 %% 120)::int), time_of_ms(seq >> 12)
from (select root.*, i, (id_ms(root.message_id) + i) << 12 as seq
      from messages root, generate_series(1, %(replies)s) i where room_id = any(%(rooms)s) order by i) root
"""

COUNT_REPLIES = """
update messages set reply_count = %(replies)s, last_reply_at = sent_at + %(replies)s * interval '1 ms'
where room_id = any(%(rooms)s) and thread_root_id is null
"""

SET_HEADS = """
insert into room_heads (room_id, last_seq, last_message_id)
select room_id, id_ms(message_id) << 12, message_id
from rooms left join lateral (
    select message_id from messages m where m.room_id = rooms.room_id order by message_id desc limit 1) last on true
where room_id = any(%(rooms)s) and message_id is not null
on conflict (room_id) do update set last_seq = excluded.last_seq, last_message_id = excluded.last_message_id
"""

# Otherwise the worker would index ten million messages during the measurements.
SKIP_INDEXING = """
update search_heads s set indexed_id = h.last_message_id from room_heads h
where h.room_id = s.room_id and s.room_id = any(%(rooms)s) and h.last_message_id is not null
"""

# Otherwise it would also pack them: they are already as it would leave them.
SKIP_PACKING = "update packing set until = (select max(last_seq) >> 12 from room_heads)"

CONSTRAINTS = """
select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'messages'::regclass and contype = 'p'
"""
INDEXES = """
select indexname, indexdef from pg_indexes where tablename = 'messages' and schemaname = 'public'
and not exists (select from pg_constraint where conrelid = 'messages'::regclass and conname = indexname)
"""


@dataclass(frozen=True)
class Plan:
    """How many rooms with how many messages each, `step` ms apart, the last one at `end` (ms)."""

    rooms: int
    messages: int
    step: int
    end: int

    @property
    def start(self) -> int:
        """The creation time of the rooms in ms; their first message comes a step later."""
        return self.end - self.messages * self.step


def end_of_history() -> int:
    """Return the end of all history in ms: now, or later in a window that has just begun, for a full page."""
    now = int(time.time() * 1000)
    return max(now, now // WINDOW * WINDOW + DAY)


@contextmanager
def bulk(database: Database) -> Iterator[None]:
    """Drop the indexes of `messages` while rows are written, and build them at the end."""
    with psycopg.connect(database.url, autocommit=True) as db:
        constraints, indexes = db.execute(CONSTRAINTS).fetchall(), db.execute(INDEXES).fetchall()
        for name, _ in constraints:
            db.execute(f'alter table messages drop constraint "{name}"')
        for name, _ in indexes:
            db.execute(f'drop index "{name}"')
        yield
        db.execute("set maintenance_work_mem = '1GB'")
        for name, definition in constraints:
            db.execute(f'alter table messages add constraint "{name}" {definition}')
        for _, definition in indexes:
            db.execute(definition)


def finish_seeding(database: Database, rooms: Sequence[UUID]) -> None:
    """Set the heads of the rooms, and vacuum the tables as on a server that has run for a while."""
    with psycopg.connect(database.url, autocommit=True) as db:
        db.execute(SET_HEADS, {"rooms": list(rooms)})
        db.execute(SKIP_INDEXING, {"rooms": list(rooms)})
        db.execute(SKIP_PACKING)
        db.execute("vacuum analyze")
        db.execute("checkpoint")


def fill(database: Database, plan: Plan) -> list[UUID]:
    """Create the rooms of a plan with their messages, with several writers, and return their ids."""
    rooms = [new_id(utc_now()) for _ in range(plan.rooms)]
    shared = {"rooms": rooms, "person": database.person_id, "words": WORDS * 2}
    with psycopg.connect(database.url) as db:
        db.execute(ADD_ROOMS, {**shared, "space": database.space_id, "at": from_ms(plan.start)})
    size = max(1, CHUNK // plan.rooms)
    starts = range(1, plan.messages + 1, size)
    chunks = [(first, min(first + size - 1, plan.messages)) for first in starts]

    def write(mine: list[tuple[int, int]]) -> None:
        with psycopg.connect(database.url, autocommit=True) as db:
            db.execute("set synchronous_commit = off")
            for first, last in mine:
                db.execute(FILL, {**shared, "start": plan.start, "step": plan.step, "first": first, "last": last})

    with ThreadPoolExecutor(WRITERS) as writers:
        list(writers.map(write, [chunks[nr::WRITERS] for nr in range(WRITERS)]))
    return rooms


def reply(database: Database, rooms: Sequence[UUID], replies: int) -> None:
    """Add `replies` replies to the only message of each room."""
    values = {"rooms": list(rooms), "person": database.person_id, "words": WORDS * 2, "replies": replies}
    with psycopg.connect(database.url) as db:
        db.execute(REPLY, values)
        db.execute(COUNT_REPLIES, values)

"""Search and unread counts use their indexes, however much other data exists."""

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from atrium.imports.job_queries import COUNT_MESSAGES
from atrium.kit.postgres.database import SESSION
from atrium.kit.settings import Settings
from atrium.overview.queries import DAYS
from atrium.rooms.queries import ROOMS
from atrium.search.queries import SEARCH
from atrium.unread.queries import MENTIONS, RECORD, THREADS, UNREAD
from tests.conftest import fresh_database

FILL = """
with rooms as (select gen_random_uuid() as room from generate_series(1, 50)), made as (
    insert into messages (room_id, message_id, user_id, sender_type, text, sent_at)
    select room, id_at((1700000000000 + nr * 60000) << 12), gen_random_uuid(), 'person', 'word' || nr, now()
    from rooms, generate_series(1, 600) nr returning room_id, message_id, user_id, text)
insert into message_search select room_id, message_id, user_id, 1, text::tsvector from made
"""


@pytest.fixture(scope="module")
def filled_database(settings: Settings) -> Iterator[psycopg.Connection[Any]]:
    with fresh_database(settings) as own, psycopg.connect(own.database_url or "") as db:
        for name, value in SESSION.items():
            db.execute("select set_config(%s, %s, false)", [name, value])
        db.execute(FILL.encode())
        db.execute("analyze messages, message_search")
        yield db
        db.rollback()


def reads_of(db: psycopg.Connection[Any], statement: str, *tables: str) -> list[tuple[str, str | None]]:
    """Return how the generic plan of the statement reads tables: scan types and indexes."""
    row = db.execute(f"explain (generic_plan, format json) {statement}".encode()).fetchone()
    assert row is not None
    plan = row[0] if isinstance(row[0], list) else json.loads(row[0])
    return [
        (node["Node Type"], node.get("Index Name"))
        for node in nodes(plan[0]["Plan"])
        if node.get("Relation Name") in tables or str(node.get("Index Name")).startswith(tables)
    ]


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", ()):
        yield from nodes(child)


def test_search_uses_the_word_index_and_fetches_messages_by_id(filled_database: psycopg.Connection[Any]) -> None:
    by_word = [("Bitmap Heap Scan", None), ("Bitmap Index Scan", "message_search_by_word")]
    assert reads_of(filled_database, SEARCH, "message_search") == by_word
    assert set(reads_of(filled_database, SEARCH, "messages")) == {("Index Scan", "messages_pkey")}


def test_unread_messages_are_counted_by_the_index_of_their_room(filled_database: psycopg.Connection[Any]) -> None:
    found = set(reads_of(filled_database, UNREAD, "messages"))
    assert {index for _, index in found} == {"messages_pkey"}
    assert {kind for kind, _ in found} <= {"Index Scan", "Index Scan Backward", "Index Only Scan"}


@pytest.mark.parametrize("statement", [THREADS, MENTIONS, RECORD])
def test_threads_and_mentions_are_read_by_the_indexes_of_their_rooms(
    filled_database: psycopg.Connection[Any], statement: str
) -> None:
    found = set(reads_of(filled_database, statement, "messages", "mentions", "thread_"))
    assert {index for kind, index in found if kind not in ("ModifyTable", "Bitmap Heap Scan")} <= {  # of an index scan
        "messages_pkey",
        "messages_by_thread",
        "mentions_pkey",
        "thread_participants_pkey",
        "thread_markers_pkey",
    }


@pytest.mark.parametrize("statement", [DAYS, ROOMS, COUNT_MESSAGES])
def test_days_rooms_and_counts_are_read_by_the_keys_of_their_rooms(
    filled_database: psycopg.Connection[Any], statement: str
) -> None:
    found = set(reads_of(filled_database, statement, "messages", "room_heads"))
    assert found
    assert {index for _, index in found} <= {"messages_pkey", "messages_by_thread", "room_heads_pkey"}


def test_the_check_finds_a_sequential_scan(filled_database: psycopg.Connection[Any]) -> None:
    found = reads_of(filled_database, "select from messages where text = $1", "messages")
    assert found == [("Seq Scan", None)]

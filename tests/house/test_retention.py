"""docs/retention.md says of each table what removes its rows; the job that removes rooms knows each table of a room."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from atrium.cleanup.deleted_rooms import HEADS, IN_ROOMS
from atrium.kit.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "retention.md"
ROW = re.compile(r"^\| `(\w+)` \| (.+) \|$", re.M)
TABLES = """
select relname from pg_class c where relkind in ('r', 'p') and not relispartition
and relnamespace = 'public'::regnamespace order by 1
"""
OF_ROOMS = """
select table_name from information_schema.columns c join pg_class t on t.oid = to_regclass('public.' || table_name)
where table_schema = 'public' and column_name = 'room_id' and relkind in ('r', 'p') and not relispartition
"""
# Removed by statements of their own, or as soon (docs/retention.md).
OTHERWISE = {"attachments", "incoming_webhooks", "live_events", "messages", "recordings", "rooms", "typing", "uploads"}


@pytest.fixture
def db(settings: Settings) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(settings.database_url or "") as connection:
        yield connection


@pytest.mark.contract("Messages and blocks 5")
def test_each_table_says_what_removes_its_rows(db: psycopg.Connection[Any]) -> None:
    tables = [name for (name,) in db.execute(TABLES)]
    assert [name for name, _ in ROW.findall(PAGE.read_text())] == tables


@pytest.mark.contract("Messages and blocks 5")
def test_a_deleted_room_is_removed_from_each_table_with_rooms(db: psycopg.Connection[Any]) -> None:
    tables = {name for (name,) in db.execute(OF_ROOMS)}
    assert tables == {*IN_ROOMS, *HEADS} - {"idempotency_keys"} | OTHERWISE

"""The cost of one poll depends on new events, not on the size of the log."""

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from atrium.kit.settings import Settings
from atrium.live.hub import FOLLOWER_SESSION
from atrium.live.queries import UNSEEN

FILL = """
insert into live_events (seq, xid, kind, space_id, at)
select nr, (nr / 3 + 3)::text::xid8, 'space.updated', gen_random_uuid(), now() from generate_series(1, 100000) nr
"""


@pytest.fixture
def filled_database(settings: Settings) -> Iterator[psycopg.Connection[Any]]:
    """Yield a connection configured like the follower's, and a day of events that is rolled back."""
    with psycopg.connect(settings.database_url or "") as db:
        for name, value in FOLLOWER_SESSION.items():
            db.execute("select set_config(%s, %s, false)", [name, value])
        db.execute("select keep_live_events(now())")
        db.execute(FILL.encode())
        db.execute("analyze live_events")
        yield db
        db.rollback()


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", ()):
        yield from _nodes(child)


def test_the_log_is_read_only_through_its_index(filled_database: psycopg.Connection[Any]) -> None:
    row = filled_database.execute(f"explain (generic_plan, format json) {UNSEEN}".encode()).fetchone()
    assert row is not None
    scans = [node for node in _nodes(row[0][0]["Plan"]) if str(node.get("Relation Name", "")).startswith("live_events")]
    assert scans
    assert all("xid" in json.dumps([node.get("Index Cond"), node.get("Recheck Cond")]) for node in scans)
    assert {node["Node Type"] for node in scans} <= {"Index Scan", "Bitmap Heap Scan"}


@pytest.mark.parametrize(
    ("seen", "until", "numbers"),
    [
        ("100:100:", "103:103:", [100, 101, 102]),
        ("100:103:101", "103:103:", [101]),
        ("100:102:100", "100:104:100,102", [103]),
        ("100:100:", "100:103:101", [100, 102]),
        ("103:103:", "103:103:", []),
    ],
    ids=["begun-since", "in-flight-then", "in-flight-still", "in-flight-now", "nothing-new"],
)
def test_rows_that_became_visible_between_two_snapshots_are_unseen(
    settings: Settings, seen: str, until: str, numbers: list[int]
) -> None:
    unseen = "select xid::text::int from live_unseen(%s::pg_snapshot, %s::pg_snapshot) order by 1"
    with psycopg.connect(settings.database_url or "") as db:
        db.execute("delete from live_events")
        db.execute("insert into live_events (xid, kind) select nr::text::xid8, 'x' from generate_series(90, 110) nr")
        assert [row[0] for row in db.execute(unseen, [seen, until])] == numbers
        db.rollback()

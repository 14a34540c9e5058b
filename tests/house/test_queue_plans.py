"""The worker's statements find a delivery by its key and due deliveries by time.

Their plans are made while the queue is empty, when scanning all of a webhook's deliveries would cost the same;
they must not do that.
"""

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from atrium.kit.postgres.database import BY_INDEX, SESSION
from atrium.kit.settings import Settings
from atrium.webhooks.delivery import queries
from tests.conftest import fresh_database

KEY, BY_TIME, LEASED = "due_deliveries_pkey", "due_deliveries_by_time", "due_deliveries_leased"
BY_SUBJECT = "due_deliveries_by_subject"
FULL = """
insert into due_deliveries (webhook_id, delivery_id, due_at)
select gen_random_uuid(), gen_random_uuid(), now() from generate_series(1, 3000)
"""


@pytest.fixture(scope="module")
def empty(settings: Settings) -> Iterator[psycopg.Connection[Any]]:
    """Connect as the worker does, to a database without deliveries."""
    options = " ".join(f"-c {name}={value}" for name, value in (SESSION | BY_INDEX).items())
    with (
        fresh_database(settings) as own,
        psycopg.connect(own.database_url or "", options=options, autocommit=True) as db,
    ):
        yield db


def reads(db: psycopg.Connection[Any], statement: str) -> set[tuple[str, str | None]]:
    """Return how the statement's generic plan reads the queue: scan types and indexes."""
    row = db.execute(f"explain (generic_plan, format json) {statement}".encode()).fetchone()
    assert row is not None
    [plan] = row[0] if isinstance(row[0], list) else json.loads(row[0])
    found = [node for node in _nodes(plan["Plan"]) if "due_deliveries" in _relation_and_index(node)]
    for node in found:
        if node.get("Index Name") == KEY:
            assert "delivery_id" in node.get("Index Cond", ""), "the whole of the key is looked for"
        if node.get("Index Name") in (BY_TIME, LEASED, BY_SUBJECT):
            assert "webhook_id" in node.get("Index Cond", ""), "one webhook at a time is looked through"
    return {(node["Node Type"], node.get("Index Name")) for node in found if node["Node Type"] != "ModifyTable"}


def _relation_and_index(node: dict[str, Any]) -> str:
    return f"{node.get('Relation Name')} {node.get('Index Name')}"


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", ()):
        yield from _nodes(child)


BY_KEY = {name: getattr(queries, name) for name in ("SUCCEED", "LOCK_FOR_FAILURES", "FAIL", "FORGET_ENDED")}
BY_PLACE = ("Tid Scan", None)


@pytest.mark.parametrize("name", BY_KEY)
def test_a_delivery_is_found_by_its_primary_key(empty: psycopg.Connection[Any], name: str) -> None:
    found = reads(empty, BY_KEY[name]) - {BY_PLACE}
    assert found
    assert found <= {("Index Scan", KEY), ("Index Only Scan", KEY)}


def test_due_deliveries_are_found_by_time_and_claimed_by_row(empty: psycopg.Connection[Any]) -> None:
    by_time = {(kind, index) for kind in ("Index Scan", "Index Only Scan") for index in (BY_TIME, LEASED)}
    found = reads(empty, queries.CLAIM)
    assert BY_PLACE in found
    by_subject = ("Index Scan", BY_SUBJECT)
    assert found == {BY_PLACE, by_subject, *(found & by_time)}
    due = reads(empty, queries.NEXT_DUE)
    assert due == {by_subject, *(due & by_time)}


def test_the_plans_stay_the_same_after_a_full_queue_was_vacuumed(empty: psycopg.Connection[Any]) -> None:
    empty.execute(FULL)
    empty.execute("delete from due_deliveries")
    empty.execute("vacuum analyze due_deliveries")
    for name in BY_KEY:
        test_a_delivery_is_found_by_its_primary_key(empty, name)
    test_due_deliveries_are_found_by_time_and_claimed_by_row(empty)

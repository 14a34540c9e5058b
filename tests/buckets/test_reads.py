"""What is in several buckets reads as if it were in one, and is changed only by who names the bucket."""

import asyncio
from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import Phase, given
from hypothesis import settings as runs

from atrium.kit.settings import Settings
from atrium.migrations.buckets import OWN_ONLY, TABLES
from tests.buckets.history import STEPS, Json, Step, new_world
from tests.conftest import fresh_database

IN_EACH = [table for table in TABLES if table not in OWN_ONLY]
QUEUES = ("deliveries", "due_deliveries")
CANNOT = (psycopg.errors.ObjectNotInPrerequisiteState, psycopg.errors.FeatureNotSupported)


@pytest.fixture(scope="module")
def two_buckets(settings: Settings) -> Iterator[Settings]:
    """Yield settings of one database with two buckets for all tests."""
    with fresh_database(settings, buckets=2) as own:
        yield own


@pytest.fixture(scope="module")
def one_bucket(settings: Settings) -> Iterator[Settings]:
    """Yield settings of another database, in which all rooms of an organization are in the first bucket."""
    with fresh_database(settings) as own:
        yield own


async def read_after(settings: Settings, steps: list[Step], *, one_bucket: bool) -> Json:
    """Return what both people read after the steps."""
    async with new_world(settings, one_bucket=one_bucket) as world:
        for step in steps:
            await world.take(step)
        assert await world.buckets_used() == (1 if one_bucket else 2)
        return await world.everything()


@given(steps=STEPS)
@runs(max_examples=10, deadline=None, phases=[Phase.generate])
def test_a_history_in_two_buckets_reads_as_in_one(
    two_buckets: Settings, one_bucket: Settings, steps: list[Step]
) -> None:
    in_two = asyncio.run(read_after(two_buckets, steps, one_bucket=False))
    in_one = asyncio.run(read_after(one_bucket, steps, one_bucket=True))
    assert in_two.keys() == in_one.keys()
    for name, pages in in_two.items():
        assert pages == in_one[name], name


@pytest.mark.parametrize("table", IN_EACH)
def test_a_connection_without_a_bucket_changes_nothing_in_one(two_buckets: Settings, table: str) -> None:
    with psycopg.connect(two_buckets.database_url or "", autocommit=True) as db:
        [first, *_] = db.execute(f"select * from {table} limit 0".encode()).description or ()
        column = first.name
        for statement in (f"update {table} set {column} = {column}", f"delete from {table}", f"truncate {table}"):
            with pytest.raises((*CANNOT, psycopg.errors.WrongObjectType)):
                db.execute(statement.encode())
        if table not in QUEUES:
            with pytest.raises(CANNOT):
                db.execute(f"insert into {table} select * from {table}".encode())

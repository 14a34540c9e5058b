"""Revisions change the tables of every bucket."""

import psycopg
import pytest

from atrium.kit.settings import Settings
from atrium.migrations import migrate
from atrium.migrations.buckets import add_bucket
from atrium.migrations.upgrade import changing_schema, upgrade
from tests.conftest import fresh_database

PATH = "show search_path"


def columns(db: psycopg.Connection) -> list[str]:
    found = db.execute("select table_schema from information_schema.columns where column_name = 'stars' order by 1")
    return [schema for (schema,) in found]


def indexes(db: psycopg.Connection) -> list[str]:
    found = db.execute("select schemaname from pg_indexes where indexname = 'messages_by_stars' order by 1")
    return [schema for (schema,) in found]


@pytest.mark.usefixtures("later")
def test_a_revision_changes_every_bucket_and_the_views_over_them(two_buckets: Settings) -> None:
    url = two_buckets.database_url or ""
    with changing_schema(url) as connection:
        upgrade(connection)
    with psycopg.connect(url) as db:
        assert columns(db) == ["bucket_1", "every_bucket", "public"]
        assert indexes(db) == ["bucket_1", "public"]
        assert db.execute("select stars from messages").fetchall() == []
        assert db.execute(PATH).fetchone() == ("every_bucket, public",)


@pytest.mark.usefixtures("later")
def test_a_revision_changes_the_only_bucket_and_later_ones_are_copies_of_it(settings: Settings) -> None:
    with fresh_database(settings) as own:
        url = own.database_url or ""
        with changing_schema(url) as connection:
            upgrade(connection)
        with psycopg.connect(url) as db:
            before = len(columns(db))
            number = add_bucket(db)
            assert f"bucket_{number}" in columns(db)
            assert len(columns(db)) > before
            assert f"bucket_{number}" in indexes_of(db, number)


def indexes_of(db: psycopg.Connection, bucket: int) -> list[str]:
    """Return the schemas of the indexes of messages by room and stars."""
    found = db.execute(
        "select schemaname from pg_indexes where indexdef like '%%(room_id, stars)' and schemaname = %s",
        [f"bucket_{bucket}"],
    )
    return [schema for (schema,) in found]


@pytest.mark.parametrize(
    "lost", ["alter role current_user in database {} reset search_path", "drop schema every_bucket cascade"]
)
def test_a_start_makes_what_connections_to_all_buckets_need(two_buckets: Settings, lost: str) -> None:
    url = two_buckets.database_url or ""
    with psycopg.connect(url) as db:
        db.execute(lost.format(db.info.dbname).encode())
    migrate(url)
    with psycopg.connect(url) as db:
        assert db.execute(PATH).fetchone() == ("every_bucket, public",)
        assert db.execute("select 'messages'::regclass::text, count(*) from every_bucket.messages").fetchone() == (
            "messages",
            0,
        )

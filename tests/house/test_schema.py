"""docs/schema.sql matches the schema that the migrations create, and contains every object."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from atrium.kit.settings import Settings
from tests.conftest import fresh_database
from tests.house.schema import FILE, schema_of

# Each kind of object as the file writes it, and the query for the names. `{}` stands for the name.
OBJECTS = {
    "CREATE TABLE {} (": "select relname from pg_class c where relkind in ('r', 'p') and not relispartition and OWN",
    "INDEX {} ON ": """
        select relname from pg_class c where relkind in ('i', 'I') and not relispartition and OWN
        and not exists (select from pg_constraint where conindid = c.oid)""",
    "CONSTRAINT {} ": """
        select conname from pg_constraint join pg_class c on c.oid = conrelid
        where contype in ('p', 'u', 'f', 'c', 'x') and not relispartition and OWN""",
    " TRIGGER {} ": """
        select tgname from pg_trigger join pg_class c on c.oid = tgrelid
        where not tgisinternal and not relispartition and OWN""",
    "CREATE VIEW {} AS": "select relname from pg_class c where relkind = 'v' and OWN",
    "CREATE FUNCTION {}(": "select proname from pg_proc where pronamespace = 'public'::regnamespace",
    "CREATE TYPE {} AS": "select typname from pg_type where typtype = 'e' and typnamespace = 'public'::regnamespace",
}
UNPUBLISHABLE = """
select c.oid::regclass::text from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relpersistence = 'p'
  and c.relreplident <> 'f' and not exists (select from pg_index where indrelid = c.oid and indisprimary)
"""
OF_A_DAY = "select relname from pg_class where relispartition and relname ~ '[0-9]{4}'"
OWN = "c.relnamespace = 'public'::regnamespace"


@pytest.fixture(scope="module")
def migrated(settings: Settings) -> Iterator[Settings]:
    """Yield a migrated database with today's partitions, which are not in the file."""
    with fresh_database(settings) as own:
        with psycopg.connect(own.database_url or "") as connection:
            connection.execute("select keep_deliveries(now(), 30), keep_live_events(now())")
            assert connection.execute(OF_A_DAY).fetchall()
        yield own


@pytest.fixture(scope="module")
def db(migrated: Settings) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(migrated.database_url or "") as connection:
        yield connection


def test_the_schema_file_matches_the_migrations(migrated: Settings) -> None:
    assert FILE.read_text() == schema_of(migrated), "the schema has changed: `make schema` writes the file"


@pytest.mark.parametrize("form", OBJECTS)
def test_the_schema_file_contains_each_object(db: psycopg.Connection[Any], form: str) -> None:
    names = [name for (name,) in db.execute(OBJECTS[form].replace("OWN", OWN).encode())]
    text = FILE.read_text().replace("CREATE UNLOGGED TABLE", "CREATE TABLE")
    assert names
    assert [name for name in names if text.count(form.format(name)) < names.count(name)] == []


def test_each_table_can_be_changed_while_it_is_published(settings: Settings) -> None:
    """For logical replication: its rows have a primary key or a replica identity."""
    with fresh_database(settings) as own, psycopg.connect(own.database_url or "") as db:
        db.execute("select keep_deliveries(now(), 30), keep_live_events(now())")
        assert db.execute(UNPUBLISHABLE.encode()).fetchall() == []

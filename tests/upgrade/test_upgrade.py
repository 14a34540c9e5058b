"""The next start gives a database of an earlier release the schema of today, with its data."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from atrium import migrations
from atrium.kit.postgres.programs import program
from atrium.kit.settings import Settings
from atrium.migrations import SchemaMismatch, migrate
from tests.backups.places import Place, with_postgresql
from tests.conftest import fresh_database, new_organization

# An earlier release had no `wake_workers`, and a function, a view and a trigger that are gone or have changed.
EARLIER = """
create or replace function id_ms(id uuid) returns bigint language sql immutable return 0;
create function gone(id uuid) returns bigint language sql return id_ms(id);
create function gone() returns trigger language plpgsql as 'begin return gone(new.room_id); end';
create trigger gone after insert on rooms for each row execute function gone();
create or replace trigger notify_changed after update on spaces for each row execute function gone();
drop view directory;
create view directory as select 1 as one;
drop trigger wake_workers on live_events;
drop trigger wake_workers on due_deliveries;
drop function wake_workers;
comment on table alembic_version is '0.0.1 noted'
"""
# What a role other than Atrium's has in the schema stays.
OTHERS = """
create role someone;
create function of_someone() returns int language sql return 1;
alter function of_someone owner to someone
"""
TABLES = "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1"
ROWS = SQL("select t::text from {} t order by 1")
NOTE = "comment on table alembic_version is '{} noted'"
DROP = "drop trigger wake_workers on due_deliveries"
EXISTS = """
select exists (select from pg_trigger where tgname = 'wake_workers' and tgrelid = 'due_deliveries'::regclass)
"""
NOISE = re.compile(r"^\\(un)?restrict .*\n", re.M)


@pytest.fixture
def own(settings: Settings) -> Iterator[Settings]:
    """Yield settings of a database with an organization."""
    with fresh_database(settings) as own:
        migrate(own.database_url or "")  # begins the log of this copy, which would change its rows later
        new_organization(own, "")
        yield own


def catalogue(settings: Settings) -> str:
    """Return the statements that create the schema, as pg_dump writes them, without the partitions of days."""
    options = ("--schema-only", "--no-owner", "--exclude-table=deliveries_2*", "--exclude-table=live_events_2*")
    command = [str(program("pg_dump")), *options, settings.database_url or ""]
    return NOISE.sub("", subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def rows_of(settings: Settings) -> dict[str, list[str]]:
    """Return the rows of each table."""
    with psycopg.connect(settings.database_url or "") as db:
        tables = [name for (name,) in db.execute(TABLES)]
        return {name: [row for (row,) in db.execute(ROWS.format(Identifier(name)))] for name in tables}


@pytest.mark.contract("Backups, packages, upgrades 7")
def test_an_upgrade_makes_the_schema_of_today_and_keeps_the_rows(own: Settings) -> None:
    today, rows = catalogue(own), rows_of(own)
    with psycopg.connect(own.database_url or "") as db:
        db.execute(EARLIER)
    assert catalogue(own) != today
    migrate(own.database_url or "")
    assert catalogue(own) == today
    assert rows_of(own) == rows


@pytest.mark.contract("Backups, packages, upgrades 7")
def test_a_restore_makes_the_schema_of_today(own: Settings, settings: Settings, tmp_path: Path) -> None:
    Place(own.with_changes(data_dir=tmp_path)).succeeds("backup", tmp_path / "file")
    with with_postgresql(settings) as place:
        place.succeeds("restore", tmp_path / "file")
        assert catalogue(place.settings) == catalogue(own)


def test_functions_of_other_roles_stay(own: Settings) -> None:
    today = catalogue(own)
    with psycopg.connect(own.database_url or "") as db:
        db.execute(OTHERS)
        db.execute(EARLIER)
        db.commit()
        migrate(own.database_url or "")
        assert db.execute("select of_someone()").fetchall() == [(1,)]
        db.execute("drop function of_someone; drop role someone")
    assert catalogue(own) == today


@pytest.mark.contract("Backups, packages, upgrades 7")
def test_what_a_later_release_made_is_not_replaced(own: Settings) -> None:
    with psycopg.connect(own.database_url or "", autocommit=True) as db:
        db.execute(DROP)
        db.execute(NOTE.format("99.0"))
        with pytest.raises(SchemaMismatch, match=r"another release of Atrium: 99\.0"):
            migrate(own.database_url or "")
        assert db.execute(EXISTS).fetchone() == (False,)
        db.execute(NOTE.format("0.0.1"))
        migrate(own.database_url or "")
        assert db.execute(EXISTS).fetchone() == (True,)


def test_a_database_without_utf8_is_refused(own: Settings) -> None:
    with psycopg.connect(own.database_url or "", autocommit=True) as db:
        db.execute("create database ascii encoding 'SQL_ASCII' locale 'C' template template0")
        try:
            with pytest.raises(SchemaMismatch, match="UTF8; this one has SQL_ASCII"):
                migrate(make_conninfo(own.database_url or "", dbname="ascii"))
        finally:
            db.execute("drop database ascii")


@pytest.mark.parametrize(
    ("this", "later"),
    [
        ("1.0rc1", "1.0"),
        ("1.0rc9", "1.0rc10"),
        ("1.0a1", "1.0rc1"),
        ("0.9.9", "1.0rc1"),
        ("1.9", "1.10"),
        ("1.0", "1.0.1"),
    ],
)
def test_releases_with_any_name_are_in_order(
    own: Settings, monkeypatch: pytest.MonkeyPatch, this: str, later: str
) -> None:
    url = own.database_url or ""
    for release in (this, later):
        monkeypatch.setattr(migrations, "__version__", release)
        migrate(url)
    monkeypatch.setattr(migrations, "__version__", this)
    with pytest.raises(SchemaMismatch, match=f"another release of Atrium: {re.escape(later)}"):
        migrate(url)

"""Each function and each trigger has a file of its name, which the database accepts and something calls."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from atrium.kit.settings import Settings
from atrium.migrations import scripts
from tests.conftest import fresh_database
from tests.house.sources import SRC

FUNCTIONS = [script for script in scripts() if script.parent.name == "functions"]
TRIGGERS = [script for script in scripts() if script.parent.name == "triggers"]
MADE = re.compile(r"^create or replace function (\w+)\(", re.M)
TRIGGER = re.compile(r"^create (?:or replace|constraint) trigger \w+ ", re.M)
IN_DATABASE = "select proname from pg_proc where pronamespace = 'public'::regnamespace order by proname"
UNPUBLISHABLE = """
select oid::regclass::text from pg_class c
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relpersistence = 'p'
  and relreplident <> 'f' and not exists (select from pg_index where indrelid = c.oid and indisprimary)
"""


@pytest.fixture
def db(settings: Settings) -> Iterator[psycopg.Connection[Any]]:
    with fresh_database(settings) as own, psycopg.connect(own.database_url or "") as connection:
        yield connection


def test_each_file_makes_the_function_of_its_name_and_says_what_it_does() -> None:
    for script in (*FUNCTIONS, *TRIGGERS):
        text = script.read_text()
        assert MADE.findall(text) == [script.stem], script.name
        assert text.startswith("-- "), f"{script.name} says nothing"
        assert bool(TRIGGER.search(text)) is (script in TRIGGERS), script.name


def test_the_database_has_the_functions_of_the_files(db: psycopg.Connection[Any]) -> None:
    names = [name for (name,) in db.execute(IN_DATABASE)]
    assert names == sorted(script.stem for script in (*FUNCTIONS, *TRIGGERS))


def test_the_database_accepts_each_body(db: psycopg.Connection[Any]) -> None:
    """An upgrade does not check them, because a function may call others whose files run later."""
    for script in scripts():
        db.execute(script.read_bytes())


def test_each_function_is_called() -> None:
    texts = {path: path.read_text() for path in SRC.rglob("*") if path.suffix in (".py", ".sql")}
    unused = [script.stem for script in FUNCTIONS if not any(_calls(script, *each) for each in texts.items())]
    assert unused == []


def _calls(script: Path, path: Path, text: str) -> bool:
    return path != script and bool(re.search(rf"(?<!function )\b{script.stem}\(", text))


@pytest.mark.contract("Operations 8")
def test_each_table_can_be_changed_while_it_is_published(db: psycopg.Connection[Any]) -> None:
    """For logical replication: its rows have a primary key or a replica identity."""
    db.execute("select keep_live_events(now())")
    assert db.execute(UNPUBLISHABLE.encode()).fetchall() == []

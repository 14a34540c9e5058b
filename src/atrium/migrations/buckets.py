"""The schemas of buckets: made as `public` has them, column by column, so that they are written once.

Bucket 0 is the schema `public`; another, n, is the schema `bucket_n`. With more than one there is a schema
`every_bucket` with a view of each table over all buckets. A connection that belongs to no bucket looks there first: it
reads from all of them, and cannot change what is in them, except that new deliveries go into bucket 0.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.sql import SQL, Composed, Identifier

EVERY = "every_bucket"
# The tables of a bucket. Those of OWN_ONLY are never read across buckets: elsewhere their names mean bucket 0's.
OWN_ONLY = ("idempotency_keys", "packing")
TABLES = (
    *OWN_ONLY, "deliveries", "due_deliveries", "mentions", "message_search", "messages", "participation_heads",
    "read_markers", "room_changes", "room_heads", "search_heads", "thread_markers", "thread_participants",
)  # fmt: skip
# Returns: exists
EXIST = "select to_regclass('public.buckets') is not null as exists"
# Returns: bucket
NUMBERS = "select bucket from buckets order by bucket"
# Parameters: $1 bucket
ADD = "insert into buckets (bucket) values ($1)"
# Those of the tables that exist: later revisions make others.
# Parameters: $1 tables
# Returns: table
EXISTING = "select t as table from unnest($1::text[]) t where to_regclass('public.' || t) is not null"
# Parameters: $1 table
# Returns: partition_key, options
STORAGE = """
select pg_get_partkeydef(oid) as partition_key, reloptions as options
from pg_class where oid = to_regclass('public.' || $1)
"""
# Parameters: $1 table
# Returns: definition
TRIGGERS = """
select pg_get_triggerdef(oid) as definition from pg_trigger
where tgrelid = to_regclass('public.' || $1) and not tgisinternal
"""
# Parameters: $1 table
# Returns: attname, value
COLUMNS = """
select attname, case when attidentity <> '' then
           format('nextval(%L::regclass)', pg_get_serial_sequence('public.' || relname, attname))
       when attgenerated = '' then pg_get_expr(adbin, adrelid) end as value
from pg_class c join pg_attribute on attrelid = c.oid
left join pg_attrdef on adrelid = attrelid and adnum = attnum
where c.oid = to_regclass('public.' || $1) and attnum > 0 and not attisdropped
order by attnum
"""
# Where the messages of a bucket are, if not in the default tablespace of the database. What is new in the bucket goes
# there too (so does keep_deliveries).
# Parameters: $1 schema
# Returns: tablespace
TABLESPACE = """
select coalesce(max(spcname), '') as tablespace from pg_class c join pg_tablespace t on t.oid = reltablespace
where c.oid = to_regclass($1 || '.messages')
"""
# Returns: tablespace
DEFAULT_TABLESPACE = """
select spcname as tablespace from pg_database join pg_tablespace t on t.oid = dattablespace
where datname = current_database()
"""
# The statements that move the tables, partitions and indexes of a bucket that are elsewhere to a tablespace.
# Parameters: $1 schema, $2 tables, $3 tablespace
# Returns: statement
PLACES = """
select format('alter %s %I.%I set tablespace %I', case when c.relkind in ('i', 'I') then 'index' else 'table' end,
              $1::text, c.relname, $3::text) as statement
from pg_class c left join pg_index on indexrelid = c.oid
join pg_database on datname = current_database()
left join pg_tablespace t on t.oid = coalesce(nullif(c.reltablespace, 0), dattablespace)
where c.relkind in ('r', 'p', 'i', 'I') and c.relnamespace = to_regnamespace($1) and t.spcname <> $3
  and coalesce(pg_partition_root(coalesce(indrelid, c.oid)), indrelid, c.oid)
      in (select to_regclass($1 || '.' || each) from unnest($2::text[]) each)
order by c.relname
"""
# Whether this connection, opened as usual, does not find the views over all buckets.
# Returns: lacks
LACKS_VIEWS = """
select (current_setting('search_path') not like 'every_bucket,%' or to_regnamespace('every_bucket') is null)
       and exists (select from buckets where bucket > 0) as lacks
"""
# Parameters: the view, the function, the table
QUEUED_IN_0 = """
create function {function}() returns trigger language plpgsql as $$
begin
    insert into {table} select (new).*;
    return new;
end $$;
create trigger into_bucket_0 instead of insert on {view} for each row execute function {function}();
"""
PARTITIONS = "select keep_deliveries(now(), 30)"
READ_ALL = "alter role current_user in database {database} set search_path = {every}, public"


def schema_of(bucket: int) -> str:
    """Return the name of the schema of a bucket."""
    return f"bucket_{bucket}" if bucket else "public"


def add_bucket(db: psycopg.Connection) -> int:
    """Add a bucket; return its number. The caller holds the lock for changes of the schema."""
    number = max(numbers(db)) + 1
    schema = schema_of(number)
    psycopg.RawCursor(db).execute(ADD, [number])
    db.execute(SQL("create schema {}").format(Identifier(schema)))
    for (table,) in _rows(db, EXISTING, list(TABLES)):
        for statement in _table(db, schema, table):
            db.execute(statement)
    db.execute(SQL("insert into {} (until) values (0)").format(Identifier(schema, "packing")))
    [[tablespace]] = _rows(db, DEFAULT_TABLESPACE)
    place_bucket(db, number, tablespace)  # indexes are copied with the tablespace of those of bucket 0
    with in_bucket(db, number):
        db.execute(PARTITIONS)
    read_every_bucket(db)
    return number


def numbers(db: psycopg.Connection) -> list[int]:
    """Return the numbers of all buckets. A schema of an older release has one."""
    return [number for (number,) in _rows(db, NUMBERS)] if _rows(db, EXIST) == [(True,)] else [0]


@contextmanager
def in_bucket(db: psycopg.Connection, bucket: int) -> Iterator[None]:
    """Within this context, statements of the transaction find the tables of a bucket, and new ones are made where its
    messages are; after it, those of bucket 0."""
    schema = schema_of(bucket)
    [[tablespace]] = _rows(db, TABLESPACE, schema)
    db.execute(SQL("set local search_path = {}, public").format(Identifier(schema)))
    db.execute(SQL("set local default_tablespace = {}").format(tablespace))
    yield
    db.execute("set local search_path = public; set local default_tablespace to default")


def place_bucket(db: psycopg.Connection, bucket: int, tablespace: str) -> None:
    """Move all tables and indexes of a bucket to a tablespace, where new ones are made from then on. The caller holds
    the lock for changes of the schema. Raise psycopg.Error, also for an unknown tablespace."""
    for (statement,) in _rows(db, PLACES, schema_of(bucket), list(TABLES), tablespace):
        db.execute(statement.encode())


@contextmanager
def without_views(db: psycopg.Connection) -> Iterator[None]:
    """Within this context there are no views over all buckets, so that their tables can change. With one bucket, the
    path of the connection stays what it is."""
    if numbers(db) != [0]:
        drop_views(db)
        db.execute("set local search_path = public")
    yield
    read_every_bucket(db)


def lacks_views(db: psycopg.Connection) -> bool:
    """Return whether the database has several buckets, and this connection would read one of them. The setting of a
    role in a database is not in a dump of the database."""
    return _rows(db, LACKS_VIEWS) == [(True,)]


def read_every_bucket(db: psycopg.Connection) -> None:
    """Make the views over all buckets, and let new connections look there first. With one bucket, do nothing."""
    drop_views(db)
    if (found := numbers(db)) == [0]:
        return
    db.execute(SQL("create schema {}").format(Identifier(EVERY)))
    for (table,) in _rows(db, EXISTING, [each for each in TABLES if each not in OWN_ONLY]):
        _create_view(db, table, found)
    for table in ("deliveries", "due_deliveries"):
        names = {"table": Identifier("public", table), "view": Identifier(EVERY, table)}
        db.execute(SQL(QUEUED_IN_0).format(function=Identifier(EVERY, f"insert_into_{table}"), **names))
    database = Identifier(db.info.dbname)
    db.execute(SQL(READ_ALL).format(database=database, every=Identifier(EVERY)))


def drop_views(db: psycopg.Connection) -> None:
    """Drop the views over all buckets, so that their tables can change."""
    db.execute(SQL("drop schema if exists {} cascade").format(Identifier(EVERY)))


def _table(db: psycopg.Connection, schema: str, table: str) -> Iterator[SQL | Composed]:
    ours, theirs = Identifier(schema, table), Identifier("public", table)
    [[partitioned, options]] = _rows(db, STORAGE, table)
    by = SQL(f" partition by {partitioned}" if partitioned else "")
    yield SQL("create table {} (like {} including all)").format(ours, theirs) + by
    if partitioned:
        other = Identifier(schema, f"{table}_other")
        yield SQL("create table {} partition of {} default").format(other, ours)
    if options:
        yield SQL("alter table {} set ({})").format(ours, SQL(", ".join(options)))
    for (definition,) in _rows(db, TRIGGERS, table):
        yield SQL(definition.replace(f" ON public.{table} ", f" ON {schema}.{table} "))


def _create_view(db: psycopg.Connection, table: str, buckets: list[int]) -> None:
    columns = _rows(db, COLUMNS, table)
    names = SQL(", ").join(Identifier(name) for name, _ in columns)
    parts = [SQL("select {} from {}").format(names, Identifier(schema_of(each), table)) for each in buckets]
    view = Identifier(EVERY, table)
    db.execute(SQL("create view {} as {}").format(view, SQL(" union all ").join(parts)))
    for name, default in columns:
        if default is not None:
            change = "alter view {} alter column {} set default {}"
            db.execute(SQL(change).format(view, Identifier(name), SQL(default)))


def _rows(db: psycopg.Connection, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
    return psycopg.RawCursor(db).execute(statement.encode(), parameters).fetchall()

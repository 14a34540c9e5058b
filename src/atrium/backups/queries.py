"""The SQL of backups. `$1` and the like: psycopg takes them in its raw cursor."""

from atrium.kit import locks

# While a backup reads tables: no other schema (migrations), no partition made or dropped (keep_deliveries and
# keep_live_events pass when they do not get their lock). Else one of these would wait for the copy, and sends for it.
_OF_SCHEMA = f"array[{locks.SCHEMA}, {locks.DELIVERY_PARTITIONS}, {locks.LIVE_EVENT_PARTITIONS}]::bigint[]"
HOLD_SCHEMA = f"select pg_advisory_lock_shared(n) from unnest({_OF_SCHEMA}) n"
RELEASE_SCHEMA = f"select pg_advisory_unlock_shared(n) from unnest({_OF_SCHEMA}) n"
# Until the media is copied too: nothing that is given up leaves the storage (media/queries.py, DROPPED).
HOLD_MEDIA = f"select pg_advisory_lock_shared({locks.MEDIA})"
STILL_HELD = f"""
select exists (select from pg_locks where locktype = 'advisory' and objid = {locks.MEDIA} and pid = pg_backend_pid())
"""

# Values are written and read in one way, whatever the server is set to; and nothing ends a long copy.
SESSION = """
select set_config(name, value, false) from (values
    ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'), ('timezone', 'UTC'), ('bytea_output', 'hex'),
    ('extra_float_digits', '1'), ('client_encoding', 'UTF8'), ('statement_timeout', '0'), ('lock_timeout', '0'),
    ('idle_session_timeout', '0'), ('idle_in_transaction_session_timeout', '0')) settings (name, value)
"""

BEGIN = "begin transaction isolation level repeatable read read only"

# Live events refer to transactions of the database they happened in, and unlogged tables hold what is over in a minute.
TABLES = """
select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
from pg_class c join pg_attribute a on a.attrelid = c.oid
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relpersistence = 'p' and c.relname not in ('alembic_version', 'live_events', 'live_origin')
  and c.relowner = (select relowner from pg_class where oid = 'alembic_version'::regclass)
  and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
group by c.relname order by c.relname
"""

# A role that somebody else's tools work with may have tables in the schema. Ours are whoever's the revision is: also
# where the one who takes the backup is another, who would own none of them.
OTHERS = """
select c.relname as name from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relowner <> (select relowner from pg_class where oid = 'alembic_version'::regclass)
  and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by c.relname
"""

# What can be opened with the key of the installation only.
SEALED = "select secret from webhooks"

# Each table with one that has to be filled before it.
ORDER = """
select distinct r.relname as name, f.relname as before
from pg_constraint k join pg_class r on r.oid = k.conrelid join pg_class f on f.oid = k.confrelid
where k.contype = 'f' and k.connamespace = current_schema()::regnamespace and r.oid <> f.oid
"""

# What no row has drawn yet has no last value.
SEQUENCES = "select sequencename as name, last_value from pg_sequences where schemaname = current_schema()"
SET_SEQUENCE = "select setval(quote_ident($1)::regclass, $2)"

REVISION = "select version_num from alembic_version"
NOW = "select now()"

# What is neither ours nor an extension's is someone else's.
PRESENT = """
select c.relname as name from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
  and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by c.relkind = 'S', c.relname
"""

# A transaction that still commits holds the lock of migrations (upgrade.py); a minute is enough to wait for it.
WAIT_FOR_RESTORATION = f"select set_config('lock_timeout', '1min', true), pg_advisory_xact_lock({locks.SCHEMA})"
IS_THERE = "select to_regclass('alembic_version') is not null"

# The days whose deliveries are still kept get partitions before their rows come.
MAKE_PARTITIONS = """
select keep_deliveries($1::timestamptz - n * interval '1 day', 36500) from generate_series(0, 31) n
"""

# Every piece that something of the database names. Objects that were given up may be on their way out already.
PIECES = """
select p.object || '/' || p.part as name, p.size::bigint as size from media_parts p
where not exists (select from dropped_objects d where d.object = p.object)
union all
select a.object || '/' || a.thumbnail, a.thumbnail_size::bigint from attachments a
where a.thumbnail is not null and not exists (select from dropped_objects d where d.object = a.object)
"""

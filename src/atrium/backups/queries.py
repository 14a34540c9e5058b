"""The SQL of backups. Parameters are `$1` and so on, for psycopg's RawCursor."""

from atrium.kit.postgres import locks

# While a backup reads tables, no migration runs and no partition is created or dropped (keep_deliveries and
# keep_live_events skip when they do not get their lock). Otherwise these would wait for the copy, and sends for them.
_OF_SCHEMA = f"array[{locks.SCHEMA}, {locks.DELIVERY_PARTITIONS}, {locks.LIVE_EVENT_PARTITIONS}]::bigint[]"
LOCK_SCHEMA = f"select pg_advisory_lock_shared(n) from unnest({_OF_SCHEMA}) n"

# Returns: pg_advisory_unlock_shared
UNLOCK_SCHEMA = f"select pg_advisory_unlock_shared(n) from unnest({_OF_SCHEMA}) n"
# The worker deletes no media from the storage until the backup has copied it (media/queries.py, DROPPED).
LOCK_MEDIA = f"select pg_advisory_lock_shared({locks.MEDIA})"

# Returns: exists
IS_MEDIA_LOCKED = f"""
select exists (select from pg_locks where locktype = 'advisory' and objid = {locks.MEDIA} and pid = pg_backend_pid())
"""

# Values have one format regardless of the server's configuration, and no timeout ends a long copy.
# Returns: set_config
SESSION = """
select set_config(name, value, false) from (values
    ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'), ('timezone', 'UTC'), ('bytea_output', 'hex'),
    ('extra_float_digits', '1'), ('client_encoding', 'UTF8'), ('statement_timeout', '0'), ('lock_timeout', '0'),
    ('idle_session_timeout', '0'), ('idle_in_transaction_session_timeout', '0')) settings (name, value)
"""

BEGIN = "begin transaction isolation level repeatable read read only"

# Timelines and positions in the log belong to their own database, and unlogged tables hold only short-lived rows. The
# log's events that are still to be queued for webhooks (SOURCES) get the transaction that restores them.
# Returns: name, columns
TABLES = """
select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
from pg_class c join pg_attribute a on a.attrelid = c.oid
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relpersistence = 'p' and c.relname not in ('alembic_version', 'live_positions', 'live_origin', 'timelines')
  and c.relowner = (select relowner from pg_class where oid = 'alembic_version'::regclass)
  and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and (c.relname, a.attname) <> ('live_events', 'xid')
  and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
group by c.relname order by c.relname
"""

# The rows of a table that a backup has, where it has not all of them.
SOURCES = {"live_events": "(select * from live_events where not is_taken(xid)) untaken"}

# Other roles may have tables in the schema. Atrium's tables belong to the owner of alembic_version, who may be another
# role than the one that takes the backup.
# Returns: name
OTHER_TABLES = """
select c.relname as name from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relowner <> (select relowner from pg_class where oid = 'alembic_version'::regclass)
  and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by c.relname
"""

# Secrets that only the installation's key can decrypt.
# Returns: secret
ENCRYPTED_SECRETS = "select secret from webhooks"

# Each table with a table that must be filled before it.
# Returns: name, before
ORDER = """
select distinct r.relname as name, f.relname as before
from pg_constraint k join pg_class r on r.oid = k.conrelid join pg_class f on f.oid = k.confrelid
where k.contype = 'f' and k.connamespace = current_schema()::regnamespace and r.oid <> f.oid
"""

# An unused sequence has no last value.
# Returns: name, last_value
SEQUENCES = "select sequencename as name, last_value from pg_sequences where schemaname = current_schema()"

# Parameters: $1 sequence, $2 value
# Returns: setval
SET_SEQUENCE = "select setval(quote_ident($1)::regclass, $2)"

# Returns: version_num
REVISION = "select version_num from alembic_version"

# Returns: now
NOW = "select now()"

# Existing tables, views and sequences, except those of extensions.
# Returns: name
EXISTING = """
select c.relname as name from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
  and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by c.relkind = 'S', c.relname
"""

# A transaction that is still committing holds the migration lock (upgrade.py); a minute is long enough to wait.
# Returns: set_config
WAIT_FOR_RESTORE = f"select set_config('lock_timeout', '1min', true), pg_advisory_xact_lock({locks.SCHEMA})"

# Returns: exists
HAS_SCHEMA = "select to_regclass('alembic_version') is not null as exists"

# Create partitions for the days of the deliveries before their rows are restored.
# Parameters: $1 now
CREATE_PARTITIONS = """
select keep_deliveries($1::timestamptz - n * interval '1 day', 36500) from generate_series(0, 31) n
"""

# The parts of all media that the database refers to, except dropped objects, which may be deleted already.
# Returns: name, size
PIECES = """
select p.object || '/' || p.part as name, p.size::bigint as size from media_parts p
where not exists (select from dropped_objects d where d.object = p.object)
union all
select a.object || '/' || a.thumbnail, a.thumbnail_size::bigint from attachments a
where a.thumbnail is not null and not exists (select from dropped_objects d where d.object = a.object)
"""

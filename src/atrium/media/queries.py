"""The SQL of stored bytes."""

from atrium.kit import locks

PARTS = """
select starts_at, size, part from media_parts
where object = $1 and starts_at < $3 and starts_at + size > $2
order by starts_at
"""

ADD_PART = "insert into media_parts (object, starts_at, size, part) values ($1, $2, $3, $4)"

DROP = "insert into dropped_objects (object, dropped_at) select unnest($1::uuid[]), $2 on conflict do nothing"

# None while a backup reads the storage: it holds this lock (backups/queries.py, HOLD_MEDIA).
DROPPED = f"""
select object from dropped_objects
where dropped_at <= $1 and not exists (
    select from pg_locks
    where locktype = 'advisory' and classid = 0 and objid = {locks.MEDIA} and objsubid = 1
      and database = (select oid from pg_database where datname = current_database()))
order by dropped_at limit 100
"""

FORGET_OBJECT = """
with parts as (delete from media_parts where object = $1)
delete from dropped_objects where object = $1
"""

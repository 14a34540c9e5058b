"""The SQL of stored files."""

from atrium.kit.postgres import locks

# The parts of an object that overlap a range.
# Parameters: $1 object, $2 start of the range in bytes, $3 its end
# Returns: starts_at, size, part
PARTS = """
select starts_at, size, part from media_parts
where object = $1 and starts_at < $3 and starts_at + size > $2
order by starts_at
"""

# Parameters: $1 object, $2 starts_at (bytes), $3 size (bytes), $4 part
ADD_PART = "insert into media_parts (object, starts_at, size, part) values ($1, $2, $3, $4)"

# Parameters: $1 objects, $2 dropped_at
DROP = "insert into dropped_objects (object, dropped_at) select unnest($1::uuid[]), $2 on conflict do nothing"

# Objects to remove from the storage. None while a backup reads it, which holds this lock (backups/queries.py).
# Parameters: $1 latest dropped_at
# Returns: object
DROPPED = f"""
select object from dropped_objects
where dropped_at <= $1 and not exists (
    select from pg_locks
    where locktype = 'advisory' and classid = 0 and objid = {locks.MEDIA} and objsubid = 1
      and database = (select oid from pg_database where datname = current_database()))
order by dropped_at limit 100
"""

# Parameters: $1 object
REMOVE_OBJECT = """
with parts as (delete from media_parts where object = $1)
delete from dropped_objects where object = $1
"""

# Parameters: $1 object, $2 dropped_at
PUT_OFF = "update dropped_objects set dropped_at = $2 where object = $1"

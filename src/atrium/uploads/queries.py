"""The SQL of what is on its way."""

from atrium.kit import locks

ADD = """
insert into uploads (upload_id, room_id, kind, name, size, writer, created_by, created_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""

# One upload of an organization at a time asks how much room there is, and is counted when the next one does.
LOCK_QUOTA = f"select pg_advisory_xact_lock({locks.UPLOAD_QUOTA}, hashtext($1::uuid::text))"

# What an organization keeps: an upload counts with all the bytes that it announced. `$2` is left out, `$3` is now.
USED = """
with own as (select r.room_id from rooms r join spaces s using (space_id) where s.organization_id = $1)
select (coalesce((select sum(size) from recordings join own using (room_id) where deleted_at is null), 0)
      + coalesce((select sum(size) from attachments join own using (room_id)), 0)
      + coalesce((select sum(coalesce(size, received)) from uploads join own using (room_id)
                  where finished_at is null and expires_at > $3 and upload_id <> $2), 0))::bigint
"""

RESERVE = "update uploads set size = $2 where upload_id = $1 and finished_at is null"

REACH = """
select upload_id, kind, name, size, received, parts, expires_at, finished_at is not null as is_finished from uploads
where room_id = $1 and upload_id = $2 and created_by = $3 and expires_at > $4
"""

TAKE_OVER = "update uploads set writer = $2, expires_at = $3 where upload_id = $1 and received = $4 returning true"

# The next bytes of an upload, where nobody has taken it over and it still stands where they begin.
KEEP = """
with moved as (
    update uploads set received = $3::bigint + $4::integer, parts = parts + 1
    where upload_id = $1 and writer = $2 and received = $3 and finished_at is null
    returning upload_id
)
insert into media_parts (object, starts_at, size, part) select upload_id, $3, $4, $5 from moved
returning true
"""

FINISH = """
update uploads set received = $3, size = $3, finished_at = $4
where upload_id = $1 and writer = $2 and finished_at is null
returning true
"""

REMOVE = "delete from uploads where upload_id = $1 and finished_at is null returning true"

# What expired, and what is on its way to a room that is gone.
EXPIRE = """
with expired as (
    delete from uploads
    where expires_at <= $1 or room_id in (
        select r.room_id from rooms r join spaces s using (space_id) where coalesce(r.deleted_at, s.deleted_at) < $1)
    returning upload_id, finished_at
)
insert into dropped_objects (object, dropped_at)
select upload_id, $1 from expired where finished_at is null
on conflict do nothing
"""

EXPIRE_NOW = "update uploads set expires_at = created_at where upload_id = $1 and finished_at is null"

"""The SQL of uploads."""

from atrium.kit.postgres import locks

# Parameters: $1 upload_id, $2 room_id or null, $3 kind, $4 name, $5 size (bytes), $6 writer, $7 created_by,
# $8 created_at, $9 expires_at
ADD = """
insert into uploads (upload_id, room_id, kind, name, size, writer, created_by, created_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""

# Let one upload of an organization at a time check the quota, so that the next one counts it.
# Parameters: $1 organization_id
LOCK_QUOTA = f"select pg_advisory_xact_lock({locks.UPLOAD_QUOTA}, hashtext($1::uuid::text))"

# The bytes that an organization stores. An upload counts with all the bytes that it declared, and the file of an
# import until the import ends.
# Parameters: $1 organization_id, $2 upload_id that does not count, $3 now
# Returns: used
USED = """
with own as (select r.room_id from rooms r join spaces s using (space_id) where s.organization_id = $1)
select (coalesce((select sum(size) from recordings join own using (room_id) where deleted_at is null), 0)
      + coalesce((select sum(size) from attachments join own using (room_id)), 0)
      + coalesce((select sum(coalesce(size, received)) from uploads join own using (room_id)
                  where finished_at is null and expires_at > $3 and upload_id <> $2), 0)
      + coalesce((select sum(size) from imports where organization_id = $1 and ended_at is null), 0))::bigint as used
"""

# Parameters: $1 upload_id, $2 size (bytes)
RESERVE = "update uploads set size = $2 where upload_id = $1 and finished_at is null"

# Parameters: $1 room_id, $2 upload_id, $3 actor_id, $4 now
# Returns: upload_id, kind, name, size, received, parts, expires_at, is_finished
REACH = """
select upload_id, kind, name, size, received, parts, expires_at, finished_at is not null as is_finished from uploads
where room_id = $1 and upload_id = $2 and created_by = $3 and expires_at > $4
"""

# Parameters: $1 upload_id, $2 writer, $3 expires_at, $4 received (bytes)
# Returns: is_done
TAKE_OVER = """
update uploads set writer = $2, expires_at = $3 where upload_id = $1 and received = $4 returning true as is_done
"""

# Add the next part of an upload, unless a later request has taken it over or its offset is another.
# Parameters: $1 upload_id, $2 writer, $3 starts_at (bytes), $4 size (bytes), $5 part
# Returns: is_done
APPEND = """
with moved as (
    update uploads set received = $3::bigint + $4::integer, parts = parts + 1
    where upload_id = $1 and writer = $2 and received = $3 and finished_at is null
    returning upload_id
)
insert into media_parts (object, starts_at, size, part) select upload_id, $3, $4, $5 from moved
returning true as is_done
"""

# Parameters: $1 upload_id, $2 writer, $3 size (bytes), $4 finished_at
# Returns: is_done
FINISH = """
update uploads set received = $3, size = $3, finished_at = $4
where upload_id = $1 and writer = $2 and finished_at is null
returning true as is_done
"""

# Parameters: $1 upload_id
# Returns: is_done
REMOVE = "delete from uploads where upload_id = $1 and finished_at is null returning true as is_done"

# Remove expired uploads and those to deleted rooms.
# Parameters: $1 now, $2 latest expires_at
EXPIRE = """
with expired as (
    delete from uploads
    where expires_at <= $2 or room_id in (
        select r.room_id from rooms r join spaces s using (space_id) where coalesce(r.deleted_at, s.deleted_at) < $1)
    returning upload_id, finished_at
)
insert into dropped_objects (object, dropped_at)
select upload_id, $1 from expired where finished_at is null
on conflict do nothing
"""

# Parameters: $1 upload_id
EXPIRE_NOW = "update uploads set expires_at = created_at where upload_id = $1 and finished_at is null"

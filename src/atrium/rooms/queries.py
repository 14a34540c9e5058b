"""The SQL of rooms."""

# Add a room, unless the space has a room with this name. Wait for a concurrent insert of the same name.
# Parameters: $1 room_id, $2 space_id, $3 name, $4 description, $5 room_type, $6 created_by, $7 created_at, $8 name_key,
# $9 bucket
# Returns: room_id
ADD = """
insert into rooms (room_id, space_id, name, description, room_type, created_by, created_at, name_key,
                   bucket)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (space_id, name_key) where deleted_at is null do nothing
returning room_id
"""

# Parameters: $1 room_id, $2 last_seq (ms times 4096)
ADD_HEAD = "insert into room_heads (room_id, last_seq) values ($1, $2)"

# A room, if the actor has a role in its space.
# Parameters: $1 room_id, $2 actor_id, $3 actor's kind
# Returns: room_id, space_id, organization_id, name, description, room_type, created_at, created_by, archived_at,
# last_message_at, role
REACH = """
select r.room_id, r.space_id, access.organization_id, r.name, r.description, r.room_type, r.created_at, r.created_by,
       r.archived_at, time_of_ms(id_ms(h.last_message_id)) as last_message_at, access.role
from rooms r join room_heads h using (room_id) join lateral role_in($2, $3, r.space_id) access on true
where r.room_id = $1 and r.deleted_at is null
"""

# Parameters: $1 space_id, $2 the last room_id before the page, $3 limit
# Returns: room_id, space_id, organization_id, name, description, room_type, created_at, created_by, archived_at,
# last_message_at
ROOMS = """
select r.room_id, r.space_id, s.organization_id, r.name, r.description, r.room_type, r.created_at, r.created_by,
       r.archived_at, time_of_ms(id_ms(h.last_message_id)) as last_message_at
from rooms r join room_heads h using (room_id) join spaces s using (space_id)
where r.space_id = $1 and r.deleted_at is null and r.room_id > $2
order by r.room_id limit $3
"""

# Change what is not null.
# Parameters: $1 room_id, $2 name, $3 description, $4 is archived, $5 archived_at, $6 name_key
CHANGE = """
update rooms set name = coalesce($2, name), name_key = coalesce($6, name_key), description = coalesce($3, description),
       archived_at = case when $4::bool then coalesce(archived_at, $5) when not $4 then null else archived_at end
where room_id = $1
"""

# Parameters: $1 room_id, $2 deleted_at
DELETE = "update rooms set deleted_at = $2 where room_id = $1"

# Parameters: $1 room_id
LOCK = "select from room_heads where room_id = $1 for update"

# Delete some messages of rooms and spaces that were deleted.
# Parameters: $1 latest deleted_at
PURGE_MESSAGES = """
delete from messages where (room_id, message_id) in (
    select m.room_id, m.message_id from messages m
    where m.room_id in (select r.room_id from rooms r join spaces s using (space_id)
                        where coalesce(r.deleted_at, s.deleted_at) < $1 limit 10)
    limit 5000)
"""

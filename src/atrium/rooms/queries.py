"""The SQL of rooms."""

# Add a room, unless the space has a room with this name. Wait for a concurrent insert of the same name.
# Parameters: $1 room_id, $2 space_id, $3 name, $4 description, $5 room_type, $6 created_by, $7 created_at, $8 name_key
# Returns: room_id
ADD = """
insert into rooms (room_id, space_id, name, description, room_type, created_by, created_at, name_key)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (space_id, name_key) where deleted_at is null do nothing
returning room_id
"""

# Parameters: $1 room_id, $2 last_seq (ms times 4096)
ADD_HEAD = "insert into room_heads (room_id, last_seq) values ($1, $2)"

# A room, if the actor has a role in its space.
# Parameters: $1 room_id, $2 actor_id, $3 actor's kind
# Returns: room (JSON)
REACH = """
select room_json(r, access.organization_id, h.last_message_id) || jsonb_build_object('role', access.role) as room
from rooms r join room_heads h using (room_id) join lateral role_in($2, $3, r.space_id) access on true
where r.room_id = $1 and r.deleted_at is null
"""

# Parameters: $1 space_id, $2 the last room_id before the page, $3 limit
# Returns: room (JSON)
ROOMS = """
select room_json(r, s.organization_id, h.last_message_id) as room
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

# Delete some messages of deleted rooms. The stored events that include them keep their tombstones.
# Parameters: $1 room_ids, $2 now
PURGE_MESSAGES = """
with slice as materialized (
    select * from messages where room_id = any($1::uuid[]) limit 5000
), emptied as (
    update deliveries d set body = with_state_of_message(d.body, render_message(
        message_id, room_id, user_id, sender_type, parent_id, thread_root_id, '', '[]', '{}', '[]', '[]', reply_count,
        last_reply_at, sent_at, edited_at, coalesce(deleted_at, $2)))
    from slice where included_message(d.body) = slice.message_id
)
delete from messages m using slice where m.room_id = slice.room_id and m.message_id = slice.message_id
"""

"""The SQL of rooms."""

ADD = """
insert into rooms (room_id, space_id, name, description, room_type, created_by, created_at)
values ($1, $2, $3, $4, $5, $6, $7)
"""

ADD_HEAD = "insert into room_heads (room_id, last_seq) values ($1, $2)"

REACH = """
select r.room_id, r.space_id, access.organization_id, r.name, r.description, r.room_type, r.created_at, r.created_by,
       r.archived_at, time_of_ms(id_ms(h.last_message_id)) as last_message_at, access.role
from rooms r join room_heads h using (room_id) join lateral role_in($2, $3, r.space_id) access on true
where r.room_id = $1 and r.deleted_at is null
"""

ROOMS = """
select r.room_id, r.space_id, s.organization_id, r.name, r.description, r.room_type, r.created_at, r.created_by,
       r.archived_at, time_of_ms(id_ms(h.last_message_id)) as last_message_at
from rooms r join room_heads h using (room_id) join spaces s using (space_id)
where r.space_id = $1 and r.deleted_at is null and r.room_id > $2
order by r.room_id limit $3
"""

CHANGE = """
update rooms set name = coalesce($2, name), description = coalesce($3, description),
       archived_at = case when $4::bool then coalesce(archived_at, $5) when not $4 then null else archived_at end
where room_id = $1
"""

DELETE = "update rooms set deleted_at = $2 where room_id = $1"

LOCK = "select from room_heads where room_id = $1 for update"

# What is gone for everyone is taken off the disk a slice at a time.
PURGE_MESSAGES = """
delete from messages where (room_id, message_id) in (
    select m.room_id, m.message_id from messages m
    where m.room_id in (select r.room_id from rooms r join spaces s using (space_id)
                        where coalesce(r.deleted_at, s.deleted_at) < $1 limit 10)
    limit 5000)
"""

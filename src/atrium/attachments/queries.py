"""The SQL of attachments."""

# Parameters: $1 room_id, $2 attachment_id, $3 name, $4 media_type, $5 size (bytes), $6 width, $7 height (pixels),
# $8 thumbnail, $9 thumbnail_size (bytes), $10 created_by, $11 created_at
ADD = """
insert into attachments (room_id, attachment_id, name, media_type, size, width, height, object, thumbnail,
                         thumbnail_size, created_by, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $2, $8, $9, $10, $11)
"""

# An attachment, if the actor can access its room; before it is used, only for its uploader.
# Parameters: $1 attachment_id, $2 actor_id, $3 actor's kind
# Returns: attachment_id, room_id, name, media_type, size, width, height, object, thumbnail, thumbnail_size, stored,
# organization_id, role
REACH = """
select a.attachment_id, a.room_id, a.name, a.media_type, a.size, a.width, a.height, a.object, a.thumbnail,
       a.thumbnail_size, a.created_at as stored, access.organization_id, access.role
from attachments a join rooms r using (room_id) join lateral role_in($2, $3, r.space_id) access on true
where a.attachment_id = $1 and r.deleted_at is null
  and (coalesce(a.message_id, a.block_id) is not null or a.created_by = $2)
"""

# The files of a room that messages or blocks show, the last uploaded first.
# Parameters: $1 room_id, $2 the last attachment_id of the previous page or null, $3 limit
# Returns: attachment_id, name, media_type, size, width, height, created_by, created_at, message_id, thread_root_id,
# block_id
FILES = """
select a.attachment_id, a.name, a.media_type, a.size, a.width, a.height, a.created_by, a.created_at, a.message_id,
       m.thread_root_id, a.block_id
from attachments a left join messages m on m.room_id = a.room_id and m.message_id = a.message_id
where a.room_id = $1 and coalesce(a.message_id, a.block_id) is not null and ($2::uuid is null or a.attachment_id < $2)
order by a.attachment_id desc limit $3
"""

# Remove attachments that were not used in time.
# Parameters: $1 now, $2 latest created_at
DROP_UNUSED = """
with deleted as (
    delete from attachments where message_id is null and block_id is null and created_at < $2 returning object
)
insert into dropped_objects (object, dropped_at) select object, $1 from deleted
on conflict do nothing
"""

# Remove some attachments of deleted rooms.
# Parameters: $1 room_ids, $2 now
PURGE = """
with deleted as (
    delete from attachments where (room_id, attachment_id) in (
        select room_id, attachment_id from attachments where room_id = any($1::uuid[]) limit 1000)
    returning object
)
insert into dropped_objects (object, dropped_at) select object, $2 from deleted
on conflict do nothing
"""

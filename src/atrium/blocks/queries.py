"""The SQL of blocks."""

# Parameters: $1 room_id, $2 block_id, $3 parent_block_id, $4 position, $5 type, $6 content (JSON), $7 created_by,
# $8 created_at
ADD = """
insert into blocks (room_id, block_id, parent_block_id, position, type, content, version, created_by, created_at,
                    updated_by, updated_at)
values ($1, $2, $3, $4, $5, $6, 1, $7, $8, $7, $8)
"""

# Parameters: $1 block_id
# Returns: room_id
ROOM_OF = "select room_id from blocks where block_id = $1"

# Parameters: $1 room_id, $2 block_id
# Returns: block_id, room_id, parent_block_id, position, type, content (JSON), version, created_by, created_at,
# updated_by, updated_at
READ = """
select block_id, room_id, parent_block_id, position, type, content::text, version, created_by, created_at, updated_by,
       updated_at
from blocks where room_id = $1 and block_id = $2
"""

# A page of the room's blocks in reading order: each before its children, siblings by position.
# Parameters: $1 room_id, $2 path of the last block before the page, $3 limit, $4 limit in bytes; the last block may
# exceed it
# Returns: block_id, room_id, parent_block_id, position, type, content (JSON), version, created_by, created_at,
# updated_by, updated_at, path, bytes_before, found
PAGE = """
with recursive tree as (
    select b.*, array[position] as path from blocks b where room_id = $1 and parent_block_id is null
    union all
    select b.*, tree.path || b.position from blocks b join tree on b.parent_block_id = tree.block_id
    where b.room_id = $1
)
select *
from (
    select *, sum(octet_length(content)) over (order by path) - octet_length(content) as bytes_before,
           count(*) over () as found
    from (
        select block_id, room_id, parent_block_id, position, type, content::text, version, created_by, created_at,
               updated_by, updated_at, path
        from tree where path > $2::int[] order by path limit $3) near) bounded
where bytes_before < $4
order by path
"""

# Parameters: $1 room_id, $2 parent_block_id, $3 block_id that does not count
# Returns: count
COUNT_SIBLINGS = """
select count(*) from blocks where room_id = $1 and parent_block_id is not distinct from $2 and block_id <> $3
"""

# Parameters: $1 room_id, $2 parent_block_id, $3 position of the new block
OPEN_GAP = """
update blocks set position = position + 1
where room_id = $1 and parent_block_id is not distinct from $2 and position >= $3
"""

# Parameters: $1 room_id, $2 parent_block_id, $3 position of the removed block
CLOSE_GAP = """
update blocks set position = position - 1
where room_id = $1 and parent_block_id is not distinct from $2 and position > $3
"""

# A block and everything under it.
# Parameters: $1 room_id, $2 block_id
# Returns: block_id
SUBTREE = """
with recursive tree as (
    select block_id from blocks where room_id = $1 and block_id = $2
    union all
    select b.block_id from blocks b join tree on b.parent_block_id = tree.block_id where b.room_id = $1
)
select block_id from tree
"""

# How deeply the deepest block would be nested under a parent: the levels down to the parent, and those of the block
# that is moved there (one for a new block).
# Parameters: $1 room_id, $2 parent_block_id, $3 the moved block_id or null, $4 limit; counts to one more at most
# Returns: levels
LEVELS = """
with recursive up as (
    select parent_block_id, 1 as level from blocks where room_id = $1 and block_id = $2
    union all
    select b.parent_block_id, up.level + 1 from blocks b join up on b.block_id = up.parent_block_id
    where b.room_id = $1 and up.level <= $4
), down as (
    select coalesce($3::uuid, $2) as block_id, 1 as level
    union all
    select b.block_id, down.level + 1 from blocks b join down on b.parent_block_id = down.block_id
    where b.room_id = $1 and $3 is not null and down.level <= $4
)
select (select max(level) from up) + (select max(level) from down) as levels
"""

# Parameters: $1 room_id, $2 block_id, $3 parent_block_id, $4 position, $5 type, $6 content (JSON), $7 updated_by,
# $8 updated_at
CHANGE = """
update blocks
set parent_block_id = $3, position = $4, type = $5, content = $6, version = version + 1, updated_by = $7,
    updated_at = $8
where room_id = $1 and block_id = $2
"""

# Move a block and everything under it to the deleted blocks.
# Parameters: $1 room_id, $2 block_id, $3 now
DELETE = """
with recursive tree as (
    select block_id from blocks where room_id = $1 and block_id = $2
    union all
    select b.block_id from blocks b join tree on b.parent_block_id = tree.block_id where b.room_id = $1
), deleted as (
    delete from blocks where room_id = $1 and block_id in (select block_id from tree) returning *
)
insert into deleted_blocks (room_id, block_id, root_id, parent_block_id, position, type, content, version, created_by,
                            created_at, updated_by, updated_at, deleted_at)
select room_id, block_id, $2, parent_block_id, position, type, content, version, created_by, created_at, updated_by,
       updated_at, $3
from deleted
"""

# Where a deleted block was; its parent if that still exists, else null.
# Parameters: $1 room_id, $2 block_id, $3 earliest deleted_at
# Returns: parent_block_id, position, is_orphan
READ_DELETED = """
select parent.block_id as parent_block_id, deleted.position,
       deleted.parent_block_id is not null and parent.block_id is null as is_orphan
from deleted_blocks deleted
left join blocks parent on parent.room_id = deleted.room_id and parent.block_id = deleted.parent_block_id
where deleted.room_id = $1 and deleted.block_id = $2 and deleted.root_id = $2 and deleted.deleted_at >= $3
"""

# Move a block and everything that was deleted with it back to the page.
# Parameters: $1 room_id, $2 block_id, $3 parent_block_id, $4 position
RESTORE = """
with restored as (delete from deleted_blocks where room_id = $1 and root_id = $2 returning *)
insert into blocks (room_id, block_id, parent_block_id, position, type, content, version, created_by, created_at,
                    updated_by, updated_at)
select room_id, block_id, case when block_id = $2 then $3 else parent_block_id end,
       case when block_id = $2 then $4 else position end, type, content, version + 1, created_by, created_at,
       updated_by, updated_at
from restored
"""

# Publish a live event for a block and each block under it, in reading order.
# Parameters: $1 room_id, $2 block_id, $3 kind, $4 space_id
PUBLISH_TREE = """
with recursive tree as (
    select b.*, array[position] as path from blocks b where room_id = $1 and block_id = $2
    union all
    select b.*, tree.path || b.position from blocks b join tree on b.parent_block_id = tree.block_id
    where b.room_id = $1
)
insert into live_events (kind, space_id, room_id, data)
select $3, $4, room_id, jsonb_build_object(
    'block_id', block_id, 'room_id', room_id, 'parent_block_id', parent_block_id, 'position', position, 'type', type,
    'content', content, 'version', version, 'created_by', created_by, 'created_at', rfc3339(created_at),
    'updated_by', updated_by, 'updated_at', rfc3339(updated_at))
from tree order by path
"""

# Link an attachment to a block: one it already has, or an unused one that the actor uploaded.
# Parameters: $1 room_id, $2 attachment_id, $3 block_id, $4 actor_id
# Returns: is_done
CLAIM_ATTACHMENT = """
update attachments set block_id = $3
where room_id = $1 and attachment_id = $2 and message_id is null
  and (block_id = $3 or (block_id is null and created_by = $4))
returning true as is_done
"""

# Release the attachments that a block no longer refers to; they then expire.
# Parameters: $1 room_id, $2 block_id, $3 attachment_id that it shows, or null
RELEASE_ATTACHMENTS = """
update attachments set block_id = null
where room_id = $1 and block_id = $2 and attachment_id is distinct from $3
"""

# Remove blocks that were deleted too long ago to be restored, and their files.
# Parameters: $1 now, $2 latest deleted_at
PURGE = """
with purged as (
    delete from deleted_blocks where deleted_at < $2 returning room_id, block_id
), deleted as (
    delete from attachments a using purged where a.room_id = purged.room_id and a.block_id = purged.block_id
    returning object
)
insert into dropped_objects (object, dropped_at) select object, $1 from deleted
on conflict do nothing
"""

"""The SQL of blocks."""

# Parameters: $1 room_id, $2 block_id, $3 parent_block_id, $4 position, $5 type, $6 content (JSON), $7 created_by,
# $8 created_at
ADD = """
insert into blocks (room_id, block_id, parent_block_id, position, type, content, version, created_by, created_at,
                    updated_at)
values ($1, $2, $3, $4, $5, $6, 1, $7, $8, $8)
"""

# Parameters: $1 block_id
# Returns: room_id
ROOM_OF = "select room_id from blocks where block_id = $1"

# Parameters: $1 room_id, $2 block_id
# Returns: block_id, room_id, parent_block_id, position, type, content (JSON), version, created_by, created_at,
# updated_at
READ = """
select block_id, room_id, parent_block_id, position, type, content::text, version, created_by, created_at, updated_at
from blocks where room_id = $1 and block_id = $2
"""

# A page of the room's blocks in reading order: each before its children, siblings by position.
# Parameters: $1 room_id, $2 path of the last block before the page, $3 limit, $4 limit in bytes; the last block may
# exceed it
# Returns: block_id, room_id, parent_block_id, position, type, content (JSON), version, created_by, created_at,
# updated_at, path, bytes_before, found
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
               updated_at, path
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

# Parameters: $1 room_id, $2 block_id, $3 parent_block_id, $4 position, $5 content (JSON), $6 updated_at
CHANGE = """
update blocks set parent_block_id = $3, position = $4, content = $5, version = version + 1, updated_at = $6
where room_id = $1 and block_id = $2
"""

# Parameters: $1 room_id, $2 block_ids
DELETE = "delete from blocks where room_id = $1 and block_id = any($2::uuid[])"

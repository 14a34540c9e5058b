"""The SQL of blocks."""

ADD = """
insert into blocks (room_id, block_id, parent_block_id, position, type, content, version, created_by, created_at,
                    updated_at)
values ($1, $2, $3, $4, $5, $6, 1, $7, $8, $8)
"""

ROOM_OF = "select room_id from blocks where block_id = $1"

READ = """
select block_id, room_id, parent_block_id, position, type, content::text, version, created_by, created_at, updated_at
from blocks where room_id = $1 and block_id = $2
"""

# A page of the room's blocks as they are read: each before its children, siblings by position. It ends where it has
# more bytes than $4, and has one block at least.
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

COUNT_SIBLINGS = """
select count(*) from blocks where room_id = $1 and parent_block_id is not distinct from $2 and block_id <> $3
"""

OPEN_GAP = """
update blocks set position = position + 1
where room_id = $1 and parent_block_id is not distinct from $2 and position >= $3
"""

CLOSE_GAP = """
update blocks set position = position - 1
where room_id = $1 and parent_block_id is not distinct from $2 and position > $3
"""

# The block and everything under it.
SUBTREE = """
with recursive tree as (
    select block_id from blocks where room_id = $1 and block_id = $2
    union all
    select b.block_id from blocks b join tree on b.parent_block_id = tree.block_id where b.room_id = $1
)
select block_id from tree
"""

# How deep the deepest block would stand under a new parent: the levels down to the parent, and those of what is moved
# there (one, where a block is new). Counted no further than the bound and a step.
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
select (select max(level) from up) + (select max(level) from down)
"""

CHANGE = """
update blocks set parent_block_id = $3, position = $4, content = $5, version = version + 1, updated_at = $6
where room_id = $1 and block_id = $2
"""

DELETE = "delete from blocks where room_id = $1 and block_id = any($2::uuid[])"

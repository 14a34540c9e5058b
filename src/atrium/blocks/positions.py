"""Validate a block's position and shift its siblings. While the room is locked, sibling positions have no gaps: 0 to
n - 1."""

from uuid import UUID

from atrium.blocks import queries
from atrium.blocks.limits import MAX_LEVELS, BlocksTooDeep
from atrium.blocks.reach import Block
from atrium.keys.caller import Call
from atrium.kit.errors import invalid_field


async def require_parent(call: Call, room_id: UUID, parent_id: UUID | None, *, moving: Block | None = None) -> None:
    """Raise InvalidRequest unless the parent is a block of the room, and not one under the block that is moved."""
    if parent_id is None:
        return
    if await call.db.fetchrow(queries.READ, room_id, parent_id) is None:
        raise invalid_field("/parent_block_id", "is not a block in this room")
    if moving is not None:
        under = await call.db.fetch(queries.SUBTREE, room_id, moving.block_id)
        if parent_id in [row["block_id"] for row in under]:
            raise invalid_field("/parent_block_id", "is nested inside this block")


async def require_levels(call: Call, room_id: UUID, parent_id: UUID | None, moved: UUID | None = None) -> None:
    """Raise BlocksTooDeep if a new block, or a moved one with its descendants, would be nested too deeply."""
    if parent_id is not None:
        levels: int = await call.db.fetchval(queries.LEVELS, room_id, parent_id, moved, MAX_LEVELS)
        if levels > MAX_LEVELS:
            raise BlocksTooDeep


async def insert_position(
    call: Call, room_id: UUID, parent_id: UUID | None, block_id: UUID, requested: int | None
) -> int:
    """Shift the siblings from this position on, by default the last, and return the position."""
    siblings: int = await call.db.fetchval(queries.COUNT_SIBLINGS, room_id, parent_id, block_id)
    position = siblings if requested is None else min(requested, siblings)
    await call.db.execute(queries.OPEN_GAP, room_id, parent_id, position)
    return position

"""Restore deleted blocks, for a day."""

from datetime import timedelta
from uuid import UUID

from atrium.blocks import queries
from atrium.blocks.actions import describe_change
from atrium.blocks.positions import insert_position, require_levels
from atrium.blocks.reach import Block, BlockNotFound, find_block
from atrium.events import LiveEventKind
from atrium.keys.caller import Call
from atrium.rooms.model import ReachedRoom
from atrium.rooms.queries import LOCK
from atrium.rooms.reach import require_open

RESTORABLE_FOR = timedelta(hours=24)


async def restore_block(call: Call, room: ReachedRoom, block_id: UUID) -> Block:
    """Put a deleted block back where it was, with everything that was under it. If its parent is deleted, it becomes
    the last block of the page. Raise RoomArchived, BlockNotFound, BlocksTooDeep."""
    require_open(room)
    await call.lock(LOCK, room.room_id)
    earliest = call.now - RESTORABLE_FOR
    deleted = await call.db.fetchrow(queries.READ_DELETED, room.room_id, block_id, earliest)
    if deleted is None:
        raise BlockNotFound
    parent_id, wanted = deleted["parent_block_id"], None if deleted["is_orphan"] else deleted["position"]
    place = await insert_position(call, room.room_id, parent_id, block_id, wanted)
    await call.db.execute(queries.RESTORE, room.room_id, block_id, parent_id, place)
    await require_levels(call, room.room_id, parent_id, block_id)
    kind = LiveEventKind.BLOCK_CREATED
    await call.db.execute(queries.PUBLISH_TREE, room.room_id, block_id, kind, room.space_id)
    restored = await find_block(call, room.room_id, block_id)
    await call.record(describe_change("block.restored", room, restored))
    return restored

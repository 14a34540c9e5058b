"""Fetch a block if the caller can access its room, and the blocks of a room's page."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Raw, Struct

from atrium.blocks import queries
from atrium.keys.caller import Call
from atrium.kit.errors import Conflict, NotFound
from atrium.kit.http.paging import ListPage, decode_cursor, encode_cursor
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Record
from atrium.kit.postgres.rows import as_struct
from atrium.kit.text.types import ActorId, BlockId, RoomId, Timestamp
from atrium.permissions import Permission
from atrium.rooms.model import ReachedRoom
from atrium.rooms.queries import LOCK
from atrium.rooms.reach import RoomNotFound, reach_room

PAGE_BYTES = 1 << 20  # of contents; a page ends early before it would have more
BlockPosition = Annotated[int, Meta(ge=0, lt=2**31)]


class BlockNotFound(NotFound):
    """The block does not exist, or the caller cannot access its room."""

    code = "block_not_found"
    title = "Block not found"


class BlockChanged(Conflict):
    """The block has another version than the one that was changed; `block` is the current one."""

    code = "block_changed"
    title = "The block has changed in the meantime"


class Block(Struct, frozen=True):
    """A typed element of a room's page."""

    block_id: BlockId
    room_id: RoomId
    parent_block_id: BlockId | None
    position: int
    type: str
    content: Raw
    version: int
    created_by: ActorId
    created_at: Timestamp
    updated_by: Annotated[ActorId | None, Meta(description="null if the last change was before Atrium recorded it")]
    updated_at: Timestamp


class BlockDeletion(Struct, frozen=True):
    """A block that an actor deleted with everything under it."""

    block_id: BlockId
    room_id: RoomId
    user_id: ActorId


class ReachedBlock(Struct, frozen=True):
    """A block that the caller can access, with its room."""

    block: Block
    room: ReachedRoom


async def reach_block(call: Call, block_id: UUID, permission: Permission) -> ReachedBlock:
    """Return the block if the caller can access its room, and lock the room for a change. Raise BlockNotFound,
    Forbidden."""
    room_id = await call.db.fetchval(queries.ROOM_OF, block_id)
    try:
        room = await reach_room(call, room_id, permission)
        if call.writing:
            await call.lock(LOCK, room_id)
            room = await reach_room(call, room_id, permission)  # access may have ended while it waited
    except RoomNotFound:
        raise BlockNotFound from None
    return ReachedBlock(await find_block(call, room_id, block_id), room)


async def find_block(call: Call, room_id: UUID, block_id: UUID) -> Block:
    """Return the room's block with that id. Raise BlockNotFound."""
    row = await call.db.fetchrow(queries.READ, room_id, block_id)
    if row is None:
        raise BlockNotFound
    return block_of(row)


def block_of(row: Record) -> Block:
    """Convert a row to a block."""
    return as_struct({**row, "content": Raw(row["content"].encode())}, Block)


async def list_blocks(call: Call, room: ReachedRoom, paging: Paging) -> ListPage[Block]:
    """Return a page of the room's blocks in reading order."""
    last = decode_cursor(paging.cursor, list[BlockPosition]) if paging.cursor is not None else []
    rows = await call.db.fetch(queries.PAGE, room.room_id, last, paging.limit + 1, PAGE_BYTES)
    page = rows[: paging.limit]
    more = page and page[-1]["found"] > len(page)
    return [block_of(row) for row in page], encode_cursor(page[-1]["path"]) if more else None

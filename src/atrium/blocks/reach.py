"""Fetch a block if the caller reaches its room, and the blocks of a room's page."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Raw, Struct

from atrium.blocks import queries
from atrium.keys.caller import Call
from atrium.kit.database import Record
from atrium.kit.errors import Conflict, NotFound
from atrium.kit.paging import Page, decode_cursor, encode_cursor
from atrium.kit.rows import as_struct
from atrium.kit.texts import ActorId, BlockId, RoomId, Timestamp
from atrium.kit.web import Paging
from atrium.permissions import Permission
from atrium.rooms.model import ReachedRoom
from atrium.rooms.queries import LOCK
from atrium.rooms.reach import RoomNotFound, reach_room

PAGE_BYTES = 1 << 20  # of contents; a page that would have more ends early
Place = Annotated[int, Meta(ge=0, lt=2**31)]


class BlockNotFound(NotFound):
    """There is no such block, or the caller does not reach its room."""

    code = "block_not_found"
    title = "There is no such block"


class BlockChanged(Conflict):
    """The block has another version than the one the change was made on; `block` is what it is now."""

    code = "block_changed"
    title = "The block has changed since"


class Block(Struct, frozen=True):
    """An addressable, typed, ordered piece of a room's page."""

    block_id: BlockId
    room_id: RoomId
    parent_block_id: BlockId | None
    position: int
    type: str
    content: Raw
    version: int
    created_by: ActorId
    created_at: Timestamp
    updated_at: Timestamp


class ReachedBlock(Struct, frozen=True):
    """A block that the caller reaches, with its room."""

    block: Block
    room: ReachedRoom


async def reach_block(call: Call, block_id: UUID, permission: Permission) -> ReachedBlock:
    """The block, for an actor who reaches its room; the room is locked for a change. Raises BlockNotFound,
    Forbidden."""
    room_id = await call.db.fetchval(queries.ROOM_OF, block_id)
    try:
        room = await reach_room(call, room_id, permission)
    except RoomNotFound:
        raise BlockNotFound from None
    if call.writing:
        await call.db.execute(LOCK, room_id)
    return ReachedBlock(await find_block(call, room_id, block_id), room)


async def find_block(call: Call, room_id: UUID, block_id: UUID) -> Block:
    """The room's block of that id. Raises BlockNotFound."""
    row = await call.db.fetchrow(queries.READ, room_id, block_id)
    if row is None:
        raise BlockNotFound
    return block_of(row)


def block_of(row: Record) -> Block:
    """A row as a block."""
    return as_struct({**row, "content": Raw(row["content"].encode())}, Block)


async def list_blocks(call: Call, room: ReachedRoom, paging: Paging) -> Page[Block]:
    """Return a page of the room's blocks in reading order."""
    behind = decode_cursor(paging.cursor, list[Place]) if paging.cursor is not None else []
    rows = await call.db.fetch(queries.PAGE, room.room_id, behind, paging.limit + 1, PAGE_BYTES)
    page = rows[: paging.limit]
    more = page and page[-1]["found"] > len(page)
    return [block_of(row) for row in page], encode_cursor(page[-1]["path"]) if more else None

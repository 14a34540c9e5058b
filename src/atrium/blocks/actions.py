"""What is done to the blocks of a room's page. The room's lock keeps positions whole: 0 to n - 1 among siblings."""

from typing import cast
from uuid import UUID

import msgspec
from msgspec import Raw, Struct

from atrium.blocks import queries
from atrium.blocks.bounds import (
    INVALID_LABEL,
    MOST_LEVELS,
    BlocksTooDeep,
    has_deep_markdown,
    invalid_label,
    require_bounded,
)
from atrium.blocks.model import TypedContent
from atrium.keys.caller import Call
from atrium.kit.database import Record
from atrium.kit.decoding import decode_body
from atrium.kit.errors import Conflict, NotFound, invalid_field
from atrium.kit.ids import new_id
from atrium.kit.nesting import TOO_DEEP
from atrium.kit.rows import as_struct
from atrium.kit.texts import ActorId, BlockId, RoomId, Timestamp
from atrium.permissions import Permission
from atrium.rooms.model import ReachedRoom
from atrium.rooms.queries import LOCK
from atrium.rooms.reach import RoomNotFound, reach_room


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


def checked_content(block_type: str, content: Raw) -> str:
    """The content as the type asks for it, with what was left out filled in. Raises InvalidRequest, BlockTooLarge."""
    body = b'{"type":"%b","content":%b}' % (block_type.encode(), bytes(content))
    typed: TypedContent = decode_body(body, cast("type[TypedContent]", TypedContent))
    if label := invalid_label(typed):
        raise invalid_field(f"/content/{label}", INVALID_LABEL)
    if has_deep_markdown(typed):
        raise invalid_field("/content", TOO_DEEP)
    encoded = msgspec.json.encode(typed.content).decode()
    require_bounded(encoded)
    return encoded


async def add_block(
    call: Call, room: ReachedRoom, *, block_type: str, content: Raw, parent_id: UUID | None, position: int | None
) -> Block:
    """A new block, at a position among its siblings, else last. Raises InvalidRequest for a parent not in the room,
    BlocksTooDeep, BlockTooLarge."""
    checked, block_id = checked_content(block_type, content), BlockId(new_id(call.now))
    await call.db.execute(LOCK, room.room_id)
    await _require_parent(call, room.room_id, parent_id)
    await _require_levels(call, room.room_id, parent_id)
    place = await _make_place(call, room.room_id, parent_id, block_id, position)
    await call.db.execute(
        queries.ADD, room.room_id, block_id, parent_id, place, block_type, checked, call.caller.actor_id, call.now
    )
    return await find_block(call, room.room_id, block_id)


async def change_block(
    call: Call, block: Block, *, version: int, content: str, parent_id: UUID | None, position: int | None
) -> Block:
    """Other content or another place, on the version that the caller saw. Raises BlockChanged, InvalidRequest,
    BlocksTooDeep."""
    if version != block.version:
        raise BlockChanged(block=Raw(msgspec.json.encode(block)))
    if (parent_id, position) != (block.parent_block_id, block.position):
        await _require_parent(call, block.room_id, parent_id, moving=block)
        if parent_id != block.parent_block_id:
            await _require_levels(call, block.room_id, parent_id, block.block_id)
        await call.db.execute(queries.CLOSE_GAP, block.room_id, block.parent_block_id, block.position)
        place = await _make_place(call, block.room_id, parent_id, block.block_id, position)
    else:
        place = block.position
    await call.db.execute(queries.CHANGE, block.room_id, block.block_id, parent_id, place, content, call.now)
    return await find_block(call, block.room_id, block.block_id)


async def delete_block(call: Call, block: Block) -> None:
    """The block goes, and everything under it."""
    gone = [row["block_id"] for row in await call.db.fetch(queries.SUBTREE, block.room_id, block.block_id)]
    await call.db.execute(queries.DELETE, block.room_id, gone)
    await call.db.execute(queries.CLOSE_GAP, block.room_id, block.parent_block_id, block.position)


async def _require_parent(call: Call, room_id: UUID, parent_id: UUID | None, *, moving: Block | None = None) -> None:
    if parent_id is None:
        return
    if await call.db.fetchrow(queries.READ, room_id, parent_id) is None:
        raise invalid_field("/parent_block_id", "is no block of this room")
    if moving is not None:
        under = await call.db.fetch(queries.SUBTREE, room_id, moving.block_id)
        if parent_id in [row["block_id"] for row in under]:
            raise invalid_field("/parent_block_id", "lies under the block itself")


async def _require_levels(call: Call, room_id: UUID, parent_id: UUID | None, moved: UUID | None = None) -> None:
    """Raise BlocksTooDeep where a new block, or one that is moved with all under it, would stand too deep."""
    if parent_id is not None:
        levels: int = await call.db.fetchval(queries.LEVELS, room_id, parent_id, moved, MOST_LEVELS)
        if levels > MOST_LEVELS:
            raise BlocksTooDeep


async def _make_place(call: Call, room_id: UUID, parent_id: UUID | None, block_id: UUID, wanted: int | None) -> int:
    siblings: int = await call.db.fetchval(queries.COUNT_SIBLINGS, room_id, parent_id, block_id)
    place = siblings if wanted is None else min(wanted, siblings)
    await call.db.execute(queries.OPEN_GAP, room_id, parent_id, place)
    return place

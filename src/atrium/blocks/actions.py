"""Add, change and delete blocks of a room's page. The lock of the room keeps the positions of
siblings gapless: 0 to n - 1."""

from typing import cast
from uuid import UUID

import msgspec
from msgspec import UNSET, Raw, UnsetType

from atrium.audit.trail import Change, Target
from atrium.blocks import queries
from atrium.blocks.bounds import (
    INVALID_LABEL,
    MAX_LEVELS,
    BlocksTooDeep,
    has_deep_markdown,
    invalid_label,
    require_bounded,
)
from atrium.blocks.model import TypedContent
from atrium.blocks.reach import Block, BlockChanged, ReachedBlock, find_block
from atrium.keys.caller import Call
from atrium.kit.errors import invalid_field
from atrium.kit.http.decoding import decode_body
from atrium.kit.ids import new_id
from atrium.kit.text.nesting import TOO_DEEP
from atrium.kit.text.types import BlockId
from atrium.rooms.model import ReachedRoom
from atrium.rooms.queries import LOCK
from atrium.rooms.reach import require_open


def checked_content(block_type: str, content: Raw) -> str:
    """Return the validated content with its defaults. Raises InvalidRequest, BlockTooLarge."""
    body = b'{"type":"%b","content":%b}' % (block_type.encode(), bytes(content))
    typed: TypedContent = decode_body(body, cast("type[TypedContent]", TypedContent))
    if label := invalid_label(typed):
        raise invalid_field(f"/content/{label}", INVALID_LABEL)
    if has_deep_markdown(typed):
        raise invalid_field("/content", TOO_DEEP)
    encoded = msgspec.json.encode(typed.content).decode()
    require_bounded(encoded)
    return encoded


async def create_block(
    call: Call, room: ReachedRoom, *, block_type: str, content: Raw, parent_id: UUID | None, position: int | None
) -> Block:
    """Add a block at a position among its siblings, else last. Raises RoomArchived, InvalidRequest for a parent not in
    the room, BlocksTooDeep, BlockTooLarge."""
    require_open(room)
    checked, block_id = checked_content(block_type, content), BlockId(new_id(call.now))
    await call.db.execute(LOCK, room.room_id)
    await _require_parent(call, room.room_id, parent_id)
    await _require_levels(call, room.room_id, parent_id)
    place = await _make_place(call, room.room_id, parent_id, block_id, position)
    await call.db.execute(
        queries.ADD, room.room_id, block_id, parent_id, place, block_type, checked, call.caller.actor_id, call.now
    )
    created = await find_block(call, room.room_id, block_id)
    await call.record(_change("block.created", room, created))
    return created


async def update_block(
    call: Call, reached: ReachedBlock, *, version: int, content: Raw | UnsetType, parent_id: UUID | UnsetType | None,
    position: int | UnsetType,
) -> Block:  # fmt: skip
    """Change the content or position of a block, based on the version that the caller saw. Raises RoomArchived,
    BlockChanged, InvalidRequest, BlocksTooDeep, BlockTooLarge."""
    require_open(reached.room)
    block = reached.block
    moved = parent_id is not UNSET and parent_id != block.parent_block_id
    updated = await _change_block(
        call, block, version=version,
        content=bytes(block.content).decode() if content is UNSET else checked_content(block.type, content),
        parent_id=block.parent_block_id if parent_id is UNSET else parent_id,
        position=position if position is not UNSET else None if moved else block.position,
    )  # fmt: skip
    await call.record(_change("block.updated", reached.room, updated))
    return updated


async def _change_block(
    call: Call, block: Block, *, version: int, content: str, parent_id: UUID | None, position: int | None
) -> Block:
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


async def delete_block(call: Call, reached: ReachedBlock) -> None:
    """Delete a block and everything under it. Raises RoomArchived."""
    require_open(reached.room)
    block = reached.block
    gone = [row["block_id"] for row in await call.db.fetch(queries.SUBTREE, block.room_id, block.block_id)]
    await call.db.execute(queries.DELETE, block.room_id, gone)
    await call.db.execute(queries.CLOSE_GAP, block.room_id, block.parent_block_id, block.position)
    await call.record(_change("block.deleted", reached.room, block))


def _change(action: str, room: ReachedRoom, block: Block) -> Change:
    """Describe a change of a block for the audit log, without its content."""
    where = {"room_id": str(room.room_id), "type": block.type, "version": block.version}
    return Change(action, Target("block", block.block_id), room.organization_id, after=where)


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
    """Raise BlocksTooDeep if a new block, or a moved one with its descendants, would be nested too deeply."""
    if parent_id is not None:
        levels: int = await call.db.fetchval(queries.LEVELS, room_id, parent_id, moved, MAX_LEVELS)
        if levels > MAX_LEVELS:
            raise BlocksTooDeep


async def _make_place(call: Call, room_id: UUID, parent_id: UUID | None, block_id: UUID, wanted: int | None) -> int:
    siblings: int = await call.db.fetchval(queries.COUNT_SIBLINGS, room_id, parent_id, block_id)
    place = siblings if wanted is None else min(wanted, siblings)
    await call.db.execute(queries.OPEN_GAP, room_id, parent_id, place)
    return place

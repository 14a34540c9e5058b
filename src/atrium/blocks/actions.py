"""Add, change and delete blocks of a room's page. Each change locks the room and publishes a live event."""

from typing import cast
from uuid import UUID

import msgspec
from msgspec import UNSET, Raw, UnsetType

from atrium.audit.trail import Change, Target
from atrium.blocks import queries
from atrium.blocks.files import attach_file
from atrium.blocks.limits import (
    INVALID_LABEL,
    invalid_label,
    require_size,
)
from atrium.blocks.model import TypedContent
from atrium.blocks.positions import insert_position, require_levels, require_parent
from atrium.blocks.reach import Block, BlockChanged, BlockDeletion, ReachedBlock, find_block
from atrium.events import LiveEventKind
from atrium.keys.caller import Call
from atrium.kit.errors import invalid_field
from atrium.kit.http.request import decode_body
from atrium.kit.ids import new_id
from atrium.kit.text.types import BlockId
from atrium.live.actions import publish_to_room
from atrium.rooms.model import ReachedRoom
from atrium.rooms.queries import LOCK
from atrium.rooms.reach import require_open


def validate_content(block_type: str, content: Raw) -> str:
    """Return the validated content with its defaults. Raise InvalidRequest, BlockTooLarge."""
    body = b'{"type":"%b","content":%b}' % (block_type.encode(), bytes(content))
    typed: TypedContent = decode_body(body, cast("type[TypedContent]", TypedContent))
    if label := invalid_label(typed):
        raise invalid_field(f"/content/{label}", INVALID_LABEL)
    encoded = msgspec.json.encode(typed.content).decode()
    require_size(encoded)
    return encoded


async def create_block(
    call: Call, room: ReachedRoom, *, block_type: str, content: Raw, parent_id: UUID | None, position: int | None
) -> Block:
    """Add a block at a position among its siblings, else last. Raise RoomArchived, InvalidRequest for a parent not in
    the room, BlocksTooDeep, BlockTooLarge."""
    require_open(room)
    checked, block_id = validate_content(block_type, content), BlockId(new_id(call.now))
    await call.lock(LOCK, room.room_id)
    await require_parent(call, room.room_id, parent_id)
    await require_levels(call, room.room_id, parent_id)
    place = await insert_position(call, room.room_id, parent_id, block_id, position)
    await call.db.execute(
        queries.ADD, room.room_id, block_id, parent_id, place, block_type, checked, call.caller.actor_id, call.now
    )
    await attach_file(call, room.room_id, block_id, checked)
    created = await find_block(call, room.room_id, block_id)
    await publish_to_room(call, LiveEventKind.BLOCK_CREATED, room, created)
    await call.record(describe_change("block.created", room, created))
    return created


async def update_block(
    call: Call, reached: ReachedBlock, *, version: int, block_type: str | UnsetType, content: Raw | UnsetType,
    parent_id: UUID | UnsetType | None, position: int | UnsetType,
) -> Block:  # fmt: skip
    """Change the type, content or position of a block, based on the version that the caller saw. Raise RoomArchived,
    BlockChanged, InvalidRequest, BlocksTooDeep, BlockTooLarge."""
    require_open(reached.room)
    block = reached.block
    if version != block.version:
        raise BlockChanged(block=Raw(msgspec.json.encode(block)))
    new_type = block.type if block_type is UNSET else block_type
    if content is UNSET and new_type == block.type:
        new_content = bytes(block.content).decode()
    else:
        new_content = validate_content(new_type, block.content if content is UNSET else content)
        await attach_file(call, block.room_id, block.block_id, new_content)
    moved = parent_id is not UNSET and parent_id != block.parent_block_id
    new_parent = block.parent_block_id if parent_id is UNSET else parent_id
    wanted = position if position is not UNSET else None if moved else block.position
    place = await _move_block(call, block, new_parent, wanted)
    await call.db.execute(
        queries.CHANGE, block.room_id, block.block_id, new_parent, place, new_type, new_content,
        call.caller.actor_id, call.now,
    )  # fmt: skip
    return await _changed_block(call, reached)


async def _changed_block(call: Call, reached: ReachedBlock) -> Block:
    changed = await find_block(call, reached.room.room_id, reached.block.block_id)
    await publish_to_room(call, LiveEventKind.BLOCK_UPDATED, reached.room, changed)
    await call.record(describe_change("block.updated", reached.room, changed))
    return changed


async def _move_block(call: Call, block: Block, parent_id: UUID | None, position: int | None) -> int:
    """Return the position of the block under the parent, after making room for it unless it stays where it is."""
    if (parent_id, position) == (block.parent_block_id, block.position):
        return block.position
    await require_parent(call, block.room_id, parent_id, moving=block)
    if parent_id != block.parent_block_id:
        await require_levels(call, block.room_id, parent_id, block.block_id)
    await call.db.execute(queries.CLOSE_GAP, block.room_id, block.parent_block_id, block.position)
    return await insert_position(call, block.room_id, parent_id, block.block_id, position)


async def delete_block(call: Call, reached: ReachedBlock) -> None:
    """Delete a block and everything under it; both can be restored for a day. Raise RoomArchived."""
    require_open(reached.room)
    block = reached.block
    await call.db.execute(queries.DELETE, block.room_id, block.block_id, call.now)
    await call.db.execute(queries.CLOSE_GAP, block.room_id, block.parent_block_id, block.position)
    gone = BlockDeletion(block.block_id, block.room_id, call.caller.actor_id)
    await publish_to_room(call, LiveEventKind.BLOCK_DELETED, reached.room, gone)
    await call.record(describe_change("block.deleted", reached.room, block))


def describe_change(action: str, room: ReachedRoom, block: Block) -> Change:
    """Describe a change of a block for the audit log, without its content."""
    where = {"room_id": str(room.room_id), "type": block.type, "version": block.version}
    return Change(action, Target("block", block.block_id), room.organization_id, after=where)

"""Blocks of a room's page."""

from enum import StrEnum
from typing import Annotated

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from atrium.audit.trail import Change, Target
from atrium.blocks import actions, queries
from atrium.blocks.actions import Block, BlockChanged, ReachedBlock
from atrium.blocks.bounds import BlocksTooDeep, BlockTooLarge
from atrium.keys.caller import Call
from atrium.kit.paging import decode_cursor, encode_cursor
from atrium.kit.texts import BlockId
from atrium.kit.web import Body, Paging, raises
from atrium.rooms.model import ReachedRoom
from atrium.rooms.reach import RoomArchived, require_open

Content = Annotated[
    Raw,
    Meta(
        description="what the type holds: see the schemas HeadingContent, TextContent (paragraph, quote), ListContent, "
        "TodoContent, CodeContent, DividerContent, ImageContent, FileContent, CalloutContent",
        extra_json_schema={"type": "object", "examples": [{"text": "Ship on Friday"}]},
    ),
]
PAGE_BYTES = 1 << 20  # of contents; a page that would have more ends early
Place = Annotated[int, Meta(ge=0, lt=2**31)]
Position = Annotated[int, Meta(ge=0, le=100_000, description="place among its siblings, from 0")]


class BlockType(StrEnum):
    """The types of block."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TODO = "todo"
    CODE = "code"
    QUOTE = "quote"
    DIVIDER = "divider"
    IMAGE = "image"
    FILE = "file"
    CALLOUT = "callout"


class BlockList(Struct, frozen=True):
    """A page of blocks, in the order in which they are read."""

    blocks: list[Block]
    next_cursor: str | None


class BlockCreate(Body):
    """A block to make: last among its siblings, unless a position says where."""

    type: BlockType
    content: Content
    parent_block_id: BlockId | None = None
    position: Position | None = None


class BlockUpdate(Body):
    """A change to the `version` that the caller saw: other content, another place, or both."""

    version: Annotated[int, Meta(ge=1, description="the version that the change was made on")]
    content: Content | UnsetType = UNSET
    parent_block_id: BlockId | UnsetType | None = UNSET
    position: Position | UnsetType = UNSET


async def list_blocks(call: Call, room: ReachedRoom, query: Paging) -> BlockList:
    """List the blocks of a room's page in reading order: each before its children, siblings by position."""
    behind = decode_cursor(query.cursor, list[Place]) if query.cursor is not None else []
    rows = await call.db.fetch(queries.PAGE, room.room_id, behind, query.limit + 1, PAGE_BYTES)
    page = rows[: query.limit]
    more = page and page[-1]["found"] > len(page)
    return BlockList([actions.block_of(row) for row in page], encode_cursor(page[-1]["path"]) if more else None)


@raises(RoomArchived, BlockTooLarge, BlocksTooDeep)
async def create_block(call: Call, room: ReachedRoom, body: BlockCreate) -> Block:
    """Add a block to a room's page."""
    require_open(room)
    made = await actions.add_block(
        call, room, block_type=body.type, content=body.content, parent_id=body.parent_block_id, position=body.position
    )
    await call.record(_change("block.created", room, made))
    return made


async def read_block(call: Call, block: ReachedBlock) -> Block:
    """Read a block."""
    return block.block


@raises(BlockChanged, RoomArchived, BlockTooLarge, BlocksTooDeep)
async def update_block(call: Call, block: ReachedBlock, body: BlockUpdate) -> Block:
    """Change a block's content or place. 409 with the present block where its version is another."""
    require_open(block.room)
    now = block.block
    moved = body.parent_block_id is not UNSET and body.parent_block_id != now.parent_block_id
    changed = await actions.change_block(
        call, now, version=body.version,
        content=bytes(now.content).decode() if body.content is UNSET
        else actions.checked_content(now.type, body.content),
        parent_id=now.parent_block_id if body.parent_block_id is UNSET else body.parent_block_id,
        position=body.position if body.position is not UNSET else None if moved else now.position,
    )  # fmt: skip
    await call.record(_change("block.updated", block.room, changed))
    return changed


@raises(RoomArchived)
async def delete_block(call: Call, block: ReachedBlock) -> None:
    """Delete a block and everything under it."""
    require_open(block.room)
    await actions.delete_block(call, block.block)
    await call.record(_change("block.deleted", block.room, block.block))


def _change(action: str, room: ReachedRoom, block: Block) -> Change:
    """What was done to a block, and where; what it holds is not repeated."""
    where = {"room_id": str(room.room_id), "type": block.type, "version": block.version}
    return Change(action, Target("block", block.block_id), room.organization_id, after=where)

"""Blocks of a room's page."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from atrium.blocks import actions, reach, restoring
from atrium.blocks.reach import Block, ReachedBlock
from atrium.keys.caller import Call
from atrium.kit.http.request import Body, Paging
from atrium.kit.text.types import BlockId
from atrium.rooms.model import ReachedRoom

Content = Annotated[
    Raw,
    Meta(
        description="the content of this type: see the schemas HeadingContent, TextContent (paragraph, quote), "
        "ListContent, TodoContent, CodeContent, DividerContent, ImageContent, FileContent, CalloutContent",
        extra_json_schema={"type": "object", "examples": [{"text": "Ship on Friday"}]},
    ),
]
BlockPosition = Annotated[int, Meta(ge=0, le=100_000, description="position among its siblings, from 0")]


class BlockType(StrEnum):
    """The types of blocks."""

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
    """A page of blocks, in reading order."""

    blocks: list[Block]
    next_cursor: str | None


class BlockCreate(Body):
    """A block to create, at a position among its siblings or after them."""

    type: BlockType
    content: Content
    parent_block_id: BlockId | None = None
    position: BlockPosition | None = None


class BlockUpdate(Body):
    """A change to the `version` that the caller saw: new content, another type, a new place, or several of these."""

    version: Annotated[int, Meta(ge=1, description="the version that the change is based on")]
    type: Annotated[BlockType | UnsetType, Meta(description="the new type; the content must be valid for it")] = UNSET
    content: Content | UnsetType = UNSET
    parent_block_id: BlockId | UnsetType | None = UNSET
    position: BlockPosition | UnsetType = UNSET


async def list_blocks(call: Call, room: ReachedRoom, query: Paging) -> BlockList:
    """List the blocks of a room's page in reading order: each before its children, siblings by position."""
    return BlockList(*await reach.list_blocks(call, room, query))


async def create_block(call: Call, room: ReachedRoom, body: BlockCreate) -> Block:
    """Add a block to a room's page."""
    return await actions.create_block(
        call, room, block_type=body.type, content=body.content, parent_id=body.parent_block_id, position=body.position
    )


async def read_block(call: Call, block: ReachedBlock) -> Block:
    """Read a block."""
    return block.block


async def update_block(call: Call, block: ReachedBlock, body: BlockUpdate) -> Block:
    """Change a block's content, type or place. Fails with 409 and the current block if its version has changed."""
    return await actions.update_block(
        call,
        block,
        version=body.version,
        block_type=body.type,
        content=body.content,
        parent_id=body.parent_block_id,
        position=body.position,
    )


async def delete_block(call: Call, block: ReachedBlock) -> None:
    """Delete a block and everything under it. They can be restored for a day."""
    await actions.delete_block(call, block)


async def restore_block(call: Call, room: ReachedRoom, deleted_block_id: UUID) -> Block:
    """Restore a block that was deleted less than a day ago, with everything under it, where it was. If its parent was
    deleted too, it becomes the last block of the page."""
    return await restoring.restore_block(call, room, deleted_block_id)

"""How many bytes blocks may have as they are rendered, and how deeply they and their Markdown may nest; pure."""

import json
from collections.abc import Iterator

from atrium.blocks.model import CalloutContent, HeadingContent, ListContent, TextContent, TodoContent, TypedContent
from atrium.kit.errors import Conflict, Problem
from atrium.kit.nesting import nests_too_deeply
from atrium.kit.texts import IS_LABEL

MOST_BYTES = 128 << 10
MOST_LEVELS = 50
LABELS = ("language", "name", "emoji")
INVALID_LABEL = "is not one line of text, or holds characters that are not seen"


class BlockTooLarge(Problem):
    """The content of a block may have at most 128 KiB."""

    status = 413
    code = "block_too_large"
    title = "The block is larger than 128 KiB"


class BlocksTooDeep(Conflict):
    """Blocks nest at most fifty deep."""

    code = "blocks_too_deep"
    title = "The blocks would nest too deeply"


def rendered_bytes(encoded: str) -> int:
    """Return how many bytes JSON has as PostgreSQL renders it, with a space behind each comma and colon."""
    return len(json.dumps(json.loads(encoded), ensure_ascii=False).encode())


def require_bounded(content: str) -> None:
    """Raise BlockTooLarge for the content of a block, as JSON, that is larger than one may be."""
    if len(content) > MOST_BYTES // 8 and rendered_bytes(content) > MOST_BYTES:
        raise BlockTooLarge


def has_deep_markdown(block: TypedContent) -> bool:
    """Return whether a text of the block nests too deeply."""
    return any(map(nests_too_deeply, _markdown_of(block)))


def invalid_label(block: TypedContent) -> str | None:
    """Return the field of the block's content that may not be sent as a label, or none; stored ones are as they are."""
    return next((name for name in LABELS if not IS_LABEL.search(getattr(block.content, name, ""))), None)


def _markdown_of(block: TypedContent) -> Iterator[str]:
    match block.content:
        case ListContent(items=lines):
            yield from lines
        case TodoContent(items=items):
            yield from (item.text for item in items)
        case HeadingContent(text=text) | TextContent(text=text) | CalloutContent(text=text):
            yield text

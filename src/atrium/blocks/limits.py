"""The limits of blocks: their size in bytes as rendered, and their nesting. Pure functions."""

import json

from atrium.blocks.model import TypedContent
from atrium.kit.errors import Conflict, Problem
from atrium.kit.text.types import IS_LABEL

MAX_BYTES = 128 << 10
MAX_LEVELS = 50
LABELS = ("language", "name", "emoji")
INVALID_LABEL = "is not one line of text, or contains invisible characters"


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
    """Return the size of JSON as PostgreSQL renders it, with a space after each comma and colon."""
    return len(json.dumps(json.loads(encoded), ensure_ascii=False).encode())


def require_size(content: str) -> None:
    """Raise BlockTooLarge if the content of a block (JSON) is larger than 128 KiB."""
    if len(content) > MAX_BYTES // 8 and rendered_bytes(content) > MAX_BYTES:
        raise BlockTooLarge


def invalid_label(block: TypedContent) -> str | None:
    """Return the name of an invalid label in the block's content, or None. Stored labels are not checked."""
    return next((name for name in LABELS if not IS_LABEL.search(getattr(block.content, name, ""))), None)

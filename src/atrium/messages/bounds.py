"""How many bytes a message may have, as it is rendered, and how deeply its Markdown may nest; pure."""

from collections.abc import Sequence

import msgspec

from atrium.blocks.bounds import NO_LABEL, has_deep_markdown, label_refused, rendered_bytes
from atrium.blocks.model import TypedContent
from atrium.kit.errors import Problem, invalid_field
from atrium.kit.nesting import TOO_DEEP, nests_too_deeply
from atrium.messages.model import MENTION, MOST_MENTIONS

MOST_BYTES = 128 << 10
EACH_ATTACHMENT, ALL_THE_REST = 1 << 10, 1 << 10  # at most; the rest are ids, times and counts
MOST_A_MENTION, MOST_A_CHARACTER = 40, 6  # bytes: `"<uuid>", ` and `\u0001`
SURELY_SMALL = 16 << 10  # characters


class MessageTooLarge(Problem):
    """A message may have at most 128 KiB with its blocks, mentions, attachments and reactions, as it is answered."""

    status = 413
    code = "message_too_large"
    title = "The message is larger than 128 KiB"


def require_bounded(text: str, blocks: str, attachments: int = 0) -> None:
    """Raise MessageTooLarge for a text and blocks (as JSON) that make a larger message than there may be."""
    if len(text) + len(blocks) > SURELY_SMALL and content_bytes(text, blocks) > room_for_content(attachments):
        raise MessageTooLarge


def require_sendable(text: str, blocks: Sequence[TypedContent]) -> None:
    """Raise InvalidRequest for Markdown that nests too deeply, in the text or in a block, and for what is no label."""
    if nests_too_deeply(text):
        raise invalid_field("/text", TOO_DEEP)
    for nr, block in enumerate(blocks):
        if label := label_refused(block):
            raise invalid_field(f"/blocks/{nr}/content/{label}", NO_LABEL)
        if has_deep_markdown(block):
            raise invalid_field(f"/blocks/{nr}", TOO_DEEP)


def room_for_content(attachments: int = 0) -> int:
    """Return how many bytes are left for text, blocks and mentions."""
    return MOST_BYTES - ALL_THE_REST - attachments * EACH_ATTACHMENT


def content_bytes(text: str, blocks: str = "[]") -> int:
    """Return the bytes of text, blocks and mentions as PostgreSQL renders them."""
    mentions = min(len(MENTION.findall(text)), MOST_MENTIONS) * MOST_A_MENTION
    return len(msgspec.json.encode(text)) + rendered_bytes(blocks) + mentions

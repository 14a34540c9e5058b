"""The limits of a message: its size in bytes as rendered, and its emoji. Pure functions."""

import re
from collections.abc import Sequence

import msgspec

from atrium.blocks.limits import INVALID_LABEL, invalid_label, rendered_bytes
from atrium.blocks.model import TypedContent
from atrium.kit.errors import Problem, invalid_field, invalid_parameter
from atrium.kit.text.types import FORBIDDEN_CHARACTERS, INVISIBLE_CHARACTERS
from atrium.messages.model import MAX_MENTIONS, MENTION

MAX_BYTES = 128 << 10
PER_ATTACHMENT, OTHER_FIELDS = 1 << 10, 1 << 10  # bytes at most; the other fields are ids, times and counts
PER_MENTION = 40  # bytes: `"<uuid>", `
MAX_EMOJI_CHARACTERS = 64
# No spaces, no control characters, nothing that is invisible or changes the direction of text, and no replacement for
# bytes that are not UTF-8. Between visible characters there may be what makes one emoji of several: joiners, variation
# selectors and the tags of flags.
VISIBLE = rf"[^{FORBIDDEN_CHARACTERS}{INVISIBLE_CHARACTERS}\ufffd][\ufe0e\ufe0f]?"
JOINER, TAGS = r"[\u200c\u200d]", r"[\U000e0020-\U000e007f]+"
IS_EMOJI = re.compile(f"{VISIBLE}(?:(?:{JOINER}|{TAGS})?{VISIBLE})*(?:{TAGS})?")
ALWAYS_FITS = 16 << 10  # characters; a shorter message is always small enough


class MessageTooLarge(Problem):
    """A message has at most 128 KiB of JSON, including its blocks, mentions, attachments and reactions."""

    status = 413
    code = "message_too_large"
    title = "The message is larger than 128 KiB"


def require_content(text: str, blocks: Sequence[TypedContent], attachments: Sequence[object] = ()) -> None:
    """Raise InvalidRequest for a message without content."""
    if not blocks and not attachments and not text.strip():
        raise invalid_field("/text", "a message needs a text, blocks or attachments")


def require_size(text: str, blocks: str, attachments: int = 0) -> None:
    """Raise MessageTooLarge if the text and blocks (JSON) make a message larger than 128 KiB."""
    if len(text) + len(blocks) > ALWAYS_FITS and content_bytes(text, blocks) > max_content_bytes(attachments):
        raise MessageTooLarge


def validate_labels(blocks: Sequence[TypedContent]) -> None:
    """Raise InvalidRequest if a block has an invalid label."""
    for nr, block in enumerate(blocks):
        if label := invalid_label(block):
            raise invalid_field(f"/blocks/{nr}/content/{label}", INVALID_LABEL)


def require_emoji(emoji: str) -> None:
    """Raise InvalidRequest for anything but an emoji or a short name."""
    if len(emoji) > MAX_EMOJI_CHARACTERS or IS_EMOJI.fullmatch(emoji) is None:
        raise invalid_parameter("emoji", "must be an emoji or a short name such as +1")


def max_content_bytes(attachments: int = 0) -> int:
    """Return the number of bytes left for text, blocks and mentions."""
    return MAX_BYTES - OTHER_FIELDS - attachments * PER_ATTACHMENT


def content_bytes(text: str, blocks: str = "[]") -> int:
    """Return the size of text, blocks and mentions as PostgreSQL renders them."""
    mentions = min(len(MENTION.findall(text)), MAX_MENTIONS) * PER_MENTION
    return len(msgspec.json.encode(text)) + rendered_bytes(blocks) + mentions

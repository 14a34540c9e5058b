"""Convert a Slack message to rows. Pure.

A row's id is computed from the room and Slack's `ts` alone, so that the same message has the same id in every export
and importing it again adds nothing.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TypeAlias
from uuid import UUID

import msgspec

from atrium.blocks.model import TypedContent
from atrium.imports.slack import ExportedMessage
from atrium.kit.clock import from_ms
from atrium.messages.limits import content_bytes, max_content_bytes
from atrium.messages.model import mentions_in
from atrium.slack.blockkit import BlockKit
from atrium.slack.content import convert
from atrium.slack.mrkdwn import Names, to_markdown

LONGEST_TEXT, SHORTER_TEXT = 40_000, 20_000  # in characters; the shorter one fits with any characters
NEAR = 2_000  # cut at the end of a line or at a space within this many characters before the limit
BYTES_PER_EMOJI, BYTES_PER_USER = 30, 40  # bytes: `{"emoji": , "user_ids": []}, ` and `"<uuid>", `
Reactions: TypeAlias = Sequence[tuple[str, list[str]]]
STEPS = 4  # of the counter per microsecond: 1,000 fit in the 4,096 of a millisecond
PART_BITS, DIGEST_BITS = 14, 36


@dataclass(frozen=True, slots=True)
class Row:
    """A message to insert.

    `root_us` is the time in Slack of the thread's first message, or 0. `is_reply` says whether it was a reply in Slack.
    `reacted` counts its reactions, `crowded_out` those that do not fit. `part` numbers the parts of a long text; the
    last has the blocks (JSON), and `blocks_cut` counts those that do not fit.
    """

    message_id: UUID
    user_id: UUID
    root_us: int
    is_reply: bool
    text: str
    blocks: str
    blocks_cut: int
    mentions: tuple[UUID, ...]
    reactions: str
    reacted: int
    crowded_out: int
    sent_at: datetime
    edited_at: datetime | None
    part: int


def imported_id(room_id: UUID, time_us: int, order: int = 0) -> UUID:
    """Return the id of the message that Slack has at `time_us`.

    It is a UUIDv7 of the millisecond; its counter holds the microseconds, so that ids in a room increase with `ts`.
    `order` distinguishes messages with the same ts.
    """
    ms, us = divmod(time_us, 1000)
    digest = int.from_bytes(sha256(f"{room_id}/{time_us}/{order}".encode()).digest()) & ((1 << DIGEST_BITS) - 1)
    return UUID(int=ms << 80 | 7 << 76 | us * STEPS << 64 | 0b10 << 62 | order << DIGEST_BITS | digest)


def first_id(room_id: UUID, time_us: int, nth: int) -> UUID:
    """Return the id of the `nth` message with one ts, or of its first part."""
    return imported_id(room_id, time_us, nth << PART_BITS)


def seq_of(message_id: UUID) -> int:
    """Return milliseconds * 4096 + counter of an id, as room_heads stores it."""
    return message_id.int >> 80 << 12 | message_id.int >> 64 & 0xFFF


def rows_of(message: ExportedMessage, room_id: UUID, names: Names, *, root_us: int, nth: int) -> Iterator[Row]:
    """Yield the message as one row, or as several if its text is too long for one message. `nth` numbers the
    different messages with one ts."""
    text, blocks = convert(message.content, BlockKit(names))
    parts = list(parts_of("\n".join(filter(None, [text, to_markdown(message.files, names)]))))
    for part, text in enumerate(parts):
        shown, cut = _blocks_that_fit(blocks, text) if part == len(parts) - 1 else ("[]", 0)
        wanted = [] if part else _reactions(message, names)
        fitting = list(_that_fit(wanted, max_content_bytes() - content_bytes(text, shown))) if wanted else wanted
        reacted = _count(fitting)
        yield Row(
            imported_id(room_id, message.time_us, nth << PART_BITS | part),
            names.people[message.author.key],
            root_us,
            message.root_us != 0,
            text,
            shown,
            cut,
            tuple(who for who in mentions_in(text) if who in names.actors),
            json.dumps([{"emoji": emoji, "user_ids": users} for emoji, users in fitting]),
            reacted,
            _count(wanted) - reacted,
            from_ms(message.time_us // 1000),
            from_ms(message.edited_us // 1000) if message.edited_us else None,
            part,
        )


def _reactions(message: ExportedMessage, names: Names) -> Reactions:
    return [
        (reaction.emoji, list(dict.fromkeys(str(names.people[user]) for user in reaction.users)))
        for reaction in message.reactions
    ]


def _blocks_that_fit(blocks: Sequence[TypedContent], text: str) -> tuple[str, int]:
    """Return the first blocks that fit into a message with this text, as JSON, and how many do not."""
    fitting = list(blocks)
    while content_bytes(text, shown := msgspec.json.encode(fitting).decode()) > max_content_bytes():
        fitting.pop()
    return shown, len(blocks) - len(fitting)


def _that_fit(reactions: Reactions, room: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the first reactions that fit into `room` bytes."""
    for emoji, users in reactions:
        room -= len(json.dumps(emoji)) + BYTES_PER_EMOJI
        fitting = users[: max(0, room // BYTES_PER_USER)]
        room -= len(fitting) * BYTES_PER_USER
        if fitting:
            yield emoji, fitting


def _count(reactions: Reactions) -> int:
    return sum(len(users) for _, users in reactions)


def parts_of(text: str) -> Iterator[str]:
    """Yield the whole text in parts that each fit into a message."""
    while len(text) > SHORTER_TEXT and len(text) > (longest := _longest(text)):
        near = longest - NEAR
        cut = max(text.rfind("\n", near, longest), text.rfind(" ", near, longest)) + 1 or longest
        yield text[:cut]
        text = text[cut:]
    yield text


def _longest(text: str) -> int:
    """Return how many characters of the text fit into a message."""
    return LONGEST_TEXT if content_bytes(text[:LONGEST_TEXT]) <= max_content_bytes() else SHORTER_TEXT

"""A Slack message as rows of ours; pure rules.

A row's id is worked out from the room and Slack's `ts` alone, so that the same message has the same id in whichever
export it comes, and importing it again adds nothing (docs/decisions).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TypeAlias
from uuid import UUID

from atrium.imports.mrkdwn import Names, to_markdown
from atrium.imports.slack import SlackMessage
from atrium.kit.clock import from_ms
from atrium.kit.nesting import flattened
from atrium.messages.bounds import content_bytes, max_content_bytes
from atrium.messages.model import mentions_in

LONGEST_TEXT, SHORTER_TEXT = 40_000, 20_000  # the shorter one has few enough bytes whatever its characters are
NEAR = 2_000  # characters before the limit in which a line's end, or a space, is the better place to cut
EACH_EMOJI, EACH_USER = 30, 40  # bytes: `{"emoji": , "user_ids": []}, ` and `"<uuid>", `
Reactions: TypeAlias = Sequence[tuple[str, list[str]]]
STEPS = 4  # of the counter a microsecond: a thousand fit in the 4,096 of a millisecond
PART_BITS, DIGEST_BITS = 14, 36


@dataclass(frozen=True, slots=True)
class Row:
    """A message to insert; `root_us` names the thread's first message by its time in Slack, 0 for none;
    `answers` says that Slack had it as a reply, `reacted` counts its reactions, `crowded_out` those that it has no
    bytes left for, `part` the pieces of a long text."""

    message_id: UUID
    user_id: UUID
    root_us: int
    answers: bool
    text: str
    mentions: tuple[UUID, ...]
    reactions: str
    reacted: int
    crowded_out: int
    sent_at: datetime
    edited_at: datetime | None
    part: int


def imported_id(room_id: UUID, time_us: int, order: int = 0) -> UUID:
    """The id of what Slack has at `time_us`: a UUIDv7 of its millisecond whose counter is made of its microseconds,
    so that ids of a room grow with `ts`. `order` tells apart what shares a ts."""
    ms, us = divmod(time_us, 1000)
    digest = int.from_bytes(sha256(f"{room_id}/{time_us}/{order}".encode()).digest()) & ((1 << DIGEST_BITS) - 1)
    return UUID(int=ms << 80 | 7 << 76 | us * STEPS << 64 | 0b10 << 62 | order << DIGEST_BITS | digest)


def seq_of(message_id: UUID) -> int:
    """Milliseconds * 4096 + counter of an id, as room_heads keeps it."""
    return message_id.int >> 80 << 12 | message_id.int >> 64 & 0xFFF


def rows_of(message: SlackMessage, room_id: UUID, names: Names, *, root_us: int, nth: int) -> Iterator[Row]:
    """The message as one row, or as several in a row where its text is longer than a message may be. `nth` counts
    the different messages under one ts."""
    reactions: Reactions = [
        (each.emoji, list(dict.fromkeys(str(names.people[user]) for user in each.users))) for each in message.reactions
    ]
    for part, text in enumerate(parts_of(flattened(to_markdown(message.mrkdwn, names)))):
        wanted = [] if part else reactions
        shown = list(_that_fit(wanted, max_content_bytes() - content_bytes(text))) if wanted else wanted
        reacted = _count(shown)
        yield Row(
            imported_id(room_id, message.time_us, nth << PART_BITS | part), names.people[message.author.key],
            root_us, message.root_us != 0, text, tuple(who for who in mentions_in(text) if who in names.actors),
            json.dumps([{"emoji": emoji, "user_ids": users} for emoji, users in shown]),
            reacted, _count(wanted) - reacted,
            from_ms(message.time_us // 1000), from_ms(message.edited_us // 1000) if message.edited_us else None, part,
        )  # fmt: skip


def _that_fit(reactions: Reactions, room: int) -> Iterator[tuple[str, list[str]]]:
    """The reactions, first come first, for which a message has `room` bytes left."""
    for emoji, users in reactions:
        room -= len(json.dumps(emoji)) + EACH_EMOJI
        held = users[: max(0, room // EACH_USER)]
        room -= len(held) * EACH_USER
        if held:
            yield emoji, held


def _count(reactions: Reactions) -> int:
    return sum(len(users) for _, users in reactions)


def parts_of(text: str) -> Iterator[str]:
    """The text in pieces that a message can hold; nothing of it is lost."""
    while len(text) > SHORTER_TEXT and len(text) > (longest := _longest(text)):
        near = longest - NEAR
        cut = max(text.rfind("\n", near, longest), text.rfind(" ", near, longest)) + 1 or longest
        yield text[:cut]
        text = text[cut:]
    yield text


def _longest(text: str) -> int:
    """How many characters of the text a message can hold."""
    return LONGEST_TEXT if content_bytes(text[:LONGEST_TEXT]) <= max_content_bytes() else SHORTER_TEXT

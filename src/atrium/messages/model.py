"""Messages as the API returns them, and pure rules about them."""

import re
from enum import StrEnum
from typing import Annotated
from unicodedata import normalize
from uuid import UUID

from msgspec import Meta, Struct

from atrium.attachments.model import Attachment
from atrium.blocks.model import TypedContent
from atrium.keys.caller import ActorKind
from atrium.kit.text.types import ActorId, MessageId, RoomId, Timestamp

MENTION = re.compile(r"<@([0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})>")
MAX_MENTIONS = 200
MAX_EMOJI = 50
VARIATION_SELECTORS = re.compile("[\ufe0e\ufe0f]")


class MessageStatus(StrEnum):
    """A deleted message stays as a tombstone without content."""

    SENT = "SENT"
    DELETED = "DELETED"


class Reaction(Struct, frozen=True):
    """An emoji on a message and the actors who added it, in that order."""

    emoji: Annotated[str, Meta(examples=["👍"])]
    user_ids: list[ActorId]


class Message(Struct, frozen=True):
    """A message."""

    message_id: MessageId
    room_id: RoomId
    user_id: Annotated[ActorId, Meta(description="the actor who sent it")]
    sender_type: ActorKind
    parent_id: Annotated[MessageId | None, Meta(description="the message replied to, which may be a reply itself")]
    thread_root_id: Annotated[
        MessageId | None, Meta(description="the top-level message of its thread: `parent_id` in the path of the thread")
    ]
    status: MessageStatus
    text: Annotated[str, Meta(description="Markdown; empty in a tombstone", examples=["Shipped **today**."])]
    blocks: list[TypedContent]
    mentions: Annotated[list[ActorId], Meta(description="the members that the text mentions as `<@id>`")]
    attachments: list[Attachment]
    reactions: list[Reaction]
    reply_count: Annotated[int, Meta(description="replies to this top-level message, with nested and deleted ones")]
    last_reply_at: Timestamp | None
    sent_at: Timestamp
    created_at: Annotated[Timestamp, Meta(description="the same time as sent_at")]
    edited_at: Timestamp | None
    deleted_at: Timestamp | None


class RoomMessageList(Struct, frozen=True):
    """Messages of a history window, newest first."""

    messages: Annotated[list[Message], Meta(description="may be empty even when older messages exist")]
    shard_has_more: Annotated[bool, Meta(description="true when more messages remain in the current history window")]
    next_cursor_sent_at: Annotated[Timestamp | None, Meta(description="for continuing within the window")]
    next_cursor_message_id: Annotated[MessageId | None, Meta(description="for continuing within the window")]
    next_partition_cursor: Annotated[Timestamp, Meta(description="for the next older history window")]


class ThreadMessageList(Struct, frozen=True):
    """Replies of a thread, oldest first."""

    messages: list[Message]
    has_more: Annotated[bool, Meta(description="true when another page exists")]
    next_cursor_sent_at: Timestamp | None
    next_cursor_message_id: MessageId | None


def mentions_in(text: str) -> list[UUID]:
    """Return the ids that a text mentions as `<@id>`, without duplicates, in order; at most 200."""
    return list(dict.fromkeys(UUID(found) for found in MENTION.findall(text)))[:MAX_MENTIONS]


def with_reaction(reactions: list[Reaction], emoji: str, actor: ActorId) -> list[Reaction]:
    """Return the reactions after `actor` has added `emoji`, unless it was there already."""
    same = [reaction for reaction in reactions if is_same_emoji(reaction.emoji, emoji)]
    if not same:
        return [*reactions, Reaction(emoji, [actor])]
    if any(actor in reaction.user_ids for reaction in same):
        return reactions
    return [
        Reaction(reaction.emoji, [*reaction.user_ids, actor]) if reaction is same[0] else reaction
        for reaction in reactions
    ]


def spelling_of(reactions: list[Reaction], emoji: str) -> str:
    """Return an emoji as the reactions have it, if they have it."""
    return next((reaction.emoji for reaction in reactions if is_same_emoji(reaction.emoji, emoji)), emoji)


def is_same_emoji(one: str, other: str) -> bool:
    """Return whether two emoji differ at most in variation selectors, which only say that it is to look like an emoji
    or like text. Keyboards differ in whether they add them. Skin tones are different emoji."""
    return _without_selectors(one) == _without_selectors(other)


def _without_selectors(emoji: str) -> str:
    return normalize("NFC", VARIATION_SELECTORS.sub("", emoji))


def without_reaction(reactions: list[Reaction], emoji: str, actor: ActorId) -> list[Reaction]:
    """Return the reactions after `actor` has removed `emoji`; an emoji without actors is dropped."""
    remaining = [
        Reaction(reaction.emoji, [user for user in reaction.user_ids if user != actor])
        if is_same_emoji(reaction.emoji, emoji)
        else reaction
        for reaction in reactions
    ]
    return [reaction for reaction in remaining if reaction.user_ids]

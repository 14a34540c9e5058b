"""Edits, deletions and reactions of one message. Its row is locked during a change."""

from uuid import UUID

import msgspec

from atrium.audit.trail import Change, Target
from atrium.blocks.model import TypedContent
from atrium.events import LiveEventKind
from atrium.keys.caller import Call
from atrium.kit.errors import Conflict
from atrium.live.actions import hold_log
from atrium.messages import queries
from atrium.messages.limits import (
    MAX_BYTES,
    MessageTooLarge,
    require_content,
    require_emoji,
    require_size,
    validate_labels,
)  # fmt: skip
from atrium.messages.model import (
    MAX_EMOJI,
    Message,
    MessageStatus,
    Reaction,
    mentions_in,
    spelling_of,
    with_reaction,
    without_reaction,
)  # fmt: skip
from atrium.messages.reach import ReachedMessage
from atrium.rooms.reach import require_open
from atrium.search.indexing import index_edited, remove_from_index


class MessageDeleted(Conflict):
    """A deleted message cannot be changed."""

    code = "message_deleted"
    title = "The message is deleted"


class TooManyReactions(Conflict):
    """A message has at most 50 different emoji."""

    code = "too_many_reactions"
    title = "The message already has 50 different emoji"


def require_sent(message: Message) -> None:
    """Raise MessageDeleted for a tombstone."""
    if message.status is MessageStatus.DELETED:
        raise MessageDeleted


async def edit_message(
    call: Call, reached: ReachedMessage, new_text: str | None, new_blocks: list[TypedContent] | None
) -> Message:
    """Replace the text, the blocks or both of a message; None leaves them as they are.

    Raise RoomArchived, InvalidRequest, MessageDeleted, MessageTooLarge.
    """
    require_open(reached.room)
    text = reached.message.text if new_text is None else new_text
    blocks = reached.message.blocks if new_blocks is None else new_blocks
    require_content(text, blocks, reached.message.attachments)
    validate_labels(new_blocks or ())
    require_sent(reached.message)
    encoded = msgspec.json.encode(blocks).decode()
    require_size(text, encoded, len(reached.message.attachments))
    mentioned = await call.db.fetch(queries.MENTIONED_MEMBERS, reached.room.organization_id, mentions_in(text))
    rendered = await call.db.fetchval(
        queries.EDIT, *_place(reached), text, encoded, [row["actor_id"] for row in mentioned], call.now
    )
    await index_edited(
        call.db, reached.room.room_id, reached.message.message_id, user_id=reached.message.user_id, text=text,
        blocks=encoded, languages=call.settings.search_languages,
    )  # fmt: skip
    await call.record(_change("message.edited", reached))
    return msgspec.json.decode(rendered, type=Message)


async def delete_message(call: Call, reached: ReachedMessage) -> None:
    """Replace the message by a tombstone without content. Raise MessageDeleted."""
    require_sent(reached.message)
    await hold_log(call)
    await call.db.execute(queries.DELETE_MESSAGE, *_place(reached), call.now)
    if reached.message.attachments:
        await call.db.execute(queries.DROP_ATTACHMENTS, reached.room.room_id, reached.message.message_id, call.now)
    await remove_from_index(call.db, reached.room.room_id, reached.message.message_id)
    await call.record(_change("message.deleted", reached))


def _change(action: str, reached: ReachedMessage) -> Change:
    """Return an audit entry that names the message and its room, without the content."""
    details = {"room_id": str(reached.room.room_id), "user_id": str(reached.message.user_id)}
    return Change(action, Target("message", reached.message.message_id), reached.room.organization_id, before=details)


async def add_reaction(call: Call, reached: ReachedMessage, emoji: str) -> Message:
    """Add the caller's emoji to the message, unless it is there already.

    Raise RoomArchived, InvalidRequest, MessageDeleted, TooManyReactions, MessageTooLarge.
    """
    require_open(reached.room)
    require_emoji(emoji)
    emoji = spelling_of(reached.message.reactions, emoji)
    changed = with_reaction(reached.message.reactions, emoji, call.caller.actor_id)
    return await _set_reactions(call, reached, changed, (LiveEventKind.REACTION_ADDED, emoji))


async def remove_reaction(call: Call, reached: ReachedMessage, emoji: str) -> Message:
    """Remove the caller's emoji from the message. Raise RoomArchived, InvalidRequest, MessageDeleted."""
    require_open(reached.room)
    if all(reaction.emoji != emoji for reaction in reached.message.reactions):  # an earlier release took more
        require_emoji(emoji)
    emoji = spelling_of(reached.message.reactions, emoji)
    changed = without_reaction(reached.message.reactions, emoji, call.caller.actor_id)
    return await _set_reactions(call, reached, changed, (LiveEventKind.REACTION_REMOVED, emoji))


async def _set_reactions(
    call: Call, reached: ReachedMessage, reactions: list[Reaction], event: tuple[LiveEventKind, str]
) -> Message:
    message = reached.message
    require_sent(message)
    if reactions == message.reactions:
        return message
    if len(reactions) > max(MAX_EMOJI, len(message.reactions)):
        raise TooManyReactions
    encoded = msgspec.json.encode(reactions).decode()
    rendered = await call.db.fetchval(queries.SET_REACTIONS, *_place(reached), encoded, *event, call.caller.actor_id)
    if event[0] is LiveEventKind.REACTION_ADDED and len(rendered.encode()) > MAX_BYTES:
        raise MessageTooLarge("With one more reaction, the message is larger than 128 KiB.")
    return msgspec.json.decode(rendered, type=Message)


def _place(reached: ReachedMessage) -> tuple[UUID, UUID, UUID]:
    return reached.room.room_id, reached.message.message_id, reached.room.space_id

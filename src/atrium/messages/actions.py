"""What is done to one message after it was sent: edited, deleted, reacted to. Its row is locked meanwhile."""

from uuid import UUID

import msgspec
from msgspec import Struct

from atrium.audit.trail import Change, Target
from atrium.blocks.model import TypedContent
from atrium.keys.caller import Call
from atrium.kit.errors import Conflict, Forbidden, NotFound
from atrium.messages import queries
from atrium.messages.bounds import MOST_BYTES, MessageTooLarge, require_bounded
from atrium.messages.model import (
    MOST_EMOJI,
    Message,
    MessageStatus,
    Reaction,
    mentions_in,
    with_reaction,
    without_reaction,
)  # fmt: skip
from atrium.permissions import Permission
from atrium.rooms.reach import ReachedRoom, reach_room
from atrium.search.indexing import forget_message, index_edited

ADDED = "reaction.added"


class MessageNotFound(NotFound):
    """There is no such message in the room."""

    code = "message_not_found"
    title = "There is no such message"


class MessageDeleted(Conflict):
    """A deleted message stays as it is."""

    code = "message_deleted"
    title = "The message is deleted"


class TooManyReactions(Conflict):
    """A message holds at most fifty different emoji."""

    code = "too_many_reactions"
    title = "The message has fifty different emoji already"


class ReachedMessage(Struct, frozen=True):
    """A message that the caller reaches, with its room."""

    message: Message
    room: ReachedRoom


async def reach_message(call: Call, room_id: UUID, message_id: UUID, permission: Permission) -> ReachedMessage:
    """The message, for an actor who reaches its room. Raises RoomNotFound, MessageNotFound, Forbidden."""
    room = await reach_room(call, room_id, permission)
    statement = queries.READ_FOR_CHANGE if call.writing else queries.READ
    rendered = await call.db.fetchval(statement, room_id, message_id)
    if rendered is None:
        raise MessageNotFound
    message = msgspec.json.decode(rendered, type=Message)
    _require_sender(call, message, room, permission)
    return ReachedMessage(message, room)


def _require_sender(call: Call, message: Message, room: ReachedRoom, permission: Permission) -> None:
    if not permission.sender or message.user_id == call.caller.actor_id:
        return
    if permission.or_space is None or not room.role.holds(permission.or_space):
        also = f" or a space {permission.or_space}" if permission.or_space else ""
        raise Forbidden(f"Only its sender{also} may do this to a message.")


def require_sent(message: Message) -> None:
    """Raises MessageDeleted for a tombstone."""
    if message.status is MessageStatus.DELETED:
        raise MessageDeleted


async def edit_message(call: Call, reached: ReachedMessage, text: str, blocks: list[TypedContent]) -> Message:
    """The message says something else from now on. Raises MessageDeleted, MessageTooLarge."""
    require_sent(reached.message)
    encoded = msgspec.json.encode(blocks).decode()
    require_bounded(text, encoded, len(reached.message.attachments))
    named = await call.db.fetch(queries.MEMBERS_NAMED, reached.room.organization_id, mentions_in(text))
    rendered = await call.db.fetchval(
        queries.EDIT, *_place(reached), text, encoded, [row["actor_id"] for row in named], call.now
    )
    await index_edited(
        call.db, reached.room.room_id, reached.message.message_id, user_id=reached.message.user_id, text=text,
        blocks=encoded, languages=call.settings.search_languages,
    )  # fmt: skip
    await call.record(_change("message.edited", reached))
    return msgspec.json.decode(rendered, type=Message)


async def delete_message(call: Call, reached: ReachedMessage) -> None:
    """What the message said is gone; its tombstone stays. Raises MessageDeleted."""
    require_sent(reached.message)
    await call.db.execute(queries.BURY, *_place(reached), call.now)
    if reached.message.attachments:
        await call.db.execute(queries.DROP_ATTACHMENTS, reached.room.room_id, reached.message.message_id, call.now)
    await forget_message(call.db, reached.room.room_id, reached.message.message_id)
    await call.record(_change("message.deleted", reached))


def _change(action: str, reached: ReachedMessage) -> Change:
    """What was done to a message, and where; what it said is not repeated."""
    where = {"room_id": str(reached.room.room_id), "user_id": str(reached.message.user_id)}
    return Change(action, Target("message", reached.message.message_id), reached.room.organization_id, before=where)


async def react(call: Call, reached: ReachedMessage, emoji: str) -> Message:
    """The caller's emoji stands on the message; a second time changes nothing.

    Raises MessageDeleted, TooManyReactions, MessageTooLarge.
    """
    changed = with_reaction(reached.message.reactions, emoji, call.caller.actor_id)
    return await _set_reactions(call, reached, changed, (ADDED, emoji))


async def take_back_reaction(call: Call, reached: ReachedMessage, emoji: str) -> Message:
    """The caller's emoji stands on the message no more. Raises MessageDeleted."""
    changed = without_reaction(reached.message.reactions, emoji, call.caller.actor_id)
    return await _set_reactions(call, reached, changed, ("reaction.removed", emoji))


async def _set_reactions(
    call: Call, reached: ReachedMessage, reactions: list[Reaction], told: tuple[str, str]
) -> Message:
    message = reached.message
    require_sent(message)
    if reactions == message.reactions:
        return message
    if len(reactions) > max(MOST_EMOJI, len(message.reactions)):
        raise TooManyReactions
    encoded = msgspec.json.encode(reactions).decode()
    rendered = await call.db.fetchval(
        queries.SET_REACTIONS, *_place(reached), encoded, *told, call.caller.actor_id
    )  # fmt: skip
    if told[0] == ADDED and len(rendered.encode()) > MOST_BYTES:
        raise MessageTooLarge("With one more reaction, the message is larger than 128 KiB.")
    return msgspec.json.decode(rendered, type=Message)


def _place(reached: ReachedMessage) -> tuple[UUID, UUID, UUID]:
    return reached.room.room_id, reached.message.message_id, reached.room.space_id

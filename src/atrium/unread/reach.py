"""Read the unread counts, threads and mentions of a person."""

from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from atrium.keys.caller import Call, require_person
from atrium.kit.http.paging import ListPage, after, decode_cursor, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Record
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.kit.text.types import MessageId, RoomId
from atrium.messages.reach import MessageNotFound
from atrium.messages.requests import NotAThreadRoot
from atrium.organizations.reach import Organization
from atrium.rooms.model import ReachedRoom
from atrium.unread import queries
from atrium.unread.model import (
    MAX_COUNTED,
    MAX_UNREAD_THREADS,
    OWN_MESSAGE_SCAN,
    REPLIES_SHOWN,
    FollowedThread,
    Mention,
    UnreadRoom,
    UnreadThread,
)


class ThreadKey(NamedTuple):
    """The sort key of a thread."""

    is_unread: bool
    last_reply_at: datetime
    thread_root_id: MessageId
    room_id: RoomId


class MentionKey(NamedTuple):
    """The sort key of a mention."""

    message_id: MessageId
    room_id: RoomId


async def list_unread(call: Call, organization: Organization, paging: Paging) -> ListPage[UnreadRoom]:
    """Return a page of the rooms with unread messages that the caller can access. Raise Forbidden."""
    require_person(call.caller)
    rows = await call.db.fetch(
        queries.UNREAD,
        organization.organization_id,
        call.caller.actor_id,
        after(paging.cursor),
        paging.limit + 1,
        MAX_COUNTED,
        OWN_MESSAGE_SCAN,
    )
    page, cursor = paginate(rows, paging.limit, lambda row: row["room_id"])
    return as_structs(page, UnreadRoom), cursor


async def list_unread_threads(call: Call, organization: Organization) -> list[UnreadThread]:
    """Return the unread threads that the caller takes part in, newest reply first, up to 100."""
    rows = await _threads(call, organization, unread=True, limit=MAX_UNREAD_THREADS, replies=0, before=None)
    return as_structs(rows, UnreadThread)


async def list_threads(call: Call, organization: Organization, paging: Paging) -> ListPage[FollowedThread]:
    """Return a page of the threads that the caller takes part in. Raise Forbidden."""
    require_person(call.caller)
    before = None if paging.cursor is None else decode_cursor(paging.cursor, ThreadKey)
    rows = await _threads(
        call, organization, unread=False, limit=paging.limit + 1, replies=REPLIES_SHOWN, before=before
    )
    page, cursor = paginate([_decoded(row) for row in rows], paging.limit, _sort_key)
    return [as_struct(row, FollowedThread) for row in page], cursor


async def list_mentions(call: Call, organization: Organization, paging: Paging) -> ListPage[Mention]:
    """Return a page of the messages that mention the caller, newest first. Raise Forbidden."""
    require_person(call.caller)
    before = (None, None) if paging.cursor is None else decode_cursor(paging.cursor, MentionKey)
    rows = await call.db.fetch(
        queries.MENTIONS, organization.organization_id, call.caller.actor_id, paging.limit + 1, *before
    )
    page, cursor = paginate(rows, paging.limit, lambda row: MentionKey(row["message_id"], row["room_id"]))
    decoded = [{**row, "message": msgspec.json.decode(row["message"])} for row in page]
    return [as_struct(row, Mention) for row in decoded], cursor


async def require_in_thread(call: Call, room: ReachedRoom, root_id: MessageId, message_id: MessageId) -> None:
    """Raise MessageNotFound or NotAThreadRoot unless the message is the root of the thread or one of its replies."""
    root = await call.db.fetchrow(queries.FIND, room.room_id, root_id)
    found = await call.db.fetchrow(queries.FIND, room.room_id, message_id)
    if root is None or found is None:
        raise MessageNotFound
    if root["thread_root_id"] is not None:
        named = str(root["thread_root_id"])
        raise NotAThreadRoot(f"This message is a reply. Use its thread's root message {named}.", thread_root_id=named)
    if root_id not in (message_id, found["thread_root_id"]):
        raise MessageNotFound


async def _threads(
    call: Call, organization: Organization, *, unread: bool, limit: int, replies: int, before: ThreadKey | None
) -> list[Record]:
    rows: list[Record] = await call.db.fetch(
        queries.THREADS,
        organization.organization_id,
        call.caller.actor_id,
        unread,
        limit,
        MAX_COUNTED,
        OWN_MESSAGE_SCAN,
        replies,
        *(before or (None, None, None, None)),
    )
    return rows


def _decoded(row: Record) -> dict[str, Any]:
    return {**row, "root": msgspec.json.decode(row["root"]), "replies": msgspec.json.decode(row["replies"])}


def _sort_key(row: dict[str, Any]) -> ThreadKey:
    return ThreadKey(row["unread_count"] > 0, row["last_reply_at"], row["thread_root_id"], row["room_id"])

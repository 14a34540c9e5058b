"""The cursors of the two retrieval endpoints: a time, a message id, or both (docs/contract.md#room-messages)."""

from typing import Annotated, TypeAlias
from uuid import UUID

from msgspec import Meta, Struct

from atrium.kit.clock import parse_time, to_ms
from atrium.kit.errors import invalid_parameter
from atrium.kit.text.types import uuid_parameter

Cursor: TypeAlias = tuple[int | None, UUID | None]  # milliseconds, and the message to continue after
NO_CURSOR: Cursor = None, None
TIME_SHIFT = 80
Limit = Annotated[int, Meta(ge=1, le=200, description="messages per page")]
SentAt = Annotated[
    str | None,
    Meta(description="position in history, ISO 8601", extra_json_schema={"examples": ["2026-11-21T09:07:13.460Z"]}),
]
MessageIdText = Annotated[
    str | None, Meta(description="position within the window or thread", extra_json_schema={"format": "uuid"})
]


class RoomPageQuery(Struct, kw_only=True):
    """The query parameters of room message retrieval."""

    cursor_sent_at: SentAt = None
    cursor_message_id: MessageIdText = None
    limit: Limit = 50
    top_level: Annotated[bool, Meta(description="exclude replies")] = False


class ThreadPageQuery(Struct, kw_only=True):
    """The query parameters of thread message retrieval."""

    cursor_sent_at: SentAt = None
    cursor_message_id: MessageIdText = None
    limit: Limit = 50


def read_cursor(sent_at: str | None, message_id: str | None) -> Cursor:
    """Return a cursor as milliseconds and id. Raise InvalidRequest if only the id is given, or if the id and the time
    do not match, because messages would be skipped silently."""
    if sent_at is None and message_id is not None:
        raise invalid_parameter("cursor_sent_at", "is missing; a message cursor needs its time")
    ms = None if sent_at is None else _time(sent_at)
    if message_id is None:
        return ms, None
    before = uuid_parameter("cursor_message_id", message_id)
    sent = before.int >> TIME_SHIFT
    if ms not in (sent, sent // 1000 * 1000):  # some clients write times without milliseconds
        raise invalid_parameter("cursor_message_id", "does not match cursor_sent_at; pass both values unchanged")
    return sent, before


def read_thread_cursor(sent_at: str | None, message_id: str | None) -> UUID | None:
    """Return the reply after which the page begins. Raise InvalidRequest, also if only one part is given."""
    ms, after = read_cursor(sent_at, message_id)
    if ms is not None and after is None:
        raise invalid_parameter("cursor_message_id", "is missing; a thread's cursor needs both")
    return after


def _time(text: str) -> int:
    try:
        return max(0, to_ms(parse_time(text)))  # before 1970 there is no history either
    except ValueError:
        raise invalid_parameter("cursor_sent_at", "is not an ISO 8601 time") from None

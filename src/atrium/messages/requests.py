"""The requests of the hot path and their results.

A request's fields are the columns of its statement, in order, so that a batch of requests is transposed into the
statement's arrays. A result's fields are those of the statement's row.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple, TypeAlias
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from atrium.attachments.model import AttachmentUnusable
from atrium.blocks.model import TypedContent
from atrium.keys.caller import LIMIT_ERRORS
from atrium.kit.clock import parse_time, to_ms
from atrium.kit.errors import Forbidden, Problem, Unauthenticated, invalid_parameter
from atrium.kit.http.idempotency import IdempotencyMismatch
from atrium.kit.http.request import Request
from atrium.kit.text.types import uuid_parameter
from atrium.messages.limits import require_size, validate_labels
from atrium.messages.model import mentions_in
from atrium.messages.reach import MessageNotFound
from atrium.rooms.reach import RoomArchived, RoomNotFound

NO_MENTIONS, NO_ATTACHMENTS = "{}", "[]"  # an empty array in PostgreSQL's and in JSON's notation
REPLAYED = "replayed"  # not an error: the response to an earlier request with the same idempotency key
UNCHANGED, PAGE_TOO_LARGE = "unchanged", "page_too_large"  # of a page
ERRORS: dict[str, type[Problem]] = LIMIT_ERRORS | {
    "unauthenticated": Unauthenticated,
    "room_not_found": RoomNotFound,
    "message_not_found": MessageNotFound,
    "forbidden": Forbidden,
    "room_archived": RoomArchived,
    "attachment_unusable": AttachmentUnusable,
    "idempotency_mismatch": IdempotencyMismatch,
}
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


class PageRequest(NamedTuple):
    """A page of a room: the columns of PAGE_OF_ROOM and PAGE_OF_TOP_LEVEL."""

    key_hash: bytes
    room_id: UUID
    cursor_ms: int | None  # the cursor's time in milliseconds; None for the newest window
    before_id: UUID | None  # only messages before this one
    size: int  # maximum number of messages
    known_version: str | None = None  # the version of the cached page, if there is one
    address: str | None = None  # of the client


class ThreadPageRequest(NamedTuple):
    """A page of a thread: the columns of PAGE_OF_THREAD."""

    key_hash: bytes
    room_id: UUID
    root_id: UUID
    after_id: UUID | None  # only replies after this one
    size: int  # maximum number of replies
    address: str | None = None  # of the client


class SendRequest(NamedTuple):
    """A message to send, validated: the columns of SEND."""

    key_hash: bytes
    room_id: UUID
    text: str
    blocks: str  # JSON
    mentions: str  # the ids that the text mentions, in PostgreSQL's array notation
    parent_id: UUID | None = None
    idempotency_key: str | None = None
    body_hash: bytes | None = None  # SHA-256 of the request body, given with an idempotency key
    attachments: str | None = NO_ATTACHMENTS  # JSON; None if some of them cannot be used
    address: str | None = None  # of the client


class SendWithAttachmentsRequest(NamedTuple):
    """A message to send with uploaded files, which the send looks up and locks first."""

    message: SendRequest
    attachment_ids: Sequence[UUID]


def prepare_send(
    key_hash: bytes,
    room_id: UUID,
    text: str,
    blocks: Sequence[TypedContent],
    request: Request,
    *,
    parent_id: UUID | None = None,
    attachment_count: int = 0,
) -> SendRequest:
    """Return the validated SendRequest. Raise InvalidRequest, MessageTooLarge."""
    validate_labels(blocks)
    encoded = msgspec.json.encode(blocks).decode()
    require_size(text, encoded, attachment_count)
    mentions = _as_array(mentions_in(text)) if "<@" in text else NO_MENTIONS
    key = request.idempotency_key
    body_hash = request.body_hash if key else None
    return SendRequest(
        key_hash, room_id, text, encoded, mentions, parent_id, key or None, body_hash, address=request.address
    )


def _as_array(ids: Iterable[UUID]) -> str:
    return f"{{{','.join(map(str, ids))}}}"


class NotAThreadRoot(Problem):
    """The parent is itself a reply; `thread_root_id` names the top-level message of its thread."""

    status = 400
    code = "not_a_thread_root"
    title = "This message is a reply, not the root of a thread"


class Result(NamedTuple):
    """The result of one request in a batch."""

    api_key_id: UUID | None
    outcome: str | None  # None with a new body; otherwise an error or REPLAYED, UNCHANGED, PAGE_TOO_LARGE
    root_id: UUID | None  # of the thread that contains the message, with `not_a_thread_root`
    body: bytes  # JSON
    version: str = ""  # of a page of a room

    def require_body(self) -> bytes:
        """Return the body. Raise the Problem that the outcome stands for."""
        if self.outcome is not None and self.outcome != REPLAYED:
            raise ERRORS[self.outcome]
        return self.body

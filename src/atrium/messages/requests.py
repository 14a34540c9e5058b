"""The requests of the hot path. A request's fields are the columns of its statement, in order, so that a batch of
requests is transposed into the statement's arrays."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from atrium.blocks.model import TypedContent
from atrium.kit.http.request import Request
from atrium.messages.limits import require_size, validate_markdown
from atrium.messages.model import mentions_in

NO_MENTIONS, NO_WORDS, NO_ATTACHMENTS = "{}", "{}", "[]"  # an empty array in PostgreSQL's and in JSON's notation


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
    filters: str | None = None  # the versions of the room's filters whose words were looked for; None for no filters
    found: str = NO_WORDS  # those that the text has, in PostgreSQL's array notation


class SendWithAttachmentsRequest(NamedTuple):
    """A message to send with uploaded files, which the send looks up and locks first."""

    message: SendRequest
    attachment_ids: Sequence[UUID]


def prepare_send(
    key_hash: bytes, room_id: UUID, text: str, blocks: Sequence[TypedContent], request: Request, *,
    parent_id: UUID | None = None, attachment_count: int = 0,
) -> SendRequest:  # fmt: skip
    """Return the validated SendRequest. Raise InvalidRequest, MessageTooLarge."""
    validate_markdown(text, blocks)
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

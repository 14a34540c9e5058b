"""The types of search results."""

from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import ActorKind
from atrium.kit.text.types import ActorId, MessageId, RoomId, SpaceId, Timestamp
from atrium.search.excerpts import Excerpt

Order: TypeAlias = Literal["best", "newest"]


class SearchResult(Struct, frozen=True, tag_field="type", tag="message"):
    """A message that was found. Ignore types that you do not know: more may be added."""

    score: Annotated[
        int, Meta(description="higher is better; comparable within one query only; 0 if `order` is `newest`")
    ]
    message_id: MessageId
    room_id: RoomId
    room_name: Annotated[str, Meta(examples=["general"])]
    space_id: SpaceId
    space_name: Annotated[str, Meta(examples=["Engineering"])]
    user_id: ActorId
    sender_type: ActorKind
    sender_name: Annotated[str, Meta(examples=["Ada Lovelace"])]
    thread_root_id: Annotated[MessageId | None, Meta(description="the thread that the message is a reply in")]
    sent_at: Timestamp
    edited_at: Timestamp | None
    excerpt: Excerpt


class TranscriptResult(Struct, frozen=True, tag_field="type", tag="transcript"):
    """A passage of a recording that was found in its transcript."""

    score: Annotated[int, Meta(description="as for a message")]
    recording_id: UUID
    recording_name: Annotated[str, Meta(examples=["Planning.webm"])]
    room_id: RoomId
    room_name: Annotated[str, Meta(examples=["general"])]
    space_id: SpaceId
    space_name: Annotated[str, Meta(examples=["Engineering"])]
    start: Annotated[float, Meta(description="where the passage begins in the recording, in seconds")]
    published_at: Annotated[Timestamp, Meta(description="when this version of the transcript was created")]
    excerpt: Excerpt


class SearchResultList(Struct, frozen=True, kw_only=True):
    """A page of results."""

    results: list[SearchResult | TranscriptResult]
    next_cursor: str | None
    count: Annotated[
        int | None, Meta(description="how many results all pages have, up to 1000; null on pages after the first")
    ]
    capped: Annotated[bool, Meta(description="whether there are more results than `count`")]

"""Read transcripts."""

from enum import StrEnum
from typing import Annotated, cast
from uuid import UUID

import msgspec
from msgspec import Meta, Raw, Struct

from atrium.keys.caller import Call
from atrium.kit.errors import NotFound
from atrium.kit.http.paging import ListPage, decode_cursor, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Connection, Record
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.kit.text.types import ActorId, RoomId, Timestamp
from atrium.recordings.reach import ReachedRecording
from atrium.transcripts import queries
from atrium.transcripts.model import Language, Segment

Number = Annotated[int, Meta(ge=1, lt=2**31)]


class TranscriptNotFound(NotFound):
    """The recording has no transcript, or not that version of it."""

    code = "transcript_not_found"
    title = "Transcript not found"


class Origin(StrEnum):
    """The origin of a transcript: a person or integration (`put`), or the server's transcriber."""

    PUT = "put"
    TRANSCRIBER = "transcriber"


class Version(Struct, frozen=True, kw_only=True):
    """A version of a transcript, without its text."""

    version: Annotated[int, Meta(description="1 for the first; each correction adds one")]
    language: Language | None
    origin: Origin
    created_by: Annotated[ActorId | None, Meta(description="null for the server's transcriber")]
    created_at: Timestamp
    segment_count: int


class Transcript(Version, frozen=True, kw_only=True):
    """A transcript of a recording, segment by segment."""

    recording_id: UUID
    room_id: RoomId
    segments: list[Segment]


class StoredTranscript(Version, frozen=True, kw_only=True):
    """A transcript as stored: `segments` is JSON that is returned unchanged."""

    recording_id: UUID
    room_id: RoomId
    segments: Raw

    @property
    def as_transcript(self) -> Transcript:
        """Return the transcript as the type in the OpenAPI document; both have the same JSON."""
        return cast("Transcript", self)

    @property
    def decoded_segments(self) -> list[Segment]:
        """Return the decoded segments."""
        return msgspec.json.decode(self.segments, type=list[Segment])

    @property
    def without_text(self) -> Version:
        """Return the transcript without its text."""
        return Version(**{name: getattr(self, name) for name in Version.__struct_fields__})


async def find_transcript(
    db: Connection, room_id: UUID, recording_id: UUID, version: int | None = None
) -> StoredTranscript:
    """Return the newest or the given version of a recording's transcript. Raise TranscriptNotFound."""
    row: Record | None = await db.fetchrow(queries.READ, room_id, recording_id, version)
    if row is None:
        raise TranscriptNotFound
    return as_struct({**row, "segments": Raw(row["segments"].encode())}, StoredTranscript)


async def list_versions(call: Call, recording: ReachedRecording, paging: Paging) -> ListPage[Version]:
    """Return a page of the versions of a recording's transcript, newest first. Raise TranscriptNotFound."""
    before = 2**31 - 1 if paging.cursor is None else decode_cursor(paging.cursor, Number)
    place = recording.room_id, recording.recording_id
    rows = await call.db.fetch(queries.VERSIONS, *place, before, paging.limit + 1)
    if not rows:
        await find_transcript(call.db, *place)
    page, cursor = paginate(rows, paging.limit, lambda row: row["version"])
    return as_structs(page, Version), cursor

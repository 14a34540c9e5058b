"""Transcripts as they are read and kept in rows."""

from enum import StrEnum
from typing import Annotated, cast
from uuid import UUID

import msgspec
from msgspec import Meta, Raw, Struct

from atrium.keys.caller import Call
from atrium.kit.database import Connection, Record
from atrium.kit.errors import NotFound
from atrium.kit.paging import Page, cut, decode_cursor
from atrium.kit.rows import as_struct, as_structs
from atrium.kit.texts import ActorId, RoomId, Timestamp
from atrium.kit.web import Paging
from atrium.recordings.reach import ReachedRecording
from atrium.transcripts import queries
from atrium.transcripts.model import Language, Segment

Number = Annotated[int, Meta(ge=1, lt=2**31)]


class TranscriptNotFound(NotFound):
    """The recording has no transcript, or not that version of it."""

    code = "transcript_not_found"
    title = "There is no such transcript"


class Origin(StrEnum):
    """Where a transcript comes from: a person or integration put it, or the server's transcriber heard it."""

    PUT = "put"
    TRANSCRIBER = "transcriber"


class Version(Struct, frozen=True, kw_only=True):
    """A version of a transcript, without what it says."""

    version: Annotated[int, Meta(description="1 for the first; each correction makes another")]
    language: Language | None
    origin: Origin
    created_by: Annotated[ActorId | None, Meta(description="null where the transcriber heard it")]
    created_at: Timestamp
    segment_count: int


class Transcript(Version, frozen=True, kw_only=True):
    """What is said in a recording, segment by segment."""

    recording_id: UUID
    room_id: RoomId
    segments: list[Segment]


class KeptTranscript(Version, frozen=True, kw_only=True):
    """A transcript as its row holds it: `segments` is JSON that is answered as it is."""

    recording_id: UUID
    room_id: RoomId
    segments: Raw

    @property
    def shown(self) -> Transcript:
        """The transcript as the type that stands in the OpenAPI document; encoded, both are the same."""
        return cast("Transcript", self)

    @property
    def heard(self) -> list[Segment]:
        """Its segments."""
        return msgspec.json.decode(self.segments, type=list[Segment])

    @property
    def version_alone(self) -> Version:
        """The transcript without what it says."""
        return Version(**{name: getattr(self, name) for name in Version.__struct_fields__})


async def find_transcript(
    db: Connection, room_id: UUID, recording_id: UUID, version: int | None = None
) -> KeptTranscript:
    """The recording's transcript, the newest version or the given one. Raises TranscriptNotFound."""
    row: Record | None = await db.fetchrow(queries.READ, room_id, recording_id, version)
    if row is None:
        raise TranscriptNotFound
    return as_struct({**row, "segments": Raw(row["segments"].encode())}, KeptTranscript)


async def list_versions(call: Call, recording: ReachedRecording, paging: Paging) -> Page[Version]:
    """Return a page of the versions of a recording's transcript, newest first. Raises TranscriptNotFound."""
    before = 2**31 - 1 if paging.cursor is None else decode_cursor(paging.cursor, Number)
    place = recording.room_id, recording.recording_id
    rows = await call.db.fetch(queries.VERSIONS, *place, before, paging.limit + 1)
    if not rows:
        await find_transcript(call.db, *place)
    page, cursor = cut(rows, paging.limit, lambda row: row["version"])
    return as_structs(page, Version), cursor

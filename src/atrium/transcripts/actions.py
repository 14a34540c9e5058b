"""A transcript is put, corrected and deleted; its first publication is an event (docs/contract.md#transcripts)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import msgspec
from msgspec import Raw

from atrium.events import WebhookEventKind
from atrium.kit.clock import rfc3339, to_ms
from atrium.kit.database import Connection
from atrium.kit.errors import Conflict
from atrium.transcripts import queries
from atrium.transcripts.model import Segment
from atrium.transcripts.reading import KeptTranscript, Origin, TranscriptNotFound, find_transcript
from atrium.webhooks.queries import EMIT

SUBSCRIPTION = "WEBHOOK_SUBSCRIPTION_TYPE_ROOM_RECORDING_TRANSCRIPT_PUBLISHED"
KEPT_WHAT_WAS_PUT = "A transcript was put meanwhile; it is kept."


class TranscriptChanged(Conflict):
    """The transcript has another version than the one the change was made on; `transcript` is what it is now, and is
    left out where there is none."""

    code = "transcript_changed"
    title = "The transcript has changed since"


@dataclass(frozen=True)
class Said:
    """A transcript to publish: sound segments, where they come from, and who put them."""

    segments: Sequence[Segment]
    origin: Origin
    language: str | None = None
    created_by: UUID | None = None


async def publish(
    db: Connection, place: tuple[UUID, UUID], said: Said, now: datetime, *, seen: int | None = None
) -> KeptTranscript:
    """Make a version of a recording's transcript; `place` is its room and id. The very first fires the event.

    `seen` is the version that it is made on, 0 for none, None for whichever. Raises TranscriptChanged.
    """
    version: int | None = await db.fetchval(
        queries.PUT, *place, now, seen, said.language, said.origin, said.created_by, len(said.segments),
        msgspec.json.encode(said.segments).decode(),
    )  # fmt: skip
    if version is None:
        raise await _changed(db, place)
    if version == 1:
        await _tell(db, place, now)
    return await find_transcript(db, *place)


async def _changed(db: Connection, place: tuple[UUID, UUID]) -> TranscriptChanged:
    try:
        return TranscriptChanged(transcript=Raw(msgspec.json.encode(await find_transcript(db, *place))))
    except TranscriptNotFound:
        return TranscriptChanged("The recording has no transcript by now.")


async def _tell(db: Connection, place: tuple[UUID, UUID], now: datetime) -> None:
    room_id, recording_id = place
    data = {"recording_id": str(recording_id), "room_id": str(room_id), "created_at": rfc3339(now)}
    await db.execute(
        EMIT,
        room_id,
        WebhookEventKind.TRANSCRIPT_PUBLISHED,
        to_ms(now),
        msgspec.json.encode(data).decode(),
        SUBSCRIPTION,
    )


async def give_up_transcribing(db: Connection, place: tuple[UUID, UUID], now: datetime) -> None:
    """Whatever is being transcribed of the recording is not needed any more."""
    await db.execute(queries.GIVE_UP, *place, now, KEPT_WHAT_WAS_PUT)


async def delete_transcript(db: Connection, place: tuple[UUID, UUID], now: datetime) -> None:
    """The transcript goes, with every version of it."""
    await db.execute(queries.DELETE, *place, now)

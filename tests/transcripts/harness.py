"""Recordings in the test's room, and a transcriber that uses the test's clock."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID, uuid4

import asyncpg
from aiohttp import web

from atrium.kit.postgres.database import open_pool
from atrium.kit.storage import open_storage
from atrium.media import parts
from atrium.transcripts.jobs import Transcriber
from atrium.transcripts.remote import as_wav
from tests.webhooks.harness import Harness

SPEECH = as_wav(b"\x10\x00" * 16_000)
HELLO = {
    "text": "Hello. Bye.", "language": "en",
    "segments": [{"start": 0.0, "end": 0.5, "text": " Hello."}, {"start": 0.5, "end": 1.0, "text": " Bye."}],
}  # fmt: skip
ADD_RECORDING = """
insert into recordings (room_id, recording_id, name, media_type, size, object, created_by, created_at, ready_at)
values ($1, $2, 'Planning.wav', 'audio/wav', $3, $2, $4, $5, $5)
"""


def hello(_: Any = None) -> web.Response:
    return web.json_response(HELLO)


async def add_recording(harness: Harness, media: bytes = SPEECH, room_id: str | None = None) -> UUID:
    """Add a recording to a room, the first one unless another is named, in parts as after an upload, without requesting a transcription."""
    recording_id, storage, half = uuid4(), open_storage(harness.settings), len(media) // 2
    put = [await parts.put_part(storage, recording_id, at, piece) for at, piece in _pieces(media, half)]
    await parts.add_parts(harness.db, recording_id, put)
    place, person_id = UUID(room_id or harness.made["room_id"]), UUID(harness.made["person_id"])
    await harness.db.execute(ADD_RECORDING, place, recording_id, len(media), person_id, harness.clock())
    return recording_id


def _pieces(content: bytes, half: int) -> list[tuple[int, bytes]]:
    return [(at, piece) for at, piece in ((0, content[:half]), (half, content[half:])) if piece]


async def request_transcription(harness: Harness, recording_id: UUID, language: str | None = None) -> None:
    statement = "select ask_for_transcription($1, $2, $3, null, $4)"
    await harness.db.execute(statement, UUID(harness.made["room_id"]), recording_id, language, harness.clock())


async def job(harness: Harness, recording_id: UUID) -> asyncpg.Record:
    return await harness.db.fetchrow("select * from transcriptions where recording_id = $1", recording_id)


async def stored_versions(harness: Harness, recording_id: UUID) -> list[asyncpg.Record]:
    """Return all versions of the recording's transcript."""
    return list(
        await harness.db.fetch(
            "select * from transcript_versions where recording_id = $1 order by version", recording_id
        )
    )


@asynccontextmanager
async def transcriber(harness: Harness, url: str, **changes: Any) -> AsyncIterator[Transcriber]:
    """Yield a worker's transcriber, with the server at `url`."""
    settings = harness.settings.with_changes(transcriber=url, **changes)
    pool = await open_pool(settings.database_url or "", size=4)
    try:
        yield Transcriber(pool, open_storage(settings), settings, harness.clock)
    finally:
        await pool.close()

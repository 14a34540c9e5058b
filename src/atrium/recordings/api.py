"""Recordings of rooms, and their media."""

from collections.abc import AsyncIterator

from msgspec import Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Body, Paging, Request
from atrium.kit.http.responses import FileResponse, ReceivesBody
from atrium.kit.postgres.database import Pool
from atrium.kit.text.types import Name
from atrium.media import parts
from atrium.media.media_type import require_media
from atrium.media.serving import StoredFile, serve
from atrium.recordings import actions, reach
from atrium.recordings.reach import ReachedRecording, Recording
from atrium.rooms.model import ReachedRoom
from atrium.uploads.actions import begin, declared_size
from atrium.uploads.model import (
    FileName,
    ReceivedUpload,
    UploadKind,
)
from atrium.uploads.receive import receive


class RecordingUpdate(Body):
    """The fields of a recording that can change."""

    name: Name


class RecordingList(Struct, frozen=True):
    """A page of recordings."""

    recordings: list[Recording]
    next_cursor: str | None


async def create_recording(call: Call, room: ReachedRoom, query: FileName, request: Request) -> ReceivesBody[Recording]:
    """Upload a recording in one request. The media file is the body.

    For large files or unreliable connections, use a resumable upload. The content determines the media type.
    """
    actions.require_accepts_recordings(room)
    draft = await begin(call, room, UploadKind.RECORDING, query.name, declared_size(request))
    media_types: list[str] = []

    async def receive_body(pool: Pool, body: AsyncIterator[bytes]) -> ReceivedUpload:
        return await receive(
            pool, call.storage, draft, body, lambda beginning: media_types.append(require_media(beginning))
        )

    async def finish(call: Call, room: ReachedRoom, upload: ReceivedUpload) -> Recording:
        return await actions.add_recording(call, room, upload, media_types[-1])

    return ReceivesBody(receive_body, finish)


async def list_recordings(call: Call, room: ReachedRoom, query: Paging) -> RecordingList:
    """List the recordings of a room, oldest first."""
    return RecordingList(*await reach.list_recordings(call, room, query))


async def read_recording(call: Call, recording: ReachedRecording) -> Recording:
    """Read a recording's details."""
    return recording.as_recording


async def update_recording(call: Call, recording: ReachedRecording, body: RecordingUpdate) -> Recording:
    """Rename a recording, as its uploader or a space admin."""
    return await actions.rename(call, recording, body.name)


async def delete_recording(call: Call, recording: ReachedRecording) -> None:
    """Delete a recording with its media, as its uploader or a space admin."""
    await actions.delete(call, recording)


async def read_recording_media(call: Call, recording: ReachedRecording, request: Request) -> FileResponse[bytes]:
    """Read the media of a recording, or a range of it.

    `Range`, `If-Range`, `If-None-Match` and `If-Modified-Since` are supported, so players can seek.
    """
    file = StoredFile(
        str(recording.object),
        recording.name,
        recording.media_type,
        recording.size,
        recording.stored_at,
        lambda pool, storage, start, stop: parts.read(pool, storage, recording.object, start, stop),
    )
    return serve(request, call.storage, file)

"""Add, rename and delete recordings."""

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.errors import Conflict
from atrium.media import parts
from atrium.permissions import READ_RECORDING
from atrium.recordings import queries
from atrium.recordings.reach import ReachedRecording, Recording, reach_recording
from atrium.rooms.model import ReachedRoom, RoomType
from atrium.rooms.reach import require_open
from atrium.uploads import actions as uploads
from atrium.uploads.model import ReceivedUpload


class NotAVideoRoom(Conflict):
    """Only rooms of type `video` have recordings."""

    code = "not_a_video_room"
    title = "The room is not a video room"


def require_accepts_recordings(room: ReachedRoom) -> None:
    """Raise RoomArchived or NotAVideoRoom if the room does not accept recordings."""
    require_open(room)
    if room.room_type is not RoomType.VIDEO:
        raise NotAVideoRoom


async def add_recording(call: Call, room: ReachedRoom, upload: ReceivedUpload, media_type: str) -> Recording:
    """Turn a complete upload into a recording. Raise RoomArchived, NotAVideoRoom, UploadConflict."""
    require_accepts_recordings(room)
    await uploads.finish(call, upload)
    draft, actor_id = upload.draft, call.caller.actor_id
    await call.db.execute(
        queries.ADD, room.room_id, draft.upload_id, draft.name, media_type, upload.received, actor_id, call.now
    )
    if call.settings.transcriber is not None:
        await call.db.execute(queries.TRANSCRIBE, room.room_id, draft.upload_id, call.now)
    added = await reach_recording(call, draft.upload_id, READ_RECORDING)
    await call.record(_change("recording.uploaded", added, after=added.as_recording))
    return added.as_recording


async def rename(call: Call, recording: ReachedRecording, name: str) -> Recording:
    """Rename the recording."""
    await call.db.execute(queries.RENAME, recording.room_id, recording.recording_id, name)
    renamed = await reach_recording(call, recording.recording_id, READ_RECORDING)
    await call.record(
        _change("recording.renamed", recording, before=recording.as_recording, after=renamed.as_recording)
    )
    return renamed.as_recording


async def delete(call: Call, recording: ReachedRecording) -> None:
    """Delete the recording. Its media leaves the storage some minutes later."""
    await call.db.execute(queries.DELETE, recording.room_id, recording.recording_id, call.now)
    await parts.drop(call.db, [recording.object], call.now)
    await call.record(_change("recording.deleted", recording, before=recording.as_recording))


def _change(
    action: str, recording: ReachedRecording, *, before: Recording | None = None, after: Recording | None = None
) -> Change:
    target = Target("recording", recording.recording_id, recording.name)
    return Change(action, target, recording.organization_id, before, after)

"""Fetch recordings. The query of `reach_recording` returns one only if the caller has a role in its room's space."""

from datetime import datetime
from typing import Annotated, Literal, TypeVar
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.errors import Forbidden, NotFound
from atrium.kit.http.paging import ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Record
from atrium.kit.postgres.rows import as_struct
from atrium.kit.text.types import ActorId, OrganizationId, RoomId, SpaceId, Timestamp
from atrium.permissions import Permission, SpaceRole
from atrium.recordings import queries
from atrium.rooms.model import ReachedRoom
from atrium.spaces.reach import require_space_role

T = TypeVar("T")


class RecordingNotFound(NotFound):
    """The recording does not exist, or the caller cannot access its room."""

    code = "recording_not_found"
    title = "Recording not found"


class Transcription(Struct, frozen=True):
    """The state of the automatic transcription of a recording."""

    status: Annotated[Literal["waiting", "running", "done", "failed"], Meta(examples=["running"])]
    progress: Annotated[float, Meta(ge=0, le=1, description="from 0 to 1", examples=[0.4])]
    reason: Annotated[str | None, Meta(description="why it failed or is being retried, or a warning")]


class Recording(Struct, frozen=True):
    """A recording of a room."""

    recording_id: UUID
    room_id: RoomId
    name: Annotated[str, Meta(examples=["Planning.webm"])]
    media_type: Annotated[str, Meta(description="detected from the content", examples=["video/webm"])]
    size: Annotated[int, Meta(description="bytes")]
    duration_ms: Annotated[int | None, Meta(description="null while unknown")]
    created_by: ActorId
    created_at: Annotated[Timestamp, Meta(description="when its upload started")]
    transcript_version: Annotated[int | None, Meta(description="null without a transcript")]
    transcription: Annotated[Transcription | None, Meta(description="null if none was requested")]


class ReachedRecording(Recording, frozen=True):
    """A recording that the caller can access, where it is stored, and the caller's role."""

    ready: Timestamp
    object: UUID
    space_id: SpaceId
    organization_id: OrganizationId
    role: SpaceRole

    @property
    def as_recording(self) -> Recording:
        """Return the recording as the API shows it."""
        return Recording(*(getattr(self, name) for name in Recording.__struct_fields__))

    @property
    def stored_at(self) -> datetime:
        """Return when it was completely stored."""
        return datetime.fromisoformat(self.ready)


def as_recording(row: Record, kind: type[T]) -> T:
    """Convert a row to a recording."""
    transcription = row["transcription"]
    return as_struct({**row, "transcription": transcription and msgspec.json.decode(transcription)}, kind)


async def reach_recording(call: Call, recording_id: UUID, permission: Permission) -> ReachedRecording:
    """Return the recording if the caller has the role that `permission` needs. Raise RecordingNotFound, Forbidden."""
    row = await call.db.fetchrow(queries.REACH, recording_id, call.caller.actor_id, call.caller.kind)
    if row is None:
        raise RecordingNotFound
    found = as_recording(row, ReachedRecording)
    call.caller.require_not_barred(row["organization_id"])
    require_space_role(found.role, permission)
    is_own = found.created_by == call.caller.actor_id
    if permission.sender and not is_own and not (permission.or_space and found.role.holds(permission.or_space)):
        raise Forbidden("Only the uploader of the recording or a space admin may do this.")
    return found


async def list_recordings(call: Call, room: ReachedRoom, paging: Paging) -> ListPage[Recording]:
    """Return a page of the recordings of a room, oldest first."""
    rows = await call.db.fetch(queries.RECORDINGS, room.room_id, after(paging.cursor), paging.limit + 1)
    page, cursor = paginate(rows, paging.limit, lambda row: row["recording_id"])
    return [as_recording(row, Recording) for row in page], cursor

"""How the subject of each permission is fetched, as its caller sees it: fetching it checks the permission."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import Any

from atrium.attachments.reach import AttachmentNotFound, reach_attachment
from atrium.blocks.reach import BlockNotFound, reach_block
from atrium.kit.errors import Problem
from atrium.messages.reach import MessageNotFound, reach_message
from atrium.organizations.reach import OrganizationNotFound, reach_organization
from atrium.people.reach import reach_person
from atrium.permissions import Subject
from atrium.recordings.reach import RecordingNotFound, reach_recording
from atrium.rooms.reach import RoomNotFound, reach_room
from atrium.scim.reach import reach_directory
from atrium.spaces.reach import SpaceNotFound, reach_space
from atrium.uploads.reach import UploadNotFound, reach_upload


@dataclass(frozen=True)
class Reach:
    """The name under which handlers get a subject, `reach(call, *ids, permission)`, where `ids` are parameters of the
    path, and the errors for a subject that the caller may not see."""

    name: str
    reach: Callable[..., Awaitable[Any]]
    errors: tuple[type[Problem], ...] = ()

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Return the names of the ids that `reach` takes."""
        return tuple(parameter for parameter in signature(self.reach).parameters if parameter.endswith("_id"))


REACH = {
    Subject.PERSON: Reach("person", reach_person),
    Subject.DIRECTORY: Reach("organization", reach_directory),
    Subject.ORGANIZATION: Reach("organization", reach_organization, (OrganizationNotFound,)),
    Subject.SPACE: Reach("space", reach_space, (SpaceNotFound,)),
    Subject.ROOM: Reach("room", reach_room, (RoomNotFound,)),
    Subject.MESSAGE: Reach("message", reach_message, (RoomNotFound, MessageNotFound)),
    Subject.BLOCK: Reach("block", reach_block, (BlockNotFound,)),
    Subject.RECORDING: Reach("recording", reach_recording, (RecordingNotFound,)),
    Subject.ATTACHMENT: Reach("attachment", reach_attachment, (AttachmentNotFound,)),
    Subject.UPLOAD: Reach("upload", reach_upload, (RoomNotFound, UploadNotFound)),
}

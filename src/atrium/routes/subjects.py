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
class Fetcher:
    """The name under which handlers get a subject, `fetch(call, *ids, permission)`, where `ids` are parameters of the
    path, and the errors for a subject that the caller may not see."""

    name: str
    fetch: Callable[..., Awaitable[Any]]
    errors: tuple[type[Problem], ...] = ()

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Return the names of the ids that `fetch` takes."""
        return tuple(parameter for parameter in signature(self.fetch).parameters if parameter.endswith("_id"))


FETCHERS = {
    Subject.PERSON: Fetcher("person", reach_person),
    Subject.DIRECTORY: Fetcher("organization", reach_directory),
    Subject.ORGANIZATION: Fetcher("organization", reach_organization, (OrganizationNotFound,)),
    Subject.SPACE: Fetcher("space", reach_space, (SpaceNotFound,)),
    Subject.ROOM: Fetcher("room", reach_room, (RoomNotFound,)),
    Subject.MESSAGE: Fetcher("message", reach_message, (RoomNotFound, MessageNotFound)),
    Subject.BLOCK: Fetcher("block", reach_block, (BlockNotFound,)),
    Subject.RECORDING: Fetcher("recording", reach_recording, (RecordingNotFound,)),
    Subject.ATTACHMENT: Fetcher("attachment", reach_attachment, (AttachmentNotFound,)),
    Subject.UPLOAD: Fetcher("upload", reach_upload, (RoomNotFound, UploadNotFound)),
}

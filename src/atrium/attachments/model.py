"""Attachments, as messages and uploads return them."""

from datetime import timedelta
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.kit.errors import Problem
from atrium.kit.text.types import ActorId, BlockId, MessageId, Timestamp

MAX_ATTACHMENTS = 10
UNSENT_EXPIRE_AFTER = timedelta(hours=24)


class Attachment(Struct, frozen=True):
    """A file attached to a message."""

    attachment_id: UUID
    name: Annotated[str, Meta(examples=["plan.png"])]
    media_type: Annotated[str, Meta(description="detected from the content", examples=["image/png"])]
    size: Annotated[int, Meta(description="bytes")]
    width: Annotated[int | None, Meta(description="of an image, as displayed; images have a thumbnail")]
    height: int | None


class UploadedAttachment(Attachment, frozen=True):
    """A file that can be sent with one message, within a day."""

    url: Annotated[str, Meta(examples=["/v2/attachments/01936f4e-8f2a-7c31-9d4b-5e6f70819203/content"])]
    thumbnail_url: Annotated[
        str | None, Meta(examples=["/v2/attachments/01936f4e-8f2a-7c31-9d4b-5e6f70819203/thumbnail"])
    ]


class RoomFile(Attachment, frozen=True):
    """A file of a room, and the message or block of the room's page that shows it."""

    created_by: ActorId
    created_at: Timestamp
    message_id: MessageId | None
    thread_root_id: Annotated[MessageId | None, Meta(description="the thread of the message, if it is a reply")]
    block_id: BlockId | None


class AttachmentUnusable(Problem):
    """An attachment does not exist, belongs to another actor or room, or was sent already."""

    code = "attachment_unusable"
    title = "An attachment cannot be sent with this message"


class ImageTooLarge(Problem):
    """The image declares more pixels than the server accepts."""

    code = "image_too_large"
    title = "The image has too many pixels"

"""Attachments, as messages name them and as their upload is answered."""

from datetime import timedelta
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.kit.errors import Problem

MOST_ATTACHMENTS = 10
UNSENT_KEPT = timedelta(hours=24)


class Attachment(Struct, frozen=True):
    """A file that goes with a message."""

    attachment_id: UUID
    name: Annotated[str, Meta(examples=["plan.png"])]
    media_type: Annotated[str, Meta(description="told by the bytes", examples=["image/png"])]
    size: Annotated[int, Meta(description="bytes")]
    width: Annotated[int | None, Meta(description="of an image, as it is shown; images have a thumbnail")]
    height: int | None


class UploadedAttachment(Attachment, frozen=True):
    """A file that can go with a message, once, within a day."""

    url: Annotated[str, Meta(examples=["/v2/attachments/01936f4e-8f2a-7c31-9d4b-5e6f70819203/content"])]
    thumbnail_url: Annotated[
        str | None, Meta(examples=["/v2/attachments/01936f4e-8f2a-7c31-9d4b-5e6f70819203/thumbnail"])
    ]


class AttachmentUnusable(Problem):
    """An attachment that is named is not there, is another's or of another room, or goes with a message already."""

    code = "attachment_unusable"
    title = "An attachment cannot go with this message"


class ImageTooLarge(Problem):
    """The image has more pixels than are made small here; its header says so, and nothing of it was decoded."""

    code = "image_too_large"
    title = "The image has too many pixels"

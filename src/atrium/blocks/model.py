"""The types of blocks and their content (docs/contract.md#messages-and-blocks).

Stored messages are decoded with these types too, so none may become stricter: later restrictions apply only to blocks
that are sent (limits.py).
"""

from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from atrium.kit.text.types import LABEL, NO_NUL, WebLink

Line = Annotated[str, Meta(max_length=2000, pattern=NO_NUL, description="Markdown of one line")]
Passage = Annotated[str, Meta(max_length=40_000, pattern=NO_NUL, description="Markdown")]
Label = Annotated[
    str,
    Meta(max_length=200, description="at most 200 characters in one line", extra_json_schema={"pattern": LABEL}),
]
ShownAttachment = Annotated[
    UUID, Meta(description="on a page: a file that you uploaded to the room; `url` is that of its content")
]


Level = Annotated[int, Meta(ge=0, le=5, description="how deeply an item of a list is nested; absent: 0")]


class _Content(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class HeadingContent(_Content, frozen=True):
    """A heading of level 1, 2 or 3."""

    text: Line
    level: Annotated[int, Meta(ge=1, le=3)] = 1


class TextContent(_Content, frozen=True):
    """Markdown text."""

    text: Passage


class ListContent(_Content, frozen=True):
    """A list, numbered or not."""

    items: Annotated[list[Line], Meta(max_length=500)]
    ordered: bool = False
    levels: Annotated[list[Level], Meta(max_length=500, description="of each item, in order")] | UnsetType = UNSET


class TodoItem(_Content, frozen=True):
    """A task, done or not."""

    text: Line
    done: bool = False
    level: Level | UnsetType = UNSET


class TodoContent(_Content, frozen=True):
    """A list of tasks."""

    items: Annotated[list[TodoItem], Meta(max_length=500)]


class CodeContent(_Content, frozen=True):
    """Source code, shown unchanged."""

    text: Passage
    language: Label = ""


class DividerContent(_Content, frozen=True):
    """Empty: a line between two parts."""


class ImageContent(_Content, frozen=True):
    """An image at a URL."""

    url: WebLink
    alt: Line = ""
    caption: Line = ""
    attachment_id: ShownAttachment | UnsetType = UNSET


class FileContent(_Content, frozen=True):
    """A file at a URL."""

    url: WebLink
    name: Label = ""
    size: Annotated[int, Meta(ge=0, le=2**53, description="bytes")] | None = None
    attachment_id: ShownAttachment | UnsetType = UNSET


class CalloutContent(_Content, frozen=True):
    """A highlighted text with an emoji before it."""

    text: Passage
    emoji: Label = ""


class _Typed(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    pass


class Heading(_Typed, frozen=True, tag="heading"):
    """A block of type `heading`."""

    content: HeadingContent


class Paragraph(_Typed, frozen=True, tag="paragraph"):
    """A block of type `paragraph`."""

    content: TextContent


class List(_Typed, frozen=True, tag="list"):
    """A block of type `list`."""

    content: ListContent


class Todo(_Typed, frozen=True, tag="todo"):
    """A block of type `todo`."""

    content: TodoContent


class Code(_Typed, frozen=True, tag="code"):
    """A block of type `code`."""

    content: CodeContent


class Quote(_Typed, frozen=True, tag="quote"):
    """A block of type `quote`."""

    content: TextContent


class Divider(_Typed, frozen=True, tag="divider"):
    """A block of type `divider`."""

    content: DividerContent = DividerContent()


class Image(_Typed, frozen=True, tag="image"):
    """A block of type `image`."""

    content: ImageContent


class File(_Typed, frozen=True, tag="file"):
    """A block of type `file`."""

    content: FileContent


class Callout(_Typed, frozen=True, tag="callout"):
    """A block of type `callout`."""

    content: CalloutContent


TypedContent = Heading | Paragraph | List | Todo | Code | Quote | Divider | Image | File | Callout

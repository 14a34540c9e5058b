"""The kinds of text a request may carry, with their bounds; they stand in the OpenAPI document as they are here."""

import re
from typing import Annotated, NewType
from uuid import UUID

from msgspec import Meta

from atrium.kit.clock import parse_time, to_ms
from atrium.kit.errors import invalid_parameter

# PostgreSQL keeps any text but NUL, so no text may hold it.
NO_NUL = "^[^\\u0000]*$"
VISIBLE = "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$"
NOTHING = UUID(int=0)
UUID_TEXT = re.compile(r"[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}")

Name = Annotated[str, Meta(min_length=1, max_length=200, pattern=VISIBLE, description="1 to 200 characters")]
Description = Annotated[str, Meta(max_length=2000, pattern=NO_NUL, description="at most 2,000 characters")]
MessageText = Annotated[str, Meta(max_length=40_000, pattern=NO_NUL, description="Markdown, at most 40,000 characters")]
Email = Annotated[
    str, Meta(max_length=254, pattern=r"^[^@\s\u0000]+@[^@\s\u0000]+$(?!\n)", description="an e-mail address")
]
WebLink = Annotated[
    str,
    Meta(max_length=2000, pattern=r"^[hH][tT][tT][pP][sS]?://[^\s\u0000]+$(?!\n)", description="an http or https URL"),
]
Timestamp = Annotated[str, Meta(description="UTC, RFC 3339, milliseconds", examples=["2026-11-21T09:07:13.460Z"],
                                extra_json_schema={"format": "date-time"})]  # fmt: skip

Moment = Annotated[
    str, Meta(description="ISO 8601", examples=["2026-11-21T09:07:13.460Z"], extra_json_schema={"format": "date-time"})
]
END_OF_TIME = to_ms(parse_time("9999-12-31T00:00:00Z"))

OrganizationId = NewType("OrganizationId", UUID)
ActorId = NewType("ActorId", UUID)
ApiKeyId = NewType("ApiKeyId", UUID)
SpaceId = NewType("SpaceId", UUID)
RoomId = NewType("RoomId", UUID)
MessageId = NewType("MessageId", UUID)
BlockId = NewType("BlockId", UUID)


def uuid_parameter(name: str, text: str) -> UUID:
    """Read an id from the query. Raises InvalidRequest naming the parameter."""
    if not UUID_TEXT.fullmatch(text):
        raise invalid_parameter(name, "is not a UUID")
    return UUID(text)


def path_id(text: str) -> UUID:
    """Read an id from the path. One that is no UUID names nothing, and is looked for as an id that nothing has."""
    return UUID(text) if UUID_TEXT.fullmatch(text) else NOTHING


def moment_parameter(name: str, text: str | None, otherwise: int) -> int:
    """Read a time from the query, in milliseconds. Raises InvalidRequest naming the parameter."""
    try:
        return otherwise if text is None else max(0, to_ms(parse_time(text)))
    except ValueError:
        raise invalid_parameter(name, "is not an ISO 8601 time") from None

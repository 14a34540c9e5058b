"""The types of texts in requests, with the limits that the OpenAPI document shows."""

import re
from functools import lru_cache
from typing import Annotated, NewType
from uuid import UUID

from msgspec import Meta

from atrium.kit.clock import parse_time, to_ms
from atrium.kit.errors import invalid_parameter

# PostgreSQL stores every character except NUL.
NO_NUL = "^[^\\u0000]*$"
NO_ID = UUID(int=0)
# A name is shown in one line with other text, so it has no line breaks, no control characters and nothing that changes
# the direction of the text after it. Direction marks and joiners are part of names and of emoji.
FORBIDDEN_CHARACTERS = "\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069\\ufff9-\\ufffb"
# Invisible characters. A name must have at least one character other than these.
INVISIBLE_CHARACTERS = (
    "\\s\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2060-\\u2065\\u206a-\\u206f"
    "\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8\U000e0000-\U000e0fff"
)
NAME = f"^[^{FORBIDDEN_CHARACTERS}]*[^{FORBIDDEN_CHARACTERS}{INVISIBLE_CHARACTERS}][^{FORBIDDEN_CHARACTERS}]*$(?!\\n)"
LABEL = f"^[^{FORBIDDEN_CHARACTERS}]*$(?!\\n)"  # an optional name
IS_NAME = re.compile(NAME)
IS_LABEL = re.compile(LABEL)
FORBIDDEN_IN_NAME = re.compile(f"[{FORBIDDEN_CHARACTERS}]+")
UUID_TEXT = re.compile(r"[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}")

Name = Annotated[
    str,
    Meta(
        min_length=1, max_length=200, pattern=NAME, description="1 to 200 characters in one line, one of them visible"
    ),
]
Description = Annotated[str, Meta(max_length=2000, pattern=NO_NUL, description="at most 2,000 characters")]
MessageText = Annotated[str, Meta(max_length=40_000, pattern=NO_NUL, description="Markdown, at most 40,000 characters")]
Email = Annotated[
    str,
    Meta(
        max_length=254,
        pattern=f"^[^@\\s{FORBIDDEN_CHARACTERS}]+@[^@\\s{FORBIDDEN_CHARACTERS}]+$(?!\\n)",
        description="an email address",
    ),
]
WebLink = Annotated[
    str,
    Meta(max_length=2000, pattern=r"^[hH][tT][tT][pP][sS]?://[^\s\u0000]+$(?!\n)", description="an http or https URL"),
]
Timestamp = Annotated[
    str,
    Meta(
        description="UTC, RFC 3339, milliseconds",
        examples=["2026-11-21T09:07:13.460Z"],
        extra_json_schema={"format": "date-time"},
    ),
]

TimeParameter = Annotated[
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


def is_name(text: str) -> bool:
    """Return whether a text can be a name, regardless of its length."""
    return IS_NAME.search(text) is not None


def first_name(*candidates: str | None, otherwise: str) -> str:
    """Return the first candidate that is a name once its forbidden characters are removed, cut to 200 characters."""
    tidied = (" ".join(FORBIDDEN_IN_NAME.sub(" ", text).split())[:200] for text in candidates if text)
    return next(filter(is_name, tidied), otherwise)


def uuid_parameter(name: str, text: str) -> UUID:
    """Parse an id in the query. Raise InvalidRequest that names the parameter."""
    if not UUID_TEXT.fullmatch(text):
        raise invalid_parameter(name, "is not a UUID")
    return UUID(text)


@lru_cache(1 << 12)  # the same rooms are requested again and again, and parsing an id takes as long as finding a route
def path_id(text: str) -> UUID:
    """Parse an id in the path. Return an id that no resource has if it is not a UUID."""
    return UUID(text) if UUID_TEXT.fullmatch(text) else NO_ID


def time_parameter(name: str, text: str | None, otherwise: int) -> int:
    """Return a time in the query as milliseconds since 1970. Raise InvalidRequest that names the parameter."""
    try:
        return otherwise if text is None else max(0, to_ms(parse_time(text)))
    except ValueError:
        raise invalid_parameter(name, "is not an ISO 8601 time") from None

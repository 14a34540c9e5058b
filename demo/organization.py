"""The organization that the demo sets up, read from `content/organization.toml`."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

CONTENT = Path(__file__).with_name("content")


class Person(Struct, frozen=True, forbid_unknown_fields=True):
    """A member of the team; `role` is theirs in the organization."""

    name: str
    role: str


class Invited(Struct, frozen=True, forbid_unknown_fields=True):
    """Someone who has not accepted their invitation yet."""

    email: str
    role: str


class Group(Struct, frozen=True, forbid_unknown_fields=True):
    """A group of the directory; `people` are keys of `Organization.people`."""

    name: str
    people: list[str]


class Room(Struct, frozen=True, forbid_unknown_fields=True):
    """A room; `type` is chat, post or video."""

    name: str
    type: str
    description: str


class Space(Struct, frozen=True, forbid_unknown_fields=True):
    """A space with its rooms; `grants` gives groups a role in it."""

    name: str
    description: str
    rooms: list[Room]
    visibility: str = "open"
    grants: dict[str, str] = {}


class Integration(Struct, frozen=True, forbid_unknown_fields=True):
    """An integration with a key; `spaces` holds its role in each space by the space's name."""

    name: str
    description: str
    spaces: dict[str, str]


class Incoming(Struct, frozen=True, forbid_unknown_fields=True):
    """An incoming webhook of a room, and the posts of its tool, in Slack's format."""

    name: str
    room: str
    messages: list[dict[str, Any]]


class Hook(Struct, frozen=True, forbid_unknown_fields=True):
    """A webhook subscribed to the messages of spaces; nothing listens at an `unreachable` endpoint."""

    name: str
    description: str
    spaces: list[str]
    unreachable: bool = False


class Block(Struct, frozen=True, forbid_unknown_fields=True):
    """A block of a page, as the API accepts it."""

    type: str
    content: dict[str, Any]


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the recorded talk; without a `slide`, the one before stays."""

    speaker: str
    text: str
    slide: str | None = None


class Video(Struct, frozen=True, forbid_unknown_fields=True):
    """The recorded talk, uploaded to `room` by the person `by`."""

    name: str
    room: str
    by: str
    lines: list[Line]


class Organization(Struct, frozen=True, forbid_unknown_fields=True):
    """The complete demo except its conversations. `owner` and `visitor` get a sign-in link each."""

    name: str
    domain: str
    owner: str
    visitor: str
    people: dict[str, Person]
    invited: list[Invited]
    groups: list[Group]
    spaces: list[Space]
    integrations: list[Integration]
    incoming: list[Incoming]
    webhooks: list[Hook]
    page: list[Block]
    video: Video

    def email(self, person: str) -> str:
        """Return a person's address."""
        return f"{person}@{self.domain}"


@cache
def read_organization() -> Organization:
    """Return the content of the demo. Raise msgspec.ValidationError if the file is invalid."""
    return msgspec.toml.decode((CONTENT / "organization.toml").read_bytes(), type=Organization)

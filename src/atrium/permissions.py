"""The table of permissions (docs/contract.md#roles-and-keys). Every route refers to its row; a test checks this."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum, StrEnum
from inspect import signature
from typing import Any, Self, TypeVar

from atrium.kit.errors import Problem

Fetch = TypeVar("Fetch", bound=Callable[..., Awaitable[Any]])


class _Role(StrEnum):
    def holds(self, needed: Self) -> bool:
        """Return whether this role is `needed` or above it, in the order of the members."""
        roles = list(type(self))
        return roles.index(self) >= roles.index(needed)


class OrganizationRole(_Role):
    """The role of an actor in an organization; each includes those before it."""

    GUEST = "guest"
    MEMBER = "member"
    READER = "reader"
    ADMIN = "admin"
    SUPER_ADMIN = "super_admin"


class SpaceRole(_Role):
    """The role of an actor in a space: see, post, manage; each includes those before it."""

    READER = "reader"
    MEMBER = "member"
    ADMIN = "admin"


class Subject(Enum):
    """The subject of a request. Whether the caller has access to it is checked before anything else."""

    ANYONE = "no key is needed"
    ACTOR = "the actor of the key"
    PERSON = "the person behind a personal key"
    DIRECTORY = "the directory of the organization that an organization key belongs to"
    ORGANIZATION = "organization"
    SPACE = "space"
    ROOM = "room"
    MESSAGE = "message"
    BLOCK = "block"
    RECORDING = "recording"
    ATTACHMENT = "attachment"
    UPLOAD = "upload"


@dataclass(frozen=True)
class SubjectFetcher:
    """A function that fetches a subject: `fetch(call, *ids, permission)`, where `ids` are parameters of the path.

    Handlers get the subject as the parameter `name`.
    """

    name: str
    fetch: Callable[..., Awaitable[Any]]
    ids: tuple[str, ...]
    errors: tuple[type[Problem], ...]


SUBJECT_FETCHERS: dict[Subject, SubjectFetcher] = {}


def fetches(subject: Subject, *errors: type[Problem], name: str | None = None) -> Callable[[Fetch], Fetch]:
    """Register the function that fetches a subject, and the errors it raises for a subject that the caller may not see.

    A new subject needs only this, a member of `Subject` and rows in the table below.
    """

    def register(fetch: Fetch) -> Fetch:
        ids = tuple(parameter for parameter in signature(fetch).parameters if parameter.endswith("_id"))
        SUBJECT_FETCHERS[subject] = SubjectFetcher(name or subject.value, fetch, ids, errors)
        return fetch

    return register


@dataclass(frozen=True, kw_only=True)
class Permission:
    """A row of the table: the subject, and the required roles in its organization and in its space.

    `sender` requires the sender or uploader; with `or_space`, actors with that role may too. `people_only` rejects
    integrations of every role.
    """

    subject: Subject
    organization: OrganizationRole | None = None
    space: SpaceRole | None = None
    sender: bool = False
    or_space: SpaceRole | None = None
    people_only: bool = False


_GUEST, _, _READER, _ADMIN, _SUPER_ADMIN = OrganizationRole
_SEE, _POST, _MANAGE = SpaceRole

ANYONE = Permission(subject=Subject.ANYONE)
LISTEN = Permission(subject=Subject.ACTOR)
OWN_ACCOUNT = Permission(subject=Subject.PERSON)

READ_ORGANIZATION = Permission(subject=Subject.ORGANIZATION, organization=_GUEST)
CHANGE_ORGANIZATION = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN)
LIST_MEMBERS = Permission(subject=Subject.ORGANIZATION, organization=_READER)
MANAGE_MEMBERS = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN)
INVITE = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN, people_only=True)
MANAGE_KEYS = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN)
READ_WEBHOOKS = Permission(subject=Subject.ORGANIZATION, organization=_READER)
MANAGE_WEBHOOKS = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN)
LIST_GROUPS = Permission(subject=Subject.ORGANIZATION, organization=_READER)
READ_AUDIT_LOG = Permission(subject=Subject.ORGANIZATION, organization=_READER)
READ_OVERVIEW = Permission(subject=Subject.ORGANIZATION, organization=_READER)
LIST_MAILS = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN)
READ_MAIL = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN, people_only=True)
LIST_SPACES = Permission(subject=Subject.ORGANIZATION, organization=_GUEST)
CREATE_SPACE = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN)
IMPORT = Permission(subject=Subject.ORGANIZATION, organization=_SUPER_ADMIN, people_only=True)

SEARCH = Permission(subject=Subject.ORGANIZATION, organization=_GUEST)
LIST_UNREAD = Permission(subject=Subject.ORGANIZATION, organization=_GUEST)
PROVISION = Permission(subject=Subject.DIRECTORY, organization=_ADMIN)

READ_SPACE = Permission(subject=Subject.SPACE, space=_SEE)
CHANGE_SPACE = Permission(subject=Subject.SPACE, space=_SEE, organization=_ADMIN)
MANAGE_SPACE = Permission(subject=Subject.SPACE, space=_MANAGE)

READ_ROOM = Permission(subject=Subject.ROOM, space=_SEE)
MANAGE_ROOM = Permission(subject=Subject.ROOM, space=_MANAGE)
MANAGE_INCOMING = Permission(subject=Subject.ROOM, space=_MANAGE)
SEND = Permission(subject=Subject.ROOM, space=_POST)
WRITE_BLOCKS = Permission(subject=Subject.ROOM, space=_POST)

MARK_READ = Permission(subject=Subject.ROOM, space=_SEE)

READ_MESSAGE = Permission(subject=Subject.MESSAGE, space=_SEE)
REACT = Permission(subject=Subject.MESSAGE, space=_POST)
EDIT_MESSAGE = Permission(subject=Subject.MESSAGE, space=_SEE, sender=True)
DELETE_MESSAGE = Permission(subject=Subject.MESSAGE, space=_SEE, sender=True, or_space=_MANAGE)

READ_BLOCK = Permission(subject=Subject.BLOCK, space=_SEE)
WRITE_BLOCK = Permission(subject=Subject.BLOCK, space=_POST)

UPLOAD = Permission(subject=Subject.ROOM, space=_POST)
CONTINUE_UPLOAD = Permission(subject=Subject.UPLOAD, space=_POST)
READ_RECORDING = Permission(subject=Subject.RECORDING, space=_SEE)
CHANGE_RECORDING = Permission(subject=Subject.RECORDING, space=_SEE, sender=True, or_space=_MANAGE)
WRITE_TRANSCRIPT = Permission(subject=Subject.RECORDING, space=_POST)
READ_ATTACHMENT = Permission(subject=Subject.ATTACHMENT, space=_SEE)

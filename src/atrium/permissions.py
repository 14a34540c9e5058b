"""The table of permissions (docs/contract.md#roles-and-keys). Every route refers to its row; a test checks this."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Self


class _Role(StrEnum):
    def holds(self, needed: Self) -> bool:
        """Return whether this role is `needed` or above it, in the order of the members."""
        roles = list(type(self))
        return roles.index(self) >= roles.index(needed)


class OrganizationRole(_Role):
    """The role of an actor in an organization; each includes those before it."""

    GUEST = "guest"
    MEMBER = "member"
    READER = "reader"  # a member who may also read the administration; in a space, a reader is below a member
    ADMIN = "admin"
    SUPER_ADMIN = "super_admin"


class SpaceRole(_Role):
    """The role of an actor in a space: see, post, manage; each includes those before it."""

    READER = "reader"  # may not post; in an organization, a reader is above a member
    MEMBER = "member"
    ADMIN = "admin"


class Scope(StrEnum):
    """What a key with `scopes` may do, within what its actor may do (docs/contract.md#scopes-and-networks)."""

    MESSAGES_READ = "messages:read"
    MESSAGES_WRITE = "messages:write"
    ROOMS_MANAGE = "rooms:manage"
    WEBHOOKS_READ = "webhooks:read"
    WEBHOOKS_MANAGE = "webhooks:manage"
    MEMBERS_MANAGE = "members:manage"
    DIRECTORY = "directory"
    AUDIT_READ = "audit:read"
    RECORDINGS_READ = "recordings:read"
    RECORDINGS_WRITE = "recordings:write"
    SEARCH = "search"


ANY_SCOPE = ""  # every key suffices
# What a key needs besides the scope of a change, to get the content of what it changes in the response.
READ_SCOPES: Mapping[str | None, Scope] = {
    Scope.MESSAGES_WRITE: Scope.MESSAGES_READ,
    Scope.RECORDINGS_WRITE: Scope.RECORDINGS_READ,
    Scope.WEBHOOKS_MANAGE: Scope.WEBHOOKS_READ,
}


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


@dataclass(frozen=True, kw_only=True)
class Permission:
    """A row of the table: the subject, and the required roles in its organization and in its space.

    `sender` requires the sender or uploader; with `or_space`, actors with that role may too. `people_only` rejects
    integrations of every role. A key with scopes needs `scope`; with None it never suffices: such a request creates or
    shows a credential, or changes the organization or the account. `ends_access` marks requests that only revoke
    credentials of the caller: key policies do not prevent these.
    """

    subject: Subject
    organization: OrganizationRole | None = None
    space: SpaceRole | None = None
    sender: bool = False
    or_space: SpaceRole | None = None
    people_only: bool = False
    scope: str | None = None
    ends_access: bool = False


_GUEST, _, _READER, _ADMIN, _SUPER_ADMIN = OrganizationRole
_SEE, _POST, _MANAGE = SpaceRole

ANYONE = Permission(subject=Subject.ANYONE, scope=ANY_SCOPE)
LISTEN = Permission(subject=Subject.ACTOR, scope=Scope.MESSAGES_READ)
OWN_ACCOUNT = Permission(subject=Subject.PERSON)
END_OWN_ACCESS = Permission(subject=Subject.PERSON, ends_access=True)

READ_ORGANIZATION = Permission(subject=Subject.ORGANIZATION, organization=_GUEST, scope=ANY_SCOPE)
CHANGE_ORGANIZATION = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN)
LIST_MEMBERS = Permission(subject=Subject.ORGANIZATION, organization=_READER, scope=Scope.MEMBERS_MANAGE)
MANAGE_MEMBERS = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN, scope=Scope.MEMBERS_MANAGE)
INVITE = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN, people_only=True)
MANAGE_KEYS = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN)
READ_WEBHOOKS = Permission(subject=Subject.ORGANIZATION, organization=_READER, scope=Scope.WEBHOOKS_READ)
MANAGE_WEBHOOKS = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN, scope=Scope.WEBHOOKS_MANAGE)
LIST_GROUPS = Permission(subject=Subject.ORGANIZATION, organization=_READER, scope=Scope.MEMBERS_MANAGE)
READ_AUDIT_LOG = Permission(subject=Subject.ORGANIZATION, organization=_READER, scope=Scope.AUDIT_READ)
READ_OVERVIEW = Permission(subject=Subject.ORGANIZATION, organization=_READER, scope=Scope.AUDIT_READ)
LIST_MAILS = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN)
READ_MAIL = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN, people_only=True)
LIST_SPACES = Permission(subject=Subject.ORGANIZATION, organization=_GUEST, scope=ANY_SCOPE)
CREATE_SPACE = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN, scope=Scope.ROOMS_MANAGE)
IMPORT = Permission(subject=Subject.ORGANIZATION, organization=_SUPER_ADMIN, people_only=True)

SEARCH = Permission(subject=Subject.ORGANIZATION, organization=_GUEST, scope=Scope.SEARCH)
LIST_UNREAD = Permission(subject=Subject.ORGANIZATION, organization=_GUEST, scope=Scope.MESSAGES_READ)
PROVISION = Permission(subject=Subject.DIRECTORY, organization=_ADMIN, scope=Scope.DIRECTORY)

READ_SPACE = Permission(subject=Subject.SPACE, space=_SEE, scope=ANY_SCOPE)
CHANGE_SPACE = Permission(subject=Subject.SPACE, space=_SEE, organization=_ADMIN, scope=Scope.ROOMS_MANAGE)
MANAGE_SPACE_ACCESS = Permission(subject=Subject.SPACE, space=_MANAGE, scope=Scope.MEMBERS_MANAGE)
CREATE_ROOM = Permission(subject=Subject.SPACE, space=_MANAGE, scope=Scope.ROOMS_MANAGE)

READ_ROOM = Permission(subject=Subject.ROOM, space=_SEE, scope=ANY_SCOPE)
READ_MESSAGES = Permission(subject=Subject.ROOM, space=_SEE, scope=Scope.MESSAGES_READ)
LIST_RECORDINGS = Permission(subject=Subject.ROOM, space=_SEE, scope=Scope.RECORDINGS_READ)
MANAGE_ROOM = Permission(subject=Subject.ROOM, space=_MANAGE, scope=Scope.ROOMS_MANAGE)
MANAGE_INCOMING = Permission(subject=Subject.ROOM, space=_MANAGE)
SEND = Permission(subject=Subject.ROOM, space=_POST, scope=Scope.MESSAGES_WRITE)
WRITE_BLOCKS = Permission(subject=Subject.ROOM, space=_POST, scope=Scope.MESSAGES_WRITE)

MARK_READ = Permission(subject=Subject.ROOM, space=_SEE, scope=Scope.MESSAGES_WRITE)

READ_MESSAGE = Permission(subject=Subject.MESSAGE, space=_SEE, scope=Scope.MESSAGES_READ)
REACT = Permission(subject=Subject.MESSAGE, space=_POST, scope=Scope.MESSAGES_WRITE)
EDIT_MESSAGE = Permission(subject=Subject.MESSAGE, space=_SEE, sender=True, scope=Scope.MESSAGES_WRITE)
DELETE_MESSAGE = Permission(
    subject=Subject.MESSAGE, space=_SEE, sender=True, or_space=_MANAGE, scope=Scope.MESSAGES_WRITE
)

READ_BLOCK = Permission(subject=Subject.BLOCK, space=_SEE, scope=Scope.MESSAGES_READ)
WRITE_BLOCK = Permission(subject=Subject.BLOCK, space=_POST, scope=Scope.MESSAGES_WRITE)

ADD_RECORDING = Permission(subject=Subject.ROOM, space=_POST, scope=Scope.RECORDINGS_WRITE)
ADD_ATTACHMENT = Permission(subject=Subject.ROOM, space=_POST, scope=Scope.MESSAGES_WRITE)
UPLOAD = Permission(subject=Subject.ROOM, space=_POST, scope=ANY_SCOPE)  # the kind of file decides
CONTINUE_UPLOAD = Permission(subject=Subject.UPLOAD, space=_POST, scope=ANY_SCOPE)
READ_RECORDING = Permission(subject=Subject.RECORDING, space=_SEE, scope=Scope.RECORDINGS_READ)
CHANGE_RECORDING = Permission(
    subject=Subject.RECORDING, space=_SEE, sender=True, or_space=_MANAGE, scope=Scope.RECORDINGS_WRITE
)
WRITE_TRANSCRIPT = Permission(subject=Subject.RECORDING, space=_POST, scope=Scope.RECORDINGS_WRITE)
READ_ATTACHMENT = Permission(subject=Subject.ATTACHMENT, space=_SEE, scope=Scope.MESSAGES_READ)

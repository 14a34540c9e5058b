"""The types of organizations."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import ActorKind
from atrium.kit.text.types import ActorId, OrganizationId, SpaceId, Timestamp
from atrium.permissions import OrganizationRole, SpaceRole


class SpaceGrant(Struct, frozen=True, forbid_unknown_fields=True):
    """A role in a space."""

    space_id: SpaceId
    role: SpaceRole


class Invitation(Struct, frozen=True):
    """A pending invitation."""

    invitation_id: UUID
    organization_id: OrganizationId
    email: Annotated[str, Meta(examples=["ada@example.org"])]
    role: OrganizationRole
    spaces: Annotated[list[SpaceGrant], Meta(description="the spaces that it adds the person to")]
    created_at: Timestamp
    expires_at: Timestamp


class InvitationAnswer(Struct, frozen=True):
    """An invitation with the token that accepts it, which is shown only once."""

    invitation: Invitation
    token: Annotated[str, Meta(description="token for `POST /v1/invitations/accept`")]


class InvitationState(StrEnum):
    """The state of an invitation. Only a pending one can be accepted."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    EXPIRED = "expired"
    REVOKED = "revoked"


class InvitationPreview(Struct, frozen=True):
    """An invitation as shown to the holder of its token."""

    organization_name: Annotated[str, Meta(examples=["Analytical Engines"])]
    invited_by: Annotated[str | None, Meta(description="null if it was created on the command line")]
    email: Annotated[str, Meta(examples=["ada@example.org"])]
    role: OrganizationRole
    expires_at: Timestamp
    state: InvitationState
    has_account: Annotated[bool, Meta(description="whether the address has an account, whose owner must sign in")]
    name: Annotated[str | None, Meta(description="the name under which the address was imported or provisioned")]


class KnownActor(Struct, frozen=True):
    """The name of a person or an integration, and what they are in the organization."""

    actor_id: ActorId
    actor_type: ActorKind
    name: Annotated[str, Meta(examples=["Ada Lovelace"])]
    active: Annotated[bool, Meta(description="false for deactivated accounts, and for those who left")]
    imported: Annotated[bool, Meta(description="whether they came with imported history and have not signed in")]
    role: Annotated[OrganizationRole | None, Meta(description="for callers with the role `reader`, otherwise null")]
    email: Annotated[str | None, Meta(description="of a person, for callers with the role `reader`, otherwise null")]

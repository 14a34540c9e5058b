"""The types of organizations."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import ActorKind
from atrium.kit.texts import ActorId, OrganizationId, Timestamp
from atrium.permissions import OrganizationRole


class Invitation(Struct, frozen=True):
    """An invitation that waits to be accepted."""

    invitation_id: UUID
    organization_id: OrganizationId
    email: Annotated[str, Meta(examples=["ada@example.org"])]
    role: OrganizationRole
    created_at: Timestamp
    expires_at: Timestamp


class InvitationAnswer(Struct, frozen=True):
    """An invitation, with the token that accepts it, shown this once."""

    invitation: Invitation
    token: Annotated[str, Meta(description="pass it to the invited person; `POST /v1/invitations/accept` takes it")]


class KnownActor(Struct, frozen=True):
    """A person or an integration, by name."""

    actor_id: ActorId
    actor_type: ActorKind
    name: Annotated[str, Meta(examples=["Ada Lovelace"])]

"""The types of organizations."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import ActorKind
from atrium.kit.text.types import ActorId, OrganizationId, Timestamp
from atrium.permissions import OrganizationRole


class Invitation(Struct, frozen=True):
    """A pending invitation."""

    invitation_id: UUID
    organization_id: OrganizationId
    email: Annotated[str, Meta(examples=["ada@example.org"])]
    role: OrganizationRole
    created_at: Timestamp
    expires_at: Timestamp


class InvitationAnswer(Struct, frozen=True):
    """An invitation with the token that accepts it, which is shown only once."""

    invitation: Invitation
    token: Annotated[str, Meta(description="for the invited person, for `POST /v1/invitations/accept`")]


class KnownActor(Struct, frozen=True):
    """The name of a person or an integration."""

    actor_id: ActorId
    actor_type: ActorKind
    name: Annotated[str, Meta(examples=["Ada Lovelace"])]

"""The types of spaces."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from atrium.keys.caller import ActorKind
from atrium.kit.texts import ActorId, OrganizationId, SpaceId, Timestamp
from atrium.permissions import SpaceRole


class SpaceMember(Struct, frozen=True):
    """An actor with a role in a space: `role` holds, `granted` is what was given in this very space."""

    actor_id: ActorId
    actor_type: ActorKind
    name: Annotated[str, Meta(examples=["Ada Lovelace"])]
    role: SpaceRole
    granted: SpaceRole | None


class Visibility(StrEnum):
    """`open`: every person from organization `member` up is at least a space `member`; `private`: who was granted."""

    OPEN = "open"
    PRIVATE = "private"


class SpaceDetails(Struct, frozen=True):
    """A space, as everyone in it sees it."""

    space_id: SpaceId
    organization_id: OrganizationId
    name: Annotated[str, Meta(examples=["Engineering"])]
    description: str
    visibility: Visibility
    created_by: ActorId | None
    created_at: Timestamp


class Space(SpaceDetails, frozen=True):
    """A space, and the caller's role in it."""

    role: Annotated[SpaceRole, Meta(description="the caller's role")]

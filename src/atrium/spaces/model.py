"""The types of spaces."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from atrium.keys.caller import ActorKind
from atrium.kit.text.types import ActorId, OrganizationId, SpaceId, Timestamp
from atrium.permissions import SpaceRole


class SpaceMember(Struct, frozen=True):
    """An actor with access to a space. `role` is the effective role, `granted` the role granted in this space."""

    actor_id: ActorId
    actor_type: ActorKind
    name: Annotated[str, Meta(examples=["Ada Lovelace"])]
    role: SpaceRole
    granted: SpaceRole | None


class Visibility(StrEnum):
    """`open`: every person who is at least `member` of the organization is at least `member` of the space; `private`:
    only actors who were granted a role."""

    OPEN = "open"
    PRIVATE = "private"


class SpaceDetails(Struct, frozen=True):
    """A space."""

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

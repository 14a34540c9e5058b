"""The types of people."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.kit.text.types import ActorId, OrganizationId, Timestamp
from atrium.permissions import OrganizationRole


class Profile(Struct, frozen=True):
    """A person."""

    person_id: ActorId
    name: Annotated[str, Meta(examples=["Ada Lovelace"])]
    email: Annotated[str | None, Meta(examples=["ada@example.org"])]
    created_at: Timestamp


class OwnOrganization(Struct, frozen=True):
    """An organization that the caller belongs to, and the caller's role there."""

    organization_id: OrganizationId
    name: Annotated[str, Meta(examples=["Analytical Engines"])]
    role: OrganizationRole

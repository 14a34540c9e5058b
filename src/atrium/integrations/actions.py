"""What is done to an integration: it comes into being with its key, and outlives whoever created it."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from atrium.integrations import queries
from atrium.keys.actions import IssuedKey, issue_key
from atrium.keys.tokens import ORGANIZATION_PREFIX
from atrium.kit.database import Connection
from atrium.kit.ids import new_id
from atrium.kit.texts import ActorId, SpaceId
from atrium.organizations.actions import add_member
from atrium.people.queries import ADD_ACTOR
from atrium.permissions import OrganizationRole, SpaceRole
from atrium.spaces.actions import grant


class SpaceGrant(Struct, frozen=True, forbid_unknown_fields=True):
    """A role in a space."""

    space_id: SpaceId
    role: SpaceRole


async def create_integration(
    db: Connection, organization_id: UUID, *, name: str, description: str, role: OrganizationRole,
    spaces: Sequence[SpaceGrant], created_by: UUID | None, now: datetime, expires_at: datetime | None = None,
    prefix: str = ORGANIZATION_PREFIX,
) -> IssuedKey:  # fmt: skip
    """A new integration with its key; it reaches exactly the spaces granted to it."""
    integration_id = ActorId(new_id(now))
    await db.execute(ADD_ACTOR, integration_id, "integration", name, now)
    await db.execute(queries.ADD, integration_id, organization_id, description, created_by)
    await add_member(db, organization_id, integration_id, role=role, now=now)
    for space in spaces:
        await grant(db, space.space_id, integration_id, role=space.role, now=now)
    return await issue_key(
        db, prefix=prefix, owner=integration_id, name=name, created_by=created_by, now=now,
        expires_at=expires_at,
    )  # fmt: skip

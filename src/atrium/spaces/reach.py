"""Fetching a space is permitting: it comes only to an actor that holds a role in it."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.errors import Forbidden, NotFound
from atrium.kit.rows import as_struct
from atrium.kit.texts import ActorId, OrganizationId, SpaceId, Timestamp
from atrium.organizations.reach import require_role
from atrium.permissions import OrganizationRole, Permission, SpaceRole
from atrium.spaces import queries


class SpaceNotFound(NotFound):
    """There is no such space, or the caller does not reach it."""

    code = "space_not_found"
    title = "There is no such space"


class Visibility(StrEnum):
    """`open`: every person from organization `member` up is at least a space `member`; `private`: who was granted."""

    OPEN = "open"
    PRIVATE = "private"


class Space(Struct, frozen=True):
    """A space, and the caller's role in it."""

    space_id: SpaceId
    organization_id: OrganizationId
    name: Annotated[str, Meta(examples=["Engineering"])]
    description: str
    visibility: Visibility
    created_by: ActorId | None
    created_at: Timestamp
    role: Annotated[SpaceRole, Meta(description="the caller's role")]


async def reach_space(call: Call, space_id: UUID, permission: Permission) -> Space:
    """The space, for an actor with a role in it. Raises SpaceNotFound, Forbidden."""
    row = await call.db.fetchrow(queries.REACH, space_id, call.caller.actor_id, call.caller.kind)
    if row is None:
        raise SpaceNotFound
    space = as_struct(row, Space)
    require_space_role(space.role, permission)
    require_role(OrganizationRole(row["organization_role"]), permission)
    return space


def require_space_role(held: SpaceRole, permission: Permission) -> None:
    """Raises Forbidden where the permission asks for a higher role in the space."""
    if permission.space is not None and not held.holds(permission.space):
        raise Forbidden(f"This needs the space role {permission.space}; you are {held}.")

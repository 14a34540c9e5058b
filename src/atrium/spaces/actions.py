"""What is done to a space."""

from datetime import datetime
from uuid import UUID

from atrium.keys.caller import Call
from atrium.kit.database import Connection
from atrium.kit.errors import Forbidden
from atrium.kit.ids import new_id
from atrium.kit.texts import ActorId, SpaceId
from atrium.organizations.actions import MemberNotFound
from atrium.permissions import SpaceRole
from atrium.spaces import queries
from atrium.spaces.reach import Space, SpaceNotFound, Visibility


async def create_space(
    db: Connection, organization_id: UUID, *, name: str, description: str, visibility: Visibility,
    created_by: ActorId, now: datetime,
) -> SpaceId:  # fmt: skip
    """A new space; whoever creates it is its admin, integrations too, which inherit nothing."""
    space_id = SpaceId(new_id(now))
    await db.execute(queries.ADD, space_id, organization_id, name, description, visibility, created_by, now)
    await grant(db, space_id, created_by, role=SpaceRole.ADMIN, now=now)
    return space_id


async def grant(db: Connection, space_id: UUID, actor_id: UUID, *, role: SpaceRole, now: datetime) -> None:
    """The actor holds `role` in the space from now on, instead of what it was granted before."""
    await db.execute(queries.GRANT, space_id, actor_id, role, now)


async def grant_member(call: Call, space: Space, actor_id: UUID, role: SpaceRole) -> None:
    """Grant a role to an actor of the space's organization. Raises MemberNotFound."""
    if await call.db.fetchrow(queries.BELONGS, space.organization_id, actor_id) is None:
        raise MemberNotFound
    await grant(call.db, space.space_id, actor_id, role=role, now=call.now)


async def withdraw_member(call: Call, space: Space, actor_id: UUID) -> None:
    """Take back what was granted; what comes from the organization stays. Raises MemberNotFound."""
    if await call.db.execute(queries.WITHDRAW, space.space_id, actor_id) != "DELETE 1":
        raise MemberNotFound


async def require_may_grant(call: Call, space_id: UUID, role: SpaceRole) -> None:
    """An actor grants in a space at most the role that it holds there. Raises SpaceNotFound, Forbidden."""
    held = await call.db.fetchval(queries.ROLE_IN, call.caller.actor_id, call.caller.kind, space_id)
    if held is None:
        raise SpaceNotFound
    if not SpaceRole(held).holds(role):
        raise Forbidden(f"You cannot grant {role} in a space where you are {held}.")

"""Create, change and delete spaces, and grant roles in them."""

from datetime import datetime
from uuid import UUID

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.errors import Forbidden
from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Connection
from atrium.kit.text.types import ActorId, SpaceId
from atrium.organizations.queries import LOCK_FOR_NEW
from atrium.organizations.reach import MemberNotFound, Organization
from atrium.permissions import READ_SPACE, Scope, SpaceRole
from atrium.spaces import queries
from atrium.spaces.model import Space, SpaceMember, Visibility
from atrium.spaces.reach import SpaceNotFound, find_space_member, reach_space


async def add_space(
    db: Connection,
    organization_id: UUID,
    *,
    name: str,
    description: str,
    visibility: Visibility,
    created_by: ActorId,
    now: datetime,
) -> SpaceId:
    """Add a space with its creator as admin. Integrations need the grant, because they inherit no role."""
    space_id = SpaceId(new_id(now))
    await db.execute(queries.ADD, space_id, organization_id, name, description, visibility, created_by, now)
    await grant(db, space_id, created_by, role=SpaceRole.ADMIN, now=now)
    return space_id


async def grant(db: Connection, space_id: UUID, actor_id: UUID, *, role: SpaceRole, now: datetime) -> None:
    """Grant the actor a role in the space, in place of an earlier one."""
    await db.execute(queries.GRANT, space_id, actor_id, role, now)


async def create_space(
    call: Call, organization: Organization, *, name: str, description: str, visibility: Visibility
) -> Space:
    """Create a space; the caller becomes its admin."""
    await call.lock(LOCK_FOR_NEW, organization.organization_id)
    space_id = await add_space(
        call.db,
        organization.organization_id,
        name=name,
        description=description,
        visibility=visibility,
        created_by=call.caller.actor_id,
        now=call.now,
    )
    created = await reach_space(call, space_id, READ_SPACE)
    await call.record(_change("space.created", created, after=created))
    return created


async def update_space(
    call: Call, space: Space, *, name: str | None, description: str | None, visibility: Visibility | None
) -> Space:
    """Change what is not None: the name, the description, the visibility. Raise InsufficientScope for a key that may
    not grant access, if the change gives access to others."""
    if (space.visibility, visibility) == (Visibility.PRIVATE, Visibility.OPEN):
        call.caller.require_scope(Scope.MEMBERS_MANAGE)
    await call.db.execute(queries.CHANGE, space.space_id, name, description, visibility)
    updated = await reach_space(call, space.space_id, READ_SPACE)
    await call.record(_change("space.updated", space, before=space, after=updated))
    return updated


async def delete_space(call: Call, space: Space) -> None:
    """Delete a space and all its rooms."""
    await call.db.execute(queries.DELETE, space.space_id, call.now)
    await call.record(_change("space.deleted", space, before=space))


async def set_space_member(call: Call, space: Space, actor_id: UUID, role: SpaceRole) -> SpaceMember:
    """Grant a role in a space to an actor of its organization. Raise MemberNotFound."""
    before = await find_space_member(call, space, actor_id)
    if await call.db.fetchrow(queries.IS_MEMBER, space.organization_id, actor_id) is None:
        raise MemberNotFound
    await grant(call.db, space.space_id, actor_id, role=role, now=call.now)
    member = await find_space_member(call, space, actor_id)
    if member is None:
        raise MemberNotFound
    await call.record(_member_change("space_member.set", space, before=before, after=member))
    return member


async def remove_space_member(call: Call, space: Space, actor_id: UUID) -> None:
    """Remove the role granted in a space; a role inherited from the organization is kept. Raise MemberNotFound."""
    before = await find_space_member(call, space, actor_id)
    if await call.db.execute(queries.REVOKE, space.space_id, actor_id) != "DELETE 1":
        raise MemberNotFound
    await call.record(_member_change("space_member.removed", space, before=before))


async def require_may_grant(call: Call, organization_id: UUID, space_id: UUID, role: SpaceRole) -> None:
    """Require that the caller's own role in the space of the organization is at least `role`. Raise SpaceNotFound,
    Forbidden."""
    who = (call.caller.actor_id, call.caller.kind)
    own_role = await call.db.fetchval(queries.ROLE_IN, *who, space_id, organization_id)
    if own_role is None:
        raise SpaceNotFound
    if not SpaceRole(own_role).holds(role):
        raise Forbidden(f"You cannot grant the role {role}; your role in this space is {own_role}.")


def _change(action: str, space: Space, *, before: Space | None = None, after: Space | None = None) -> Change:
    return Change(action, Target("space", space.space_id, space.name), space.organization_id, before, after)


def _member_change(
    action: str, space: Space, *, before: SpaceMember | None, after: SpaceMember | None = None
) -> Change:
    member = after or before
    known = {} if member is None else {"actor_id": str(member.actor_id), "name": member.name}
    return Change(
        action,
        Target("space", space.space_id, space.name),
        space.organization_id,
        before=None if before is None else {**known, "role": before.granted},
        after=None if after is None else {**known, "role": after.granted},
    )

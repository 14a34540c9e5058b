"""The spaces of an invitation: its inviter must be admin of each, when it is created and when it is accepted."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.errors import invalid_field
from atrium.kit.postgres.database import Connection
from atrium.kit.text.types import ActorId, OrganizationId
from atrium.organizations.invitations import queries as invitation_queries
from atrium.organizations.model import SpaceGrant
from atrium.organizations.reach import Organization


class GrantedRole(NamedTuple):
    """A role in a space that an invitation gave, and the previous role."""

    space_id: UUID
    name: str
    before: str | None
    after: str


async def require_may_invite_to(call: Call, organization: Organization, spaces: Sequence[SpaceGrant]) -> None:
    """Raise InvalidRequest unless the caller is admin of each space, which is in the organization and listed once."""
    if not spaces:
        return
    given = [UUID(str(each.space_id)) for each in spaces]
    who = (call.caller.actor_id, call.caller.kind)
    rows = await call.db.fetch(invitation_queries.MANAGED_SPACES, organization.organization_id, *who, given)
    managed = {str(row["space_id"]) for row in rows}
    for number, space_id in enumerate(given):
        place = f"/content/spaces/{number}/space_id"
        if str(space_id) not in managed:
            raise invalid_field(place, "is not a space of this organization that you manage")
        if space_id in given[:number]:
            raise invalid_field(place, "is a duplicate")


async def add_spaces(db: Connection, invitation_id: UUID, spaces: Sequence[SpaceGrant]) -> None:
    """Store the space roles of an invitation."""
    for each in spaces:
        await db.execute(invitation_queries.ADD_INVITATION_SPACE, invitation_id, each.space_id, each.role)


async def grant_spaces(db: Connection, invitation_id: UUID, person_id: ActorId, now: datetime) -> list[GrantedRole]:
    """Grant the roles that the inviter may still grant, and return the changes."""
    rows = await db.fetch(invitation_queries.GRANT_INVITED, invitation_id, person_id, now)
    return [each for each in (GrantedRole(*row) for row in rows) if each.before != each.after]


def grant_change(granted: GrantedRole, organization_id: OrganizationId, person_id: ActorId, name: str) -> Change:
    """Describe a granted role for the audit log, as when it is granted without an invitation."""
    member = {"actor_id": str(person_id), "name": name}
    return Change(
        "space_member.set",
        Target("space", granted.space_id, granted.name),
        organization_id,
        before=None if granted.before is None else {**member, "role": granted.before},
        after={**member, "role": granted.after},
    )

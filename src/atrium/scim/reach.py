"""Fetch the directory, which only an organization key can access: that of its own organization."""

from typing import TypeAlias

from atrium.keys.caller import ActorKind, Call
from atrium.kit.errors import Forbidden
from atrium.kit.postgres.rows import as_struct
from atrium.organizations.reach import Organization, require_role
from atrium.permissions import Permission
from atrium.scim import queries

Directory: TypeAlias = Organization  # the one whose directory it is


async def reach_directory(call: Call, permission: Permission) -> Directory:
    """Return the organization of the calling integration. Raise Forbidden for people and for lower roles."""
    if call.caller.kind is not ActorKind.INTEGRATION:
        raise Forbidden("SCIM requires an organization key; personal keys are not allowed.")
    row = await call.db.fetchrow(queries.ORGANIZATION_OF, call.caller.actor_id)
    if row is None:
        raise Forbidden("This key does not belong to an organization.")
    organization = as_struct(row, Organization)
    require_role(organization.role, permission)
    return organization

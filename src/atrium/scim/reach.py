"""Fetching the directory is permitting: it comes only to an organization key, and is that of its organization."""

from atrium.keys.caller import ActorKind, Call
from atrium.kit.errors import Forbidden
from atrium.kit.rows import as_struct
from atrium.organizations.reach import Organization, require_role
from atrium.permissions import Permission
from atrium.scim import queries


async def reach_directory(call: Call, permission: Permission) -> Organization:
    """The organization of the integration that calls. Raises Forbidden for people and for lower roles."""
    if call.caller.kind is not ActorKind.INTEGRATION:
        raise Forbidden("This needs an organization key; a personal key provisions no directory.")
    row = await call.db.fetchrow(queries.ORGANIZATION_OF, call.caller.actor_id)
    if row is None:
        raise Forbidden("This key belongs to no organization.")
    organization = as_struct(row, Organization)
    require_role(organization.role, permission)
    return organization

"""Who may manage an organization key: only callers with all the access it gives (docs/contract.md#roles-and-keys)."""

from collections.abc import Sequence
from uuid import UUID

from atrium.integrations import queries
from atrium.keys.caller import ActorKind, Call
from atrium.keys.limit_types import LimitsToSet
from atrium.keys.limits import KeyLimits, limits_of_own_key, requested_limits, require_within_own
from atrium.kit.errors import Forbidden, invalid_field
from atrium.kit.text.types import ActorId
from atrium.organizations.model import SpaceGrant
from atrium.organizations.reach import Organization
from atrium.permissions import OrganizationRole
from atrium.spaces.actions import require_may_grant


async def require_may_manage(
    call: Call, organization: Organization, integration_id: ActorId, *roles: OrganizationRole
) -> None:
    """Raise Forbidden unless the caller may manage the integration's key. `roles` are its current and new roles.

    A caller who can rotate a key can use it, so only a super_admin may manage keys of integrations with the role admin
    or above.
    """
    require_may_assign_role(organization, *roles)
    await require_covers_access(call, integration_id)


async def require_covers_access(call: Call, integration_id: ActorId) -> None:
    """Raise Forbidden if the integration has a role in a space where the caller's role is lower."""
    caller = call.caller
    if caller.kind is ActorKind.PERSON:
        return  # an admin, and so admin of every space
    if await call.db.fetchval(queries.EXCEEDS_ACCESS, integration_id, caller.actor_id, caller.kind):
        raise Forbidden("This integration has roles in spaces where your role is lower.")


def require_may_assign_role(organization: Organization, *roles: OrganizationRole) -> None:
    """Raise Forbidden unless the caller may manage keys of integrations with these organization roles."""
    is_above = any(role.holds(OrganizationRole.ADMIN) for role in roles)
    if is_above and organization.role is not OrganizationRole.SUPER_ADMIN:
        raise Forbidden(
            "Only a super_admin can create, rotate or change keys of integrations with the role admin or above."
        )


async def require_may_create(
    call: Call, organization: Organization, role: OrganizationRole, spaces: Sequence[SpaceGrant]
) -> None:
    """Raise Forbidden, InvalidRequest or SpaceNotFound unless the caller may create an integration with these roles."""
    require_may_assign_role(organization, role)
    await require_may_grant_all(call, organization.organization_id, spaces)


async def limits_of_new_key(call: Call, content: LimitsToSet) -> KeyLimits:
    """Return the limits of a key that the caller creates; for an integration, no wider than its own key's.

    A person's keys do not limit the organization keys that they create. Raise InvalidRequest.
    """
    if call.caller.kind is ActorKind.PERSON:
        return requested_limits(content, call.now)
    return await limits_of_own_key(call, content)


async def require_allowed_limits(call: Call, limits: KeyLimits) -> None:
    """Raise Forbidden if an integration would give a key wider limits than its own has."""
    if call.caller.kind is ActorKind.INTEGRATION:
        await require_within_own(call, limits)


async def require_may_grant_all(call: Call, organization_id: UUID, spaces: Sequence[SpaceGrant]) -> None:
    """Raise InvalidRequest, SpaceNotFound or Forbidden unless the caller may grant these roles to an integration of the
    organization."""
    if len({space.space_id for space in spaces}) < len(spaces):
        raise invalid_field("/content/spaces", "contains a duplicate space")
    for space in spaces:
        await require_may_grant(call, organization_id, space.space_id, space.role)

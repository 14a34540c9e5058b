"""The pure rules of membership."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.kit.errors import Conflict, Forbidden
from atrium.kit.text.types import ActorId, Timestamp
from atrium.permissions import OrganizationRole


class LastSuperAdmin(Conflict):
    """An organization keeps at least one active super_admin."""

    code = "last_super_admin"
    title = "An organization needs at least one super_admin"


class Member(Struct, frozen=True):
    """A person in an organization. An account works while one of its memberships is active."""

    person_id: ActorId
    name: Annotated[str, Meta(examples=["Ada Lovelace"])]
    email: Annotated[str | None, Meta(examples=["ada@example.org"])]
    role: OrganizationRole
    active: bool
    created_at: Timestamp
    imported: Annotated[bool, Meta(description="whether they came with imported history and have not signed in")]


def require_may_assign(namer: OrganizationRole, *roles: OrganizationRole) -> None:
    """Raise Forbidden if `namer` may not assign or remove `roles` (docs/contract.md#roles-and-keys)."""
    if namer is not OrganizationRole.SUPER_ADMIN and any(role.holds(OrganizationRole.ADMIN) for role in roles):
        raise Forbidden("Only a super_admin can assign or remove the roles admin and super_admin.")


def require_super_admin_left(member: Member, *, role: OrganizationRole, active: bool, others: int) -> None:
    """Raise LastSuperAdmin if the change would leave no active super_admin; `others` is the number of other ones."""
    is_one = member.active and member.role is OrganizationRole.SUPER_ADMIN
    if is_one and others == 0 and not (active and role is OrganizationRole.SUPER_ADMIN):
        raise LastSuperAdmin

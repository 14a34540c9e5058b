"""An account's permissions as a set of rights, and who may grant or revoke each (docs/contract.md#roles-and-keys).
Pure.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from atrium.permissions import OrganizationRole, SpaceRole

Right = tuple[str, ...]
Rights = frozenset[Right]
DIRECTORY: Right = ("directory",)  # the right to deactivate and reactivate any account
NO_RIGHTS: Rights = frozenset()


def role(name: OrganizationRole) -> Right:
    """Return the right to do what that role may do in the organization."""
    return ("role", name)


def in_space(space_id: str, name: SpaceRole) -> Right:
    """Return the right to do what that role may do in the space."""
    return ("space", space_id, name)


ADMIN, SUPER_ADMIN = role(OrganizationRole.ADMIN), role(OrganizationRole.SUPER_ADMIN)


class Account(NamedTuple):
    """A member of the organization as the database has it; `spaces` are the roles in effect."""

    is_person: bool
    role: OrganizationRole
    active: bool
    spaces: Mapping[str, SpaceRole]

    @property
    def rights(self) -> Rights:
        """Return all its rights."""
        if not self.active:
            return NO_RIGHTS
        own = {role(name) for name in OrganizationRole if self.role.holds(name)}
        for space_id, own_role in self.spaces.items():
            own |= {in_space(space_id, name) for name in SpaceRole if own_role.holds(name)}
        keeps_directory = OrganizationRole.SUPER_ADMIN if self.is_person else OrganizationRole.ADMIN
        return frozenset(own | ({DIRECTORY} if self.role.holds(keeps_directory) else set()))

    def inherited_rights(self, open_spaces: Iterable[str]) -> Rights:
        """Return a person's roles in spaces through the organization role alone."""
        if self.is_person and self.role.holds(OrganizationRole.ADMIN):
            return frozenset(in_space(space_id, name) for space_id in self.spaces for name in SpaceRole)
        if self.is_person and self.role.holds(OrganizationRole.MEMBER):
            roles = (SpaceRole.READER, SpaceRole.MEMBER)
            return frozenset(in_space(space_id, name) for space_id in open_spaces for name in roles)
        return NO_RIGHTS


def can_grant(right: Right, granter: Rights) -> bool:
    """Return whether someone with the granter's rights can grant this one."""
    match right:
        case ("role", name):
            return (SUPER_ADMIN if OrganizationRole(name).holds(OrganizationRole.ADMIN) else ADMIN) in granter
        case ("space", _, _):
            return right in granter
    return SUPER_ADMIN in granter


def unauthorized_gains(before: Account | None, after: Account, granter: Rights, explained: Rights) -> set[Right]:
    """Return the rights that an account gained and the granter could not grant; `explained` are inherited ones
    and groups'.

    A reactivated account has what it had before: this requires only the right to reactivate it.
    """
    gained = after.rights - (before.rights if before else NO_RIGHTS) - explained
    if before and not before.active:
        is_same = before.role is after.role and (DIRECTORY in granter or can_grant(role(after.role), granter))
        gained = NO_RIGHTS if is_same else frozenset(right for right in gained if right[0] == "role")
    return {right for right in gained if not can_grant(right, granter)}


def unauthorized_losses(before: Account, after: Account | None, revoker: Rights, by_groups: Rights) -> set[Right]:
    """Return the rights that an account lost and that the caller could not revoke."""
    lost = before.rights - (after.rights if after else NO_RIGHTS)
    if after is None or not after.active or after.role is not before.role:
        needed = SUPER_ADMIN if ADMIN in before.rights else ADMIN
        return set() if {needed, DIRECTORY} & revoker else set(lost)
    by_directory = by_groups if DIRECTORY in revoker else NO_RIGHTS
    return {right for right in lost - by_directory if not can_grant(right, revoker)}

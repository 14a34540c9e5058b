"""`/v1/organizations/{organization_id}/personal-keys`: the personal keys of members."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Paging
from atrium.organizations.member_keys import actions
from atrium.organizations.member_keys.actions import MemberKey
from atrium.organizations.reach import Organization


class MemberKeyQuery(Paging):
    """A page of personal keys, of all members by default."""

    person_id: Annotated[UUID | None, Meta(description="only this person's keys")] = None


class MemberKeyList(Struct, frozen=True):
    """A page of the personal keys of members."""

    personal_keys: list[MemberKey]
    next_cursor: str | None


async def list_member_keys(call: Call, organization: Organization, query: MemberKeyQuery) -> MemberKeyList:
    """List the personal keys of the organization's active members, oldest first, without the keys themselves."""
    return MemberKeyList(*await actions.list_member_keys(call, organization, query, query.person_id))


async def revoke_member_key(call: Call, organization: Organization, api_key_id: UUID) -> None:
    """Revoke a personal key of a member; it stops working here immediately. It still works in other organizations that
    the person belongs to.

    Only a super_admin can revoke a key of an admin or super_admin.
    """
    await actions.revoke_member_key(call, organization, api_key_id)

"""The personal keys of an organization's members, under the eyes of its admins.

A personal key acts as its person in each of their organizations. An admin ends it in their own, and so altogether if
its person belongs to no other. Admins never see the key itself and cannot rotate it: they could act as the person.
"""

from dataclasses import replace
from uuid import UUID

import msgspec

from atrium.audit.trail import Change, Target
from atrium.keys.actions import MAX_KEYS, bar_key, revoke_key
from atrium.keys.caller import Call
from atrium.keys.model import PersonalKey
from atrium.keys.reach import ApiKeyNotFound
from atrium.kit.http.paging import FIRST, ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.kit.text.types import ActorId
from atrium.organizations import queries
from atrium.organizations.membership import require_may_assign
from atrium.organizations.reach import Organization, find_member
from atrium.people.queries import LOCK


class MemberKey(PersonalKey, frozen=True):
    """A personal key of a member, without the key itself."""

    person_id: ActorId
    person_name: str


async def list_member_keys(
    call: Call, organization: Organization, paging: Paging, person_id: UUID | None
) -> ListPage[MemberKey]:
    """Return a page of the personal keys that work for active members, or for one of them, oldest first."""
    rows = await call.db.fetch(
        queries.MEMBER_KEYS, organization.organization_id, after(paging.cursor), paging.limit + 1, person_id
    )
    page, cursor = paginate(rows, paging.limit, lambda row: row["api_key_id"])
    return as_structs(page, MemberKey), cursor


async def with_working_keys(call: Call, organization_id: UUID, person_id: UUID, change: Change) -> Change:
    """Return the change that reactivated a person with the personal keys that work again, for the audit log."""
    rows = await call.db.fetch(queries.MEMBER_KEYS, organization_id, FIRST, MAX_KEYS, person_id)
    keys = [f"{row['name']} (…{row['last_four']})" for row in rows]
    before, after = msgspec.to_builtins(change.before), msgspec.to_builtins(change.after)
    return replace(change, before={**before, "api_keys": []}, after={**after, "api_keys": keys})


async def revoke_member_key(call: Call, organization: Organization, api_key_id: UUID) -> None:
    """Revoke a personal key of an active member: it no longer works here, nor elsewhere if its person belongs to no
    other organization. Raise ApiKeyNotFound, Forbidden."""
    await call.lock(queries.LOCK, organization.organization_id)  # no role changes meanwhile
    row = await call.db.fetchrow(queries.MEMBER_KEY, organization.organization_id, api_key_id)
    if row is None:
        raise ApiKeyNotFound
    key = as_struct(row, MemberKey)
    owner = await find_member(call.db, organization.organization_id, key.person_id)
    require_may_assign(organization.role, owner.role)
    await call.db.execute(LOCK, key.person_id)  # who joins another organization does so before or after
    if await call.db.fetchval(queries.BELONGS_ELSEWHERE, organization.organization_id, key.person_id):
        await bar_key(call.db, key.api_key_id, organization.organization_id)
    else:
        await revoke_key(call.db, key.api_key_id, now=call.now)
    target = Target("personal_key", key.api_key_id, key.name)
    await call.record(Change("personal_key.revoked", target, organization.organization_id, before=key))

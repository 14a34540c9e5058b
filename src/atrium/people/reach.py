"""Fetch the caller as a person, profiles, and the organizations of a person."""

from uuid import UUID

from atrium.keys.caller import Call, Caller, require_person
from atrium.kit.http.paging import ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Connection
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.people import queries
from atrium.people.model import OwnOrganization, Profile
from atrium.permissions import Permission


async def reach_person(call: Call, permission: Permission) -> Caller:
    """Return the caller, who must be a person. Raise Forbidden for an organization key, KeyPolicyForbids for a change
    with a key that some policy does not allow: it could make another key, or a password, that goes on."""
    require_person(call.caller)
    if call.writing and not permission.ends_access:
        call.caller.require_not_barred_anywhere()
    return call.caller


async def profile_of(db: Connection, person_id: UUID) -> Profile:
    """Return the profile of a person."""
    return as_struct(await db.fetchrow(queries.PROFILE, person_id), Profile)


async def list_own_organizations(call: Call, paging: Paging) -> ListPage[OwnOrganization]:
    """Return a page of the organizations that the caller belongs to, and whose policies allow the key."""
    barred = call.caller.barred or ()
    rows = await call.db.fetch(
        queries.ORGANIZATIONS, call.caller.actor_id, after(paging.cursor), paging.limit + 1, barred
    )
    page, cursor = paginate(rows, paging.limit, lambda row: row["organization_id"])
    return as_structs(page, OwnOrganization), cursor

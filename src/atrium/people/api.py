"""`/v1/me`: what a person sees of himself."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.database import Connection
from atrium.kit.paging import after, cut
from atrium.kit.rows import as_struct, as_structs
from atrium.kit.texts import ActorId, Name, OrganizationId, Timestamp
from atrium.kit.web import Body, Content, Paging
from atrium.people import queries
from atrium.permissions import OrganizationRole


class Profile(Struct, frozen=True):
    """A person."""

    person_id: ActorId
    name: Annotated[str, Meta(examples=["Ada Lovelace"])]
    email: Annotated[str | None, Meta(examples=["ada@example.org"])]
    created_at: Timestamp


class ProfileUpdate(Body):
    """What can change of one's profile."""

    name: Name


class OwnOrganization(Struct, frozen=True):
    """An organization that the caller belongs to, and the caller's role there."""

    organization_id: OrganizationId
    name: Annotated[str, Meta(examples=["Analytical Engines"])]
    role: OrganizationRole


class OwnOrganizations(Struct, frozen=True):
    """A page of the caller's organizations."""

    organizations: list[OwnOrganization]
    next_cursor: str | None


async def read_profile(call: Call) -> Profile:
    """Read your own profile."""
    return await profile_of(call.db, call.caller.actor_id)


async def update_profile(call: Call, body: Content[ProfileUpdate]) -> Profile:
    """Change your name; what you wrote shows it from now on."""
    before = await profile_of(call.db, call.caller.actor_id)
    await call.db.execute(queries.RENAME, call.caller.actor_id, body.content.name)
    after_ = await profile_of(call.db, call.caller.actor_id)
    target = Target("person", after_.person_id, before.name)
    await call.record(Change("profile.updated", target, before=before, after=after_))
    return after_


async def profile_of(db: Connection, person_id: UUID) -> Profile:
    """The profile of a person."""
    return as_struct(await db.fetchrow(queries.PROFILE, person_id), Profile)


async def list_own_organizations(call: Call, query: Paging) -> OwnOrganizations:
    """List the organizations that you belong to, with your role in each."""
    rows = await call.db.fetch(queries.ORGANIZATIONS, call.caller.actor_id, after(query.cursor), query.limit + 1)
    page, cursor = cut(rows, query.limit, lambda row: row["organization_id"])
    return OwnOrganizations(as_structs(page, OwnOrganization), cursor)

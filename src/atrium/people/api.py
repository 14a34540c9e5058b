"""`/v1/me`: the caller's profile and organizations."""

from msgspec import Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Body, Content, Paging
from atrium.kit.text.types import Name
from atrium.people import actions, reach
from atrium.people.model import OwnOrganization, Profile


class ProfileUpdate(Body):
    """The fields of a profile to change."""

    name: Name


class OwnOrganizations(Struct, frozen=True):
    """A page of the caller's organizations."""

    organizations: list[OwnOrganization]
    next_cursor: str | None


async def read_profile(call: Call) -> Profile:
    """Read your own profile."""
    return await reach.profile_of(call.db, call.caller.actor_id)


async def update_profile(call: Call, body: Content[ProfileUpdate]) -> Profile:
    """Change your name, including on existing messages."""
    return await actions.update_profile(call, name=body.content.name)


async def list_own_organizations(call: Call, query: Paging) -> OwnOrganizations:
    """List the organizations that you belong to, with your role in each."""
    return OwnOrganizations(*await reach.list_own_organizations(call, query))

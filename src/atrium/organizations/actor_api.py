"""`/v1/organizations/{organization_id}/actors`: the names of actors by their ids."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.errors import invalid_parameter
from atrium.kit.text.types import uuid_parameter
from atrium.organizations import reach
from atrium.organizations.model import KnownActor
from atrium.organizations.reach import Organization

MAX_IDS = 100
MAX_LENGTH = MAX_IDS * 37


class ActorList(Struct, frozen=True):
    """The requested actors that belong or belonged to the organization."""

    actors: list[KnownActor]


class ActorQuery(Struct, kw_only=True):
    """The actors to look up."""

    ids: Annotated[
        str,
        Meta(
            min_length=1, max_length=MAX_LENGTH, examples=["01936f4e-8f2a-7c31-9d4b-5e6f70819203"],
            description="actor ids, separated by commas, at most 100",
        ),
    ]  # fmt: skip


async def list_actors(call: Call, organization: Organization, query: ActorQuery) -> ActorList:
    """List actors of an organization by their ids: members and integrations, former ones too, so that their messages
    can be shown with a name."""
    given = query.ids.split(",")
    if len(given) > MAX_IDS:
        raise invalid_parameter("ids", f"contains more than {MAX_IDS} ids")
    ids = [uuid_parameter("ids", each) for each in given]
    return ActorList(await reach.list_actors(call, organization, ids))

"""Who is who: the names of actors by their ids, for whoever reads what they wrote."""

from typing import Annotated

from msgspec import Meta, Struct

from atrium.keys.caller import Call
from atrium.kit.errors import invalid_parameter
from atrium.kit.texts import uuid_parameter
from atrium.organizations import reach
from atrium.organizations.model import KnownActor
from atrium.organizations.reach import Organization

MOST_IDS = 100
LONGEST = MOST_IDS * 37


class ActorList(Struct, frozen=True):
    """The actors asked for, as far as the organization knows or knew them, by id."""

    actors: list[KnownActor]


class ActorQuery(Struct, kw_only=True):
    """Whom to name."""

    ids: Annotated[
        str,
        Meta(
            min_length=1, max_length=LONGEST, examples=["01936f4e-8f2a-7c31-9d4b-5e6f70819203"],
            description="actor ids, at most a hundred, with commas between them",
        ),
    ]  # fmt: skip


async def list_actors(call: Call, organization: Organization, query: ActorQuery) -> ActorList:
    """Name actors of an organization by their ids: members and integrations, and those who were; what they wrote stays
    under their names."""
    given = query.ids.split(",")
    if len(given) > MOST_IDS:
        raise invalid_parameter("ids", f"holds more than {MOST_IDS} ids")
    asked = [uuid_parameter("ids", each) for each in given]
    return ActorList(await reach.list_actors(call, organization, asked))

"""Reading for the caller of an event stream."""

from collections.abc import Sequence
from uuid import UUID

from atrium.keys.caller import Call
from atrium.live import queries


async def find_organizations(call: Call) -> Sequence[UUID]:
    """Return the organizations of the caller."""
    return [row["organization_id"] for row in await call.db.fetch(queries.ORGANIZATIONS, call.caller.actor_id)]

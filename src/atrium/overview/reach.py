"""Read the figures of an organization."""

from atrium.keys.caller import Call
from atrium.kit.clock import to_ms
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.organizations.reach import Organization
from atrium.overview import queries
from atrium.overview.model import Counts, Day, FirstSteps, Overview

MS_PER_DAY = 86_400_000


async def read_first_steps(call: Call, organization: Organization) -> FirstSteps:
    """Return the setup steps of the organization that are done."""
    return as_struct(await call.db.fetchrow(queries.FIRST_STEPS, organization.organization_id), FirstSteps)


async def read_overview(call: Call, organization: Organization, *, days: int) -> Overview:
    """Return the present counts and the last `days` days, today included."""
    today = to_ms(call.now) // MS_PER_DAY
    counts = await call.db.fetchrow(queries.COUNTS, organization.organization_id, call.now)
    rows = await call.db.fetch(queries.DAYS, organization.organization_id, today - days + 1, today)
    return Overview(as_struct(counts, Counts), as_structs(rows, Day))

"""Check that what reads from every bucket finds all of it."""

from collections.abc import AsyncIterator

from atrium.kit.postgres.hosts import AnyConnection
from atrium.migrations.buckets import OWN_ONLY, TABLES
from atrium.operations import queries
from atrium.operations.checks import Finding, ok, warn

READ = [each for each in TABLES if each not in OWN_ONLY]
MAX_NAMES = 5


async def check_buckets(db: AnyConnection) -> AsyncIterator[Finding]:
    """Yield the number of buckets, and what connections to all of them would not find."""
    number, reads_all = await db.fetchrow(queries.BUCKETS) or (1, True)
    if number == 1:
        yield ok("buckets", "1")
        return
    if not reads_all:
        yield warn(
            "buckets", f"{number}, but the search_path of the role finds only one", "Restart Atrium: it sets it."
        )
    elif lacking := [row["name"] for row in await db.fetch(queries.LACKING_IN_VIEWS, READ)]:
        summary = f"{number}, but the views over them lack {', '.join(lacking[:MAX_NAMES])}"
        yield warn("buckets", summary, "Drop the schema every_bucket and restart Atrium: it makes the views again.")
    else:
        yield ok("buckets", str(number))

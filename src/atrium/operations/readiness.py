"""Whether this process can serve: the database answers, and has the schema of this release or a later one."""

import asyncio
from importlib.resources import files

import asyncpg

from atrium.kit.errors import Problem
from atrium.kit.postgres.database import Pool
from atrium.operations import queries

ANSWERS_WITHIN = 2.0  # seconds


class NotReady(Problem):
    """The server runs but cannot serve yet, or just now; `detail` says what is missing."""

    status = 503
    code = "not_ready"
    title = "The server is not ready"
    headers = (("retry-after", "1"),)


def newest_revision() -> str:
    """The schema's revision that this release brings."""
    scripts = (each.name for each in (files("atrium.migrations") / "versions").iterdir())
    return max(name.partition("_")[0] for name in scripts if name[:1].isdigit())


async def require_ready(pool: Pool) -> None:
    """Raises NotReady, which names what is missing and nothing else: anyone may ask."""
    try:
        async with asyncio.timeout(ANSWERS_WITHIN):
            held: str | None = await pool.fetchval(queries.REVISION)
    except asyncpg.UndefinedTableError:
        held = None
    except TimeoutError:
        raise NotReady(f"The database did not answer within {ANSWERS_WITHIN:g} seconds.") from None
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        raise NotReady("The database cannot be reached.") from None
    needed = newest_revision()
    if held is None or held < needed:  # a later release may have brought it further already
        raise NotReady(f"The database is at revision {held or 'none'} of the schema; this release needs {needed}.")

"""Let a second request run while a first one has changed everything, and has not committed yet."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from tests.conftest import Api

# Requests that wait for a table, or for the rows of such a request.
WAITING = """
select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())
or not granted and locktype = 'transactionid'
"""


@asynccontextmanager
async def before_it_commits(
    api: Api, work: Callable[[], Any]
) -> AsyncIterator[Callable[[Awaitable[Any]], Awaitable[Any]]]:
    """Run `work` until its entry in the audit log, which waits, and yield a function that waits for something else until
    that waits too, lets both go on, and returns the result of the latter."""
    db = await asyncpg.connect(api.settings.database_url)
    locking = db.transaction()
    await locking.start()
    await db.execute("lock table audit_entries in exclusive mode")

    async def until_waiting(number: int, task: "asyncio.Task[Any]") -> None:
        while len(await db.fetch(WAITING)) < number and not task.done():
            await asyncio.sleep(0.01)

    async def then(other: Awaitable[Any]) -> Any:
        second = asyncio.ensure_future(other)
        await until_waiting(2, second)
        await locking.rollback()
        await first
        return await second

    first = asyncio.create_task(asyncio.to_thread(work))
    try:
        await until_waiting(1, first)
        yield then
    finally:
        await db.close()
        await asyncio.gather(first, return_exceptions=True)

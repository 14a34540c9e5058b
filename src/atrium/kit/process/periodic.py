"""Run periodic tasks."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from atrium.kit.postgres.database import is_connection_error

log = structlog.get_logger()


async def run_every(seconds: float, task: Callable[[], Awaitable[None]], *, delay: float = 0.0) -> None:
    """Run a task, first after `delay` seconds, then `seconds` after each run. Log its errors and continue."""
    await asyncio.sleep(delay)
    while True:
        try:
            await task()
        except Exception as error:
            log.log(
                30 if is_connection_error(error) else 40,
                "a periodic task failed and will be retried",
                error=repr(error),
            )
        await asyncio.sleep(seconds)

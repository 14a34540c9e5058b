"""Run chores at intervals."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from atrium.kit.postgres.database import is_lost

log = structlog.get_logger()


async def run_every(seconds: float, chore: Callable[[], Awaitable[None]], *, delay: float = 0.0) -> None:
    """Run a chore, first after `delay` seconds, then `seconds` after each run. Log its errors and go on."""
    await asyncio.sleep(delay)
    while True:
        try:
            await chore()
        except Exception as error:
            log.log(30 if is_lost(error) else 40, "a chore failed and will be tried again", error=repr(error))
        await asyncio.sleep(seconds)

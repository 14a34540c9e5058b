"""What a process does again and again beside its work."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from atrium.kit.postgres.database import is_lost

log = structlog.get_logger()


async def run_every(seconds: float, chore: Callable[[], Awaitable[None]], *, delay: float = 0.0) -> None:
    """Run a chore every so many seconds, the first time after `delay` seconds. One that fails is tried again."""
    await asyncio.sleep(delay)
    while True:
        try:
            await chore()
        except Exception as error:
            log.log(30 if is_lost(error) else 40, "a chore failed and will be tried again", error=repr(error))
        await asyncio.sleep(seconds)

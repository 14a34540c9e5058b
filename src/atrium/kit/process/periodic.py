"""Run periodic tasks."""

import asyncio
from collections.abc import Awaitable, Callable

from atrium.kit.process.failures import log_failure


async def run_every(seconds: float, task: Callable[[], Awaitable[object]], *, delay: float = 0.0) -> None:
    """Run a task, first after `delay` seconds, then `seconds` after each run. Log its errors and continue."""
    await asyncio.sleep(delay)
    while True:
        try:
            await task()
        except Exception as error:
            log_failure("a periodic task failed and will be retried", error)
        await asyncio.sleep(seconds)

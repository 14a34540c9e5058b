"""Wait for the worker."""

import asyncio
from collections.abc import Callable


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)

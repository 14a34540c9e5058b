"""Import modules that are slow to import and rarely used, with the first request that needs them."""

import asyncio
import gc
from collections.abc import Iterable
from importlib import import_module
from typing import Any


class Deferred:
    """A module that is imported when one of its attributes is first read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


_IMPORTED: set[str] = set()
_lock = asyncio.Lock()


async def import_in_thread(names: Iterable[str]) -> None:
    """Import modules in a thread. Requests that need them wait; other requests do not."""
    for name in names:
        if name not in _IMPORTED:
            async with _lock:
                if name not in _IMPORTED:
                    await asyncio.to_thread(import_module, name)
                    gc.freeze()  # exclude the modules from garbage collection, as at startup
                    _IMPORTED.add(name)

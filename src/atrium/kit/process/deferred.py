"""Modules that take long to import and that many installations never use: imported with the first request for them."""

import asyncio
import gc
from collections.abc import Iterable
from importlib import import_module
from typing import Any


class Deferred:
    """A module by its name, imported when it is first asked for something."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


_THERE: set[str] = set()
_one_at_a_time = asyncio.Lock()


async def import_beside(names: Iterable[str]) -> None:
    """Import what is not there yet, in a thread: other requests are answered meanwhile, and those for it wait."""
    for name in names:
        if name not in _THERE:
            async with _one_at_a_time:
                if name not in _THERE:
                    await asyncio.to_thread(import_module, name)
                    gc.freeze()  # like all that is imported at the start, it stays
                    _THERE.add(name)

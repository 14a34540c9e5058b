"""The newest pages of rooms, cached in the process.

A cached page is returned only after the statement that checked the caller's key and access has confirmed, in the same
snapshot, that the room still has the version at which the page was read: see page_queries.py.
"""

from collections import OrderedDict
from typing import NamedTuple, TypeAlias
from uuid import UUID

MAX_BYTES = 32 << 20  # of pages, per process
OVERHEAD = 600  # bytes that an entry takes in addition to its body
Key: TypeAlias = tuple[UUID, int, bool]  # room, page size, top level only


class CachedPage(NamedTuple):
    """A rendered page and the version of its room at which it was read."""

    version: str
    body: bytes


class PageCache:
    """The most recently requested pages, up to `max_bytes`."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes, self._bytes = max_bytes, 0
        self._pages: OrderedDict[Key, CachedPage] = OrderedDict()

    def get(self, key: Key) -> CachedPage | None:
        """Return the page cached under this key. Only the database knows whether it is still current."""
        page = self._pages.get(key)
        if page is not None:
            self._pages.move_to_end(key)
        return page

    def put(self, key: Key, page: CachedPage) -> None:
        """Cache this page in place of an older one and evict the least recently used pages.

        A page that would evict many others is not cached.
        """
        if (old := self._pages.pop(key, None)) is not None:
            self._bytes -= _bytes(old)
        if _bytes(page) > self._max_bytes // 8:
            return
        self._pages[key] = page
        self._bytes += _bytes(page)
        while self._bytes > self._max_bytes:
            self._bytes -= _bytes(self._pages.popitem(last=False)[1])


def _bytes(page: CachedPage) -> int:
    return OVERHEAD + len(page.body)

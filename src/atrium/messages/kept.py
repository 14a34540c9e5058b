"""Rooms' newest pages, kept by a process for those who ask again.

A page here is only ever given out after the statement that checked the caller's key and reach has said, of the same
moment, that its version holds still: see page_queries.py.
"""

from collections import OrderedDict
from typing import NamedTuple, TypeAlias
from uuid import UUID

MOST = 32 << 20  # bytes of pages, a process
EACH = 600  # bytes that keeping a page costs beside its body
Key: TypeAlias = tuple[UUID, int, bool]  # room, page size, top level only


class Page(NamedTuple):
    """A finished page, and the version of its room that it was read at."""

    version: str
    body: bytes


class KeptPages:
    """The pages asked for last, as many as `most` bytes hold."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._size = most, 0
        self._pages: OrderedDict[Key, Page] = OrderedDict()

    def find(self, key: Key) -> Page | None:
        """The page kept under this key; whether it holds still is for the database to say."""
        page = self._pages.get(key)
        if page is not None:
            self._pages.move_to_end(key)
        return page

    def keep(self, key: Key, page: Page) -> None:
        """Keep this page instead of an older one, and let go of those that nobody has asked for longest.

        One that would push many others out is not kept.
        """
        if (old := self._pages.pop(key, None)) is not None:
            self._size -= _size(old)
        if _size(page) > self._most // 8:
            return
        self._pages[key] = page
        self._size += _size(page)
        while self._size > self._most:
            self._size -= _size(self._pages.popitem(last=False)[1])


def _size(page: Page) -> int:
    return EACH + len(page.body)

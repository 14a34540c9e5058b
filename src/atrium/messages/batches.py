"""Batching of the most frequent requests: each kind has its own queue, and one statement processes a batch. The newest
pages of rooms are cached."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, TypeVar
from uuid import UUID

from atrium.keys.uses import KeyUses
from atrium.kit.clock import Clock, to_ms
from atrium.kit.http.request_context import set_caller
from atrium.kit.postgres.batching import Batcher, ResultRow, Run, by_statement
from atrium.kit.postgres.database import Connection, Pool
from atrium.kit.postgres.replicas import Replicas
from atrium.kit.settings import Settings
from atrium.messages import page_queries, queries
from atrium.messages.requests import (
    PAGE_TOO_LARGE,
    UNCHANGED,
    NotAThreadRoot,
    PageRequest,
    Result,
    SendRequest,
    SendWithAttachmentsRequest,
    ThreadPageRequest,
)
from atrium.messages.sending import send_with_attachments

MAX_CACHED_BYTES = 32 << 20  # of pages, per process
OVERHEAD = 600  # bytes that an entry takes in addition to its body
PageKey: TypeAlias = tuple[UUID, int, bool]  # room, page size, top level only
AnyRequest = TypeVar("AnyRequest", PageRequest, ThreadPageRequest, SendRequest, SendWithAttachmentsRequest)
AnyPageRequest = TypeVar("AnyPageRequest", PageRequest, ThreadPageRequest)


class MessageBatches:
    """Processes pages of rooms, with and without replies, pages of threads, and sends, each kind in batches."""

    def __init__(self, pool: Pool, replicas: Replicas | None, settings: Settings, clock: Clock, uses: KeyUses) -> None:
        def now() -> tuple[int]:
            return (to_ms(clock()),)

        def now_and_window() -> tuple[int, int]:
            return to_ms(clock()), settings.window_ms

        self._uses, self._page_cache = uses, PageCache()
        size, concurrent = settings.batch_size, _max_concurrent_batches(settings)
        limits = {"max_batch_size": size, "max_concurrent_batches": concurrent}
        room = by_statement(page_queries.PAGE_OF_ROOM, now_and_window)
        top_level = by_statement(page_queries.PAGE_OF_TOP_LEVEL, now_and_window)
        thread, send = by_statement(page_queries.PAGE_OF_THREAD, now), by_statement(queries.SEND, now)
        if replicas is not None:
            room, top_level, thread = map(replicas.reading, (room, top_level, thread))
        self._pages = Batcher[PageRequest]("room", pool, room, **limits)
        self._top_levels = Batcher[PageRequest]("top_level", pool, top_level, **limits)
        self._threads = Batcher[ThreadPageRequest]("thread", pool, thread, **limits)
        send_size = 2 * size if size > 1 else 1  # twice as many, because each batch waits for the disk once
        self._sends = Batcher[SendRequest]("send", pool, send, **limits | {"max_batch_size": send_size})
        self._sends_with_attachments = Batcher[SendWithAttachmentsRequest](
            "send_with_attachments", pool, _one_with_attachments(clock), **limits | {"max_batch_size": 1}
        )

    async def page_of_room(self, request: PageRequest, *, top_level: bool) -> bytes:
        """Return a Room message list as JSON. Raise Unauthenticated, RoomNotFound."""
        key, is_newest = (request.room_id, request.size, top_level), request.cursor_ms is None
        cached = self._page_cache.get(key) if is_newest else None
        if cached:
            request = request._replace(known_version=cached.version)
        result = await self._page(self._top_levels if top_level else self._pages, request)
        if cached and result.outcome == UNCHANGED:
            return cached.body
        body = result.require_body()
        if is_newest:
            self._page_cache.put(key, CachedPage(result.version, body))
        return body

    async def page_of_thread(self, request: ThreadPageRequest) -> bytes:
        """Return a Thread message list as JSON. Raise Unauthenticated, RoomNotFound, MessageNotFound,
        NotAThreadRoot."""
        result = await self._page(self._threads, request)
        if result.outcome == NotAThreadRoot.code:
            root = str(result.root_id)
            raise NotAThreadRoot(
                f"This message is a reply. Request the thread of its root message {root}.", thread_root_id=root
            )
        return result.require_body()

    async def send(self, request: SendRequest, attachment_ids: Sequence[UUID] = ()) -> bytes:
        """Return the message as JSON, sent now or earlier with the same Idempotency-Key. Raise Unauthenticated,
        RoomNotFound, Forbidden, RoomArchived, MessageNotFound, AttachmentUnusable, IdempotencyMismatch."""
        if attachment_ids:
            with_attachments = SendWithAttachmentsRequest(request, attachment_ids)
            return (await self._result(self._sends_with_attachments, with_attachments)).require_body()
        return (await self._result(self._sends, request)).require_body()

    async def _page(self, batcher: Batcher[AnyPageRequest], request: AnyPageRequest) -> Result:
        """Return a page with fewer messages than requested if they are large. One message is never too large."""
        while (result := await self._result(batcher, request)).outcome == PAGE_TOO_LARGE:
            request = request._replace(size=request.size // 2)
        return result

    async def _result(self, batcher: Batcher[AnyRequest], request: AnyRequest) -> Result:
        result = Result(*await batcher.run(request))
        if result.api_key_id is not None:
            self._uses.record(result.api_key_id)
            set_caller(result.api_key_id)
        return result


def _one_with_attachments(clock: Clock) -> Run[SendWithAttachmentsRequest]:
    async def run(connection: Connection, batch: Sequence[SendWithAttachmentsRequest]) -> list[ResultRow]:
        [(request, attachment_ids)] = batch
        return [await send_with_attachments(connection, request, attachment_ids, clock())]

    return run


def _max_concurrent_batches(settings: Settings) -> int:
    """Return how many statements of a kind run at the same time: enough that the database never waits for them."""
    if settings.batch_size == 1:
        return settings.connections // 3
    return 1 if settings.workers > 1 else 2


class CachedPage(NamedTuple):
    """A rendered page and the version of its room at which it was read."""

    version: str
    body: bytes


class PageCache:
    """The newest pages of rooms, cached in the process: the most recently requested ones, up to `max_bytes`.

    A cached page is returned only after the statement that checked the caller's key and access has confirmed, in the
    same snapshot, that the room still has the version at which the page was read: see page_queries.py.
    """

    def __init__(self, max_bytes: int = MAX_CACHED_BYTES) -> None:
        self._max_bytes, self._bytes = max_bytes, 0
        self._pages: OrderedDict[PageKey, CachedPage] = OrderedDict()

    def get(self, key: PageKey) -> CachedPage | None:
        """Return the page cached under this key. Only the database knows whether it is still current."""
        page = self._pages.get(key)
        if page is not None:
            self._pages.move_to_end(key)
        return page

    def put(self, key: PageKey, page: CachedPage) -> None:
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

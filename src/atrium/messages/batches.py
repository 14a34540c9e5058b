"""The three hot requests of a process: each kind waits in its own queue and is answered by one statement a batch."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias, TypeVar, cast
from uuid import UUID

import msgspec
from msgspec import Struct

from atrium.attachments.model import AttachmentUnusable
from atrium.keys.last_used import KeyUses
from atrium.kit.asked import note_caller
from atrium.kit.batching import Answer, Batcher, Run, by_statement
from atrium.kit.clock import Clock, to_ms
from atrium.kit.database import IN_THE_WAY, Connection, Pool, Record, is_lost
from atrium.kit.errors import Forbidden, Problem, Unauthenticated, Unavailable
from atrium.kit.idempotency import IdempotencyMismatch
from atrium.kit.settings import Settings
from atrium.messages import page_queries, queries
from atrium.messages.actions import MessageNotFound
from atrium.messages.cursors import NOWHERE, Cursor
from atrium.messages.kept import KeptPages, Page
from atrium.rooms.reach import RoomArchived, RoomNotFound

# The columns of each statement, in order; see the `ask` of each.
RoomAsk: TypeAlias = tuple[bytes, UUID, int | None, UUID | None, int, str | None]
ThreadAsk: TypeAlias = tuple[bytes, UUID, UUID, UUID | None, int]
Said: TypeAlias = tuple[bytes, UUID, str, str, str, UUID | None, str | None, bytes | None]
SendAsk: TypeAlias = tuple[*Said, str | None]
SendWithFilesAsk: TypeAlias = tuple[*Said, Sequence[UUID]]
Ask = TypeVar("Ask", RoomAsk, ThreadAsk, SendAsk, SendWithFilesAsk)


class Answered(NamedTuple):
    """What each of the statements says of one ask."""

    api_key_id: UUID | None
    refusal: str | None
    root_id: UUID | None
    body: bytes
    version: str = ""  # of a page of a room


class _Sent(Struct):
    message_id: UUID


REPLAYED, UNCHANGED, PAGE_TOO_LARGE = "replayed", "unchanged", "page_too_large"
NOTHING, NO_ATTACHMENTS = "{}", "[]"  # an empty array, as PostgreSQL and as JSON has it


class NotAThreadRoot(Problem):
    """The parent is itself a reply; `thread_root_id` names the top-level message of its thread."""

    status = 400
    code = "not_a_thread_root"
    title = "This message is a reply, not the root of a thread"


REFUSALS: dict[str, type[Problem]] = {
    "unauthenticated": Unauthenticated,
    "room_not_found": RoomNotFound,
    "message_not_found": MessageNotFound,
    "forbidden": Forbidden,
    "room_archived": RoomArchived,
    "attachment_unusable": AttachmentUnusable,
    "idempotency_mismatch": IdempotencyMismatch,
}


class MessageBatches:
    """Room pages, thread pages and sends, each answered by its statement together with those that wait beside it."""

    def __init__(self, pool: Pool, settings: Settings, clock: Clock, uses: KeyUses) -> None:
        def now() -> tuple[int]:
            return (to_ms(clock()),)

        def now_and_window() -> tuple[int, int]:
            return to_ms(clock()), settings.window_ms

        width, lanes = settings.batch_size, _lanes(settings)
        self._uses, self._kept = uses, KeptPages()
        room, top_level = (
            by_statement(page, now_and_window) for page in (page_queries.PAGE_OF_ROOM, page_queries.PAGE_OF_TOP_LEVEL)
        )
        thread, send = by_statement(page_queries.PAGE_OF_THREAD, now), by_statement(queries.SEND, now)
        self._pages = Batcher[RoomAsk](pool, room, width=width, lanes=lanes)
        self._top_levels = Batcher[RoomAsk](pool, top_level, width=width, lanes=lanes)
        self._threads = Batcher[ThreadAsk](pool, thread, width=width, lanes=lanes)
        # Twice as many: each batch waits for the disk once.
        self._sends = Batcher[SendAsk](pool, send, width=2 * width if width > 1 else 1, lanes=lanes)
        self._sends_with_files = Batcher[SendWithFilesAsk](pool, _with_files(now), width=1, lanes=lanes)

    def sizes(self) -> dict[str, list[int]]:
        """How many batches of each size there were, by their statement."""
        return {
            "room": self._pages.sizes, "top_level": self._top_levels.sizes, "thread": self._threads.sizes,
            "send": self._sends.sizes,
        }  # fmt: skip

    async def page_of_room(
        self, key_hash: bytes, room_id: UUID, cursor: Cursor, size: int, *, top_level: bool
    ) -> bytes:
        """A Room message list. Raises Unauthenticated, RoomNotFound."""
        key, is_newest = (room_id, size, top_level), cursor == NOWHERE
        kept = self._kept.find(key) if is_newest else None
        batcher, version = self._top_levels if top_level else self._pages, kept.version if kept else None
        answer = await self._bounded(batcher, lambda most: (key_hash, room_id, *cursor, most, version), size)
        if kept and answer.refusal == UNCHANGED:
            return kept.body
        body = _body(answer)
        if is_newest:
            self._kept.keep(key, Page(answer.version, body))
        return body

    async def page_of_thread(self, ask: ThreadAsk) -> bytes:
        """A Thread message list. Raises Unauthenticated, RoomNotFound, MessageNotFound, NotAThreadRoot."""
        answer = await self._bounded(self._threads, lambda most: (*ask[:-1], most), ask[-1])
        if answer.refusal == NotAThreadRoot.code:
            root = str(answer.root_id)
            raise NotAThreadRoot(f"Ask for the thread of {root}, its top-level message.", thread_root_id=root)
        return _body(answer)

    async def send(self, said: Said, attachments: Sequence[UUID] = ()) -> bytes:
        """The message sent, now or before under this Idempotency-Key. Raises Unauthenticated, RoomNotFound, Forbidden,
        RoomArchived, MessageNotFound, AttachmentUnusable, IdempotencyMismatch."""
        if attachments:
            return _body(await self._answered(self._sends_with_files, (*said, attachments)))
        return _body(await self._answered(self._sends, (*said, NO_ATTACHMENTS)))

    async def _bounded(self, batcher: Batcher[Ask], ask: Callable[[int], Ask], size: int) -> Answered:
        """A page of at most so many messages; of fewer where they are large. One message is never too large."""
        while (answer := await self._answered(batcher, ask(size))).refusal == PAGE_TOO_LARGE:
            size = size // 2
        return answer

    async def _answered(self, batcher: Batcher[Ask], ask: Ask) -> Answered:
        try:
            answer = Answered(*await batcher.answer(ask))
        except Exception as error:
            if is_lost(error) or isinstance(error, IN_THE_WAY):
                raise Unavailable from error
            raise
        if answer.api_key_id is not None:
            self._uses.note(answer.api_key_id)
            note_caller(answer.api_key_id)
        return answer


def _body(answer: Answered) -> bytes:
    if answer.refusal is not None and answer.refusal != REPLAYED:
        raise REFUSALS[answer.refusal]
    return answer.body


def _with_files(now: Callable[[], tuple[int]]) -> Run[SendWithFilesAsk]:
    """Around the statement of the others, which so need not look for attachments; a transaction for each send."""

    async def run(connection: Connection, batch: Sequence[SendWithFilesAsk]) -> list[Answer]:
        ((*said, attachments),) = batch
        key_hash, room_id, *_ = said
        async with connection.transaction():
            held = await connection.fetchval(queries.HOLD_ATTACHMENTS, key_hash, room_id, attachments, *now())
            row = await connection.fetchrow(queries.SEND, *([each] for each in (*said, held)), *now())
            answer = Answered(*(column[0] for column in cast("Record", row).values()))
            if answer.refusal is None:
                sent = msgspec.json.decode(answer.body, type=_Sent)
                await connection.execute(queries.USE_ATTACHMENTS, room_id, attachments, sent.message_id)
            return [answer]

    return run


def _lanes(settings: Settings) -> int:
    """How many statements of a kind a process has under way: enough that the database never waits for it."""
    if settings.batch_size == 1:
        return settings.connections // 3
    return 1 if settings.workers > 1 else 2

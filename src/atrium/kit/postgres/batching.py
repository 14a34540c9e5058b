"""Natural batching: requests that wait while a connection is busy are answered together, in one transaction.

Idle, a batch is one request and nothing waits for a timer; busy, a round trip serves up to `width` requests.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

import asyncpg

from atrium.kit.postgres.database import Connection, Pool, Record, is_broken, is_lost

TRIES = 3
Ask = TypeVar("Ask", bound=tuple[object, ...])
Answer: TypeAlias = tuple[Any, ...]
Run: TypeAlias = Callable[[Connection, Sequence[Ask]], Awaitable[Iterable[Answer]]]


class _Waiting(NamedTuple, Generic[Ask]):
    ask: Ask
    answer: "asyncio.Future[Answer]"


async def run_statement(
    connection: Connection, statement: str, batch: Sequence[tuple[object, ...]], *tail: object
) -> Iterable[Answer]:
    """Run a statement that takes an array for each column of the batch, then `tail`, and returns one row: an array for
    each column of the answers."""
    columns = [list(column) for column in zip(*batch, strict=True)]
    row = await connection.fetchrow(statement, *columns, *tail)
    return zip(*cast("Record", row).values(), strict=True)


def by_statement(statement: str, tail: Callable[[], Sequence[object]] = tuple) -> Run[tuple[object, ...]]:
    """Return a runner that answers each batch by one statement.

    `tail` returns the parameters after the arrays, which are the same for the whole batch, such as the time.
    """

    def run(connection: Connection, batch: Sequence[tuple[object, ...]]) -> Awaitable[Iterable[Answer]]:
        return run_statement(connection, statement, batch, *tail())

    return run


class Batcher(Generic[Ask]):
    """Answers asks by `run`, which is given a batch of them and gives their answers, in order and in one transaction.

    An answer is a tuple, a value a column.
    """

    def __init__(self, pool: Pool, run: Run[Ask], *, width: int, lanes: int) -> None:
        self._pool, self._answers = pool, run
        self._width, self._idle_lanes = width, lanes
        self.sizes = [0] * (width + 1)  # how many batches there were of each size
        self._queue: deque[_Waiting[Ask]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    async def answer(self, ask: Ask) -> Answer:
        """The answer to one ask. Raises what the database raised for this ask, and only for this."""
        waiting = _Waiting(ask, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        if self._idle_lanes:
            self._idle_lanes -= 1
            task = asyncio.create_task(self._lane())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await waiting.answer

    async def _lane(self) -> None:
        try:
            while self._queue:
                async with self._pool.acquire() as connection:
                    while self._queue and not is_broken(connection):
                        count = min(self._width, len(self._queue))
                        self.sizes[count] += 1
                        await self._run(connection, [self._queue.popleft() for _ in range(count)])
        except Exception as error:  # no connection to be had: everyone who waits is told
            _fail(self._queue, error)
            self._queue.clear()
        finally:
            self._idle_lanes += 1

    async def _run(self, connection: Connection, batch: Sequence[_Waiting[Ask]], *, tries: int = TRIES) -> None:
        try:
            answers = await self._answers(connection, [waiting.ask for waiting in batch])
        except Exception as error:
            # On an open connection nothing of a refused statement holds: each ask runs alone and fails alone.
            # On a lost one, or after a timeout, nobody knows what was done, so nothing is run again.
            if is_broken(connection) or is_lost(error):
                return _fail(batch, error)
            # Another transaction has just committed the same unique value: run again, the statement sees it.
            collided = isinstance(error, asyncpg.UniqueViolationError) and tries > 0
            if len(batch) == 1 and not collided:
                return _fail(batch, error)
            for waiting in batch:
                await self._run(connection, [waiting], tries=tries - 1)
            return None
        for waiting, answer in zip(batch, answers, strict=True):
            if not waiting.answer.done():
                waiting.answer.set_result(answer)
        return None


def _fail(batch: Iterable[_Waiting[Ask]], error: Exception) -> None:
    for waiting in batch:
        if not waiting.answer.done():
            waiting.answer.set_exception(error)

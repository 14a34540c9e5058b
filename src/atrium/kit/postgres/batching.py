"""Natural batching: requests that wait while a connection is busy are processed together, in one transaction.

On an idle server a batch is one request, and nothing waits for a timer; on a busy one, a round trip serves up to
`max_batch_size` requests.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

import asyncpg

from atrium.kit.metrics import BATCHES
from atrium.kit.postgres.database import Connection, Pool, Record, is_connection_error, is_partition_new, is_unusable

MAX_ATTEMPTS = 3
Parameters = TypeVar("Parameters", bound=tuple[object, ...])
ResultRow: TypeAlias = tuple[Any, ...]
Run: TypeAlias = Callable[[Connection, Sequence[Parameters]], Awaitable[Iterable[ResultRow]]]


class _Waiting(NamedTuple, Generic[Parameters]):
    parameters: Parameters
    result: "asyncio.Future[ResultRow]"


async def run_statement(
    connection: Connection, statement: str, batch: Sequence[tuple[object, ...]], *shared_parameters: object
) -> Iterable[ResultRow]:
    """Run a statement that takes an array per column of the batch, then `shared_parameters`, and returns one row of
    arrays, one per column of the results."""
    columns = [list(column) for column in zip(*batch, strict=True)]
    row = await connection.fetchrow(statement, *columns, *shared_parameters)
    return zip(*cast("Record", row).values(), strict=True)


def by_statement(statement: str, shared_parameters: Callable[[], Sequence[object]] = tuple) -> Run[tuple[object, ...]]:
    """Return a function that runs one statement per batch.

    `shared_parameters` returns the parameters after the arrays, which are the same for the batch, such as the time.
    """

    def run(connection: Connection, batch: Sequence[tuple[object, ...]]) -> Awaitable[Iterable[ResultRow]]:
        return run_statement(connection, statement, batch, *shared_parameters())

    return run


class Batcher(Generic[Parameters]):
    """Runs requests in batches: `run` takes the parameters of a batch and returns the results, in the same order.

    Parameters and results are tuples, with a value per column. `name` is the label of the batches' sizes.
    """

    def __init__(
        self, name: str, pool: Pool, run: Run[Parameters], *, max_batch_size: int, max_concurrent_batches: int
    ) -> None:
        self._pool, self._run_batch, self._sizes = pool, run, BATCHES.labels(name)
        self._max_batch_size, self._free_runners = max_batch_size, max_concurrent_batches
        self._queue: deque[_Waiting[Parameters]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, parameters: Parameters) -> ResultRow:
        """Return the result of one request. Raise the database's error for this request only."""
        waiting = _Waiting(parameters, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        if self._free_runners:
            self._free_runners -= 1
            task = asyncio.create_task(self._run_queue())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await waiting.result

    async def _run_queue(self) -> None:
        try:
            while self._queue:
                async with self._pool.acquire() as connection:
                    while self._queue and not is_unusable(connection):
                        count = min(self._max_batch_size, len(self._queue))
                        self._sizes.observe(count)
                        await self._run(connection, [self._queue.popleft() for _ in range(count)])
        except Exception as error:  # there is no connection: all waiting requests fail
            _fail(self._queue, error)
            self._queue.clear()
        finally:
            self._free_runners += 1

    async def _run(
        self, connection: Connection, batch: Sequence[_Waiting[Parameters]], *, tries: int = MAX_ATTEMPTS
    ) -> None:
        try:
            results = await self._run_batch(connection, [waiting.parameters for waiting in batch])
        except Exception as error:
            # On a healthy connection a failed statement changed nothing: its requests run one by one, and fail alone.
            # On a broken one, or after a timeout, the statement may have taken effect, so it is not retried.
            if is_unusable(connection) or is_connection_error(error):
                return _fail(batch, error)
            # Another transaction has just committed the same unique value, or a partition. The next run sees it.
            is_overtaken = isinstance(error, asyncpg.UniqueViolationError) or is_partition_new(error)
            if len(batch) == 1 and not (is_overtaken and tries > 0):
                return _fail(batch, error)
            for waiting in batch:
                await self._run(connection, [waiting], tries=tries - 1)
            return None
        for waiting, result in zip(batch, results, strict=True):
            if not waiting.result.done():
                waiting.result.set_result(result)
        return None


def _fail(batch: Iterable[_Waiting[Parameters]], error: Exception) -> None:
    for waiting in batch:
        if not waiting.result.done():
            waiting.result.set_exception(error)

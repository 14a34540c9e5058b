"""The ground that deliveries are measured on: webhooks that are answered, others that hang, others of ill will."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

import psycopg

from bench.ground import Database, serving
from bench.outbox import Outbox, Receiver, new_hooks, receiving, receiving_with_ill_will
from bench.seed import Plan, fill, present, settle
from bench.subjects import SEND_ROOMS, STEP

HEALTHY, HANGING, HOSTILE = 90, 10, 50


@dataclass(frozen=True)
class Ground:
    """What is up: the server, the receiver, webhooks of each kind, and one for a space."""

    url: str
    outbox: Outbox
    receiver: Receiver
    healthy: Sequence[str]
    hanging: Sequence[str]
    hostile: Sequence[str]
    of_space: str
    rooms: Sequence[Any]


@contextmanager
def prepared(database: Database, workers: int) -> Iterator[Ground]:
    """A server on a fresh database, rooms to send to, a receiver, and webhooks."""
    rooms = fill(database, Plan(SEND_ROOMS + 1, 10, STEP, present()))
    settle(database, rooms)
    with ExitStack() as stack:
        url = stack.enter_context(serving(database, workers=str(workers)))
        receiver, ill = stack.enter_context(receiving()), stack.enter_context(receiving_with_ill_will(HOSTILE))
        db = stack.enter_context(psycopg.connect(database.url, autocommit=True))
        outbox = Outbox(db, database, str(rooms[-1]))
        endpoints = [f"{receiver.url}/{nr}" for nr in range(HEALTHY + 1)]
        hooks = iter(new_hooks(url, outbox, [*endpoints, *(f"{receiver.hanging}/{nr}" for nr in range(HANGING)), *ill]))
        healthy, of_space = list(islice(hooks, HEALTHY)), next(hooks)
        hanging, hostile = list(islice(hooks, HANGING)), list(hooks)
        yield Ground(url, outbox, receiver, healthy, hanging, hostile, of_space, rooms[:-1])

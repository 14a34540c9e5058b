"""The environment for measuring deliveries: webhooks whose endpoints answer, hang or are hostile."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

import psycopg

from bench.environment import Database, running_server
from bench.outbox import Outbox, Receiver, hostile_receivers, new_hooks, running_receiver
from bench.seed import Plan, end_of_history, fill, finish_seeding
from bench.subjects import SEND_ROOMS, STEP

HEALTHY, HANGING, HOSTILE = 90, 10, 50


@dataclass(frozen=True)
class DeliveryEnvironment:
    """The running server and receiver, the webhooks of each kind, and one for a space."""

    url: str
    outbox: Outbox
    receiver: Receiver
    healthy: Sequence[str]
    hanging: Sequence[str]
    hostile: Sequence[str]
    of_space: str
    rooms: Sequence[Any]


@contextmanager
def delivery_environment(database: Database, workers: int) -> Iterator[DeliveryEnvironment]:
    """Start a server on a fresh database and a receiver, and create rooms and webhooks."""
    rooms = fill(database, Plan(SEND_ROOMS + 1, 10, STEP, end_of_history()))
    finish_seeding(database, rooms)
    with ExitStack() as stack:
        url = stack.enter_context(running_server(database, workers=str(workers)))
        receiver, hostile_urls = (
            stack.enter_context(running_receiver()),
            stack.enter_context(hostile_receivers(HOSTILE)),
        )
        db = stack.enter_context(psycopg.connect(database.url, autocommit=True))
        outbox = Outbox(db, database, str(rooms[-1]))
        endpoints = [f"{receiver.url}/{nr}" for nr in range(HEALTHY + 1)]
        hooks = iter(
            new_hooks(url, outbox, [*endpoints, *(f"{receiver.hanging}/{nr}" for nr in range(HANGING)), *hostile_urls])
        )
        healthy, of_space = list(islice(hooks, HEALTHY)), next(hooks)
        hanging, hostile = list(islice(hooks, HANGING)), list(hooks)
        yield DeliveryEnvironment(url, outbox, receiver, healthy, hanging, hostile, of_space, rooms[:-1])

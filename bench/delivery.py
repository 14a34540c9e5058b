"""Deliveries: how many a second, how soon, and whether endpoints that hang are felt by those that do not."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import psycopg

from bench.ground import Database, serving
from bench.load import BenchError, Measured, measure
from bench.outbox import Outbox, Receiver, new_hooks, receiving
from bench.seed import Plan, fill, present, settle
from bench.subjects import SEND_ROOMS, STEP, sends

HEALTHY, HANGING = 90, 10
GROUP = (HEALTHY + HANGING) // HANGING  # webhooks that an event is for: the last of each group hangs
HUNG_WITHIN = 16.0  # seconds until an attempt that hangs has ended
AT_ONCE = 16  # attempts of a webhook, the worker's cap
SLICES = 8
WATCHED = 6.0  # seconds; the hanging ones are paused when their first attempts end


@dataclass(frozen=True)
class Amounts:
    """How much is measured."""

    rounds: int
    seconds: int
    delivered: int
    backlog: int
    healthy_rounds: int


QUICK = Amounts(rounds=3, seconds=2, delivered=3_000, backlog=10_000, healthy_rounds=2)
WHOLE = Amounts(rounds=7, seconds=3, delivered=6_000, backlog=100_000, healthy_rounds=5)


@dataclass(frozen=True)
class Ground:
    """What is up: the server, the receiver, webhooks that are answered, others that hang, and one for a space."""

    url: str
    outbox: Outbox
    receiver: Receiver
    healthy: Sequence[str]
    hanging: Sequence[str]
    of_space: str
    rooms: Sequence[Any]


@contextmanager
def prepared(database: Database, workers: int) -> Iterator[Ground]:
    """A server on a fresh database, rooms to send to, a receiver, and webhooks."""
    rooms = fill(database, Plan(SEND_ROOMS + 1, 10, STEP, present()))
    settle(database, rooms)
    with ExitStack() as stack:
        url = stack.enter_context(serving(database, workers=str(workers)))
        receiver = stack.enter_context(receiving())
        db = stack.enter_context(psycopg.connect(database.url, autocommit=True))
        outbox = Outbox(db, database, str(rooms[-1]))
        endpoints = [f"{receiver.url}/{nr}" for nr in range(HEALTHY + 1)]
        hooks = new_hooks(url, outbox, endpoints + [f"{receiver.hanging}/{nr}" for nr in range(HANGING)])
        healthy, of_space, hanging = hooks[:HEALTHY], hooks[HEALTHY], hooks[HEALTHY + 1 :]
        yield Ground(url, outbox, receiver, healthy, hanging, of_space, rooms[:-1])


def measured(ground: Ground, amounts: Amounts, tell: Callable[[str], None]) -> dict[str, Any]:
    """All figures of deliveries."""
    tell("deliveries: as many as go")
    rates = [_turn(ground, amounts.delivered, nr) for nr in range(amounts.rounds + 1)][1:]
    rps = median(delivered for delivered, _ in rates)
    tell("deliveries: how soon")
    delays = delays_at(ground, rps / 2, [ground.healthy[nr::GROUP] for nr in range(GROUP)], seconds=WATCHED)
    tell("deliveries: beside endpoints that hang")
    alone, beside = healthy_delays(ground, rps / 4, amounts.healthy_rounds)
    tell(f"deliveries: a backlog of {amounts.backlog:,}")
    backlog = delivered_rps(ground, amounts.backlog)
    return {
        "rps": round(rps), "bare_rps": round(median(bare for _, bare in rates)),
        "ratio": round(median(delivered / bare for delivered, bare in rates), 3),
        "p50_ms": percentile(delays, 50), "p99_ms": percentile(delays, 99),
        "healthy_p95_ms": alone, "healthy_p95_with_hanging_ms": beside, "backlog_rps": round(backlog),
        "backlog": amounts.backlog,
    }  # fmt: skip


def _turn(ground: Ground, count: int, nr: int) -> tuple[float, float]:
    """The worker and the bare client, one after the other; who begins changes."""
    if nr % 2:
        bare = bare_rps(ground, count * 2)
        return delivered_rps(ground, count), bare
    return delivered_rps(ground, count), bare_rps(ground, count * 2)


def delivered_rps(ground: Ground, count: int) -> float:
    """Deliveries a second, from the commit that made them due until the last has arrived."""
    ground.receiver.ask("/reset")
    events = count // HEALTHY
    ground.outbox.put_down(ground.healthy, events)
    committed = time.time()
    last = ground.receiver.wait_for(events * HEALTHY, within=60 + count / 100)
    ground.outbox.wait_until_recorded()
    return events * HEALTHY / (last - committed)


def bare_rps(ground: Ground, count: int) -> float:
    """What a bare client posts to the same receiver a second: the same bodies, nothing claimed, signed or recorded."""
    file = Path(ground.outbox.database.folder, "bodies.txt")
    file.write_bytes(b"\n".join(ground.outbox.bodies(500)))
    command = [sys.executable, "-m", "bench.bare", ground.receiver.url, str(file), str(count)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if ran.returncode:
        raise BenchError(f"the bare client failed: {ran.stderr}")
    return float(ran.stdout)


def delays_at(
    ground: Ground, rate: float, groups: Sequence[Sequence[str]], *, seconds: float, watched: Sequence[str] = ()
) -> list[float]:
    """Seconds from commit to arrival at so many deliveries a second; the events go to the groups in turn.

    Only deliveries of `watched` webhooks count, where any are named.
    """
    ground.receiver.ask("/record")
    committed, began, put = dict[str, float](), time.monotonic(), 0
    for hooks in cycle(groups):
        told = ground.outbox.put_down(hooks)
        at = time.time()
        committed |= {delivery: at for delivery, hook in told if not watched or hook in watched}
        put += len(hooks)
        due = began + put / rate
        if due - began > seconds:
            break
        time.sleep(max(0.0, due - time.monotonic()))
    ground.receiver.wait_for(len(committed), within=30)
    arrivals = ground.receiver.ask("/state")["arrivals"]
    return [arrivals[delivery] - at for delivery, at in committed.items()]


def healthy_delays(ground: Ground, rate: float, rounds: int) -> tuple[float, float]:
    """The p95 in milliseconds of the healthy webhooks alone, and beside those that hang, which all are full then.

    Each is the median of the p95 of short slices, so that a moment of something else on the machine is not taken for
    an effect.
    """
    each = HEALTHY // HANGING
    alone = [ground.healthy[nr * each : (nr + 1) * each] for nr in range(HANGING)]
    beside = [[*hooks, hanging] for hooks, hanging in zip(alone, ground.hanging, strict=True)]
    found: tuple[list[float], list[float]] = [], []
    for _ in range(rounds):
        found[0].extend(_slices(delays_at(ground, rate, alone, seconds=WATCHED)))
        began = time.monotonic()
        ground.outbox.put_down(ground.hanging, AT_ONCE)
        time.sleep(1.0)
        hung = delays_at(ground, rate * GROUP / each, beside, seconds=WATCHED, watched=ground.healthy)
        found[1].extend(_slices(hung))
        ground.outbox.forget()
        time.sleep(max(0.0, began + WATCHED + HUNG_WITHIN - time.monotonic()))
        ground.outbox.forget()
    return round(median(found[0]), 2), round(median(found[1]), 2)


def _slices(delays: Sequence[float]) -> list[float]:
    size = max(100, len(delays) // SLICES)
    return [percentile(delays[at : at + size], 95) for at in range(0, len(delays) - size + 1, size)]


def percentile(delays: Sequence[float], of_hundred: int) -> float:
    """A percentile of seconds, in milliseconds."""
    return round(quantiles(delays, n=100, method="inclusive")[of_hundred - 1] * 1000, 2)


def subscribed_sends(ground: Ground, amounts: Amounts, tell: Callable[[str], None]) -> dict[str, float]:
    """Sends a second with a subscription that matches, `ratio` to those without, which take turns with them."""
    load = sends(ground.url, ground.outbox.database, ground.rooms)
    found: list[tuple[Measured, Measured]] = []
    for nr in range(amounts.rounds + 1):
        tell(f"sends with a subscription: round {nr} of {amounts.rounds}")
        seconds = amounts.seconds if nr else 1
        without = measure(load, seconds)
        ground.outbox.subscribe(ground.of_space)
        subscribed = measure(load, seconds)
        ground.outbox.unsubscribe(ground.of_space)
        ground.outbox.forget()
        time.sleep(1.0)  # what was under way ends
        found.append((without, subscribed))
    del found[0]
    return {
        "with_subscription_rps": round(median(subscribed.rps for _, subscribed in found)),
        "with_subscription_ratio": round(median(subscribed.rps / without.rps for without, subscribed in found), 3),
    }

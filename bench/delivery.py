"""Measure deliveries: rate, delay, and the effect of bad endpoints on healthy ones."""

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench.delays import GROUPS, WATCHED, delays_at, healthy_delays, percentile
from bench.delivery_environment import DeliveryEnvironment
from bench.load import BenchError, Measured, measure
from bench.subjects import sends


@dataclass(frozen=True)
class Amounts:
    """How much to measure."""

    rounds: int
    seconds: int
    delivered: int
    backlog: int
    healthy_rounds: int


NOT_SENT = ["zeppelin", "quagga"]  # words
TEN_WORDS, FILTERS, WITH_FILTERS = 10, 100, 10  # of each filter; filters of each webhook; webhooks
SHORT, LONG = 100, 40_000  # characters of a message
FEW = 20  # rooms for long messages, of which a round sends few: each process reads the filters of a room once
ORDERED_ROOMS = 100
QUICK = Amounts(rounds=3, seconds=2, delivered=3_000, backlog=10_000, healthy_rounds=2)
WHOLE = Amounts(rounds=7, seconds=3, delivered=6_000, backlog=100_000, healthy_rounds=5)


def measure_deliveries(
    environment: DeliveryEnvironment, amounts: Amounts, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Return all figures of deliveries."""
    progress("deliveries: throughput")
    rates = [_turn(environment, amounts.delivered, nr) for nr in range(amounts.rounds + 1)][1:]
    rps = median(delivered for delivered, _ in rates)
    progress("deliveries: one endpoint")
    single = [_to_one(environment, amounts.delivered) for _ in range(amounts.rounds + 1)][1:]
    progress("deliveries: delay")
    groups = [environment.healthy[nr::GROUPS] for nr in range(GROUPS)]
    watches = [delays_at(environment, rps / 2, groups, seconds=WATCHED) for _ in range(amounts.healthy_rounds)]
    progress("deliveries: while others hang")
    alone, hanging = healthy_delays(environment, rps / 4, environment.hanging, amounts.healthy_rounds)
    progress("deliveries: while others are hostile")
    again, hostile = healthy_delays(environment, rps / 4, environment.hostile, amounts.healthy_rounds)
    progress(f"deliveries: a backlog of {amounts.backlog:,}")
    backlog = delivered_rps(environment, amounts.backlog)
    return {
        "rps": round(rps),
        "bare_rps": round(median(bare for _, bare in rates)),
        "ratio": round(median(delivered / bare for delivered, bare in rates), 3),
        **{f"p{nr}_ms": round(median(percentile(delays, nr) for delays in watches), 2) for nr in (50, 99)},
        "healthy_p95_ms": alone,
        "healthy_p95_with_hanging_ms": hanging,
        "healthy_again_p95_ms": again,
        "healthy_p95_with_hostile_ms": hostile,
        "backlog_rps": round(backlog),
        "backlog": amounts.backlog,
        "one_rps": round(median(one for one, _ in single)),
        "ordered_rps": round(median(each for _, each in single)),
        "ordered_ratio": round(median(ordered / one for one, ordered in single), 3),
    }


def _turn(environment: DeliveryEnvironment, count: int, nr: int) -> tuple[float, float]:
    """Measure the worker and the bare client; the order alternates."""
    if nr % 2:
        bare = bare_rps(environment, count * 2)
        return delivered_rps(environment, count), bare
    return delivered_rps(environment, count), bare_rps(environment, count * 2)


def _to_one(environment: DeliveryEnvironment, count: int) -> tuple[float, float]:
    """Measure one webhook alone, in any order and in the order of a hundred rooms."""
    hook, rooms = environment.of_space, [str(room) for room in environment.rooms[:ORDERED_ROOMS]]
    found = []
    for ordering in (None, "room"):
        environment.outbox.order(hook, ordering)
        found.append(delivered_rps(environment, count, [hook], rooms))
    environment.outbox.order(hook, None)
    return found[0], found[1]


def delivered_rps(
    environment: DeliveryEnvironment, count: int, hooks: Sequence[str] = (), rooms: Sequence[str] | None = None
) -> float:
    """Return deliveries per second to some webhooks, or to all healthy ones, from their commit to the last arrival."""
    environment.receiver.get("/reset")
    hooks = hooks or environment.healthy
    events = count // len(hooks)
    environment.outbox.emit(hooks, events, rooms or ())
    committed = time.time()
    last = environment.receiver.wait_for(events * len(hooks), within=60 + count / 100)
    environment.outbox.wait_until_recorded()
    return events * len(hooks) / (last - committed)


def bare_rps(environment: DeliveryEnvironment, count: int) -> float:
    """Return requests per second of a bare client that posts the same bodies and records nothing."""
    file = Path(environment.outbox.database.folder, "bodies.txt")
    file.write_bytes(b"\n".join(environment.outbox.bodies(500)))
    command = [sys.executable, "-m", "bench.bare", environment.receiver.url, str(file), str(count)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if ran.returncode:
        raise BenchError(f"the bare client failed: {ran.stderr}")
    return float(ran.stdout)


def subscribed_sends(
    environment: DeliveryEnvironment, amounts: Amounts, progress: Callable[[str], None]
) -> dict[str, float]:
    """Return sends per second with a matching subscription, with a hundred whose filters match nothing, and with a
    thousand, for short and for long messages; and the ratio of each to sends without one, in turn."""
    hundred = [*environment.healthy, *environment.hanging]
    of_words: list[list[str] | None] = [[f"unsent{nr}x{word}" for word in range(TEN_WORDS)] for nr in range(FILTERS)]
    some = environment.healthy[:WITH_FILTERS]
    cases = (
        Subscribed("subscription", [environment.of_space]),
        Subscribed("filters", hundred, [NOT_SENT]),
        Subscribed("words_short", some, of_words, SHORT),
        Subscribed("words_long", some, of_words, LONG),
    )
    return {
        name: figure for case in cases for name, figure in _sends_with(case, environment, amounts, progress).items()
    }


class Subscribed(NamedTuple):
    """Webhooks that are subscribed to the space, or to its messages with one of the words of each filter."""

    name: str
    hooks: Sequence[str]
    filters: Sequence[list[str] | None] = (None,)
    characters: int | None = None  # of a message; None for ordinary ones


def _sends_with(
    subscribed: Subscribed, environment: DeliveryEnvironment, amounts: Amounts, progress: Callable[[str], None]
) -> dict[str, float]:
    name = subscribed.name
    rooms = environment.rooms[:FEW] if subscribed.characters == LONG else environment.rooms
    load = sends(
        environment.url,
        environment.outbox.database,
        rooms,
        f"sends-{name}",
        characters=subscribed.characters,
    )
    found: list[tuple[Measured, Measured]] = []
    for nr in range(amounts.rounds + 1):
        progress(f"sends with {name}: round {nr} of {amounts.rounds}")
        seconds = amounts.seconds if nr else 1
        without = measure(load, seconds)
        environment.outbox.subscribe(subscribed.hooks, subscribed.filters)
        measure(load, 1)  # the first message lets its process read the filters
        with_them = measure(load, seconds)
        environment.outbox.unsubscribe()
        environment.outbox.reset()
        time.sleep(1.0)  # attempts in progress finish
        found.append((without, with_them))
    del found[0]
    return {
        f"with_{name}_rps": round(median(with_them.rps for _, with_them in found)),
        f"with_{name}_ratio": round(median(with_them.rps / without.rps for without, with_them in found), 3),
    }

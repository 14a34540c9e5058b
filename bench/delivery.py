"""Deliveries: how many a second, how soon, and whether endpoints that do their worst are felt by those that do not."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench.delays import GROUPS, WATCHED, delays_at, healthy_delays, percentile
from bench.hooks import HEALTHY, Ground
from bench.load import BenchError, Measured, measure
from bench.subjects import sends


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


def measured(ground: Ground, amounts: Amounts, tell: Callable[[str], None]) -> dict[str, Any]:
    """All figures of deliveries."""
    tell("deliveries: as many as go")
    rates = [_turn(ground, amounts.delivered, nr) for nr in range(amounts.rounds + 1)][1:]
    rps = median(delivered for delivered, _ in rates)
    tell("deliveries: how soon")
    groups = [ground.healthy[nr::GROUPS] for nr in range(GROUPS)]
    watches = [delays_at(ground, rps / 2, groups, seconds=WATCHED) for _ in range(amounts.healthy_rounds)]
    tell("deliveries: beside endpoints that hang")
    alone, hanging = healthy_delays(ground, rps / 4, ground.hanging, amounts.healthy_rounds)
    tell("deliveries: beside endpoints of ill will")
    again, hostile = healthy_delays(ground, rps / 4, ground.hostile, amounts.healthy_rounds)
    tell(f"deliveries: a backlog of {amounts.backlog:,}")
    backlog = delivered_rps(ground, amounts.backlog)
    return {
        "rps": round(rps), "bare_rps": round(median(bare for _, bare in rates)),
        "ratio": round(median(delivered / bare for delivered, bare in rates), 3),
        **{f"p{nr}_ms": round(median(percentile(delays, nr) for delays in watches), 2) for nr in (50, 99)},
        "healthy_p95_ms": alone, "healthy_p95_with_hanging_ms": hanging,
        "healthy_again_p95_ms": again, "healthy_p95_with_hostile_ms": hostile,
        "backlog_rps": round(backlog), "backlog": amounts.backlog,
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

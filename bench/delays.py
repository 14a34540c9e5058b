"""The time from commit to delivery: at a given rate, and while other endpoints hang or are hostile."""

import time
from collections.abc import Sequence
from itertools import cycle
from statistics import median, quantiles

from bench.delivery_environment import HEALTHY, DeliveryEnvironment

GROUPS = 10  # each event goes to a tenth of the healthy webhooks and a tenth of the others
HUNG_WITHIN = 16.0  # seconds until a hanging attempt has timed out
CONCURRENT = 16  # attempts per webhook, the cap of the worker
SLICES = 8
WATCHED = 6.0  # seconds; hanging webhooks are paused when their first attempts end


def delays_at(
    environment: DeliveryEnvironment,
    rate: float,
    groups: Sequence[Sequence[str]],
    *,
    seconds: float,
    watched: Sequence[str] = (),
) -> list[float]:
    """Return the seconds from commit to arrival at `rate` deliveries per second, for each group in turn.

    If `watched` names webhooks, only their deliveries count.
    """
    environment.receiver.get("/record")
    committed, began, put, expected = dict[str, float](), time.monotonic(), 0, 0
    for hooks in cycle(groups):
        committed[environment.outbox.emit(hooks)] = time.time()
        put += len(hooks)
        expected += sum(not watched or hook in watched for hook in hooks)
        due = began + put / rate
        if due - began > seconds:
            break
        time.sleep(max(0.0, due - time.monotonic()))
    environment.receiver.wait_for(expected, within=30)
    arrivals, tagged = environment.receiver.get("/state")["arrivals"], environment.outbox.deliveries_of(list(committed))
    return [arrivals[delivery] - committed[tag] for delivery, hook, tag in tagged if not watched or hook in watched]


def healthy_delays(
    environment: DeliveryEnvironment, rate: float, others: Sequence[str], rounds: int
) -> tuple[float, float]:
    """Return the p95 in milliseconds of the healthy webhooks alone, and while `others` are at their caps.

    Each is the median over short slices, so that a moment of other load on the machine does not count as an effect.
    """
    alone = [environment.healthy[nr::GROUPS] for nr in range(GROUPS)]
    mixed = [[*hooks, *others[nr::GROUPS]] for nr, hooks in enumerate(alone)]
    all_rate = rate * (HEALTHY + len(others)) / HEALTHY
    found: tuple[list[float], list[float]] = [], []
    for _ in range(rounds):
        found[0].extend(_slices(delays_at(environment, rate, alone, seconds=WATCHED)))
        began = time.monotonic()
        environment.outbox.emit(others, CONCURRENT)
        time.sleep(1.0)
        found[1].extend(_slices(delays_at(environment, all_rate, mixed, seconds=WATCHED, watched=environment.healthy)))
        environment.outbox.reset()
        time.sleep(max(0.0, began + WATCHED + HUNG_WITHIN - time.monotonic()))
        environment.outbox.reset()
    return round(median(found[0]), 2), round(median(found[1]), 2)


def _slices(delays: Sequence[float]) -> list[float]:
    size = max(100, len(delays) // SLICES)
    return [percentile(delays[at : at + size], 95) for at in range(0, len(delays) - size + 1, size)]


def percentile(delays: Sequence[float], of_hundred: int) -> float:
    """Return a percentile of `delays` (seconds) in milliseconds."""
    return round(quantiles(delays, n=100, method="inclusive")[of_hundred - 1] * 1000, 2)

"""How soon a delivery arrives after its commit: at a rate, and beside endpoints that do their worst."""

import time
from collections.abc import Sequence
from itertools import cycle
from statistics import median, quantiles

from bench.hooks import HEALTHY, Ground

GROUPS = 10  # an event is for a tenth of the healthy webhooks, and for a tenth of those beside them
HUNG_WITHIN = 16.0  # seconds until an attempt that hangs has ended
AT_ONCE = 16  # attempts of a webhook, the worker's cap
SLICES = 8
WATCHED = 6.0  # seconds; what hangs is paused when its first attempts end


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


def healthy_delays(ground: Ground, rate: float, beside: Sequence[str], rounds: int) -> tuple[float, float]:
    """The p95 in milliseconds of the healthy webhooks alone, and beside others, which all are full then.

    Each is the median of the p95 of short slices, so that a moment of something else on the machine is not taken for
    an effect.
    """
    alone = [ground.healthy[nr::GROUPS] for nr in range(GROUPS)]
    mixed = [[*hooks, *beside[nr::GROUPS]] for nr, hooks in enumerate(alone)]
    all_rate = rate * (HEALTHY + len(beside)) / HEALTHY
    found: tuple[list[float], list[float]] = [], []
    for _ in range(rounds):
        found[0].extend(_slices(delays_at(ground, rate, alone, seconds=WATCHED)))
        began = time.monotonic()
        ground.outbox.put_down(beside, AT_ONCE)
        time.sleep(1.0)
        found[1].extend(_slices(delays_at(ground, all_rate, mixed, seconds=WATCHED, watched=ground.healthy)))
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

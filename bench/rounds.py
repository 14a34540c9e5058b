"""Measure in short rounds with alternating loads, so that other load on the machine affects all of them alike."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median

from bench.load import Load, Measured, measure

Rounds = Mapping[str, Sequence[Measured]]


def interleave(
    loads: Mapping[str, Load], *, rounds: int, seconds: int, progress: Callable[[str], None] = lambda _: None
) -> Rounds:
    """Measure all loads in every round, after a short warm-up round that does not count."""
    found: dict[str, list[Measured]] = {name: [] for name in loads}
    for nr in range(rounds + 1):
        for name, load in loads.items():
            progress(f"round {nr} of {rounds}: {name}" if nr else f"warming up: {name}")
            measured = measure(load, seconds if nr else 1)
            if nr:
                found[name].append(measured)
    return found


def median_of(rounds: Sequence[Measured]) -> Measured:
    """Return the median of each figure."""
    return Measured(
        median(each.rps for each in rounds),
        median(each.p50_ms for each in rounds),
        median(each.p99_ms for each in rounds),
    )


def ratio(measured: Sequence[Measured], ceiling: Sequence[Measured]) -> float:
    """Return the median ratio to the ceiling of the same round."""
    return median(one.rps / top.rps for one, top in zip(measured, ceiling, strict=True))

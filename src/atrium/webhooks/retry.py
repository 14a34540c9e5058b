"""When a delivery is tried again, and when it is given up (docs/contract.md#events-and-deliveries)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True)
class RetryAt:
    """The next attempt, never earlier."""

    when: datetime


@dataclass(frozen=True)
class GiveUp:
    """No attempt follows. `exhausted` where the schedule is used up, rather than nobody having asked for more."""

    exhausted: bool


Decision = RetryAt | GiveUp


def after_failure(attempts_made: int, ended_at: datetime, schedule: Sequence[timedelta], *, manual: bool) -> Decision:
    """What follows the failed attempt that ended at `ended_at`; it was number `attempts_made` of its delivery, from 1.

    A delivery that somebody resent by hand is tried once.
    """
    if manual:
        return GiveUp(exhausted=False)
    if attempts_made <= len(schedule):
        return RetryAt(ended_at + schedule[attempts_made - 1])
    return GiveUp(exhausted=True)

"""Decide when to retry a delivery, and when it fails permanently (docs/contract.md#events-and-deliveries)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True)
class RetryAt:
    """Retry at `when` or later."""

    when: datetime


@dataclass(frozen=True)
class GiveUp:
    """No attempt follows. `exhausted` if the schedule is used up; a manual resend has none."""

    exhausted: bool


Decision = RetryAt | GiveUp


def schedule_of(own: Sequence[int] | None, default: Sequence[timedelta]) -> Sequence[timedelta]:
    """Return the pauses before the retries: a webhook's own, in seconds, or those of the installation."""
    return default if own is None else [timedelta(seconds=seconds) for seconds in own]


def after_failure(number: int, ended_at: datetime, schedule: Sequence[timedelta], *, manual: bool) -> Decision:
    """Return the next step after failed attempt `number`, from 1, which ended at `ended_at`.

    A delivery that was resent manually is attempted once.
    """
    if manual:
        return GiveUp(exhausted=False)
    if number <= len(schedule):
        return RetryAt(ended_at + schedule[number - 1])
    return GiveUp(exhausted=True)

"""Pause a webhook after ten consecutive failed events within three days (docs/contract.md#webhook-status)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from atrium.webhooks.delivery.retry import Decision, GiveUp

THRESHOLD = 10
PERIOD = timedelta(days=3)


class CountedAttempt(StrEnum):
    """The failed attempt after which an event counts as failed (docs/contract.md#webhook-status)."""

    FIRST_ATTEMPT = "first_attempt"
    FIRST_RETRY = "first_retry"
    EXHAUSTED = "exhausted"


@dataclass(frozen=True)
class Failures:
    """The number of failed events in a row, and when the first of them failed."""

    count: int = 0
    first_at: datetime | None = None

    @property
    def reached_threshold(self) -> bool:
        """Return whether the webhook is to be paused."""
        return self.count >= THRESHOLD


def is_counted(counted: CountedAttempt, number: int, decision: Decision) -> bool:
    """Return whether failed attempt `number`, from 1, counts its event as failed."""
    match counted:
        case CountedAttempt.FIRST_ATTEMPT:
            return number == 1
        case CountedAttempt.FIRST_RETRY:
            return number == 2
        case CountedAttempt.EXHAUSTED:
            return isinstance(decision, GiveUp) and decision.exhausted


def add_failure(failures: Failures, at: datetime) -> Failures:
    """Return the count with one more failed event; a count expires three days after its first failure."""
    if failures.first_at is None or failures.first_at < failure_cutoff(at):
        return Failures(1, at)
    return Failures(failures.count + 1, failures.first_at)


def failure_cutoff(now: datetime) -> datetime:
    """Return the cutoff: a failure count that began earlier has expired."""
    return now - PERIOD

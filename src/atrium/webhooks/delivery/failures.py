"""Record failed attempts: in the log, the queue, the failure counts, with pauses and mails where they are due."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from atrium.audit import trail
from atrium.audit.trail import Change, Target
from atrium.kit.postgres.database import Connection, Record
from atrium.kit.settings import Settings
from atrium.webhooks.delivery import mails, queries
from atrium.webhooks.delivery.attempt import AttemptResult, ClaimedDelivery
from atrium.webhooks.delivery.pause_rules import CountedAttempt, Failures, add_failure, is_counted
from atrium.webhooks.delivery.retry import Decision, GiveUp, RetryAt, after_failure, schedule_of
from atrium.webhooks.model import DeliveryStatus, WebhookStatus

Failed: TypeAlias = tuple[ClaimedDelivery, AttemptResult]


@dataclass(frozen=True)
class FailureDecision:
    """The decision after failed attempt `number`; `webhook` is its row of LOCK_FOR_FAILURES."""

    claimed: ClaimedDelivery
    result: AttemptResult
    webhook: Record
    number: int
    decision: Decision
    counts: bool

    @property
    def is_last(self) -> bool:
        """Return whether the admins are notified that no retry is left."""
        return isinstance(self.decision, GiveUp) and self.decision.exhausted

    @property
    def as_row(self) -> tuple[UUID, UUID, DeliveryStatus, datetime | None, str, int, bool]:
        """Return the parameters of FAIL."""
        retry_at = self.decision.when if isinstance(self.decision, RetryAt) else None
        status = DeliveryStatus.FAILED if retry_at is None else DeliveryStatus.RETRYING
        key = self.claimed.webhook_id, self.claimed.delivery_id
        return *key, status, retry_at, self.result.as_json, self.number, self.counts


async def record_failures(db: Connection, failed: Sequence[Failed], settings: Settings) -> None:
    """Record failed attempts in one transaction: log, retry or end, failure count, pause, mail."""
    keys = [(claimed.webhook_id, claimed.delivery_id) for claimed, _ in failed]
    async with db.transaction():
        rows = await db.fetch(queries.LOCK_FOR_FAILURES, *_columns(keys))
        locked = {row["nr"] - 1: row for row in rows}
        if ended := [key for nr, key in enumerate(keys) if nr not in locked]:
            await db.executemany(queries.FORGET_ENDED, ended)
        decisions = [_decide(failed[nr], webhook, settings) for nr, webhook in locked.items()]
        if decisions:
            await db.execute(queries.FAIL, *_columns(decision.as_row for decision in decisions))
        await _notify_of_exhausted(db, decisions, settings)
        await _count(db, decisions, settings)


def _columns(rows: Iterable[Sequence[object]]) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _decide(failed: Failed, webhook: Record, settings: Settings) -> FailureDecision:
    claimed, result = failed
    number = claimed.attempts_made + 1
    schedule = schedule_of(webhook["retry_schedule"], settings.retry_schedule)
    decision = after_failure(number, result.ended_at, schedule, manual=claimed.manual)
    may_count = not claimed.manual and not webhook["counted"]
    counts = may_count and is_counted(CountedAttempt(settings.pause_counts), number, decision)
    return FailureDecision(claimed, result, webhook, number, decision, counts)


async def _notify_of_exhausted(db: Connection, decisions: Iterable[FailureDecision], settings: Settings) -> None:
    for decision in decisions:
        if decision.is_last:
            claimed, result = decision.claimed, decision.result
            last = mails.LastAttempt(claimed.delivery_id, claimed.event_type, decision.number, result.exchange.error)
            await mails.notify_of_exhausted(db, decision.webhook, last, result.ended_at, settings)


async def _count(db: Connection, decisions: Iterable[FailureDecision], settings: Settings) -> None:
    """Count the failed events of each ACTIVE webhook; the tenth pauses it, and none after it counts."""
    counted: dict[UUID, Failures] = {}
    for decision in decisions:
        key, webhook = decision.claimed.webhook_id, decision.webhook
        paused = key in counted and counted[key].reached_threshold
        if decision.counts and not paused and webhook["status"] == WebhookStatus.ACTIVE:
            before = counted.get(key, Failures(webhook["failure_count"], webhook["first_failure_at"]))
            counted[key] = add_failure(before, decision.result.ended_at)
            if counted[key].reached_threshold:
                await _pause(db, decision, counted[key], settings)
    await db.executemany(queries.COUNT_FAILURE, [(key, each.count, each.first_at) for key, each in counted.items()])


async def _pause(db: Connection, decision: FailureDecision, failures: Failures, settings: Settings) -> None:
    webhook, result = decision.webhook, decision.result
    reason = f"{failures.count} events failed in a row. Last error: {result.exchange.error}"
    await db.execute(queries.PAUSE, webhook["webhook_id"], result.ended_at, reason)
    await mails.notify_of_pause(db, webhook, reason, result.ended_at, settings)
    target = Target("webhook", webhook["webhook_id"], webhook["name"])
    change = Change("webhook.paused", target, webhook["organization_id"], after={"pause_reason": reason})
    await trail.record(db, trail.system("Delivery", result.ended_at), change)

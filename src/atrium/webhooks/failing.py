"""What failed attempts change: the log, the queue, the counts of their webhooks, pauses, and the mails of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from atrium.audit import trail
from atrium.audit.trail import Change, Target
from atrium.kit.database import Connection, Record
from atrium.kit.settings import Settings
from atrium.webhooks import delivery_queries as queries
from atrium.webhooks import mails
from atrium.webhooks.delivery import Claimed, Made
from atrium.webhooks.model import DeliveryStatus, WebhookStatus
from atrium.webhooks.pausing import Counts, Failures, is_counted, with_failure
from atrium.webhooks.retry import Decision, GiveUp, RetryAt, after_failure

Failed: TypeAlias = tuple[Claimed, Made]


@dataclass(frozen=True)
class Verdict:
    """What is decided of a failed attempt, `number` of its schedule; `webhook` is its row of LOCK_FOR_FAILURES."""

    claimed: Claimed
    made: Made
    webhook: Record
    number: int
    decision: Decision
    counts: bool

    @property
    def is_last(self) -> bool:
        """Whether the admins are told that no retry is left."""
        return isinstance(self.decision, GiveUp) and self.decision.exhausted

    @property
    def as_row(self) -> tuple[UUID, UUID, DeliveryStatus, datetime | None, str, int, bool]:
        """Of FAIL."""
        retry_at = self.decision.when if isinstance(self.decision, RetryAt) else None
        status = DeliveryStatus.FAILED if retry_at is None else DeliveryStatus.RETRYING
        key = self.claimed.webhook_id, self.claimed.delivery_id
        return *key, status, retry_at, self.made.as_json, self.number, self.counts


async def record_failures(db: Connection, failed: Sequence[Failed], settings: Settings) -> None:
    """In one transaction: the attempts in the log, the retries or the ends, the counts, the pauses, the mails."""
    keys = [(claimed.webhook_id, claimed.delivery_id) for claimed, _ in failed]
    async with db.transaction():
        rows = await db.fetch(queries.LOCK_FOR_FAILURES, *_columns(keys))
        held = {row["nr"] - 1: row for row in rows}
        if gone := [key for nr, key in enumerate(keys) if nr not in held]:
            await db.executemany(queries.GIVE_UP, gone)
        verdicts = [_verdict(failed[nr], webhook, settings) for nr, webhook in held.items()]
        if verdicts:
            await db.execute(queries.FAIL, *_columns(verdict.as_row for verdict in verdicts))
        await _tell_of_the_last(db, verdicts, settings)
        await _count(db, verdicts, settings)


def _columns(rows: Iterable[Sequence[object]]) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _verdict(failed: Failed, webhook: Record, settings: Settings) -> Verdict:
    claimed, made = failed
    number = claimed.attempts_made + 1
    decision = after_failure(number, made.ended_at, settings.retry_schedule, manual=claimed.manual)
    may_count = not claimed.manual and not webhook["counted"]
    counts = may_count and is_counted(Counts(settings.pause_counts), number, decision)
    return Verdict(claimed, made, webhook, number, decision, counts)


async def _tell_of_the_last(db: Connection, verdicts: Iterable[Verdict], settings: Settings) -> None:
    for verdict in verdicts:
        if verdict.is_last:
            claimed, made = verdict.claimed, verdict.made
            last = mails.LastAttempt(claimed.delivery_id, claimed.event_type, verdict.number, made.exchange.error)
            await mails.tell_of_exhausted(db, verdict.webhook, last, made.ended_at, settings)


async def _count(db: Connection, verdicts: Iterable[Verdict], settings: Settings) -> None:
    """Count what counts against each webhook that is ACTIVE; the one too many pauses it, and none after it counts."""
    counted: dict[UUID, Failures] = {}
    for verdict in verdicts:
        key, webhook = verdict.claimed.webhook_id, verdict.webhook
        paused = key in counted and counted[key].too_many
        if verdict.counts and not paused and webhook["status"] == WebhookStatus.ACTIVE:
            before = counted.get(key, Failures(webhook["failure_count"], webhook["first_failure_at"]))
            counted[key] = with_failure(before, verdict.made.ended_at)
            if counted[key].too_many:
                await _pause(db, verdict, counted[key], settings)
    await db.executemany(queries.COUNT_FAILURE, [(key, each.count, each.first_at) for key, each in counted.items()])


async def _pause(db: Connection, verdict: Verdict, failures: Failures, settings: Settings) -> None:
    webhook, made = verdict.webhook, verdict.made
    reason = f"{failures.count} events failed in a row. Last error: {made.exchange.error}"
    await db.execute(queries.PAUSE, webhook["webhook_id"], made.ended_at, reason)
    await mails.tell_of_pause(db, webhook, reason, made.ended_at, settings)
    target = Target("webhook", webhook["webhook_id"], webhook["name"])
    change = Change("webhook.paused", target, webhook["organization_id"], after={"pause_reason": reason})
    await trail.record(db, trail.system("Delivery", made.ended_at), change)

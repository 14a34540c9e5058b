"""One attempt to deliver: signed, sent, and what came of it recorded."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import msgspec

from atrium.audit import trail
from atrium.audit.trail import Change, Target
from atrium.kit.clock import Clock, rfc3339
from atrium.kit.database import Connection, Record
from atrium.kit.outbound import Exchange, Outbound
from atrium.kit.sealing import Vault
from atrium.kit.settings import Settings
from atrium.webhooks import delivery_queries as queries
from atrium.webhooks import mails
from atrium.webhooks.headers import signed_headers, with_custom
from atrium.webhooks.model import Attempt, DeliveryStatus, WebhookStatus
from atrium.webhooks.pausing import Counts, Failures, is_counted, with_failure
from atrium.webhooks.retry import GiveUp, RetryAt, after_failure


@dataclass(frozen=True)
class Claimed:
    """A delivery that is this worker's until its lease ends.

    `attempts_made` counts the attempts of the present schedule, `logged` all that are in the log.
    """

    webhook_id: UUID
    delivery_id: UUID
    attempts_made: int
    logged: int
    manual: bool
    event_type: str
    body: bytes
    endpoint_url: str
    headers: bytes
    secret: bytes
    old_secret: bytes | None
    old_secret_until: datetime | None


@dataclass(frozen=True)
class Made:
    """An attempt that was made, and when it ended."""

    exchange: Exchange
    log: Attempt
    ended_at: datetime

    @property
    def as_json(self) -> str:
        """How the log keeps it."""
        return msgspec.json.encode(self.log).decode()


def as_claimed(row: Record) -> Claimed:
    """A row of CLAIM."""
    return Claimed(**dict(row))


async def attempt(claimed: Claimed, *, vault: Vault, outbound: Outbound, clock: Clock) -> Made:
    """Send it, signed. Whatever the receiver does is an outcome.

    Raises WrongKey where the secret cannot be opened.
    """
    began = clock()
    own = signed_headers(
        claimed.event_type, claimed.delivery_id, claimed.body, secrets=_secrets(claimed, vault, began), now=began
    )  # fmt: skip
    custom = msgspec.json.decode(vault.unseal(claimed.headers), type=dict[str, str])
    exchange = await outbound.post(claimed.endpoint_url, with_custom(own, custom), claimed.body)
    log = Attempt(
        claimed.logged + 1, rfc3339(began), exchange.duration_ms, exchange.response_code, exchange.error,
        exchange.excerpt, own,
    )  # fmt: skip
    return Made(exchange, log, clock())


def _secrets(claimed: Claimed, vault: Vault, now: datetime) -> Sequence[str]:
    """The secrets to sign with; while the old one overlaps, it comes first (decisions, section 7)."""
    secrets = [vault.unseal(claimed.secret).decode()]
    if claimed.old_secret is not None and claimed.old_secret_until is not None and now < claimed.old_secret_until:
        secrets.insert(0, vault.unseal(claimed.old_secret).decode())
    return secrets


async def record_failure(db: Connection, claimed: Claimed, made: Made, settings: Settings) -> None:
    """In one transaction: the attempt in the log, the retry or the end, the count, the pause, the mails."""
    key, number = (claimed.webhook_id, claimed.delivery_id), claimed.attempts_made + 1
    webhook = await db.fetchrow(queries.LOCK_FOR_FAILURE, *key)
    if webhook is None:  # deleted, or delivered by another worker meanwhile
        await db.execute(queries.GIVE_UP, *key)
        return
    decision = after_failure(number, made.ended_at, settings.retry_schedule, manual=claimed.manual)
    counts = is_counted(Counts(settings.pause_counts), number, decision)
    counts = counts and not claimed.manual and not webhook["counted"]
    match decision:
        case RetryAt(when):
            await db.execute(queries.FAIL, *key, DeliveryStatus.RETRYING, when, made.as_json, counts)
            await db.execute(queries.PUT_OFF, *key, when, number)
        case GiveUp(exhausted):
            await db.execute(queries.FAIL, *key, DeliveryStatus.FAILED, None, made.as_json, counts)
            await db.execute(queries.GIVE_UP, *key)
            if exhausted:
                last = mails.LastAttempt(claimed.delivery_id, claimed.event_type, number, made.exchange.error)
                await mails.tell_of_exhausted(db, webhook, last, made.ended_at, settings)
    if counts and webhook["status"] == WebhookStatus.ACTIVE:
        await _count(db, webhook, made, settings)


async def _count(db: Connection, webhook: Record, made: Made, settings: Settings) -> None:
    failures = with_failure(Failures(webhook["failure_count"], webhook["first_failure_at"]), made.ended_at)
    await db.execute(queries.COUNT_FAILURE, webhook["webhook_id"], failures.count, failures.first_at)
    if failures.too_many:
        reason = f"{failures.count} events in a row failed; the last one because of: {made.exchange.error}"
        await db.execute(queries.PAUSE, webhook["webhook_id"], made.ended_at, reason)
        await mails.tell_of_pause(db, webhook, reason, made.ended_at, settings)
        target = Target("webhook", webhook["webhook_id"], webhook["name"])
        change = Change("webhook.paused", target, webhook["organization_id"], after={"pause_reason": reason})
        await trail.record(db, trail.system("Delivery", made.ended_at), change)

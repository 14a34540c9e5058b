"""Slow down guessing: attempts are counted in the database before they are checked, until one succeeds.

An attempt counts as failed from its start, so a thousand concurrent attempts count as a thousand. During a pause,
every attempt is rejected, right or wrong, and none is counted.
"""

from datetime import datetime
from math import ceil

from atrium.kit.postgres.database import Connection
from atrium.sessions import queries
from atrium.sessions.model import (
    GUESSES_FROM_ADDRESS,
    GUESSES_ON_ACCOUNT,
    MAILS_FROM_ADDRESS,
    MAILS_TO_ACCOUNT,
    SET_UPS_FROM_ADDRESS,
    Limit,
    TooManyAttempts,
    counted_as,
    pause_after,
)

UNKNOWN_ADDRESS = "unknown"


async def count_attempt(db: Connection, account: str, address: str | None, now: datetime) -> None:
    """Count a guess at the account's password from an address. Raise TooManyAttempts."""
    await _count(db, GUESSES_ON_ACCOUNT, account, now)
    await _count(db, GUESSES_FROM_ADDRESS, address or UNKNOWN_ADDRESS, now)


async def record_success(db: Connection, account: str, address: str | None) -> None:
    """Reset the account's count and undo this attempt in the address's count. The address's count is not reset, because
    otherwise anyone with an account could guess other passwords without limit."""
    await reset_attempts(db, account)
    await db.execute(queries.UNDO_COUNT, counted_as(GUESSES_FROM_ADDRESS, address or UNKNOWN_ADDRESS))


async def record_failure(db: Connection, account: str, now: datetime) -> None:
    """Write the count unchanged, so that a failed attempt takes the same time for unknown accounts."""
    await db.execute(queries.TOUCH_COUNT, counted_as(GUESSES_ON_ACCOUNT, account), now)


async def reset_attempts(db: Connection, account: str) -> None:
    """Reset the count of an account after a successful sign-in."""
    await db.execute(queries.RESET_ATTEMPTS, counted_as(GUESSES_ON_ACCOUNT, account))


async def count_mail(db: Connection, account: str, address: str | None, now: datetime) -> None:
    """Count a requested email, whether or not the account exists. Raise TooManyAttempts.

    Emails to an account are counted per requesting address, so that nobody else can lock the owner out.
    """
    await _count(db, MAILS_TO_ACCOUNT, f"{account} {address or UNKNOWN_ADDRESS}", now)
    await _count(db, MAILS_FROM_ADDRESS, address or UNKNOWN_ADDRESS, now)


async def count_set_up(db: Connection, address: str | None, now: datetime) -> None:
    """Count an attempt to set up the server. Raise TooManyAttempts."""
    await _count(db, SET_UPS_FROM_ADDRESS, address or UNKNOWN_ADDRESS, now)


async def _count(db: Connection, limit: Limit, text: str, now: datetime) -> None:
    subject = counted_as(limit, text)
    await db.execute(queries.INIT_COUNT, subject, now)
    row = await db.fetchrow(queries.READ_COUNT, subject)
    before, last_at, blocked_until = row or (0, now, None)
    if blocked_until is not None and blocked_until > now:
        raise TooManyAttempts(retry_after=ceil((blocked_until - now).total_seconds()))
    failures = 1 if last_at < now - limit.forgotten_after else before + 1
    pause = pause_after(failures, limit)
    await db.execute(queries.COUNT, subject, failures, now, now + pause if pause else None)

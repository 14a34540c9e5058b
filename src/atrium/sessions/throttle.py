"""Guessing, slowed down: attempts are counted in the database, before they are looked at, until one succeeds.

An attempt counts as failed from its start, so a thousand at once are counted as a thousand. While a pause lasts
nothing is looked at, whether it is right or wrong, and nothing is counted.
"""

from datetime import datetime
from math import ceil

from atrium.kit.database import Connection
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

NOWHERE = "unknown"


async def count_guess(db: Connection, account: str, address: str | None, now: datetime) -> None:
    """Count a guess at the account's password, from the address. Raises TooManyAttempts."""
    await _count(db, GUESSES_ON_ACCOUNT, account, now)
    await _count(db, GUESSES_FROM_ADDRESS, address or NOWHERE, now)


async def guessed_right(db: Connection, account: str, address: str | None) -> None:
    """The account's count is cleared. The address is relieved of this one guess alone: somebody with an account of his
    own could otherwise guess at those of others without end."""
    await forget_guesses(db, account)
    await db.execute(queries.TAKE_BACK, counted_as(GUESSES_FROM_ADDRESS, address or NOWHERE))


async def guessed_wrong(db: Connection, account: str, now: datetime) -> None:
    """Nothing that counts; but it is written, so that the refusal of an unknown account takes as long as any."""
    await db.execute(queries.KEEP_COUNT, counted_as(GUESSES_ON_ACCOUNT, account), now)


async def forget_guesses(db: Connection, account: str) -> None:
    """Whoever has proven to be the owner of the account begins anew."""
    await db.execute(queries.FORGET_ATTEMPTS, counted_as(GUESSES_ON_ACCOUNT, account))


async def count_mail(db: Connection, account: str, address: str | None, now: datetime) -> None:
    """Count a mail asked for, whether or not there is such an account. Raises TooManyAttempts.

    Mails to an account are counted for each address that asks: a stranger who asks without end keeps nobody else out.
    """
    await _count(db, MAILS_TO_ACCOUNT, f"{account} {address or NOWHERE}", now)
    await _count(db, MAILS_FROM_ADDRESS, address or NOWHERE, now)


async def count_set_up(db: Connection, address: str | None, now: datetime) -> None:
    """Count an attempt to set the server up. Raises TooManyAttempts."""
    await _count(db, SET_UPS_FROM_ADDRESS, address or NOWHERE, now)


async def _count(db: Connection, limit: Limit, text: str, now: datetime) -> None:
    subject = counted_as(limit, text)
    await db.execute(queries.COUNT_FROM_NONE, subject, now)
    row = await db.fetchrow(queries.COUNTED, subject)
    before, last_at, blocked_until = row or (0, now, None)
    if blocked_until is not None and blocked_until > now:
        raise TooManyAttempts(retry_after=ceil((blocked_until - now).total_seconds()))
    failures = 1 if last_at < now - limit.forgotten_after else before + 1
    pause = pause_after(failures, limit)
    await db.execute(queries.COUNT, subject, failures, now, now + pause if pause else None)

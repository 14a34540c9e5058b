"""Slow down guessing and mailing: the limits of attempts on an account, and from a network.

All counts of networks are by `Call.network`: an IPv6 client has a whole /64 to choose addresses from.
"""

from datetime import datetime

from atrium.kit.http.attempts import count_attempt as count
from atrium.kit.http.attempts import counted_as
from atrium.kit.postgres.database import Connection
from atrium.sessions import queries
from atrium.sessions.model import (
    GUESSES_FROM_NETWORK,
    GUESSES_ON_ACCOUNT,
    MAILS_FROM_NETWORK,
    MAILS_TO_ACCOUNT,
    MAILS_TO_ACCOUNT_FROM_NETWORK,
    SET_UPS_FROM_NETWORK,
)


async def count_attempt(db: Connection, account: str, network: str, now: datetime) -> None:
    """Count a guess at the account's password from a network. Raise TooManyAttempts."""
    await count(db, GUESSES_ON_ACCOUNT, account, now)
    await count(db, GUESSES_FROM_NETWORK, network, now)


async def record_success(db: Connection, account: str, network: str) -> None:
    """Reset the account's count and undo this attempt in the network's count. The network's count is not reset, because
    otherwise anyone with an account could guess other passwords without limit."""
    await reset_attempts(db, account)
    await db.execute(queries.UNDO_COUNT, counted_as(GUESSES_FROM_NETWORK, network))


async def record_failure(db: Connection, account: str, now: datetime) -> None:
    """Write the count unchanged, so that a failed attempt takes the same time for unknown accounts."""
    await db.execute(queries.TOUCH_COUNT, counted_as(GUESSES_ON_ACCOUNT, account), now)


async def reset_attempts(db: Connection, account: str) -> None:
    """Reset the count of an account after a successful sign-in."""
    await db.execute(queries.RESET_ATTEMPTS, counted_as(GUESSES_ON_ACCOUNT, account))


async def count_mail(db: Connection, account: str, network: str, now: datetime) -> None:
    """Count a requested email, whether or not the account exists. Raise TooManyAttempts.

    Emails to an account are counted per requesting network, and of all networks together. Others can use up the second
    limit, too, but that does not lock the owner out: its pause is shorter than the lifetime of a link, so that at any
    time during the pause the last mail has a link that works.
    """
    await count(db, MAILS_TO_ACCOUNT_FROM_NETWORK, f"{account} {network}", now)
    await count(db, MAILS_FROM_NETWORK, network, now)
    await count(db, MAILS_TO_ACCOUNT, account, now)


async def count_set_up(db: Connection, network: str, now: datetime) -> None:
    """Count an attempt to set up the server. Raise TooManyAttempts."""
    await count(db, SET_UPS_FROM_NETWORK, network, now)

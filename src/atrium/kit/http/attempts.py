"""Slow down what can be repeated at will: attempts of a kind are counted in the database, and cause pauses.

An attempt counts as failed from its start, so a thousand concurrent attempts count as a thousand. During a pause,
every attempt is rejected, right or wrong, and none is counted.
"""

from datetime import datetime, timedelta
from hashlib import sha256
from math import ceil
from typing import NamedTuple

from atrium.kit.errors import FieldError, Problem
from atrium.kit.postgres.database import Connection

# Parameters: $1 subject, $2 last_at
INIT_COUNT = """
insert into sign_in_attempts (subject, failures, last_at) values ($1, 0, $2) on conflict (subject) do nothing
"""

# Parameters: $1 subject
# Returns: failures, last_at, blocked_until
READ_COUNT = "select failures, last_at, blocked_until from sign_in_attempts where subject = $1 for update"

# Parameters: $1 subject, $2 failures, $3 last_at, $4 blocked_until
COUNT = "update sign_in_attempts set failures = $2, last_at = $3, blocked_until = $4 where subject = $1"


class TooManyAttempts(Problem):
    """Too many attempts on this account, from this network or by this person. Attempts are rejected for `Retry-After`
    seconds, even with the correct password. Sign-in links still work."""

    status = 429
    code = "too_many_attempts"
    title = "Too many attempts"

    def __init__(
        self, detail: str | None = None, *, errors: list[FieldError] | None = None, retry_after: int = 1
    ) -> None:
        super().__init__(detail, errors=errors)
        self.headers = (("retry-after", str(retry_after)),)


class Limit(NamedTuple):
    """A limit of attempts of a kind: `free` attempts, then a pause that doubles with each one."""

    kind: str
    free: int
    first_pause: timedelta
    longest_pause: timedelta
    forgotten_after: timedelta


def pause_after(attempts: int, limit: Limit) -> timedelta:
    """Return the pause after that many failed attempts in a row."""
    if attempts < limit.free:
        return timedelta(0)
    doublings = min(attempts - limit.free, 20)
    longer: timedelta = limit.first_pause * 2**doublings
    return min(longer, limit.longest_pause)


def counted_as(limit: Limit, text: str) -> bytes:
    """Return the hash under which the attempts on an account or from an address are counted."""
    return sha256(f"{limit.kind}\n{text.lower()}".encode()).digest()


async def count_attempt(db: Connection, limit: Limit, text: str, now: datetime) -> None:
    """Count an attempt on, from or by what `text` names. Raise TooManyAttempts during a pause."""
    subject = counted_as(limit, text)
    await db.execute(INIT_COUNT, subject, now)
    row = await db.fetchrow(READ_COUNT, subject)
    before, last_at, blocked_until = row or (0, now, None)
    if blocked_until is not None and blocked_until > now:
        raise TooManyAttempts(retry_after=ceil((blocked_until - now).total_seconds()))
    failures = 1 if last_at < now - limit.forgotten_after else before + 1
    pause = pause_after(failures, limit)
    await db.execute(COUNT, subject, failures, now, now + pause if pause else None)

"""Mails a week and a day before something ends, such as a key or a certificate."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from atrium.kit.mail.queue import enqueue_mail
from atrium.kit.postgres.database import Pool, Record

BATCH = 100


class ExpiryMail(NamedTuple):
    """The text of a mail."""

    subject: str
    text: str


async def mail_about_expiring(pool: Pool, now: datetime, claim: str, mail: Callable[[Record], ExpiryMail]) -> None:
    """Queue a mail about everything that has begun its last week, and another about its last day.

    `claim` returns what is due (`expiry_mail_is_due`), with the `addresses` to notify, and marks it. Its parameters are
    the time and a limit.
    """
    while await _mail_about_some(pool, now, claim, mail) == BATCH:
        pass


async def _mail_about_some(pool: Pool, now: datetime, claim: str, mail: Callable[[Record], ExpiryMail]) -> int:
    async with pool.acquire() as db, db.transaction():
        rows = await db.fetch(claim, now, BATCH)
        for row in rows:
            subject, text = mail(row)
            for address in row["addresses"]:
                await enqueue_mail(db, to=address, subject=subject, text=text, now=now)
    return len(rows)


def in_words(at: datetime) -> str:
    """Return a time as mails show it."""
    return f"{at:%Y-%m-%d at %H:%M} UTC"

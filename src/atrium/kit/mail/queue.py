"""Mail that is never lost: put down in the transaction of what it tells of, sent by whoever comes by afterwards.

A sender claims mails for a while, in one statement, and holds no connection to the database while it speaks to the
mail server. Each result is written down as it comes. A sender that dies leaves its claims to run out: at worst the one
mail that it was handing over goes twice, with the same Message-ID.
"""

import asyncio
import time
from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

import aiosmtplib
import msgspec
import structlog

from atrium.kit.ids import new_id
from atrium.kit.mail.smtp import SmtpServer, address_of, parse_sender, parse_smtp_url
from atrium.kit.postgres.database import Connection, Pool
from atrium.kit.postgres.rows import as_struct, as_structs
from atrium.kit.text.types import Timestamp

log = structlog.get_logger()
KEPT = timedelta(days=30)
# After the first three, hourly; 3 days in all.
PAUSES = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), *[timedelta(hours=1)] * 71)
BATCH = 10
# A claim outlives its batch: connecting, the time for beginning another mail, and the last mail stay below it together.
CLAIMED_FOR = timedelta(minutes=5)
STEP_WITHIN, BEGIN_WITHIN = 60.0, 120.0  # seconds
LONGEST_ERROR = 500
FAILURES = (OSError, aiosmtplib.SMTPException, ValueError)  # ValueError: a host name that cannot be looked up

PUT = """
insert into mails (mail_id, recipient, subject, body, created_at, next_attempt_at) values ($1, $2, $3, $4, $5, $5)
"""

CLAIM = """
with due as (
    select mail_id from mails where next_attempt_at <= $1
    order by next_attempt_at, mail_id limit $3
    for update skip locked
)
update mails set next_attempt_at = $2 from due where mails.mail_id = due.mail_id
returning mails.mail_id, recipient, subject, body, created_at, attempts
"""

RELEASE = "update mails set next_attempt_at = $2 where mail_id = any($1::uuid[]) and next_attempt_at is not null"

SENT = """
update mails set sent_at = $2, next_attempt_at = null, last_error = null, attempts = attempts + 1 where mail_id = $1
"""

FAILED = """
update mails set next_attempt_at = $2, last_error = $3, attempts = attempts + 1 where mail_id = $1 and sent_at is null
"""

FORGET_OLD_MAIL = "delete from mails where created_at < $1"

NEWEST = """
select mail_id, recipient as to, subject, body as text, created_at, sent_at, attempts, next_attempt_at, last_error,
       case when sent_at is not null then 'sent' when next_attempt_at is null then 'refused' else 'waiting' end as state
from mails order by mail_id desc limit $1
"""

ONE = """
select mail_id, recipient as to, subject, body as text, created_at, sent_at, attempts, next_attempt_at, last_error,
       case when sent_at is not null then 'sent' when next_attempt_at is null then 'refused' else 'waiting' end as state
from mails where mail_id = $1
"""


class StoredMail(msgspec.Struct, frozen=True):
    """A mail as it is kept. `refused`: it was not sent and will not be tried again, for `last_error`."""

    mail_id: UUID
    state: Literal["waiting", "sent", "refused"]
    to: str
    subject: str
    text: str
    created_at: Timestamp
    sent_at: Timestamp | None
    attempts: int
    next_attempt_at: Timestamp | None
    last_error: str | None


class Claimed(NamedTuple):
    """A mail in the hands of one sender."""

    mail_id: UUID
    recipient: str
    subject: str
    body: str
    created_at: datetime
    attempts: int


@dataclass(frozen=True)
class Accepted:
    """The server has taken the mail."""


@dataclass(frozen=True)
class Later:
    """The mail could not be handed over now."""

    why: str


@dataclass(frozen=True)
class Refused:
    """This mail will never be taken."""

    why: str


Outcome: TypeAlias = Accepted | Later | Refused


class _Way(NamedTuple):
    pool: Pool
    server: SmtpServer
    sender: str
    at: datetime


async def put_mail(db: Connection, *, to: str, subject: str, text: str, now: datetime) -> None:
    """Put a mail down for sending; it goes if the caller's transaction commits, and only then.

    `text` is plain. Line breaks in the subject, which would begin another header, become spaces.
    """
    await db.execute(PUT, new_id(now), to, " ".join(subject.split()), text, now)


async def send_waiting(pool: Pool, smtp_url: str, sender: str, now: datetime) -> int:
    """Send what is due at `now`, and say how many mails went. Several senders at once send each mail once.

    Raises ValueError for a `smtp_url` or `sender` that cannot be read; whatever the mail server does is no error here.
    """
    server, began, sent = parse_smtp_url(smtp_url), time.monotonic(), 0
    parse_sender(sender)
    while True:
        at = now + timedelta(seconds=time.monotonic() - began)
        rows = await pool.fetch(CLAIM, at, at + CLAIMED_FOR, BATCH)
        claimed = deque(sorted(Claimed(*row) for row in rows))  # by id, which is by age
        if not claimed:
            return sent
        try:
            accepted = await _send_batch(_Way(pool, server, sender, at), claimed)
        finally:
            if untried := [mail.mail_id for mail in claimed]:
                await pool.execute(RELEASE, untried, now)
        sent += accepted
        if untried or not accepted:  # a server in trouble is left alone until the next time
            return sent


async def delete_old_mail(db: "Connection | Pool", now: datetime) -> None:
    """Drop what was put down more than 30 days ago, sent or not."""
    await db.execute(FORGET_OLD_MAIL, now - KEPT)


async def newest_mails(db: Connection, *, limit: int | None) -> list[StoredMail]:
    """What is kept, newest first; without a limit all of it."""
    return as_structs(await db.fetch(NEWEST, limit), StoredMail)


async def read_mail(db: Connection, mail_id: UUID) -> StoredMail | None:
    """One mail, None where it is not kept."""
    row = await db.fetchrow(ONE, mail_id)
    return None if row is None else as_struct(row, StoredMail)


def message_of(mail: Claimed, sender: str) -> EmailMessage:
    """The mail as it goes over the wire. Raises ValueError where it cannot be written."""
    message, origin = EmailMessage(policy=SMTP), parse_sender(sender)
    message["Message-ID"] = f"<{mail.mail_id}@{origin.domain}>"
    message["Date"] = mail.created_at
    message["From"] = origin
    message["To"] = address_of(mail.recipient)
    message["Subject"] = mail.subject
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: nobody's absence notice shall answer it
    message.set_content(mail.body)
    return message


def outcome_of(error: Exception) -> Outcome:
    """What a failure while handing over one mail means for that mail."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return outcome_of(error.recipients[0])
    about_this_mail = (aiosmtplib.SMTPRecipientRefused, aiosmtplib.SMTPDataError)
    if isinstance(error, about_this_mail):
        return Refused(why(error)) if error.code >= 500 else Later(why(error))
    if isinstance(error, ValueError | aiosmtplib.SMTPNotSupported):
        return Refused(why(error))
    return Later(why(error))  # also where our sender or password is refused: an operator can correct that


def next_attempt(attempts: int, at: datetime) -> datetime | None:
    """When a mail is tried again whose `attempts` earlier ones failed as the one at `at` did; None: no more."""
    return at + PAUSES[attempts] if attempts < len(PAUSES) else None


def why(error: Exception) -> str:
    """The failure in a line that may be kept and shown."""
    if isinstance(error, aiosmtplib.SMTPAuthenticationError):
        # Some servers repeat the command that they did not like, and with it the password.
        return f"{error.code} the mail server does not accept the user and password"
    code = f"{error.code} " if isinstance(error, aiosmtplib.SMTPResponseException) else ""
    text = error.message if isinstance(error, aiosmtplib.SMTPResponseException) else str(error)
    return " ".join(f"{code}{text or type(error).__name__}".split())[:LONGEST_ERROR].replace("\x00", "")


async def _send_batch(way: _Way, claimed: deque[Claimed]) -> int:
    """How many of the claimed mails the server took, over one connection; what stays in `claimed` was not tried."""
    server, client = way.server, _client(way.server)
    try:
        async with asyncio.timeout(STEP_WITHIN):
            await client.connect()
    except FAILURES as error:
        log.warning("the mail server cannot be used; mail waits", host=server.host, error=why(error))
        while claimed:
            await _write_down(way, claimed.popleft(), Later(why(error)))
        return 0
    async with client:
        return await _hand_over(way, client, claimed)


def _client(server: SmtpServer) -> aiosmtplib.SMTP:
    return aiosmtplib.SMTP(
        hostname=server.host, port=server.port, username=server.user, password=server.password, use_tls=server.tls,
        start_tls=server.starttls, timeout=STEP_WITHIN,
    )  # fmt: skip


async def greet(smtp_url: str, *, within: float) -> str | None:
    """Connect to the mail server as for sending, and send nothing: why that fails, None where it does not."""
    client = _client(parse_smtp_url(smtp_url))
    try:
        async with asyncio.timeout(within), client:
            await client.ehlo()
    except FAILURES as error:
        return why(error)
    return None


async def _hand_over(way: _Way, client: aiosmtplib.SMTP, claimed: deque[Claimed]) -> int:
    began, accepted = time.monotonic(), 0
    while claimed and client.is_connected and time.monotonic() < began + BEGIN_WITHIN:
        mail = claimed.popleft()
        outcome = await _send(client, mail, way.sender)
        await _write_down(way, mail, outcome)
        accepted += isinstance(outcome, Accepted)
    return accepted


async def _send(client: aiosmtplib.SMTP, mail: Claimed, sender: str) -> Outcome:
    try:
        async with asyncio.timeout(STEP_WITHIN):
            await client.send_message(message_of(mail, sender), recipients=[mail.recipient])
    except FAILURES as error:
        if isinstance(error, TimeoutError):
            client.close()  # an answer that comes after all must not be taken for that to the next mail
        return outcome_of(error)
    return Accepted()


async def _write_down(way: _Way, mail: Claimed, outcome: Outcome) -> None:
    match outcome:
        case Accepted():
            await way.pool.execute(SENT, mail.mail_id, way.at)
        case Refused(reason):
            await way.pool.execute(FAILED, mail.mail_id, None, reason)
        case Later(reason):
            again = next_attempt(mail.attempts, way.at)
            said = reason if again else f"given up after {len(PAUSES) + 1} attempts: {reason}"
            await way.pool.execute(FAILED, mail.mail_id, again, said)

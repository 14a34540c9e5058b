"""A queue for email. An email is stored in the transaction of the change that causes it, and sent later.

A sender claims emails for a limited time, in one statement, and holds no database connection while it talks to the mail
server. It records each result immediately. The claims of a sender that dies expire: at worst one email is sent twice,
with the same Message-ID.
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
RETENTION = timedelta(days=30)
# After the first three retries, hourly; 3 days in total.
RETRY_DELAYS = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), *[timedelta(hours=1)] * 71)
BATCH = 10
# A claim lasts longer than a batch: STEP_TIMEOUT to connect, BATCH_START_TIMEOUT, STEP_TIMEOUT for the last email.
CLAIM_DURATION = timedelta(minutes=5)
STEP_TIMEOUT, BATCH_START_TIMEOUT = 60.0, 120.0  # seconds
MAX_ERROR_LENGTH = 500
FAILURES = (OSError, aiosmtplib.SMTPException, ValueError)  # ValueError: an invalid host name

# Parameters: $1 mail_id, $2 recipient, $3 subject, $4 body, $5 created_at, $6 organization_id or null
ADD = """
insert into mails (mail_id, recipient, subject, body, created_at, next_attempt_at, organization_id)
values ($1, $2, $3, $4, $5, $5, $6)
"""

# Claim due emails: their next attempt is after the claim.
# Parameters: $1 now, $2 end of the claim, $3 limit
# Returns: mail_id, recipient, subject, body, created_at, attempts
CLAIM = """
with due as (
    select mail_id from mails where next_attempt_at <= $1
    order by next_attempt_at, mail_id limit $3
    for update skip locked
)
update mails set next_attempt_at = $2 from due where mails.mail_id = due.mail_id
returning mails.mail_id, recipient, subject, body, created_at, attempts
"""

# Parameters: $1 mail ids, $2 next_attempt_at
RELEASE = "update mails set next_attempt_at = $2 where mail_id = any($1::uuid[]) and next_attempt_at is not null"

# Parameters: $1 mail_id, $2 sent_at
RECORD_SENT = """
update mails set sent_at = $2, next_attempt_at = null, last_error = null, attempts = attempts + 1 where mail_id = $1
"""

# Parameters: $1 mail_id, $2 next_attempt_at (null: none), $3 last_error
RECORD_FAILED = """
update mails set next_attempt_at = $2, last_error = $3, attempts = attempts + 1 where mail_id = $1 and sent_at is null
"""

# Parameters: $1 the earliest created_at to keep
DELETE_OLD = "delete from mails where created_at < $1"

# Parameters: $1 limit (null: none)
# Returns: mail_id, to, subject, text, created_at, sent_at, attempts, next_attempt_at, last_error, state
NEWEST = """
select mail_id, recipient as to, subject, body as text, created_at, sent_at, attempts, next_attempt_at, last_error,
       case when sent_at is not null then 'sent' when next_attempt_at is null then 'refused' else 'waiting' end as state
from mails order by mail_id desc limit $1
"""

# Parameters: $1 mail_id
# Returns: mail_id, to, subject, text, created_at, sent_at, attempts, next_attempt_at, last_error, state
ONE = """
select mail_id, recipient as to, subject, body as text, created_at, sent_at, attempts, next_attempt_at, last_error,
       case when sent_at is not null then 'sent' when next_attempt_at is null then 'refused' else 'waiting' end as state
from mails where mail_id = $1
"""


class StoredMail(msgspec.Struct, frozen=True):
    """A stored email. `refused`: it was not sent, because of `last_error`, and will not be retried."""

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


class ClaimedMail(NamedTuple):
    """An email that a sender has claimed."""

    mail_id: UUID
    recipient: str
    subject: str
    body: str
    created_at: datetime
    attempts: int


@dataclass(frozen=True)
class Accepted:
    """The mail server accepted the email."""


@dataclass(frozen=True)
class RetryLater:
    """The email could not be sent now and is retried."""

    reason: str


@dataclass(frozen=True)
class Rejected:
    """The mail server rejected the email permanently."""

    reason: str


Outcome: TypeAlias = Accepted | RetryLater | Rejected


class _Run(NamedTuple):
    pool: Pool
    server: SmtpServer
    sender: str
    at: datetime


async def enqueue_mail(
    db: Connection, *, to: str, subject: str, text: str, now: datetime, organization_id: UUID | None = None
) -> None:
    """Add an email to the queue. It is sent if the transaction commits.

    `text` is plain text. Line breaks in the subject, which would begin another header, become spaces. Admins of other
    organizations than `organization_id` do not see the email while it is stored.
    """
    await db.execute(ADD, new_id(now), to, " ".join(subject.split()), text, now, organization_id)


async def send_due_mail(pool: Pool, smtp_url: str, sender: str, now: datetime) -> int:
    """Send the emails that are due at `now`, and return their number. Concurrent senders send each email once.

    Raise ValueError for an invalid `smtp_url` or `sender`. Errors of the mail server are logged and recorded.
    """
    server, began, sent = parse_smtp_url(smtp_url), time.monotonic(), 0
    parse_sender(sender)
    while True:
        at = now + timedelta(seconds=time.monotonic() - began)
        rows = await pool.fetch(CLAIM, at, at + CLAIM_DURATION, BATCH)
        claimed = deque(sorted(ClaimedMail(*row) for row in rows))  # by id, so by age
        if not claimed:
            return sent
        try:
            accepted = await _send_batch(_Run(pool, server, sender, at), claimed)
        finally:
            if untried := [mail.mail_id for mail in claimed]:
                await pool.execute(RELEASE, untried, now)
        sent += accepted
        if untried or not accepted:  # the server has a problem; retry next time
            return sent


async def delete_old_mail(db: "Connection | Pool", now: datetime) -> None:
    """Delete emails that are older than 30 days, sent or not."""
    await db.execute(DELETE_OLD, now - RETENTION)


async def list_mail(db: Connection, *, limit: int | None) -> list[StoredMail]:
    """Return stored emails, newest first, all of them without a limit."""
    return as_structs(await db.fetch(NEWEST, limit), StoredMail)


async def read_mail(db: Connection, mail_id: UUID) -> StoredMail | None:
    """Return a stored email, or None."""
    row = await db.fetchrow(ONE, mail_id)
    return None if row is None else as_struct(row, StoredMail)


def message_of(mail: ClaimedMail, sender: str) -> EmailMessage:
    """Return the message to send. Raise ValueError if an address is invalid."""
    message, origin = EmailMessage(policy=SMTP), parse_sender(sender)
    message["Message-ID"] = f"<{mail.mail_id}@{origin.domain}>"
    message["Date"] = mail.created_at
    message["From"] = origin
    message["To"] = address_of(mail.recipient)
    message["Subject"] = mail.subject
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no automatic replies
    message.set_content(mail.body)
    return message


def outcome_of(error: Exception) -> Outcome:
    """Return the outcome of an email for an error that occurred while it was sent."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return outcome_of(error.recipients[0])
    about_this_mail = (aiosmtplib.SMTPRecipientRefused, aiosmtplib.SMTPDataError)
    if isinstance(error, about_this_mail):
        return Rejected(reason_of(error)) if error.code >= 500 else RetryLater(reason_of(error))
    if isinstance(error, ValueError | aiosmtplib.SMTPNotSupported):
        return Rejected(reason_of(error))
    return RetryLater(reason_of(error))  # also for a rejected sender or password, which an operator can correct


def next_attempt(attempts: int, at: datetime) -> datetime | None:
    """Return when to retry an email after a failure at `at` and `attempts` earlier ones, None to give up."""
    return at + RETRY_DELAYS[attempts] if attempts < len(RETRY_DELAYS) else None


def reason_of(error: Exception) -> str:
    """Return an error as one line that can be stored and shown."""
    if isinstance(error, aiosmtplib.SMTPAuthenticationError):
        # Some servers repeat the command, which contains the password.
        return f"{error.code} the mail server rejected the username or password"
    code = f"{error.code} " if isinstance(error, aiosmtplib.SMTPResponseException) else ""
    text = error.message if isinstance(error, aiosmtplib.SMTPResponseException) else str(error)
    return " ".join(f"{code}{text or type(error).__name__}".split())[:MAX_ERROR_LENGTH].replace("\x00", "")


async def _send_batch(run: _Run, claimed: deque[ClaimedMail]) -> int:
    """Send emails over one connection and return how many were accepted. Those left in `claimed` were not tried."""
    server, client = run.server, _client(run.server)
    try:
        async with asyncio.timeout(STEP_TIMEOUT):
            await client.connect()
    except FAILURES as error:
        log.warning("the mail server is unavailable; email stays queued", host=server.host, error=reason_of(error))
        while claimed:
            await _record(run, claimed.popleft(), RetryLater(reason_of(error)))
        return 0
    async with client:
        return await _send_all(run, client, claimed)


def _client(server: SmtpServer) -> aiosmtplib.SMTP:
    return aiosmtplib.SMTP(
        hostname=server.host, port=server.port, username=server.user, password=server.password, use_tls=server.tls,
        start_tls=server.starttls, timeout=STEP_TIMEOUT,
    )  # fmt: skip


async def check_connection(smtp_url: str, *, within: float) -> str | None:
    """Connect to the mail server without sending anything. Return the reason if that fails, else None."""
    client = _client(parse_smtp_url(smtp_url))
    try:
        async with asyncio.timeout(within), client:
            await client.ehlo()
    except FAILURES as error:
        return reason_of(error)
    return None


async def _send_all(run: _Run, client: aiosmtplib.SMTP, claimed: deque[ClaimedMail]) -> int:
    began, accepted = time.monotonic(), 0
    while claimed and client.is_connected and time.monotonic() < began + BATCH_START_TIMEOUT:
        mail = claimed.popleft()
        outcome = await _send(client, mail, run.sender)
        await _record(run, mail, outcome)
        accepted += isinstance(outcome, Accepted)
    return accepted


async def _send(client: aiosmtplib.SMTP, mail: ClaimedMail, sender: str) -> Outcome:
    try:
        async with asyncio.timeout(STEP_TIMEOUT):
            await client.send_message(message_of(mail, sender), recipients=[mail.recipient])
    except FAILURES as error:
        if isinstance(error, TimeoutError):
            client.close()  # a late response must not be taken for the response to the next mail
        return outcome_of(error)
    return Accepted()


async def _record(run: _Run, mail: ClaimedMail, outcome: Outcome) -> None:
    match outcome:
        case Accepted():
            await run.pool.execute(RECORD_SENT, mail.mail_id, run.at)
        case Rejected(reason):
            await run.pool.execute(RECORD_FAILED, mail.mail_id, None, reason)
        case RetryLater(reason):
            next_at = next_attempt(mail.attempts, run.at)
            error = reason if next_at else f"gave up after {len(RETRY_DELAYS) + 1} attempts: {reason}"
            await run.pool.execute(RECORD_FAILED, mail.mail_id, next_at, error)

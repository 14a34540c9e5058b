"""The email to an organization's people.

A sign-in link works for anyone who has it. An email is therefore visible only to callers whose role is at least the
recipient's, and only if the address belongs to no other organization. Its text is visible only to people with a session
or a key without limits, only while no mail server is configured, and each read is recorded in the audit log. From then
on, that someone has a link of the address no longer proves that it is theirs.
"""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.keys.limits import require_unlimited
from atrium.keys.policy import require_session_under_policy
from atrium.kit.errors import NotFound
from atrium.kit.http.paging import ListPage, decode_cursor, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Record
from atrium.kit.postgres.rows import as_struct
from atrium.kit.text.types import Timestamp
from atrium.organizations import queries
from atrium.organizations.reach import Organization

NEWEST = UUID(int=(1 << 128) - 1)


class MailNotFound(NotFound):
    """The email does not exist, or the caller may not see it."""

    code = "mail_not_found"
    title = "Mail not found"


class Mail(Struct, frozen=True):
    """An email, kept for 30 days. `refused`: it could not be sent, because of `last_error`, and will not be retried."""

    mail_id: UUID
    state: Annotated[Literal["waiting", "sent", "refused"], Meta(examples=["waiting"])]
    to: Annotated[str, Meta(examples=["ada@example.org"])]
    subject: str
    created_at: Timestamp
    sent_at: Timestamp | None
    next_attempt_at: Timestamp | None
    last_error: str | None


class MailWithText(Struct, frozen=True):
    """An email with its text, which is null if a mail server is configured."""

    mail: Mail
    text: str | None


async def list_mails(call: Call, organization: Organization, paging: Paging) -> ListPage[Mail]:
    """Return a page of the emails that the caller may see, newest first, without their text."""
    before = NEWEST if paging.cursor is None else decode_cursor(paging.cursor, UUID)
    rows = await _fetch(call, organization, before=before, limit=paging.limit + 1)
    page, cursor = paginate(rows, paging.limit, lambda row: row["mail_id"])
    return [_mail(row) for row in page], cursor


async def read_mail(call: Call, organization: Organization, mail_id: UUID) -> MailWithText:
    """Return an email, with its text if no mail server is configured, and record the read. Raise MailNotFound,
    Forbidden for a key that a limit or a key policy is meant to end or confine: a link in the text is a session."""
    rows = await _fetch(call, organization, only=mail_id)
    if not rows:
        raise MailNotFound
    mail = _mail(rows[0])
    if call.settings.smtp_url is not None:
        return MailWithText(mail, None)
    await require_unlimited(call)
    await require_session_under_policy(call)
    await call.db.execute(queries.END_PROOF, mail.to)
    target = Target("mail", mail_id, mail.subject)
    await call.record(Change("mail.read", target, organization.organization_id, after={"to": mail.to}))
    return MailWithText(mail, rows[0]["text"])


async def _fetch(
    call: Call, organization: Organization, *, before: UUID = NEWEST, limit: int = 1, only: UUID | None = None
) -> list[Record]:
    parameters = (organization.organization_id, organization.role, call.now, before, limit, only)
    return list(await call.db.fetch(queries.MAILS, *parameters))


def _mail(row: Record) -> Mail:
    return as_struct({name: value for name, value in row.items() if name != "text"}, Mail)

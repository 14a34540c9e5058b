"""`/v1/organizations/{organization_id}/mails`: mail to an organization's people, while there is no mail server.

Whoever reads a link to sign in can use it. So a mail is shown only to those who hold the role of its recipient, and
only if no other organization knows the address; its text only to people and where no mail server is set to send it, and
each reading of one is in the audit trail.
"""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.database import Record
from atrium.kit.errors import NotFound
from atrium.kit.paging import cut, decode_cursor
from atrium.kit.rows import as_struct
from atrium.kit.texts import Timestamp
from atrium.kit.web import Paging, raises
from atrium.organizations import queries
from atrium.organizations.reach import Organization

NEWEST = UUID(int=(1 << 128) - 1)


class MailNotFound(NotFound):
    """No mail of that id is kept, or it is not for the caller to see."""

    code = "mail_not_found"
    title = "There is no such mail"


class Mail(Struct, frozen=True):
    """A mail that is kept for 30 days. `refused`: it was not sent and will not be tried again, for `last_error`."""

    mail_id: UUID
    state: Annotated[Literal["waiting", "sent", "refused"], Meta(examples=["waiting"])]
    to: Annotated[str, Meta(examples=["ada@example.org"])]
    subject: str
    created_at: Timestamp
    sent_at: Timestamp | None
    next_attempt_at: Timestamp | None
    last_error: str | None


class MailWithText(Struct, frozen=True):
    """A mail with its text; null where a mail server is set and the text is between it and the recipient."""

    mail: Mail
    text: str | None


class MailList(Struct, frozen=True):
    """A page of mails, newest first, and whether this server has a mail server to send them by."""

    mails: list[Mail]
    mail_server: bool
    next_cursor: str | None


async def list_mails(call: Call, organization: Organization, query: Paging) -> MailList:
    """List the mail to people of an organization, newest first, without its texts: to those whose role you hold, and
    whom no other organization knows."""
    before = NEWEST if query.cursor is None else decode_cursor(query.cursor, UUID)
    rows = await _fetch(call, organization, before=before, limit=query.limit + 1)
    page, cursor = cut(rows, query.limit, lambda row: row["mail_id"])
    return MailList([_mail(row) for row in page], call.settings.smtp_url is not None, cursor)


@raises(MailNotFound)
async def read_mail(call: Call, organization: Organization, mail_id: UUID) -> MailWithText:
    """Read a mail with its text, where no mail server is set that would send it. The audit trail tells of it.

    Needs a personal key or a session: a text may hold a link that signs in, and no integration gets that.
    """
    rows = await _fetch(call, organization, only=mail_id)
    if not rows:
        raise MailNotFound
    mail = _mail(rows[0])
    if call.settings.smtp_url is not None:
        return MailWithText(mail, None)
    target = Target("mail", mail_id, mail.subject)
    await call.record(Change("mail.read", target, organization.organization_id, after={"to": mail.to}))
    return MailWithText(mail, rows[0]["text"])


async def _fetch(
    call: Call, organization: Organization, *, before: UUID = NEWEST, limit: int = 1, only: UUID | None = None
) -> list[Record]:
    asked = (organization.organization_id, organization.role, call.now, before, limit, only)
    return list(await call.db.fetch(queries.MAILS, *asked))


def _mail(row: Record) -> Mail:
    return as_struct({name: value for name, value in row.items() if name != "text"}, Mail)

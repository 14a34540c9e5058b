"""`/v1/organizations/{organization_id}/mails`: the mail to people, while no mail server is set to send it."""

from uuid import UUID

from msgspec import Struct

from atrium.keys.caller import Call
from atrium.kit.web import Paging, raises
from atrium.organizations import mail
from atrium.organizations.mail import Mail, MailNotFound, MailWithText
from atrium.organizations.reach import Organization


class MailList(Struct, frozen=True):
    """A page of mails, newest first, and whether this server has a mail server to send them by."""

    mails: list[Mail]
    mail_server: bool
    next_cursor: str | None


async def list_mails(call: Call, organization: Organization, query: Paging) -> MailList:
    """List the mail to people of an organization, newest first, without its texts: to those whose role you hold, and
    whom no other organization knows."""
    mails, cursor = await mail.list_mails(call, organization, query)
    return MailList(mails, call.settings.smtp_url is not None, cursor)


@raises(MailNotFound)
async def read_mail(call: Call, organization: Organization, mail_id: UUID) -> MailWithText:
    """Read a mail with its text, where no mail server is set that would send it. The audit trail tells of it.

    Needs a personal key or a session: a text may hold a link that signs in, and no integration gets that.
    """
    return await mail.read_mail(call, organization, mail_id)

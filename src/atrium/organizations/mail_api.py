"""`/v1/organizations/{organization_id}/mails`: the mail to people, while no mail server is set to send it."""

from uuid import UUID

from msgspec import Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Paging
from atrium.kit.http.route import raises
from atrium.organizations import mail
from atrium.organizations.mail import Mail, MailNotFound, MailWithText
from atrium.organizations.reach import Organization


class MailList(Struct, frozen=True):
    """A page of mails, newest first, and whether a mail server is set to send them."""

    mails: list[Mail]
    mail_server: bool
    next_cursor: str | None


async def list_mails(call: Call, organization: Organization, query: Paging) -> MailList:
    """List the mail to people of an organization, newest first, without texts: to people whose role you hold, and who
    belong to no other organization."""
    mails, cursor = await mail.list_mails(call, organization, query)
    return MailList(mails, call.settings.smtp_url is not None, cursor)


@raises(MailNotFound)
async def read_mail(call: Call, organization: Organization, mail_id: UUID) -> MailWithText:
    """Read a mail, with its text if no mail server is set to send it. This is recorded in the audit log.

    Needs a personal key or a session: a text may contain a link that signs in, which integrations must not get.
    """
    return await mail.read_mail(call, organization, mail_id)

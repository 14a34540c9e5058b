"""`/v1/organizations/{organization_id}/mails`: the email to people of the organization."""

from uuid import UUID

from msgspec import Struct

from atrium.keys.caller import Call
from atrium.kit.http.request import Paging
from atrium.organizations.mails import reach
from atrium.organizations.mails.reach import Mail, MailWithText
from atrium.organizations.reach import Organization


class MailList(Struct, frozen=True):
    """A page of emails, newest first, and whether a mail server is configured to send them."""

    mails: list[Mail]
    mail_server: bool
    next_cursor: str | None


async def list_mails(call: Call, organization: Organization, query: Paging) -> MailList:
    """List emails to people of an organization, newest first, without their text.

    Excludes recipients with a higher role than yours or in another organization.
    """
    mails, cursor = await reach.list_mails(call, organization, query)
    return MailList(mails, call.settings.smtp_url is not None, cursor)


async def read_mail(call: Call, organization: Organization, mail_id: UUID) -> MailWithText:
    """Read an email, with its text if no mail server is configured. This is recorded in the audit log.

    Because the text may contain a sign-in link, it requires a session or a personal key without limits: without
    scopes, networks and an expiry, in no organization with a key policy.
    """
    return await reach.read_mail(call, organization, mail_id)

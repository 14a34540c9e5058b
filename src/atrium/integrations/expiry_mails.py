"""Mails about keys that expire soon: to their person, or to the admins of their integration's organization."""

from datetime import datetime
from functools import partial

from atrium.integrations import queries
from atrium.kit.mail.expiry import ExpiryMail, in_words, mail_about_expiring
from atrium.kit.postgres.database import Pool, Record

TEXT = """The API key "{name}" of {owner} (it ends in {last_four}) expires on {at}.

After that, programs that use it are rejected. To keep them working, change when the key expires, or rotate the key and
give them the new one:
{link}

If the key is no longer needed, revoke it there, or let it expire.
"""


async def mail_about_expiring_keys(pool: Pool, now: datetime, *, base_url: str) -> None:
    """Queue a mail for each key that has begun its last week, and another for its last day.

    A key whose expiry was set later than that gets none, because the person who set it knows.
    """
    await mail_about_expiring(pool, now, queries.CLAIM_EXPIRING, partial(_mail, base_url=base_url))


def _mail(key: Record, *, base_url: str) -> ExpiryMail:
    is_integration = key["is_integration"]
    page = "administration/integrations" if is_integration else "settings"
    text = TEXT.format(
        name=key["name"],
        last_four=key["last_four"],
        at=in_words(key["expires_at"]),
        owner=f"the integration {key['actor_name']}" if is_integration else "your account",
        link=f"{base_url}/o/{key['organization_id']}/{page}",
    )
    return ExpiryMail(f"API key expires soon: {key['name']}", text)

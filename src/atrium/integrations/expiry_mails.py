"""Mails about keys that expire soon: to their person, or to the admins of their integration's organization."""

from datetime import datetime

from atrium.integrations import queries
from atrium.kit.mail.queue import enqueue_mail
from atrium.kit.postgres.database import Connection, Pool, Record

BATCH = 100

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
    while await _mail_about_some(pool, now, base_url) == BATCH:
        pass


async def _mail_about_some(pool: Pool, now: datetime, base_url: str) -> int:
    async with pool.acquire() as db, db.transaction():
        keys = await db.fetch(queries.CLAIM_EXPIRING, now, BATCH)
        for key in keys:
            await _mail(db, key, now, base_url)
    return len(keys)


async def _mail(db: Connection, key: Record, now: datetime, base_url: str) -> None:
    is_integration, ends = key["is_integration"], key["expires_at"]
    page = "administration/integrations" if is_integration else "settings"
    text = TEXT.format(
        name=key["name"], last_four=key["last_four"], at=f"{ends:%Y-%m-%d at %H:%M} UTC",
        owner=f"the integration {key['actor_name']}" if is_integration else "your account",
        link=f"{base_url}/o/{key['organization_id']}/{page}",
    )  # fmt: skip
    for address in key["addresses"]:
        await enqueue_mail(db, to=address, subject=f"API key expires soon: {key['name']}", text=text, now=now)

"""Mails in the queue."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import asyncpg

from atrium.kit.mail.queue import enqueue_mail
from tests.conftest import Api

NOW = datetime(2030, 1, 1, 9, 0, tzinfo=UTC)  # newer than the mails of other tests


def put(api: Api, count: int = 1, subject: str = "Hello", text: str = "Hi.") -> list[str]:
    """Create mails, oldest first, a second apart; return their recipients."""
    recipients = [f"p{uuid4().hex[:8]}@example.org" for _ in range(count)]

    async def put_all() -> None:
        db = await asyncpg.connect(api.settings.database_url)
        for place, to in enumerate(recipients):
            await enqueue_mail(db, to=to, subject=subject, text=text, now=NOW + timedelta(seconds=place))
        await db.close()

    api.sql("delete from mails")
    asyncio.run(put_all())
    return recipients

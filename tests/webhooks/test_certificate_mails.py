"""Mails a week and a day before the client certificate of a webhook ends."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest

from atrium.kit.settings import Settings
from atrium.webhooks.delivery.mails import mail_about_ending_certificates
from tests.keys.admins import add_admin
from tests.webhooks.certificates import Authority
from tests.webhooks.harness import Harness, with_harness

DAY = timedelta(days=1)
URL = "https://127.0.0.1:9/hook"
ADA, GRACE = "ada@example.org", "grace@example.org"
AUTHORITY = Authority()
ENDS = datetime(2030, 5, 17, 9, 30, tzinfo=UTC)


async def recipients(harness: Harness, at: datetime, workers: int = 1) -> list[str]:
    """Return to whom mails are queued at a time, by concurrent workers."""
    await harness.db.execute("delete from mails")
    async with asyncpg.create_pool(harness.settings.database_url, min_size=0) as pool:
        rounds = (mail_about_ending_certificates(pool, at, base_url="http://atrium.test") for _ in range(workers))
        await asyncio.gather(*rounds)
    return sorted(mail["recipient"] for mail in await harness.mails())


async def subscribe(harness: Harness, ends: datetime = ENDS) -> Any:
    authentication = AUTHORITY.issue("ada", ends=ends).as_authentication
    return await harness.subscribe(endpoint_url=URL, authentication=authentication)


@pytest.mark.contract("Webhook details 10")
def test_admins_are_mailed_a_week_and_a_day_before_a_certificate_ends(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        await add_admin(harness, "admin", GRACE)
        await add_admin(harness, "reader", "noor@example.org")
        webhook = await subscribe(harness)
        days = [
            days / 2
            for days in range(20, -4, -1)
            if await recipients(harness, ENDS - DAY * days / 2, 3) == [ADA, GRACE]
        ]
        assert days == [7, 1], "once each from three workers"
        await harness.change(webhook, authentication=AUTHORITY.issue("ada", ends=ENDS + 30 * DAY).as_authentication)
        assert await recipients(harness, ENDS + 24 * DAY) == [ADA, GRACE]
        [mail, _] = await harness.mails()
        assert mail["subject"] == "Certificate ends soon: hook"
        page = f"http://atrium.test/o/{harness.made['organization_id']}/administration/webhooks/{webhook['webhook']['id']}\n"
        assert page in mail["body"] and "2030-06-16 at 09:30 UTC" in mail["body"]

    with_harness(settings, act)


@pytest.mark.contract("Webhook details 10")
def test_no_mail_is_sent_about_what_its_admins_know(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        harness.clock.at = ENDS - 5 * DAY
        webhook = await subscribe(harness)
        assert await recipients(harness, ENDS - 4 * DAY) == [], "it was set in its last week"
        await harness.change(webhook, status="WEBHOOK_STATUS_INACTIVE")
        assert await recipients(harness, ENDS - DAY / 2) == [], "the webhook is disabled"
        await harness.change(webhook, status="WEBHOOK_STATUS_ACTIVE")
        assert await recipients(harness, ENDS - DAY / 2) == [ADA]
        again = await subscribe(harness, ENDS + 30 * DAY)
        await harness.change(again, endpoint_url="http://127.0.0.1:9/", authentication=None)
        assert await recipients(harness, ENDS + 29.5 * DAY) == [], "the certificate was removed"

    with_harness(settings, act)

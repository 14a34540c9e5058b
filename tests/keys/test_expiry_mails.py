"""Mails a week and a day before a key expires."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import pytest

from atrium.integrations import expiry_mails
from atrium.kit.clock import rfc3339
from atrium.kit.mail import expiry
from atrium.kit.mail.queue import enqueue_mail
from atrium.kit.settings import Settings
from tests.keys.admins import add_admin
from tests.webhooks.harness import NOON, Harness, with_harness

DAY = timedelta(days=1)


async def send_mails(harness: Harness, at: timedelta, times: int = 1) -> list[tuple[str, str]]:
    """Return the recipients and subjects of the mails queued after this time, by concurrent workers."""
    await harness.db.execute("delete from mails")
    async with asyncpg.create_pool(harness.settings.database_url, min_size=0) as pool:
        rounds = (
            expiry_mails.mail_about_expiring_keys(pool, NOON + at, base_url="http://atrium.test") for _ in range(times)
        )
        await asyncio.gather(*rounds)
    return sorted((mail["recipient"], mail["subject"]) for mail in await harness.mails())


async def new_key(harness: Harness, ends: datetime, *, personal: bool = False) -> dict[str, Any]:
    path = "/v1/me/integrations" if personal else f"/v1/organizations/{harness.made['organization_id']}/api-keys"
    content = {"name": "Gauge", "expires_at": rfc3339(ends)} | ({} if personal else {"spaces": []})
    made = await harness.client.post(path, json={"content": content})
    assert made.status_code == 201, made.text
    return made.json()


EXPIRES = "API key expires soon: Gauge"
ADA = ("ada@example.org", EXPIRES)


@pytest.mark.contract("Scopes and networks 13")
def test_a_mail_is_sent_a_week_and_a_day_before_a_key_expires(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        await new_key(harness, NOON + 30 * DAY, personal=True)
        found = [await send_mails(harness, day * DAY / 2) for day in range(64)]
        assert [day / 2 for day, mails in enumerate(found) if mails] == [23, 29]
        assert {mail for mails in found for mail in mails} == {ADA}

    with_harness(settings, act)


@pytest.mark.contract("Scopes and networks 13")
def test_the_mail_says_which_key_and_when_and_links_the_page(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        for personal, page in ((True, "settings"), (False, "administration/integrations")):
            made = await new_key(harness, NOON + 8 * DAY, personal=personal)
            await send_mails(harness, 2 * DAY)
            [mail] = await harness.mails()
            assert made["api_key"]["last_four"] in mail["body"]
            assert f"{NOON + 8 * DAY:%Y-%m-%d at %H:%M} UTC" in mail["body"]
            assert f"http://atrium.test/o/{harness.made['organization_id']}/{page}\n" in mail["body"]
            assert made["key"] not in mail["body"]

    with_harness(settings, act)


@pytest.mark.contract("Scopes and networks 13")
def test_admins_get_the_mail_about_a_key_of_an_integration(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        await add_admin(harness, "admin", "grace@example.org")
        await add_admin(harness, "reader", "noor@example.org")
        await new_key(harness, NOON + 8 * DAY)
        assert await send_mails(harness, 2 * DAY, times=4) == [ADA, ("grace@example.org", EXPIRES)], (
            "once from four workers"
        )

    with_harness(settings, act)


@pytest.mark.contract("Scopes and networks 13")
def test_after_a_long_pause_one_mail_is_sent_and_none_about_keys_that_have_ended(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        await new_key(harness, NOON + 10 * DAY, personal=True)
        assert await send_mails(harness, 9.5 * DAY) == [ADA]
        assert await send_mails(harness, 9.6 * DAY) == []
        await new_key(harness, NOON + 10 * DAY, personal=True)
        assert await send_mails(harness, 11 * DAY) == []

    with_harness(settings, act)


@pytest.mark.contract("Scopes and networks 13")
def test_a_new_expiry_causes_no_mail_before_its_own_week(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        made = await new_key(harness, NOON + 5 * DAY, personal=True)
        path = f"/v1/me/integrations/{made['api_key']['api_key_id']}"
        assert await send_mails(harness, DAY) == [], "it was made for five days"
        harness.clock.at = NOON + 4.5 * DAY
        later = {"content": {"expires_at": rfc3339(NOON + 6 * DAY)}}
        assert (await harness.client.patch(path, json=later)).status_code == 200
        assert await send_mails(harness, 4.6 * DAY) == []
        assert (await harness.client.patch(path, json={"content": {"name": "Gauge"}})).status_code == 200
        assert await send_mails(harness, 5.1 * DAY) == [ADA], "a new name is no new expiry"
        rotated = {"content": {"expires_at": rfc3339(NOON + 20 * DAY)}}
        assert (await harness.client.post(f"{path}/rotate", json=rotated)).status_code in (200, 201)
        assert await send_mails(harness, 12 * DAY) == []
        assert await send_mails(harness, 13 * DAY) == [ADA]
        assert (await harness.client.delete(path)).status_code == 204
        assert await send_mails(harness, 19.5 * DAY) == []

    with_harness(settings, act)


@pytest.mark.contract("Scopes and networks 13")
def test_a_worker_that_dies_between_the_mark_and_the_mail_loses_no_mail(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def die(*_: Any, **__: Any) -> None:
        raise ConnectionResetError

    async def act(harness: Harness) -> None:
        await new_key(harness, NOON + 8 * DAY, personal=True)
        monkeypatch.setattr(expiry, "enqueue_mail", die)
        with pytest.raises(ConnectionResetError):
            await send_mails(harness, 2 * DAY)
        monkeypatch.setattr(expiry, "enqueue_mail", enqueue_mail)
        assert await send_mails(harness, 2 * DAY) == [ADA]

    with_harness(settings, act)

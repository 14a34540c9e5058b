"""Webhooks whose secrets were encrypted with another key, as after `atrium restore --any-key`: they are listed, and work
again once an admin has set what is lost."""

from uuid import UUID

import pytest

from atrium.kit.settings import Settings
from tests.contract.tour import assert_problem
from tests.webhooks.credentials import OAUTH
from tests.webhooks.harness import Harness, with_harness

LOSE = """
update webhooks set secret = lost, headers = lost, authentication = lost, old_secret = lost
from (select 'encrypted with another key'::bytea as lost) other where webhook_id = $1
"""
CREDENTIALS = "select authentication from webhooks where webhook_id = $1"


@pytest.mark.contract("Events and deliveries 21")
def test_they_are_listed_and_wait_and_work_again_once_everything_is_set(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe(authentication=OAUTH, headers={"X-Team": "ops"})
        webhook_id = UUID(webhook["webhook"]["id"])
        one = f"{harness.hooks}/{webhook_id}"
        await harness.db.execute(LOSE, webhook_id)
        [listed] = (await harness.client.get(harness.hooks)).json()["webhooks"]
        assert listed == await harness.read(webhook)
        assert (listed["header_names"], listed["authentication"]) == ([], None)
        lost = await harness.db.fetchval(CREDENTIALS, webhook_id)
        await harness.send("waits")
        for change in (
            {"name": "CD"},
            {"headers": {"X-Team": "dev"}},
            {"secret": None},
            {"authentication": None},
        ):
            assert assert_problem(await harness.client.post(f"{one}/test"), 409)["code"] == "secrets_unreadable"
            await harness.worker.deliver_due()
            assert not harness.receiver.received
            assert await harness.db.fetchval(CREDENTIALS, webhook_id) == lost, "it never sends without credentials"
            if "secret" in change:
                done = await harness.client.post(f"{one}/rotate-secret", json={"overlap_hours": 1})
            else:
                done = await harness.change(webhook, **change)
            assert done.status_code == 200, done.text
        shown = (await harness.client.post(f"{one}/test")).json()["delivery"]
        assert shown["status"] == "DELIVERY_STATUS_SUCCEEDED"
        harness.pass_time(minutes=2)  # until the lease of the last attempt has ended
        await harness.worker.deliver_due()
        assert [each.headers["X-Team"] for each in harness.receiver.received] == ["dev", "dev"]

    with_harness(settings, act)

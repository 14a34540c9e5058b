"""How many webhooks and subscriptions there may be, and how long a preview takes."""

import asyncio

import asyncpg
import pytest

from atrium.kit.settings import Settings
from atrium.webhooks.manage import limits, matching
from tests.conftest import Api
from tests.contract.tour import assert_problem, subscription
from tests.webhooks.harness import Harness, with_harness
from tests.webhooks.subscribing import subscribe, webhook

COPY_WEBHOOK = """
insert into webhooks (webhook_id, organization_id, name, description, endpoint_url, headers, secret, status, created_by,
                      created_at)
select gen_random_uuid(), organization_id, name, description, endpoint_url, headers, secret, status, created_by,
       created_at
from webhooks, generate_series(1, $2) where webhook_id = $1::uuid
"""
COPY_SUBSCRIPTION = """
insert into subscriptions (webhook_id, nr, subject_type, subject_id, subscription_type)
select webhook_id, nr + more, subject_type, subject_id, subscription_type
from subscriptions, generate_series(1, $2) more where webhook_id = $1::uuid and nr = 1
"""


@pytest.mark.contract("Events and deliveries 13")
def test_an_organization_has_a_bounded_number_of_webhooks(api: Api) -> None:
    first = webhook(api, subscription(api.room_id))
    api.sql(COPY_WEBHOOK, first, limits.MAX_WEBHOOKS - 2)
    last = webhook(api, subscription(api.room_id))
    refused = assert_problem(subscribe(api.person, api, subscription(api.room_id)), 409)
    assert refused["code"] == "too_many_webhooks"
    assert api.person.delete(f"{api.organization}/webhooks/{last}").status_code == 204
    webhook(api, subscription(api.room_id))


@pytest.mark.contract("Events and deliveries 13")
def test_an_event_of_a_room_has_a_bounded_number_of_subscriptions(api: Api) -> None:
    """A webhook of an earlier release, which has more, is changed but gets no further ones."""
    crowded = webhook(api, subscription(api.room_id))
    api.sql(COPY_SUBSCRIPTION, crowded, limits.MAX_SUBSCRIPTIONS - 2)
    room = subscription(api.room_id)
    other = webhook(api, room)
    refused = assert_problem(subscribe(api.person, api, room), 409)
    assert refused["code"] == "too_many_subscriptions"
    path, more = f"{api.organization}/webhooks/{other}", [room, {**room, "filter": {"thread": "root"}}]
    changed = api.person.patch(path, json={"content": {"subscriptions": more}})
    assert assert_problem(changed, 409)["code"] == "too_many_subscriptions"
    api.sql(COPY_SUBSCRIPTION.replace("nr + more", "nr + more + 2000"), crowded, 5)
    changed = api.person.patch(path, json={"content": {"subscriptions": more[1:]}})
    assert changed.status_code == 200, changed.text
    elsewhere = subscription(api.new_room()["room_id"])
    assert (
        subscribe(
            api.person, api, elsewhere, {**room, "subscription_type": f"{room['subscription_type'][:-4]}EDITED"}
        ).status_code
        == 201
    )


@pytest.mark.contract("Events and deliveries 13")
def test_of_two_webhooks_that_are_created_together_only_one_is_the_last(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        made = await harness.subscribe()
        await harness.db.execute(COPY_WEBHOOK, made["webhook"]["id"], limits.MAX_WEBHOOKS - 2)
        content = {
            "name": "hook",
            "endpoint_url": harness.receiver.url,
            "subscriptions": [subscription(harness.made["room_id"])],
        }
        answers = await asyncio.gather(
            *(harness.client.post(harness.hooks, json={"content": content}) for _ in range(4))
        )
        assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]

    with_harness(settings, act)


@pytest.mark.contract("Events and deliveries 13")
def test_a_preview_that_takes_too_long_is_ended(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "PREVIEW_WITHIN", 0.2)

    async def act(harness: Harness) -> None:
        one = {"content": {"subscriptions": [subscription(harness.made["room_id"], filter={"words": ["x"]})]}}
        path = harness.hooks.removesuffix("webhooks") + "webhook-preview"
        other = await asyncpg.connect(harness.settings.database_url)
        async with other.transaction():
            await other.execute("lock table messages in access exclusive mode")
            refused = assert_problem(await harness.client.post(path, json=one), 503)
        await other.close()
        assert refused["code"] == "preview_timed_out"
        monkeypatch.setattr(matching, "PREVIEW_WITHIN", 30)
        assert (await harness.client.post(path, json=one)).json() == {"messages": 0, "chosen": 0}

    with_harness(settings, act)

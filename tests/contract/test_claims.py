"""Rules of the contract, with its figures and fields written out here, so that none changes unnoticed."""

import asyncio
import hmac
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from atrium.client.webhooks import verify as verify_delivery
from atrium.kit.network.outbound import Exchange, Outbound
from atrium.kit.settings import Settings
from atrium.webhooks.delivery.signing import new_secret, sign, verify
from atrium.worker import maintain_partitions
from tests.conftest import Api
from tests.contract.tour import assert_problem, subscription
from tests.kit.receivers import LOOPBACK, WHOLE, receiver, take
from tests.webhooks.harness import NOON, Harness, with_harness

EVENT = (
    b'{"event_type":"message_sent","subject":{"type":"room","id":"01936f4e-8f2a-7c31-9d4b-5e6f70819203"},'
    b'"timestamp":"2026-11-21T09:07:13.460Z","data":{}}'
)
ENDPOINT = "http://127.0.0.1:9/hook"


@pytest.mark.contract("Webhooks and subscriptions 4")
def test_the_service_keeps_the_delivery_log_for_thirty_days(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        await maintain_partitions(harness.settings, harness.clock)
        webhook = await harness.subscribe()
        await harness.send()
        for day in range(1, 31):
            await maintain_partitions(harness.settings, lambda day=day: NOON + timedelta(days=day))
        assert len(await harness.log(webhook)) == 1
        await maintain_partitions(harness.settings, lambda: NOON + timedelta(days=31))
        assert await harness.log(webhook) == []

    with_harness(settings, act)


class ManualTime(asyncio.SelectorEventLoop):
    """A loop whose time stands still until the test moves it."""

    now = 1000.0

    def time(self) -> float:
        return self.now


@pytest.mark.contract("Events and deliveries 29")
@pytest.mark.parametrize(("seconds", "error"), [(14.999, None), (15.001, "no response within 15 seconds")])
def test_a_receiver_has_fifteen_seconds_to_respond(seconds: float, error: str | None) -> None:
    loop = ManualTime()

    async def act() -> Exchange:
        async def answers_late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await take(reader)
            loop.now += seconds
            await asyncio.sleep(0)
            if error is None:
                writer.write(WHOLE)
            await reader.read()

        async with receiver(answers_late) as url, Outbound(LOOPBACK) as outbound:
            return await outbound.post(url, {}, b"x")

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        exchange = runner.run(act())
    assert (exchange.error, exchange.response_code) == (error, None if error else 200)


def content(api: Api) -> dict[str, Any]:
    return {"name": "CI", "endpoint_url": ENDPOINT, "subscriptions": [subscription(api.room_id)]}


@pytest.mark.contract("Webhooks and subscriptions 1")
def test_creating_a_webhook_returns_its_stored_state(api: Api) -> None:
    wanted = {
        **content(api),
        "description": "builds",
        "subscriptions": [
            {**subscription(api.room_id), "filter": {"room_type": "post"}},
            {**subscription(api.space_id, "SPACE"), "filter": None},
        ],
    }
    made = api.person.post(f"{api.organization}/webhooks", json={"content": wanted})
    assert made.status_code == 201
    webhook = made.json()["webhook"]
    assert {name: webhook[name] for name in wanted} == wanted
    assert (webhook["organization_id"], webhook["status"]) == (api.organization_id, "WEBHOOK_STATUS_ACTIVE")
    for name in ("name", "endpoint_url", "subscriptions"):
        lacking = {key: value for key, value in wanted.items() if key != name}
        problem = assert_problem(api.person.post(f"{api.organization}/webhooks", json={"content": lacking}), 400)
        assert problem["errors"][0]["pointer"] == f"/content/{name}"


@pytest.mark.contract("Webhooks and subscriptions 1")
def test_an_update_changes_only_the_given_fields(api: Api) -> None:
    webhook = api.person.post(f"{api.organization}/webhooks", json={"content": content(api)}).json()["webhook"]
    path = f"{api.organization}/webhooks/{webhook['id']}"
    for name, value in {
        "name": "CD",
        "description": "releases",
        "endpoint_url": ENDPOINT + "/2",
        "status": "WEBHOOK_STATUS_INACTIVE",
        "subscriptions": [{**subscription(api.space_id, "SPACE"), "filter": {"room_type": "video"}}],
    }.items():
        webhook = {**webhook, name: value}
        assert api.person.patch(path, json={"content": {name: value}}).json() == {"webhook": webhook}
        assert api.person.get(path).json() == {"webhook": webhook}


@pytest.mark.contract("API key 6")
@pytest.mark.parametrize("role", ["guest", "member", "reader", "admin", "super_admin"])
def test_only_admins_manage_organization_keys(api: Api, role: str) -> None:
    shown = api.new_integration()
    client, keys = api.client(api.new_person(role)[1]), f"{api.organization}/api-keys"
    one, fields = f"{keys}/{shown['api_key']['api_key_id']}", {"content": {"name": "Bot", "spaces": []}}
    for method, url, body, status in (
        ("GET", keys, None, 200),
        ("POST", keys, fields, 201),
        ("GET", one, None, 200),
        ("PATCH", one, {"content": {"name": "Other"}}, 200),
        ("POST", f"{one}/rotate", None, 200),
        ("DELETE", one, None, 204),
    ):
        answer = client.request(method, url, json=body)
        assert answer.status_code == (status if role in ("admin", "super_admin") else 403), (method, url, answer.text)


@pytest.mark.contract("Events and deliveries 20")
@pytest.mark.parametrize(
    "check",
    [
        verify,
        lambda secret, body, signature: verify_delivery(
            secret, body, {"X-Service-Signature": signature}, tolerance=None
        ),
    ],
    ids=["receiver", "client"],
)
def test_signatures_are_compared_in_constant_time(
    check: Callable[[str, bytes, str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are compared by `compare_digest`, which receives both unchanged."""
    compared: list[tuple[Any, Any]] = []

    def note(one: Any, other: Any) -> bool:
        compared.append((one, other))
        return original(one, other)

    original = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", note)
    secret, body = new_secret(), EVENT
    right = sign(secret, body)
    check(secret, body, right)
    assert (right.encode(), right.encode()) in compared


@pytest.mark.contract("Webhooks and subscriptions 2")
def test_a_space_subscription_includes_rooms_created_later(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await harness.subscribe(subscriptions=[subscription(harness.made["space_id"], "SPACE")])
        made = await harness.client.post(f"/v2/spaces/{harness.made['space_id']}/rooms", json={"name": "later"})
        message = await harness.send(room_id=made.json()["room_id"])
        assert await harness.worker.deliver_due() == 1
        [entry] = await harness.log(webhook)
        assert entry["subject"]["id"] == made.json()["room_id"]
        assert message["message_id"] in entry["request_body"]

    with_harness(settings, act)


@pytest.mark.contract("API key 1")
def test_the_audit_log_shows_the_name_of_the_integration_or_person(api: Api) -> None:
    person = api.person.get("/v1/me/profile").json()["name"]
    bot = api.new_integration([{"space_id": api.space_id, "role": "admin"}], role="admin")
    for client, kind, name in (
        (api.client(bot["key"]), "integration", bot["api_key"]["name"]),
        (api.person, "person", person),
    ):
        assert client.patch(f"/v2/rooms/{api.room_id}", json={"name": f"by {kind}"}).status_code == 200
        listed = api.person.get(f"{api.organization}/audit-log", params={"action": "room.updated", "limit": 1})
        actor = listed.json()["entries"][0]["actor"]
        assert (actor["type"], actor["name"]) == (kind, name)

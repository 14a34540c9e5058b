"""The overview of an organization."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.conftest import Api, FakeClock, in_process_client
from tests.contract.tour import CLOSED, assert_problem, subscription


def overview(api: Api, **query: int) -> dict[str, object]:
    answer = api.person.get(f"{api.organization}/overview", params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def today(shown: dict[str, object]) -> dict[str, object]:
    days = shown["days"]
    assert isinstance(days, list)
    return dict(days[-1])


@pytest.mark.contract("Roles and keys 25")
def test_the_overview_counts_all_resources(api: Api) -> None:
    grace, _ = api.new_person()
    api.person.patch(f"{api.organization}/members/{grace}", json={"content": {"active": False}})
    api.person.post(f"{api.organization}/invitations", json={"content": {"email": "alan@example.org"}})
    key = api.new_integration()["api_key"]["api_key_id"]
    api.new_room()
    incoming = api.person.post(f"/v2/rooms/{api.room_id}/incoming-webhooks", json={"name": "alerts"})
    assert incoming.status_code == 201  # which is no integration to its admins
    assert overview(api)["counts"] == {
        "active_people": 1,
        "deactivated_people": 1,
        "invited_people": 1,
        "integrations": 2,
        "spaces": 1,
        "rooms": 2,
        "paused_webhooks": 0,
    }
    api.person.delete(f"{api.organization}/api-keys/{key}")
    api.person.delete(f"/v1/spaces/{api.space_id}")
    counts = overview(api)["counts"]
    assert isinstance(counts, dict)
    assert (counts["integrations"], counts["spaces"], counts["rooms"]) == (1, 0, 0)


@pytest.mark.contract("Roles and keys 25")
def test_each_day_counts_messages_people_and_deliveries(api: Api) -> None:
    hook = {"name": "hook", "endpoint_url": CLOSED, "subscriptions": [subscription(api.room_id)]}
    now = datetime.now(UTC)

    async def scenario() -> dict[str, Any]:
        async with in_process_client(api.settings, FakeClock(now)) as client:
            client.headers["authorization"] = f"Bearer {api.personal_key}"
            webhooks = f"{api.organization}/webhooks"
            made = (await client.post(webhooks, json={"content": hook})).json()["webhook"]["id"]
            await client.post(api.messages, json={"text": "one"})
            await client.post(api.messages, json={"text": "two"})
            await client.patch(f"{webhooks}/{made}", json={"content": {"status": "WEBHOOK_STATUS_INACTIVE"}})
            await client.post(api.messages, json={"text": "three"})
            await asyncio.to_thread(api.wait_for_queue)
            read = await client.get(f"{api.organization}/overview", params={"days": 7})
            return dict(read.json())

    shown = asyncio.run(scenario())
    assert len(shown["days"]) == 7
    days = [each["date"] for each in shown["days"]]
    assert days == sorted(set(days))
    assert days[-1] == now.date().isoformat()
    last = today(shown)
    assert (last["people"], last["messages"], last["deliveries_missed"]) == (1, 3, 1)
    assert [last[f"deliveries_{each}"] for each in ("succeeded", "failed", "under_way")] == [0, 0, 2]
    assert [each["messages"] for each in shown["days"][:-1]] == [0] * 6


def test_another_organization_is_not_counted(api: Api, outsider: Api) -> None:
    outsider.send("elsewhere")
    assert today(overview(api))["messages"] == 0
    assert_problem(api.person.get(f"{outsider.organization}/overview"), 404)


def test_readers_see_it_and_members_do_not(api: Api) -> None:
    for role, status in (("reader", 200), ("member", 403)):
        _, key = api.new_person(role)
        assert api.client(key).get(f"{api.organization}/overview").status_code == status
    assert_problem(api.person.get(f"{api.organization}/overview", params={"days": 31}), 400)


@pytest.mark.contract("Roles and keys 14")
def test_first_steps_are_facts(api: Api, outsider: Api) -> None:
    def finished_steps(of: Api = api) -> set[str]:
        answer = of.person.get(f"{of.organization}/first-steps")
        assert answer.status_code == 200, answer.text
        return {name for name, is_done in answer.json().items() if is_done}

    assert finished_steps() == set()
    invited = api.person.post(f"{api.organization}/invitations", json={"content": {"email": "x@example.org"}}).json()
    api.person.delete(f"{api.organization}/invitations/{invited['invitation']['invitation_id']}")
    assert finished_steps() == {"has_invited"}, "also when it was revoked"
    room = f"/v2/rooms/{api.new_room()['room_id']}"
    hook = {"name": "hook", "endpoint_url": CLOSED, "subscriptions": [subscription(api.room_id)]}
    api.person.post(f"{api.organization}/webhooks", json={"content": hook})
    api.sql("insert into imported values ($1::text::uuid, 'slack/people', 'U1', $1::text::uuid)", api.organization_id)
    assert finished_steps() == {"has_invited", "has_rooms", "has_webhook", "has_imported"}
    assert api.person.delete(room).status_code == 204
    assert "has_rooms" not in finished_steps()
    assert finished_steps(outsider) == set()
    assert_problem(api.person.get(f"{outsider.organization}/first-steps"), 404)
    _, member = api.new_person()
    assert_problem(api.client(member).get(f"{api.organization}/first-steps"), 403)

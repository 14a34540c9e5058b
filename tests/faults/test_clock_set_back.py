"""The clock was ahead, and is set back: what happens from then on does not wait until the clock is there again."""

import json
from datetime import timedelta
from typing import Any

import pytest

from atrium.kit.settings import Settings
from tests.webhooks.harness import NOON, Harness, with_harness

AHEAD = timedelta(days=40)


@pytest.mark.parametrize("kind", [{}, {"ordering": "room"}, {"rate_limit": 1}, {"ordering": "room", "rate_limit": 1}])
def test_new_messages_are_delivered_immediately(settings: Settings, kind: dict[str, Any]) -> None:
    """Also those of a room whose newest message has a time that is still to come, as theirs has then."""

    async def act(harness: Harness) -> None:
        await harness.subscribe(**kind)
        harness.clock.at = NOON + AHEAD
        ahead = await harness.send()
        assert await harness.worker.deliver_due() == 1
        harness.clock.at = NOON
        sent = await harness.send()
        assert sent["created_at"] >= ahead["created_at"]
        assert await harness.worker.deliver_due() == 1
        received = [json.loads(each.body)["data"]["message_id"] for each in harness.receiver.received]
        assert received == [ahead["message_id"], sent["message_id"]]

    with_harness(settings, act)


def test_typing_and_denied_requests_are_seen(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        typing = "select count(*) from live_events where kind = 'typing'"
        refused = "select count(*) from audit_entries where action = 'request.refused'"
        for nr, at in enumerate((NOON + AHEAD, NOON), start=1):
            harness.clock.at = at
            for _ in range(2):
                answer = await harness.client.post(f"/v2/rooms/{harness.made['room_id']}/typing")
                assert answer.status_code == 204
                answer = await harness.client.get(
                    "/v1/me/profile", headers={"authorization": f"Bearer {harness.made['organization_key']}"}
                )
                assert answer.status_code == 403
            assert await harness.db.fetchval(typing) == nr
            assert await harness.db.fetchval(refused) == nr

    with_harness(settings, act)

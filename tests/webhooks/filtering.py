"""Webhooks with filters, and why events do not match."""

from typing import Any

from tests.conftest import Api
from tests.webhooks.subscribing import bodies

EDITED = "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_EDITED"
Message = dict[str, Any]


def sent_ids(api: Api, webhook_id: str) -> list[str]:
    return [each["data"]["message_id"] for each in bodies(api, webhook_id)]


def reasons_of(api: Api, webhook_id: str, message: Message) -> list[str | None]:
    named = {"room_id": message["room_id"], "message_id": message["message_id"]}
    answer = api.person.get(f"{api.organization}/webhooks/{webhook_id}/match", params=named)
    assert answer.status_code == 200, answer.text
    reasons = [each["reason"] for each in answer.json()["subscriptions"]]
    assert [each["matches"] for each in answer.json()["subscriptions"]] == [each is None for each in reasons]
    assert answer.json()["matches"] == (None in reasons)
    return reasons

"""An event of each kind reaches exactly the webhooks that the catalogue names."""

from collections.abc import Callable
from typing import Any

import pytest

from atrium.events import Audience, WebhookEventKind
from atrium.webhooks.model import SubscriptionType
from tests.conftest import Api
from tests.contract.tour import CLOSED
from tests.transcripts.test_transcripts import events, new_recording, put

# What publishes an event of each kind; the path is that of the tested webhook.
ACTS: dict[WebhookEventKind, Callable[[Api, str], Any]] = {
    WebhookEventKind.MESSAGE_SENT: lambda api, _: api.send(),
    WebhookEventKind.TRANSCRIPT_PUBLISHED: lambda api, _: put(api, new_recording(api), "hello"),
    WebhookEventKind.PING: lambda api, path: api.person.post(f"{path}/test"),
}


def subscribe(api: Api, subscription_type: str, space_id: str) -> str:
    """Create a webhook; return its path."""
    wanted = {
        "subject_type": "WEBHOOK_SUBJECT_TYPE_SPACE",
        "subject_id": space_id,
        "subscription_type": subscription_type,
    }
    hook = {"name": "hook", "endpoint_url": CLOSED, "subscriptions": [wanted]}
    made = api.person.post(f"{api.organization}/webhooks", json={"content": hook})
    assert made.status_code == 201, made.text
    return f"{api.organization}/webhooks/{made.json()['webhook']['id']}"


@pytest.mark.parametrize("kind", WebhookEventKind)
def test_an_event_reaches_exactly_its_audience(api: Api, kind: WebhookEventKind) -> None:
    elsewhere = api.new_space()
    webhooks = {
        (each.name, where): subscribe(api, each, space)
        for each in SubscriptionType
        for where, space in (("here", api.space_id), ("elsewhere", elsewhere))
    }
    tested = (SubscriptionType.MESSAGE_SENT.name, "elsewhere")
    ACTS[kind](api, webhooks[tested])
    received = {name for name, path in webhooks.items() if [each["event_type"] for each in events(api, path)] == [kind]}
    assert received == {tested if kind.audience is Audience.TESTED else (kind.name, "here")}
    assert sum(len(events(api, path)) for path in webhooks.values()) == 1

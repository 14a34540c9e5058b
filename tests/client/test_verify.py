"""`verify` accepts signatures of the server only; an independent verifier and a real server agree with it."""

import json
import time
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from typing import Any
from uuid import UUID, uuid4

import pytest
from standardwebhooks import Webhook

from atrium.client import Atrium, InvalidSignature, StaleDelivery, webhook_types, webhooks
from atrium.webhooks.delivery.headers import signed_headers
from atrium.webhooks.delivery.signing import new_secret
from tests.conftest import Api

BODY = json.dumps(
    {
        "event_type": "message_sent",
        "subject": {"type": "room", "id": str(uuid4())},
        "timestamp": "2026-11-21T09:07:13.460Z",
        "data": {"text": "é"},
    }
).encode()


def sign(*secrets: str, ago: float = 0.0) -> dict[str, str]:
    """Return the headers of a delivery that the server signed `ago` seconds ago."""
    now = datetime.fromtimestamp(time.time() - ago, UTC)
    return signed_headers("message_sent", uuid4(), BODY, secrets=secrets, now=now)


@pytest.mark.parametrize("change", [str, str.lower, str.upper], ids=["as sent", "lower", "upper"])
def test_a_delivery_is_verified_with_headers_in_any_case(change: Any) -> None:
    secret = new_secret()
    headers = sign(secret)
    event = webhooks.verify(secret, BODY, {change(name): value for name, value in headers.items()})
    assert (event.event_type, event.subject.type, event.data) == ("message_sent", "room", {"text": "é"})
    assert event.delivery_id == headers["X-Service-Delivery"]


def test_another_body_id_or_timestamp_is_rejected() -> None:
    secret = new_secret()
    headers = sign(secret)
    for body in (BODY + b" ", BODY[:-1], BODY.replace(b"room", b"moor"), b""):
        with pytest.raises(InvalidSignature):
            webhooks.verify(secret, body, headers)
        with pytest.raises(InvalidSignature):
            webhooks.verify(secret, body, headers, tolerance=None)
    for name, value in (("webhook-id", "else"), ("webhook-timestamp", str(int(time.time()) + 1)), ("webhook-id", "")):
        with pytest.raises(InvalidSignature):
            webhooks.verify(secret, BODY, headers | {name: value})
    with pytest.raises(InvalidSignature):
        webhooks.verify(new_secret(), BODY, headers)


@pytest.mark.contract("Client, agents and incoming webhooks 6")
@pytest.mark.parametrize("ago", [301, 86_400, -301])
def test_an_old_or_future_timestamp_is_stale(ago: float) -> None:
    secret = new_secret()
    with pytest.raises(StaleDelivery):
        webhooks.verify(secret, BODY, sign(secret, ago=ago))
    assert webhooks.verify(secret, BODY, sign(secret, ago=ago), tolerance=2 * 86_400)
    assert webhooks.verify(secret, BODY, sign(secret, ago=ago), tolerance=None)


@pytest.mark.contract("Client, agents and incoming webhooks 6")
def test_the_replay_window_cannot_be_removed() -> None:
    secret = new_secret()
    only = {name: value for name, value in sign(secret).items() if name.startswith("X-Service")}
    with pytest.raises(InvalidSignature, match="webhook-signature is missing"):
        webhooks.verify(secret, BODY, only)
    assert webhooks.verify(secret, BODY, only, tolerance=None).delivery_id == only["X-Service-Delivery"]
    with pytest.raises(InvalidSignature, match="X-Service-Signature does not match"):
        webhooks.verify(new_secret(), BODY, only, tolerance=None)


@pytest.mark.contract("Client, agents and incoming webhooks 6")
def test_old_and_new_secret_are_valid_during_rotation() -> None:
    old, new = new_secret(), new_secret()
    headers = sign(old, new)
    for secret in (old, new, [new_secret(), new]):
        assert webhooks.verify(secret, BODY, headers)
    assert Webhook(new).verify(BODY, headers)


@pytest.mark.parametrize("stamp", ["", "soon", "-1", "1e9", "٣", "9" * 40])
def test_an_invalid_timestamp_is_rejected(stamp: str) -> None:
    secret = new_secret()
    with pytest.raises(InvalidSignature):
        webhooks.verify(secret, BODY, sign(secret) | {"webhook-timestamp": stamp})


def test_missing_headers_invalid_events_and_invalid_secrets_raise() -> None:
    secret = new_secret()
    with pytest.raises(InvalidSignature, match="is missing"):
        webhooks.verify(secret, BODY, {})
    headers = signed_headers("message_sent", uuid4(), b"[]", secrets=[secret], now=datetime.now(UTC))
    with pytest.raises(InvalidSignature, match="is not an event"):
        webhooks.verify(secret, b"[]", headers)
    with pytest.raises(ValueError, match="a webhook secret is"):
        webhooks.verify("whsec_é!", BODY, sign(secret))


@pytest.mark.contract("Client, agents and incoming webhooks 6")
def test_verify_accepts_what_a_server_delivers(api: Api) -> None:
    came: Queue[tuple[bytes, dict[str, str]]] = Queue()

    class Receiving(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            came.put((self.rfile.read(int(self.headers["content-length"])), dict(self.headers.items())))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_arguments: Any) -> None:
            """Do not log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Receiving) as server, Atrium(api.url, api.personal_key) as atrium:
        Thread(target=server.serve_forever, daemon=True).start()
        manage, room = atrium.webhooks(api.organization_id), atrium.room(api.room_id)
        made = manage.create(
            name="mine",
            endpoint_url=f"http://127.0.0.1:{server.server_port}/",
            subscriptions=webhook_types.messages_in(rooms=[room.room_id]),
        )
        assert manage.test(made.webhook.id).status == webhook_types.SUCCEEDED
        assert webhooks.verify(made.secret, *came.get(timeout=30)).event_type == "ping"
        sent = room.send("hello")
        event = webhooks.verify(made.secret, *came.get(timeout=30))
        assert (event.event_type, event.data["message_id"]) == ("message_sent", str(sent.message_id))
        assert event.delivery_id == str(next(iter(manage.deliveries(made.webhook.id))).delivery_id)
        assert manage.set_status(made.webhook.id, webhook_types.INACTIVE).status == webhook_types.INACTIVE
        assert [each.id for each in manage.list()] == [made.webhook.id]
        manage.delete(made.webhook.id)
        assert list(manage.list()) == []
        server.shutdown()


def test_a_webhook_has_its_filters_retries_time_limit_and_headers(api: Api) -> None:
    wanted = webhook_types.Filter(
        room_type="chat",
        not_sender_ids=[UUID(api.person_id)],
        sender_type="person",
        thread="root",
        words=["failed"],
        mentions=[UUID(api.person_id)],
    )
    subscription = webhook_types.Subscription(
        webhook_types.ROOM, UUID(api.room_id), webhook_types.subscription_type("message_sent"), wanted, ["message"]
    )
    with Atrium(api.url, api.personal_key) as atrium:
        manage = atrium.webhooks(api.organization_id)
        made = manage.create(
            name="mine",
            endpoint_url="http://127.0.0.1:9/",
            subscriptions=[subscription],
            retry_schedule=[10, 60],
            time_limit=5,
            in_order=True,
            rate_limit=20,
            headers={"X-Team": "red"},
        ).webhook
        assert manage.read(made.id) == made
        assert (made.subscriptions, made.retry_schedule, made.time_limit) == ([subscription], [10, 60], 5)
        assert (made.ordering, made.rate_limit, made.header_names) == ("room", 20, ["X-Team"])
        plain = manage.create(name="plain", endpoint_url="http://127.0.0.1:9/", subscriptions=[subscription]).webhook
        assert (plain.retry_schedule, plain.time_limit, plain.header_names) == (None, None, [])
        assert (plain.ordering, plain.rate_limit) == ("none", None)

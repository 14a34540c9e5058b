"""The receivers of the webhook guide take each delivery of a real server once, and nothing else."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import httpx
import pytest

from atrium.client.webhooks import standard_signature
from tests.conftest import Api, scratch_folder
from tests.guides.blocks import GUIDES, Block, blocks_of
from tests.guides.reader import Reader
from tests.wait_until import wait_until

pytestmark = pytest.mark.timeout(300)  # the first one to compile Go's standard library takes a minute
TEXT = "Zwölf Boxkämpfer 🥊 \u2028 <jagen>"  # a receiver that decodes the body and encodes it again, changes it


def in_sqlite(home: Path) -> list[str]:
    with sqlite3.connect(home / "events.sqlite") as events:
        return [body for (body,) in events.execute("select body from events")]


def in_one_file(home: Path) -> list[str]:
    written = home / "events.jsonl"
    return written.read_text().split("\n")[:-1] if written.exists() else []


def in_a_folder(home: Path) -> list[str]:
    return [path.read_text() for path in (home / "events").glob("*.json")]


class Language(NamedTuple):
    """A receiver's file in the guide, its port there, and how to read its stored data."""

    file: str
    port: str
    stored: Callable[[Path], list[str]]


LANGUAGES = {
    "python": Language("receiver.py", "8702", in_sqlite),
    "node": Language("receiver.mjs", "8703", in_one_file),
    "go": Language("receiver.go", "8704", in_a_folder),
    "java": Language("Receiver.java", "8705", in_a_folder),
    "php": Language("receiver.php", "8707", in_a_folder),
}


def blocks_for(language: Language) -> list[Block]:
    """Return the block with the program, and the one that runs it."""
    found = blocks_of(GUIDES / "webhooks.md")
    program = [each for each in found if each.options.get("file") == language.file]
    run = [each for each in found if each.options.get("background") == language.port]
    assert (len(program), len(run)) == (1, 1)
    return program + run


@dataclass
class Receiving:
    """A running receiver, and the webhook that delivers to it."""

    api: Api
    url: str
    webhook: str
    secret: str
    stored: Callable[[], list[str]]

    def send(self) -> str:
        """Send a message and wait until Atrium has its response; return its id."""
        message_id = self.api.send(TEXT)["message_id"]
        self.api.wait_for_queue()
        wait_until(lambda: self._entry(message_id)["attempts"])
        assert self._entry(message_id)["status"] == "DELIVERY_STATUS_SUCCEEDED"
        return str(message_id)

    def _entry(self, message_id: str) -> dict[str, Any]:
        entries = self.api.person.get(f"{self.webhook}/logs").json()["logs"]
        return next(each for each in entries if message_id in each["request_body"])

    def request_of(self, message_id: str) -> tuple[bytes, dict[str, str]]:
        """Return the body and the headers that Atrium sent."""
        entry = self._entry(message_id)
        return entry["request_body"].encode(), entry["attempts"][0]["request_headers"]

    def resend(self, message_id: str) -> None:
        path = f"{self.webhook}/deliveries/{self._entry(message_id)['delivery_id']}/resend"
        assert self.api.person.post(path).json()["delivery"]["status"] == "DELIVERY_STATUS_SUCCEEDED"

    def post(self, body: bytes, headers: dict[str, str]) -> int:
        return httpx.post(self.url, content=body, headers=headers, timeout=20).status_code

    def sign(self, body: bytes, age: float) -> dict[str, str]:
        """Return the headers of a new delivery that was signed `age` seconds ago."""
        delivery_id, at = str(uuid4()), str(int(time.time() - age))
        signature = standard_signature(self.secret, delivery_id, at, body)
        return {"webhook-id": delivery_id, "webhook-timestamp": at, "webhook-signature": signature}

    def messages(self) -> list[str]:
        """Return the ids of the messages whose events it stored, in order."""
        return sorted(json.loads(each)["data"]["message_id"] for each in self.stored())


def create_webhook(api: Api, url: str) -> tuple[str, str]:
    """Subscribe to the room's messages, with their texts; return the webhook's path and secret."""
    subscription = {
        "subject_type": "WEBHOOK_SUBJECT_TYPE_ROOM",
        "subject_id": api.room_id,
        "include": ["message"],
        "subscription_type": "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT",
    }
    content = {"name": "Receiver", "endpoint_url": url, "subscriptions": [subscription]}
    made = api.person.post(f"{api.organization}/webhooks", json={"content": content})
    assert made.status_code == 201, made.text
    return f"{api.organization}/webhooks/{made.json()['webhook']['id']}", made.json()["secret"]


@pytest.fixture(params=LANGUAGES)
def running_receiver(api: Api, request: pytest.FixtureRequest) -> Iterator[Receiving]:
    language = LANGUAGES[request.param]
    with scratch_folder() as home:
        reader = Reader(home)
        try:
            url = f"http://127.0.0.1:{reader.ports[language.port]}/"
            webhook, secret = create_webhook(api, url)
            (home / "atrium.env").write_text(f"export SECRET={secret}\n")
            reader.follow(blocks_for(language))
            if reader.missing:
                pytest.skip(f"needs {', '.join(reader.missing)}: not on this machine")
            yield Receiving(api, url, webhook, secret, partial(language.stored, home))
        finally:
            reader.close()


@pytest.mark.contract("Guides 4")
def test_a_receiver_of_the_guide_takes_each_delivery_once_and_nothing_else(running_receiver: Receiving) -> None:
    first = running_receiver.send()
    body, headers = running_receiver.request_of(first)
    assert running_receiver.stored() == [body.decode()]
    assert json.loads(body)["data"]["message"]["text"] == TEXT

    running_receiver.resend(first)  # signed again, under the same id
    assert running_receiver.post(body, headers) in (200, 204)  # every byte repeated
    assert running_receiver.stored() == [body.decode()]

    for tampered in (body.replace(b"SENT", b"SEND"), body + b" ", body[:-1], b""):
        assert running_receiver.post(tampered, headers) == 401
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        assert running_receiver.post(body, {**headers, name: headers[name][:-2] + "xy"}) == 401
        assert running_receiver.post(body, {each: value for each, value in headers.items() if each != name}) == 401
    assert running_receiver.post(body, {**headers, "webhook-signature": ""}) == 401

    for age in (310, -310, 3e10):
        assert running_receiver.post(body, running_receiver.sign(body, age)) == 401
    assert running_receiver.messages() == [first]
    assert running_receiver.post(body, running_receiver.sign(body, 280)) in (200, 204)
    assert running_receiver.messages() == [first, first]  # another delivery: its id differs

    rotated = running_receiver.api.person.post(f"{running_receiver.webhook}/rotate-secret", json={"overlap_hours": 1})
    assert rotated.status_code == 200, rotated.text
    second = running_receiver.send()
    body, headers = running_receiver.request_of(second)
    one, other = headers["webhook-signature"].split(" ")
    for signatures in (f"{other} {one}", f"{one} {other}"):
        assert running_receiver.post(body, {**headers, "webhook-signature": signatures}) in (200, 204)
    assert running_receiver.messages() == [first, first, second]

"""The reference receiver, subscribed to everything in the demo's space, and a first message that travels to it."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.markup import escape

ATRIUM = Path(sys.executable).with_name("atrium")
TRAVELS_WITHIN = 30.0
console = Console(highlight=False, soft_wrap=True)


@contextmanager
def verified_webhook(base_url: str, made: dict[str, str], port: int) -> Iterator[None]:
    """A webhook with the receiver behind it, shown to work, for as long as this lasts."""
    headers = {"authorization": f"Bearer {made['personal_key']}"}
    with httpx.Client(base_url=base_url, headers=headers, timeout=30) as client:
        webhook, secret = _create(client, made, port)
        with tempfile.TemporaryDirectory() as folder, _receiver(secret, port, Path(folder) / "received") as received:
            _send_and_show(client, made, received)
            try:
                yield
            finally:
                with suppress(httpx.TransportError):  # the server went first; the next run takes the webhook away
                    client.delete(f"/v1/organizations/{made['organization_id']}/webhooks/{webhook}")


def _create(client: httpx.Client, made: dict[str, str], port: int) -> tuple[str, str]:
    """A webhook of this run: the secret of the last run's was shown to the last run alone."""
    hooks = f"/v1/organizations/{made['organization_id']}/webhooks"
    for old in client.get(hooks).raise_for_status().json()["webhooks"]:
        if old["name"] == "Demo receiver":
            client.delete(f"{hooks}/{old['id']}")
    content = {
        "name": "Demo receiver", "endpoint_url": f"http://127.0.0.1:{port}/",
        "subscriptions": [{
            "subject_type": "WEBHOOK_SUBJECT_TYPE_SPACE", "subject_id": made["space_id"],
            "subscription_type": "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT",
        }],
    }  # fmt: skip
    answer: dict[str, Any] = client.post(hooks, json={"content": content}).raise_for_status().json()
    return answer["webhook"]["id"], answer["secret"]


@contextmanager
def _receiver(secret: str, port: int, output: Path) -> Iterator[Path]:
    """`atrium receive` with its lines in a file."""
    environment = {**os.environ, "ATRIUM_WEBHOOK_SECRET": secret}
    with output.open("w") as file:
        process = subprocess.Popen(
            [ATRIUM, "receive", "--port", str(port), "--json"], env=environment, stdout=file, stderr=subprocess.DEVNULL
        )  # fmt: skip
    try:
        _wait_for(port)
        yield output
    finally:
        process.terminate()
        process.wait(30)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + TRAVELS_WITHIN
    while time.monotonic() < deadline:
        try:
            httpx.get(f"http://127.0.0.1:{port}/", timeout=2)
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return


def _send_and_show(client: httpx.Client, made: dict[str, str], received: Path) -> None:
    console.print("\nA message travels to a webhook …")
    sent = client.post(f"/v2/rooms/{made['room_id']}/messages", json={"text": "Hello, webhook"}).raise_for_status()
    deadline = time.monotonic() + TRAVELS_WITHIN
    while time.monotonic() < deadline:
        for line in received.read_text().splitlines():
            if sent.json()["message_id"] in line:
                console.print(f"  sent      {sent.json()['message_id']} to #general over the API")
                console.print(f"  received  {escape(_told(json.loads(line)))}\n")
                return
        time.sleep(0.1)
    console.print("  [yellow]not received within half a minute; `atrium webhooks` and the log tell why[/]\n")


def _told(line: dict[str, Any]) -> str:
    return f"{line['event']}, signature {line['outcome']}, delivery {line['delivery_id']}"

"""Create webhooks in the application, and read their log."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, expect

from tests.conftest import ATRIUM, Api

HOSTILE = "<img src=x onerror=window.hit=1>"
SPACE, SENT = "WEBHOOK_SUBJECT_TYPE_SPACE", "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT"


@contextmanager
def receiver(secret: str, port: int) -> Iterator[subprocess.Popen[str]]:
    """Run the reference receiver."""
    command = [ATRIUM, "receive", "--port", str(port), "--json"]
    own = {**os.environ, "ATRIUM_WEBHOOK_SECRET": secret}
    with subprocess.Popen(command, env=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # it prints its URL
        try:
            yield process
        finally:
            process.kill()


def create(page: Page, url: str, name: str = "Mill") -> str:
    """Create a webhook of the whole space in the dialog; return its secret."""
    page.get_by_role("button", name="Create webhook").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Endpoint URL").fill(url)
    dialog.get_by_label("Room or space").select_option(label="All of General")
    dialog.get_by_role("button", name="Create webhook").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    return page.locator("code", has_text=re.compile("^whsec_")).inner_text()


def newest(page: Page) -> Locator:
    return page.get_by_role("list", name="Deliveries").get_by_role("listitem").first


def new_webhook(api: Api, url: str, name: str = HOSTILE) -> str:
    """Create a webhook of the whole space with the API; return its id."""
    subscription = {"subject_type": SPACE, "subject_id": api.space_id, "subscription_type": SENT}
    content = {
        "name": name,
        "description": HOSTILE,
        "endpoint_url": url,
        "subscriptions": [subscription],
        "headers": {"X-Team": "mill"},
    }
    made = api.person.post(f"{api.organization}/webhooks", json={"content": content})
    assert made.status_code == 201, made.text
    return str(made.json()["webhook"]["id"])


def logs(api: Api, webhook: str) -> list[dict[str, list[object]]]:
    return list(api.person.get(f"{api.organization}/webhooks/{webhook}/logs").json()["logs"])


def address(api: Api, webhook: str = "", query: str = "") -> str:
    return f"{api.url}/o/{api.organization_id}/administration/webhooks/{webhook}".rstrip("/") + query

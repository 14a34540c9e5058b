"""The tools of a webhook's page: its health, timing, comparison, curl, replay, and the keyboard."""

import json
import re
import subprocess
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations_of_both_widths
from tests.browser.conftest import SignIn, at_rest
from tests.browser.endpoint import Endpoint, endpoint
from tests.browser.webhooks import address, create, logs, newest, receiver
from tests.conftest import Api, free_port
from tests.wait_until import wait_until


def figures(page: Page) -> Locator:
    return page.get_by_role("region", name="Health").get_by_role("list").first


def table_of(page: Page, title: str) -> Locator:
    """Show a chart as a table; return its newest row."""
    card = page.get_by_role("region", name=title)
    card.get_by_role("button", name="Show as table").click()
    return card.get_by_role("table").get_by_role("row").nth(1)


def create_filtered(page: Page, url: str) -> None:
    """Create a webhook for messages with a word, without retries, after a look at what it would be sent."""
    page.get_by_role("button", name="Create webhook").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Deploys")
    dialog.get_by_label("Endpoint URL").fill(url)
    dialog.get_by_label("Room or space").select_option(label="All of General")
    dialog.get_by_text("Filters and contents").click()
    dialog.get_by_label("With one of these words").fill("deploy")
    expect(dialog.get_by_role("status")).to_have_text("1 of the last 2 messages would be sent")
    dialog.get_by_label("Pauses before retries").fill("none")
    dialog.get_by_role("button", name="Create webhook").click()
    expect(page.get_by_role("heading", name="Deploys")).to_be_visible()


@pytest.mark.contract("Web application 60")
def test_a_receiver_breaks_and_is_mended_and_what_failed_is_replayed(api: Api, sign_in: SignIn) -> None:
    api.send("deploy 1")
    api.send("lunch")
    page = sign_in(at=address(api))
    with endpoint() as target:
        create_filtered(page, target.url)
        expect(figures(page)).to_contain_text("No attempts")
        page.get_by_role("button", name="Send test").click()
        expect(page.get_by_role("status").filter(has_text="HTTP 200")).to_be_visible()
        target.status, target.answer = 500, "out of disk"
        api.send("deploy 2")
        api.send("lunch again")
        expect(newest(page)).to_contain_text("Failed")
        expect(newest(page)).to_contain_text("message_sent")
        expect(figures(page)).to_contain_text("1 attempt, 1 failed")
        expect(table_of(page, "Attempts per hour").get_by_role("cell")).to_have_text(["0", "1"])
        expect(table_of(page, "Response time").get_by_role("cell")).to_have_text([re.compile(r"\d+ ms")] * 2)
        newest(page).get_by_role("button").first.click()
        expect(newest(page).get_by_text("Wait", exact=True)).to_be_visible()
        expect(newest(page).get_by_role("region", name="Attempt 1: Response")).to_have_text("out of disk")
        target.status = 200
        page.get_by_role("button", name="Replay…").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("status")).to_have_text("1 delivery, over about 1 second")
        dialog.get_by_text("Missed (0)").click()
        expect(dialog.get_by_role("status")).to_have_text("There is nothing to replay.")
        dialog.get_by_text("Failed (1)").click()
        dialog.get_by_label("Created").select_option(label="Between two times")
        dialog.get_by_label("Before").fill("2020-01-01T00:00")
        expect(dialog.get_by_role("status")).to_have_text("There is nothing to replay.")
        dialog.get_by_label("Created").select_option(label="In the last hour")
        dialog.get_by_role("button", name="Replay 1 delivery").click()
        expect(newest(page)).to_contain_text("Delivered")
        expect(figures(page)).to_contain_text("2 attempts, 1 failed")
        page.get_by_text("30 days", exact=True).click()
        expect(figures(page)).to_contain_text("50%")
        expect(page.get_by_role("heading", name="Attempts per day")).to_be_visible()


@pytest.mark.contract("Web application 61")
def test_an_attempt_copied_as_curl_is_received_and_verified(api: Api, sign_in: SignIn) -> None:
    port = free_port()
    page = sign_in(at=address(api))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    secret = create(page, f"http://127.0.0.1:{port}/hook?of=[Ada's]")
    api.send("It's 5 o'clock: $HOME `date` \\ \"done\"")
    expect(newest(page)).to_contain_text("Retrying")  # nothing listens yet
    newest(page).get_by_role("button").first.focus()
    page.keyboard.press("c")
    expect(page.get_by_role("status").filter(has_text="Copied attempt 1 as a curl command")).to_be_visible()
    command = page.evaluate("navigator.clipboard.readText()")
    with receiver(secret, port) as running:
        subprocess.run(["sh", "-c", command], check=True, timeout=30)
        received = json.loads(running.stdout.readline())  # type: ignore[union-attr]
        assert received["outcome"] == "verified"


def attempts(api: Api, webhook: str) -> list[Any]:
    return list(logs(api, webhook)[0]["attempts"])


def fail_then_deliver(api: Api, page: Page, target: Endpoint) -> str:
    """Deliver an event that failed first, by the keyboard; return the id of its webhook."""
    create(page, target.url)
    page.get_by_role("button", name="I've saved it").click()
    webhook = page.url.rpartition("/")[2]
    api.send("older")
    expect(newest(page)).to_contain_text("200")
    target.status, target.answer = 500, '{"error":"out of disk","node":7}'
    api.send("newer")
    expect(newest(page)).to_contain_text("500")
    target.status, target.answer = 200, '{"node":7}'
    page.keyboard.press("j")
    page.keyboard.press("r")
    wait_until(lambda: len(attempts(api, webhook)) == 2, "the delivery is sent again")
    return webhook


@pytest.mark.contract("Web application 62")
def test_two_attempts_are_compared_and_the_log_is_used_by_keyboard(api: Api, sign_in: SignIn) -> None:
    page = sign_in(at=address(api))
    rows = page.get_by_role("list", name="Deliveries").get_by_role("listitem")
    with endpoint() as target:
        fail_then_deliver(api, page, target)
        expect(newest(page)).to_contain_text("Delivered")
        page.keyboard.press("d")
        comparison = newest(page).get_by_role("region", name="Comparison")
        marked = comparison.locator("[data-differs]")
        expect(marked.filter(has_text="Status")).to_contain_text("500200")
        expect(marked.filter(has_text="HTTP 500")).to_have_count(1)
        expect(marked.filter(has_text="out of disk")).to_have_count(1)
        expect(marked.filter(has_text="webhook-timestamp")).to_have_count(0)
        expect(comparison.get_by_role("row").filter(has_text='"node": 7')).to_have_count(1)
        at_rest(page)
        assert violations_of_both_widths(page) == []
        comparison.get_by_label("Attempt on the left").select_option(index=1)
        expect(comparison.get_by_role("status")).to_have_text("The attempts are the same.")
        rows.first.get_by_role("button").first.focus()
        page.keyboard.press("d")
        expect(comparison).to_have_count(0)
        page.keyboard.press("ArrowDown")
        expect(rows.nth(1).get_by_role("button").first).to_be_focused()
        page.keyboard.press("d")  # with one attempt there is nothing to compare
        page.keyboard.press("Enter")
        expect(rows.nth(1).get_by_role("region", name="Body")).to_be_visible()
        page.keyboard.press("k")
        expect(rows.first.get_by_role("button").first).to_be_focused()
        page.keyboard.press("?")
        expect(page.get_by_role("dialog").get_by_role("region", name="Webhook deliveries")).to_contain_text("as curl")

"""Webhooks in the browser: created, viewed, failing, paused, reactivated, replayed."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from atrium.webhooks.model import SubscriptionType
from tests.browser.axe import violations, violations_of_both_widths
from tests.browser.conftest import SignIn, at_rest, visit
from tests.browser.endpoint import endpoint
from tests.browser.webhooks import HOSTILE, address, create, logs, new_webhook, newest, receiver
from tests.conftest import Api, free_port
from tests.wait_until import wait_until


@pytest.fixture
def webhook(api: Api) -> Iterator[str]:
    """Create a webhook with the API, whose endpoint answers with a script and a failure; return its id."""
    with endpoint(500, HOSTILE) as hostile:
        yield new_webhook(api, hostile.url)


def open_webhooks(page: Page) -> None:
    page.get_by_role("link", name="Administration").click()
    page.get_by_role("link", name="Webhooks", exact=True).click()
    expect(page.get_by_role("heading", name="Webhooks", exact=True)).to_be_visible()


@pytest.mark.contract("Webhook status 2")
def test_a_webhook_is_created_fails_is_paused_and_replays_what_it_missed(api: Api, sign_in: SignIn) -> None:
    page = sign_in(at=address(api))
    port = free_port()
    secret = create(page, f"http://127.0.0.1:{port}/hook")
    with receiver(secret, port) as running:
        api.send("The mill turns")
        expect(newest(page)).to_contain_text("Delivered")
        expect(newest(page)).to_contain_text("200")
        received = json.loads(running.stdout.readline())  # type: ignore[union-attr]
        assert received["outcome"] == "verified"
        page.get_by_role("button", name="Send test").click()
        expect(page.get_by_role("status").filter(has_text="HTTP 200")).to_be_visible()
    for number in range(10):
        api.send(f"unheard {number}")
    expect(page.get_by_role("heading", name="Atrium paused the webhook")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("10 events failed in a row. Last error:")).to_be_visible()
    expect(page.get_by_text("an event counts when its first attempt fails, even if a retry succeeds")).to_be_visible()
    expect(page.get_by_text("ATRIUM_PAUSE_COUNTS=first_retry")).to_be_visible()
    expect(newest(page)).to_contain_text("Retrying")
    missed = api.send("missed while paused")["message_id"]
    expect(page.get_by_role("heading", name="1 missed event")).to_be_visible()
    expect(newest(page)).to_contain_text("Missed")
    with receiver(secret, port) as running:
        page.get_by_role("button", name="Reactivate").click()
        expect(page.get_by_text("Active", exact=True)).to_be_visible()
        page.get_by_role("button", name="Replay missed events").click()
        expect(page.get_by_role("status").filter(has_text="Replaying 1 event")).to_be_visible()
        expect(newest(page)).to_contain_text("Delivered")
        expect(page.get_by_role("heading", name="1 missed event")).to_have_count(0)
        assert any(missed in line for line in iter(running.stdout.readline, ""))  # type: ignore[union-attr]
        newest(page).get_by_role("button").first.click()
        newest(page).get_by_role("button", name="Resend").click()
        expect(page.get_by_role("status").filter(has_text="Delivery queued")).to_be_visible()
        assert any('"duplicate"' in line for line in iter(running.stdout.readline, ""))  # type: ignore[union-attr]
    page.get_by_label("Status").select_option(label="Missed")
    expect(page.get_by_text("No deliveries found")).to_be_visible()
    page.get_by_label("Status").select_option(label="Delivered")
    page.get_by_label("Event", exact=True).select_option("ping")
    expect(page.get_by_role("list", name="Deliveries").get_by_role("listitem")).to_have_count(1)


def deliver(api: Api, webhook: str, text: str) -> None:
    """Send a message and wait until its delivery has been tried."""
    api.send(text)
    wait_until(lambda: any(each["attempts"] for each in logs(api, webhook)), "a delivery is tried")


def miss(api: Api, webhook: str, text: str) -> None:
    """Send a message while the webhook is disabled."""
    for status in ("INACTIVE", "ACTIVE"):
        content = {"status": f"WEBHOOK_STATUS_{status}"}
        changed = api.person.patch(f"{api.organization}/webhooks/{webhook}", json={"content": content})
        assert changed.status_code == 200
        if status == "INACTIVE":
            api.send(text)


def test_each_attempt_shows_its_request_and_response_as_text(api: Api, sign_in: SignIn, webhook: str) -> None:
    deliver(api, webhook, HOSTILE)
    page = sign_in(at=address(api, webhook))
    newest(page).get_by_role("button").first.click()
    details = newest(page)
    expect(details.get_by_role("region", name="Body")).to_contain_text('"event_type": "message_sent"')
    expect(details.get_by_role("region", name="Attempt 1: Request")).to_contain_text("X-Service-Signature: sha256=")
    expect(details.get_by_role("region", name="Attempt 1: Request")).not_to_contain_text("X-Team")
    expect(details.get_by_role("heading", name=re.compile("Attempt 1 · 500"))).to_be_visible()
    expect(details.get_by_role("region", name="Attempt 1: Response")).to_have_text(HOSTILE)
    assert page.evaluate("window.hit") is None
    assert page.locator("main img").count() == 0


@pytest.mark.contract("Web application 59")
def test_failed_deliveries_are_found_with_a_filter_and_resent(api: Api, sign_in: SignIn) -> None:
    with endpoint() as mill:
        webhook = new_webhook(api, mill.url, "Mill")
        deliver(api, webhook, "The mill turns")
        page = sign_in(at=address(api, webhook))
        expect(newest(page)).to_contain_text("Delivered")
        mill.status = 500
        miss(api, webhook, "The mill stands still")
        expect(newest(page)).to_contain_text("Missed")
        newest(page).get_by_role("button").first.click()
        newest(page).get_by_role("button", name="Resend").click()  # a manual resend is tried once
        expect(page.get_by_role("status").filter(has_text="Delivery queued")).to_be_visible()
        page.get_by_label("Status").select_option(label="Failed")
        page.wait_for_url("**status=DELIVERY_STATUS_FAILED**")
        expect(newest(page)).to_contain_text("Failed")
        expect(page.get_by_role("list", name="Deliveries").get_by_role("listitem")).to_have_count(1)
        page.get_by_role("button", name="Replay…").click()
        replay = page.get_by_role("dialog").get_by_role("button", name="Replay 1 delivery")
        expect(replay).to_be_enabled()
        page.context.set_offline(True)
        replay.click()
        expect(page.get_by_role("alert").filter(has_text="Can't reach the server")).to_be_visible()
        page.context.set_offline(False)
        mill.status = 200
        replay.click()
        expect(page.get_by_role("status").filter(has_text="Replaying 1 event")).to_be_visible()
        expect(page.get_by_text("No deliveries found")).to_be_visible()
        page.get_by_label("Status").select_option(label="Delivered")
        expect(newest(page)).to_contain_text("200")
        page.get_by_role("button", name="Replay…").click()
        expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("There is nothing to replay.")
        expect(page.get_by_role("dialog").get_by_role("button", name="Replay 0 deliveries")).to_be_disabled()


@pytest.mark.contract("Events and deliveries 3")
def test_the_audit_log_is_subscribed_to_from_the_catalogue_of_events(api: Api, sign_in: SignIn) -> None:
    page = sign_in(at=address(api))
    page.get_by_role("link", name="Event types").click()
    entries = page.get_by_role("list", name="Event types").get_by_role("listitem")
    expect(entries).to_have_count(len(SubscriptionType) + 1)  # and "ping"
    entry = entries.filter(has_text="audit_entry")
    expect(entry).to_contain_text("By organization")
    entry.locator("summary").press("Enter")
    expect(entry.get_by_role("region", name="Example of audit_entry")).to_contain_text('"action": "space.created"')
    expect(entry.get_by_role("region", name="JSON Schema of audit_entry")).to_contain_text('"$ref"')
    assert violations(page) == []
    page.get_by_role("link", name="All webhooks").click()
    with endpoint() as siem:
        page.get_by_role("button", name="Create webhook").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name").fill("SIEM")
        dialog.get_by_label("Endpoint URL").fill(siem.url)
        dialog.get_by_label("Room or space").select_option(label="All of General")
        dialog.get_by_label("Room type").select_option(label="Chat")
        dialog.get_by_label("Event", exact=True).select_option(label="Room created")
        expect(dialog.get_by_label("Room or space").locator("option:checked")).to_have_text("All of General")
        dialog.get_by_label("Event", exact=True).select_option(label="Audit log entry")
        expect(dialog.get_by_label("Room or space").locator("option:checked")).to_have_text("The organization")
        expect(dialog.get_by_label("Room type")).to_be_disabled()
        dialog.get_by_role("button", name="Create webhook").click()
        expect(page.locator("dl")).to_contain_text("Audit log entry · The organization")
        api.new_room(name="watched")
        expect(newest(page)).to_contain_text("audit_entry")
        expect(newest(page)).to_contain_text("Delivered")


@pytest.mark.contract("Events and deliveries 9")
def test_a_filtered_subscription_is_previewed_and_sends_what_it_chooses(api: Api, sign_in: SignIn) -> None:
    for text in ("deploy done", "lunch", "deploy failed"):
        api.send(text)
    page = sign_in(at=address(api))
    with endpoint() as target:
        page.get_by_role("button", name="Create webhook").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name").fill("Deploys")
        dialog.get_by_label("Endpoint URL").fill(target.url)
        dialog.get_by_label("Room or space").select_option(label="All of General")
        expect(dialog.get_by_role("status")).to_have_text("3 of the last 3 messages would be sent")
        dialog.get_by_text("Filters and contents").click()
        dialog.get_by_label("With one of these words").fill("deploy, release")
        expect(dialog.get_by_role("status")).to_have_text("2 of the last 3 messages would be sent")
        dialog.get_by_label("Where", exact=True).select_option(label="Outside threads")
        dialog.get_by_label("From").select_option(label="People")
        dialog.get_by_label("Include the message").check()
        assert violations(page) == []
        dialog.get_by_role("button", name="Create webhook").click()
        expect(page.locator("dl")).to_contain_text(
            "People · Outside threads · “deploy” or “release” · With the message"
        )
        api.send("quiet")
        api.send("release 2.4")
        expect(newest(page)).to_contain_text("Delivered")
        [entry] = logs(api, page.url.rpartition("/")[2])
        assert json.loads(str(entry["request_body"]))["data"]["message"]["text"] == "release 2.4"
        page.get_by_role("button", name="Edit").click()
        expect(dialog.get_by_label("With one of these words")).to_have_value("deploy release")
        dialog.get_by_label("Event", exact=True).select_option(label="Room updated")
        dialog.get_by_role("button", name="Save").click()
        expect(page.locator("dl")).to_contain_text("Room updated · All of General")
        expect(page.locator("dl")).not_to_contain_text("deploy")


SHOW = """(state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}"""


@pytest.mark.contract("Web application 63")
def test_nothing_is_refetched_while_the_page_is_hidden(api: Api, sign_in: SignIn, webhook: str) -> None:
    page = sign_in()
    page.clock.install()
    page.goto(address(api, webhook))
    page.get_by_role("heading", name="Deliveries").wait_for()
    with page.expect_request("**/logs?*"):
        page.clock.run_for(4_000)
    page.evaluate(SHOW, "hidden")
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.clock.run_for(20_000)
    page.evaluate(
        "fetch('/v1/me/profile').then((answer) => answer.json())"
    )  # earlier requests have been recorded by now
    assert not [url for url in requested if "/webhooks" in url], requested
    page.evaluate(SHOW, "visible")
    with page.expect_request("**/logs?*"):
        page.clock.run_for(4_000)


def test_a_webhook_is_edited_and_its_rotated_secret_is_shown_once(api: Api, sign_in: SignIn, webhook: str) -> None:
    api.new_room(name="the mill room")
    page = sign_in(at=address(api, webhook))
    page.get_by_role("button", name="Edit").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Renamed")
    dialog.get_by_role("button", name="Add another").click()
    dialog.get_by_label("Room or space").nth(1).select_option(label="the mill room")
    dialog.get_by_label("Room type").first.select_option(label="Chat")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Renamed")).to_be_visible()
    expect(page.locator("dl")).to_contain_text("Message sent · All of General · Chat")
    expect(page.locator("dl")).to_contain_text("the mill room")
    expect(page.locator("dl")).to_contain_text("X-Team")
    page.get_by_role("button", name="Rotate secret").click()
    page.get_by_role("dialog").get_by_role("button", name="Rotate secret").click()
    secret = page.locator("code", has_text=re.compile("^whsec_")).inner_text()
    page.reload()
    expect(page.get_by_role("heading", name="Renamed")).to_be_visible()
    assert secret not in page.content()
    page.get_by_role("button", name="Disable").click()
    page.get_by_role("dialog").get_by_role("button", name="Disable").click()
    expect(page.get_by_role("button", name="Enable")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="No webhooks yet")).to_be_visible()


def test_a_reader_sees_webhooks_and_cannot_change_them(api: Api, sign_in: SignIn, webhook: str) -> None:
    page = sign_in("Grace", role="reader")
    open_webhooks(page)
    expect(page.get_by_role("button", name="Create webhook")).to_have_count(0)
    page.get_by_role("link", name=HOSTILE).click()
    expect(page.get_by_role("heading", name="Deliveries")).to_be_visible()
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)


def test_webhook_pages_are_accessible(api: Api, sign_in: SignIn, webhook: str) -> None:
    """axe-core finds no violation, and no page is wider than its window."""
    deliver(api, webhook, "The mill turns")
    page = sign_in(at=address(api))
    found: dict[str, list[str]] = {}
    page.get_by_role("img", name="of the last").wait_for()
    found["list"] = violations_of_both_widths(page)
    page.get_by_role("button", name="Create webhook").click()
    page.get_by_role("dialog").get_by_label("Room or space").wait_for()
    at_rest(page)
    found["dialog"] = violations_of_both_widths(page)
    visit(page, address(api, webhook))
    newest(page).get_by_role("button").first.click()
    at_rest(page)
    found["webhook"] = violations_of_both_widths(page)
    assert not any(found.values()), json.dumps(found, indent=1)

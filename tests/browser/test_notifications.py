"""Desktop notifications, in the browser with windows: the one without has none."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.conftest import CHROMIUM, SignIn, room_url, running_browser
from tests.browser.writing import STREAM, write
from tests.conftest import Api

# Record desktop notifications; headless browsers have no desktop to look at.
RECORD_NOTIFICATIONS = """
window.notifications = [];
window.Notification = class extends Notification {
  constructor(title, options) { super(title, options); window.notifications.push([title, options.body]); }
};
"""


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Yield the browser with windows."""
    yield from running_browser(playwright, CHROMIUM)


def notifications(page: Page) -> list[list[str]]:
    shown: list[list[str]] = page.evaluate("window.notifications")
    return shown


def choose(page: Page, api: Api, level: str) -> None:
    """Choose a level on a page that is opened for it, and receives what is sent from then on."""
    with page.expect_response(STREAM):
        page.goto(f"{api.url}/o/{api.organization_id}/settings")
    page.get_by_role("radiogroup", name="Notify me about").get_by_text(level).click()
    expect(page.get_by_role("button", name="Send test notification")).to_be_visible()


@pytest.mark.contract("Web application 52")
def test_desktop_notifications_follow_the_settings(api: Api, sign_in: SignIn) -> None:
    other = api.new_room(name="plans")["room_id"]
    page = sign_in("Grace")
    page.context.grant_permissions(["notifications"])
    page.context.add_init_script(RECORD_NOTIFICATIONS)
    grace = page.evaluate("fetch('/v1/me/profile').then((answer) => answer.json())")["person_id"]

    def send(text: str) -> None:
        assert api.person.post(f"/v2/rooms/{other}/messages", json={"text": text}).status_code == 201

    choose(page, api, "Mentions")
    send("nothing for her")
    send(f"**Look**, <@{grace}>")
    page.wait_for_function("() => window.notifications.length > 0")
    assert notifications(page) == [["Ada in plans", "Look, @Grace"]]
    choose(page, api, "All messages")
    send("now this too")
    page.wait_for_function("() => window.notifications.length > 0")
    assert notifications(page) == [["Ada in plans", "now this too"]]
    page.goto(room_url(api, other))
    page.bring_to_front()
    send("seen anyway")
    expect(page.locator("article", has_text="seen anyway")).to_be_visible()
    write(page, "her own", "Message #plans")
    expect(page.locator("article", has_text="her own")).to_be_visible()
    assert notifications(page) == []


@pytest.mark.contract("Web application 52")
def test_a_browser_that_blocks_notifications_shows_a_notice(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    page.goto(f"{api.url}/o/{api.organization_id}/settings")
    page.evaluate("Notification.requestPermission = () => Promise.resolve('denied')")
    page.get_by_role("radiogroup", name="Notify me about").get_by_text("All messages").click()
    expect(page.get_by_role("alert")).to_contain_text("Your browser blocks notifications")
    page.reload()
    expect(page.get_by_role("radio", name="Nothing")).to_be_checked()

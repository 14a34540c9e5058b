"""Reading in a real browser: a history that fails to load, and the focus while scrolling."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import SignIn, at_end, room_url, visit
from tests.conftest import Api

HISTORY = re.compile(r"/v2/rooms/[^/]+/messages\?")
SCROLL_TO = """async (text) => {
  const list = document.querySelector("[data-messages]");
  while (!list.innerText.includes(text)) {
    list.scrollTop -= 2000;
    await new Promise((done) => requestAnimationFrame(done));
  }
}"""


def fail_to_load(page: Page) -> None:
    problem = {"status": 500, "code": "internal_error", "title": "Internal Server Error"}
    page.route(HISTORY, lambda route: route.fulfill(status=500, json=problem))


def test_a_room_that_fails_to_load_shows_the_error_and_not_its_beginning(api: Api, sign_in: SignIn) -> None:
    page = sign_in()
    fail_to_load(page)
    page.goto(room_url(api))
    expect(page.get_by_role("alert").filter(has_text="Something went wrong")).to_be_visible()
    expect(page.get_by_text("This room was created")).to_have_count(0)
    page.unroute(HISTORY)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("This room was created")).to_be_visible()


def test_posts_that_fail_to_load_show_the_error(api: Api, sign_in: SignIn) -> None:
    posts = api.new_room(name="news", room_type="post")["room_id"]
    page = sign_in()
    fail_to_load(page)
    visit(page, room_url(api, posts))
    expect(page.get_by_role("alert").filter(has_text="Something went wrong")).to_be_visible()
    expect(page.get_by_text("No posts yet")).to_have_count(0)
    page.unroute(HISTORY)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("No posts yet")).to_be_visible()


def test_a_focused_message_keeps_the_focus_out_of_sight(api: Api, sign_in: SignIn) -> None:
    for number in range(150):
        api.send(f"line {number:03}")
    page = sign_in()
    at_end(page)
    last = page.locator("article", has_text="line 149")
    last.focus()
    page.evaluate(SCROLL_TO, "line 000")
    expect(page.locator("article", has_text="line 140")).to_have_count(0)
    expect(last).to_be_focused()

"""Unread counts, threads and mentions in the application agree with the server after everything that a reader does."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

from tests.browser.axe import violations
from tests.browser.conftest import SignIn, at_end, room_url, visit
from tests.browser.writing import act, write
from tests.conftest import Api
from tests.wait_until import wait_until

Json = dict[str, Any]
UNREAD = "**/unread?*"
SIDEBAR = """() => Object.fromEntries([...document.querySelectorAll("aside nav a")].map((link) => [
  link.querySelector("bdi, svg + span").textContent, link.querySelector("span > [aria-hidden]")?.textContent ?? ""]))"""


def post(api: Api, room_id: str, text: str, root: str | None = None) -> str:
    """Send a message as Ada."""
    body = {"text": text, **({"parent_id": root} if root else {})}
    return str(api.person.post(f"/v2/rooms/{room_id}/messages", json=body).json()["message_id"])


def wait_until_sent(api: Api, text: str) -> Json:
    """Return the message of the first room with this text, once it is sent."""
    found: list[Json] = []

    def is_there() -> bool:
        found[:] = [each for each in api.person.get(api.messages).json()["messages"] if each["text"] == text]
        return bool(found)

    wait_until(is_there)
    return found[0]


def agrees(page: Page, api: Api, **rooms: str) -> None:
    """Wait until the counts of the sidebar are those of the server."""

    def expected() -> dict[str, str]:
        unread = page.request.get(f"{api.url}/v2/organizations/{api.organization_id}/unread").json()
        counts = {each["room_id"]: each["unread_count"] for each in unread["rooms"]}
        mentions = sum(each["mention_count"] for each in unread["rooms"] + unread["threads"])
        shown = {name: counts.get(room_id, 0) for name, room_id in rooms.items()}
        return {
            name: str(count or "")
            for name, count in {**shown, "Threads": len(unread["threads"]), "Mentions": mentions}.items()
        }

    wait_until(lambda: page.evaluate(SIDEBAR) == expected())


def badge(page: Page, name: str) -> Locator:
    return page.get_by_role("link", name=name)


@pytest.mark.contract("Web application 18")
def test_a_reply_is_unread_until_its_thread_is_read(api: Api, sign_in: SignIn) -> None:
    posts = api.new_room(name="news", room_type="post")["room_id"]
    places = {"general": api.room_id, "news": posts}
    page = sign_in("Grace")
    write(page, "my question")
    root = wait_until_sent(api, "my question")
    post(api, api.room_id, f"<@{root['user_id']}> an answer", root["message_id"])
    expect(badge(page, "Threads")).to_contain_text("1 thread with new replies")
    expect(badge(page, "Mentions")).to_contain_text("1 new mention")
    expect(badge(page, "general")).not_to_contain_text("unread")
    expect(page).to_have_title("(1) general · Atrium")
    assert page.locator("link[rel=icon]").get_attribute("href") != "/icon.svg"
    agrees(page, api, **places)
    summary = page.get_by_role("button", name="1 reply")
    expect(summary).to_contain_text("1 new reply")
    summary.click()
    thread = page.get_by_role("region", name="Thread")
    expect(thread.get_by_text("an answer")).to_be_visible()
    expect(summary).not_to_contain_text("new")
    expect(page).to_have_title("general · Atrium")
    assert page.locator("link[rel=icon]").get_attribute("href") == "/icon.svg"
    agrees(page, api, **places)
    post(api, api.room_id, "read as it arrives", root["message_id"])
    expect(thread.get_by_text("read as it arrives")).to_be_visible()
    agrees(page, api, **places)
    thread.locator("article", has_text="an answer").hover()
    thread.locator("article", has_text="an answer").get_by_role("button", name="Mark as unread").click()
    expect(badge(page, "Threads")).to_contain_text("1 thread with new replies")
    expect(page.get_by_role("button", name="2 replies")).to_contain_text("2 new replies")
    thread.get_by_role("button", name="Close thread").click()
    page.reload()
    page.get_by_role("button", name="2 replies").click()
    expect(thread.get_by_text("New", exact=True)).to_be_visible()
    expect(badge(page, "Threads")).not_to_contain_text("new")
    agrees(page, api, **places)


@pytest.mark.contract("Web application 18")
def test_comments_on_a_post_are_unread_until_they_are_opened(api: Api, sign_in: SignIn) -> None:
    posts = api.new_room(name="news", room_type="post")["room_id"]
    page = sign_in("Grace")
    person_id = page.request.get(f"{api.url}/v1/me/profile").json()["person_id"]
    root = post(api, posts, "a post")
    post(api, posts, f"<@{person_id}> what do you think?", root)
    expect(badge(page, "news")).to_contain_text("1 unread message")
    badge(page, "news").click()
    comments = page.get_by_role("button", name="1 comment")
    expect(comments).to_contain_text("1 new reply")
    expect(badge(page, "news")).not_to_contain_text("unread")
    comments.click()
    expect(page.get_by_text("what do you think?")).to_be_visible()
    expect(comments).not_to_contain_text("new")
    agrees(page, api, general=api.room_id, news=posts)


@pytest.mark.contract("Web application 19")
def test_a_room_opens_at_its_first_unread_message(api: Api, sign_in: SignIn) -> None:
    room = api.new_room(name="plans")["room_id"]
    places = {"general": api.room_id, "plans": room}
    for nr in range(30):
        post(api, room, f"old {nr}")
    page = sign_in("Grace")
    badge(page, "plans").click()
    page.get_by_label("Message #plans").wait_for()
    page.get_by_text("old 29", exact=True).wait_for()
    at_end(page)
    expect(badge(page, "plans")).not_to_contain_text("unread")
    badge(page, "general").click()
    page.get_by_label("Message #general").wait_for()
    ids = [post(api, room, f"new {nr}") for nr in range(40)]
    expect(badge(page, "plans")).to_contain_text("40 unread messages")
    expect(page).to_have_title("• general · Atrium")
    badge(page, "plans").click()
    bar = page.get_by_role("group", name="Unread messages")
    expect(bar).to_contain_text("40 new since")
    expect(page.get_by_text("new 0", exact=True)).to_be_in_viewport()
    expect(page.get_by_text("New", exact=True)).to_be_in_viewport()
    expect(bar.get_by_role("button", name="Jump to unread")).to_have_count(0)
    expect(page.get_by_role("button", name="Jump to latest")).to_contain_text("40 unread messages")
    agrees(page, api, **places)
    api.person.delete(f"/v2/rooms/{room}/messages/{ids[5]}")
    expect(bar).to_contain_text("39 new")
    page.get_by_text("new 0", exact=True).hover()
    page.mouse.wheel(0, -1200)
    bar.get_by_role("button", name="Jump to unread").click()
    expect(page.get_by_text("new 0", exact=True)).to_be_in_viewport()
    bar.get_by_role("button", name="Mark as read").click()
    expect(bar).to_have_count(0)
    agrees(page, api, **places)
    page.get_by_role("button", name="Jump to latest").click()
    at_end(page)
    act(page, "new 37", "Mark as unread")
    expect(bar).to_contain_text("3 new")
    expect(badge(page, "plans")).to_contain_text("3 unread messages")
    badge(page, "general").click()
    page.get_by_label("Message #general").wait_for()
    agrees(page, api, **places)
    badge(page, "plans").click()
    expect(badge(page, "plans")).not_to_contain_text("unread")
    agrees(page, api, **places)


@pytest.mark.contract("Web application 19")
def test_far_unread_messages_are_loaded_before_the_room_is_shown(api: Api, sign_in: SignIn) -> None:
    room = api.new_room(name="plans")["room_id"]
    page = sign_in("Grace")
    for nr in range(120):
        post(api, room, f"line {nr:03}")
    visit(page, room_url(api, room))
    expect(page.get_by_text("line 000", exact=True)).to_be_in_viewport()
    expect(page.get_by_role("group", name="Unread messages")).to_contain_text("100+ new")
    page.get_by_role("button", name="Jump to latest").click()
    expect(page.get_by_text("line 119", exact=True)).to_be_in_viewport()
    expect(badge(page, "plans")).not_to_contain_text("unread")


def test_a_room_waits_for_the_count_of_its_messages_before_it_is_shown_and_read(api: Api, sign_in: SignIn) -> None:
    """Else its end would be shown, and be marked as read."""
    room = api.new_room(name="plans")["room_id"]
    page = sign_in("Grace")
    waiting: list[Route] = []
    marks: list[str] = []
    page.on("request", lambda request: marks.append(request.url) if "read-marker" in request.url else None)
    page.clock.install()

    def hold(route: Route) -> None:
        waiting.append(route)

    def opens_at_first_unread() -> None:
        page.get_by_label("Message #plans").wait_for()
        page.clock.run_for(5_000)
        assert marks == []
        page.route(UNREAD, lambda route: route.continue_())
        while waiting:
            waiting.pop().continue_()
        expect(page.get_by_text("new 00", exact=True)).to_be_in_viewport()
        expect(page.get_by_text("New", exact=True)).to_be_in_viewport()
        expect(page.get_by_role("group", name="Unread messages")).to_contain_text("40 new")

    marks.clear()
    page.route(UNREAD, hold)
    for nr in range(40):  # whose live events make the page count
        post(api, room, f"new {nr:02}")
    with page.expect_response(f"**/{room}/messages?*"):
        badge(page, "plans").click()
    opens_at_first_unread()
    page.route(UNREAD, hold)
    with page.expect_response(f"**/{room}/messages?*"):
        page.reload()
    opens_at_first_unread()


@pytest.mark.contract("Web application 20")
def test_threads_and_mentions_are_listed_and_answered(api: Api, sign_in: SignIn, viewport: ViewportSize) -> None:
    page = sign_in("Grace", viewport=viewport)
    home = f"{api.url}/o/{api.organization_id}"
    for name in ("threads", "mentions"):
        visit(page, f"{home}/{name}")
        page.get_by_text(f"No {name} yet").wait_for()
        assert violations(page) == []
    person_id = page.request.get(f"{api.url}/v1/me/profile").json()["person_id"]
    visit(page, f"{home}/threads")
    roots = [post(api, api.room_id, f"<@{person_id}> topic {nr}") for nr in range(2)]
    for root in roots:
        post(api, api.room_id, "first **reply**", root)
    cards = page.get_by_role("list", name="Threads").get_by_role("listitem")
    expect(cards).to_have_count(2)
    expect(cards.first).to_contain_text("topic 1")
    expect(cards.first).to_contain_text("1 new reply")
    assert violations(page) == []
    cards.last.click()
    thread = page.get_by_role("region", name="Thread")
    expect(thread.get_by_text("first reply")).to_be_visible()
    expect(cards.last).not_to_contain_text("new reply")
    write(page, "my answer", "Reply…")
    expect(thread.locator("article", has_text="my answer")).to_be_visible()
    assert violations(page) == []
    thread.get_by_role("button", name="Close thread").click()
    expect(cards.filter(has_text="topic 0")).to_contain_text("my answer")
    visit(page, f"{home}/mentions")
    mentions = page.get_by_role("list", name="Mentions").get_by_role("link")
    expect(mentions).to_have_count(2)
    expect(mentions.first).to_contain_text("New")
    assert violations(page) == []
    mentions.first.click()
    page.wait_for_url(re.compile("/rooms/"))
    expect(page.locator("article[data-marked]")).to_contain_text("topic 1")


@pytest.mark.contract("Web application 20")
def test_unread_threads_are_filtered_and_marked_as_read_together(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    person_id = page.request.get(f"{api.url}/v1/me/profile").json()["person_id"]
    roots = [post(api, api.room_id, f"<@{person_id}> topic {nr}") for nr in range(30)]  # more than a page
    for root in roots:
        post(api, api.room_id, "an answer", root)
    visit(page, f"{api.url}/o/{api.organization_id}/threads")
    cards = page.get_by_role("list", name="Threads").get_by_role("listitem")
    expect(cards.first).to_contain_text("topic 29")
    cards.first.get_by_role("button", name="Mark as read").click()
    expect(cards.first).not_to_contain_text("new reply")
    page.get_by_text("Unread", exact=True).click()
    expect(cards.first).to_contain_text("topic 28")
    cards.first.get_by_role("link", name="Reply").click()
    expect(page.get_by_role("region", name="Thread")).to_contain_text("an answer")
    expect(cards.first).not_to_contain_text("new reply")
    expect(cards.first).to_contain_text("topic 28")  # stays while it is open
    page.get_by_role("button", name="Close thread").click()
    expect(cards.first).to_contain_text("topic 27")
    page.get_by_role("button", name="Mark all as read").click()
    page.get_by_text("Nothing unread").wait_for()
    expect(page.get_by_role("button", name="Mark all as read")).to_be_disabled()
    address = f"{api.url}/v2/organizations/{api.organization_id}/unread"
    wait_until(lambda: page.request.get(address).json()["threads"] == [], "the server knows all threads as read", 30)

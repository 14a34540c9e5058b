"""Search in a real browser: the quick switcher, filters, the order of results, and jumping to a date."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import SignIn, at_rest, room_url, visit
from tests.conftest import Api
from tests.search.harness import send_all

# Messages of three days: one in January, two at noon of 2 March, one a week later. The room is as old.
HISTORY = """
insert into messages (room_id, message_id, user_id, sender_type, text, sent_at)
select $1::uuid, id_at((extract(epoch from at::timestamptz) * 1000)::bigint << 12), $2::uuid, 'person', text, at::timestamptz
from (values ('2026-01-15T12:00Z', 'in January'), ('2026-03-02T12:00Z', 'first of March'),
             ('2026-03-02T12:05Z', 'second of March'), ('2026-03-09T12:00Z', 'a week later')) old (at, text)
"""


def search_url(api: Api, query: str = "") -> str:
    return f"{api.url}/o/{api.organization_id}/search{query}"


@pytest.mark.contract("Web application 41")
def test_the_switcher_finds_rooms_people_and_messages_while_typing(api: Api, sign_in: SignIn) -> None:
    api.new_room(name="plans")
    send_all(api, "the plan for tea", "nothing of that")
    page = sign_in("Planck")
    page.get_by_role("button", name="Search ").first.click()
    options = page.get_by_role("dialog").get_by_role("option")
    expect(options).to_have_text(["plansGeneral", "generalGeneral"])  # the open room comes last
    page.keyboard.type("plan")
    expect(options.filter(has_text="the plan for tea")).to_be_visible()
    expect(page.get_by_role("option", name="Planck Show messages")).to_be_visible()
    expect(options.last).to_have_text("Search messages for “plan”")
    expect(options.first).to_have_attribute("data-combobox-selected", "true")
    at_rest(page)
    assert violations(page) == []
    page.keyboard.type(" for tea")
    expect(page.get_by_role("option", name="Planck Show messages")).to_have_count(0)
    page.keyboard.press("Enter")  # no room and no person is called that
    page.wait_for_url("**/search?q=plan+for+tea")
    expect(page.get_by_role("status").filter(has_text="1 result")).to_be_visible()
    page.get_by_role("button", name="plan for tea").click()
    page.keyboard.type("Planck")
    page.get_by_role("option", name="Planck Show messages").click()
    expect(page.get_by_role("button", name="From: Planck", exact=True)).to_be_visible()  # a name, not an id
    expect(page).to_have_title("From: Planck · Atrium")


@pytest.mark.contract("Web application 41")
def test_filters_are_chips_that_are_added_and_removed_with_the_keyboard(api: Api, sign_in: SignIn) -> None:
    send_all(api, "tea", "tea https://example.org")
    page = sign_in(at=search_url(api, "?q=tea+in%3Alab"))
    words = page.get_by_label("Words, “exact phrase”, -exclude")
    expect(words).to_have_value("tea")
    chips = page.get_by_role("list", name="Filters").get_by_role("listitem")
    expect(chips).to_have_text(["In: lab"])
    expect(page.get_by_text("or remove a filter")).to_be_visible()
    page.get_by_role("button", name="Remove filter In: lab").press("Enter")
    page.wait_for_url("**/search?q=tea")
    expect(page.get_by_text("2 results")).to_be_visible()
    choose(page, "In", "gener")
    page.wait_for_url(f"**/search?q=tea+in%3A{api.room_id}")
    choose(page, "From", "ada")
    page.get_by_role("button", name="Has", exact=True).press("Enter")
    page.get_by_role("menuitem", name="A link").press("Enter")
    expect(chips).to_have_text(["In: general", "From: Ada", "Has: a link"])
    expect(page.get_by_text("1 result", exact=True)).to_be_visible()
    page.get_by_role("button", name="Date", exact=True).press("Enter")
    page.get_by_role("dialog", name="Date").get_by_label("Date").fill("2020-01-31")
    at_rest(page)
    assert violations(page) == []
    page.keyboard.press("Enter")
    expect(chips.last).to_have_text("On: Jan 31, 2020")
    for count in (3, 2, 1, 0):
        words.press("Home")
        words.press("Backspace")
        expect(chips).to_have_count(count)
        expect(words).to_have_value("tea")
    page.get_by_label("Sort by").select_option("Newest")
    page.wait_for_url("**/search?q=tea&order=newest")
    expect(page.get_by_role("list", name="Results").get_by_role("listitem").first).to_contain_text("example.org")


def choose(page: Page, filter_name: str, typed: str) -> None:
    """Add a filter with the keyboard: open its list, type part of a name, take the first."""
    page.get_by_role("button", name=filter_name, exact=True).press("Enter")
    expect(page.get_by_role("textbox", name="Find a ")).to_be_focused()
    page.keyboard.type(typed)
    expect(page.locator("[data-combobox-selected]")).to_have_count(1)
    at_rest(page)
    assert violations(page) == []
    page.keyboard.press("Enter")


def expect_marked(page: Page) -> Any:
    return expect(page.locator("article[data-marked]"))


@pytest.mark.contract("Web application 41")
def test_a_room_opens_at_a_date_or_at_the_nearest_earlier_message(api: Api, sign_in: SignIn) -> None:
    api.sql(HISTORY, api.room_id, api.person_id)
    api.sql("update rooms set created_at = '2026-01-10' where room_id = $1", api.room_id)
    api.send("today")
    page = sign_in(timezone_id="Europe/Berlin")
    for day, text, notice in (
        ("2026-03-02", "first of March", None),
        ("2026-03-05", "second of March", "No messages on Mar 5, 2026. Showing Mar 2, 2026 instead."),
        ("2025-06-01", "in January", "No messages on Jun 1, 2025. Showing Jan 15, 2026 instead."),
    ):
        page.get_by_role("button", name="Jump to a date").click()
        page.get_by_label("Specific date", exact=True).fill(day)
        page.get_by_role("button", name="Jump", exact=True).click()
        page.wait_for_url(f"**?date={day}")
        expect_marked(page).to_contain_text(text)
        if notice:
            expect(page.get_by_role("status").filter(has_text=notice)).to_be_visible()
    visit(page, room_url(api, query="?date=2026-03-09"))
    expect_marked(page).to_contain_text("a week later")
    expect(page.locator("article", has_text="today")).to_be_visible()

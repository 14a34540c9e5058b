"""An empty server is set up in the browser with the setup link that it printed."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.axe import violations, violations_of_both_widths
from tests.browser.conftest import PASSWORD, new_page
from tests.conftest import RunningServer, own_postgres, running_server


@pytest.fixture
def empty(browser: Browser) -> Iterator[RunningServer]:
    """Run a server without an organization."""
    with own_postgres() as made, running_server(made) as running:
        yield running


@pytest.mark.contract("Web application 32", "Web application 68")
def test_an_empty_server_can_be_set_up_only_with_its_setup_link(empty: RunningServer, browser: Browser) -> None:
    link = re.search(r"^\S+/sign-in#set-up=\S+$", empty.output.read_text(), re.M)
    assert link
    found: list[str] = []
    page = new_page(browser)
    page.goto(empty.url)
    expect(page.get_by_text("This server isn't set up yet")).to_be_visible()
    expect(page.get_by_label("Password")).to_have_count(0)  # nobody can sign in yet
    found += violations_of_both_widths(page)
    page.goto("about:blank")
    page.goto(link[0])
    page.get_by_role("button", name="Create organization").wait_for()
    found += violations_of_both_widths(page)
    assert "set-up" not in page.url
    for label, text in (
        ("Organization name", "Analytical Engines"),
        ("Your name", "Ada"),
        ("Email address", "ada@example.org"),
    ):
        page.get_by_label(label).fill(text)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create organization").click()
    expect(page.get_by_label("Message #general")).to_be_visible()
    steps = page.get_by_role("region", name="Get started")
    expect(steps).to_contain_text("0 of 5 done")
    found += violations(page)
    steps.get_by_role("button", name="Create room").click()
    page.get_by_role("dialog").get_by_label("Name").fill("plans")
    page.get_by_role("dialog").get_by_role("button", name="Create room").click()
    expect(page.get_by_label("Message #plans")).to_be_visible()
    expect(steps).to_contain_text("1 of 5 done")
    steps.get_by_role("button", name="Hide").click()
    expect(steps).to_have_count(0)
    page.reload()
    expect(page.get_by_label("Message #plans")).to_be_visible()
    expect(steps).to_have_count(0)
    again = new_page(browser)
    again.goto(link[0])
    for label, text in (
        ("Organization name", "Mine"),
        ("Your name", "Eve"),
        ("Email address", "e@example.org"),
    ):
        again.get_by_label(label).fill(text)
    again.get_by_label("Password", exact=True).fill(PASSWORD)
    again.get_by_role("button", name="Create organization").click()
    expect(again.get_by_role("alert").first).to_contain_text("or the server is already set up")
    assert not found

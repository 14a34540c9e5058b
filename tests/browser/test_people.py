"""The people of an organization in a real browser: found by name, and given links on a server that sends no email."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import SignIn, new_page
from tests.conftest import Api
from tests.sessions.visitor import visitor

pytestmark = pytest.mark.xdist_group("browser")


def open_people(api: Api, page: Page) -> None:
    page.goto(f"{api.url}/o/{api.organization_id}/administration/people")


def invite(page: Page, email: str) -> None:
    page.get_by_role("button", name="Invite", exact=True).click()
    page.get_by_role("dialog").get_by_label("Email address").fill(email)
    page.get_by_role("button", name="Send invitation").click()


def test_a_filtered_list_says_how_many_members_it_shows(api: Api, sign_in: SignIn) -> None:
    visitor(api)
    page = sign_in()
    open_people(api, page)
    expect(page.get_by_role("heading", name="2 active members")).to_be_visible()
    page.get_by_label("Search by name or email").fill("grace")
    expect(page.get_by_role("heading", name="1 of 2 members")).to_be_visible()
    page.get_by_label("Search by name or email").fill("")
    expect(page.get_by_role("heading", name="2 active members")).to_be_visible()


def test_without_a_mail_server_an_administrator_shares_the_links(api: Api, sign_in: SignIn, browser: Browser) -> None:
    visitor(api)
    page = sign_in()
    open_people(api, page)
    invite(page, "ellen@example.org")
    expect(page.get_by_role("alert").filter(has_text="Invited ellen")).to_contain_text("share the link yourself")
    page.get_by_role("button", name="Create a sign-in link for Grace").click()
    link = page.get_by_role("dialog").locator("code").inner_text()
    theirs = new_page(browser)
    theirs.goto(link)
    theirs.get_by_role("button", name="Sign in", exact=True).click()
    expect(theirs.get_by_role("button", name=re.compile("Grace ?: account menu"))).to_be_visible()
    theirs.context.close()


def test_with_a_mail_server_only_the_recipient_gets_a_sign_in_link(api: Api, sign_in: SignIn) -> None:
    visitor(api)
    page = sign_in()
    methods = {"password": True, "link": True, "oidc": None, "mail_server": True}
    page.route("**/v1/sign-in/methods", lambda route: route.fulfill(json=methods))
    open_people(api, page)
    invite(page, "ellen@example.org")
    expect(page.get_by_role("alert").filter(has_text="Invited ellen")).to_contain_text("We've emailed the link")
    expect(page.get_by_role("button", name="Create a sign-in link for Grace")).to_have_count(0)

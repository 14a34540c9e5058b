"""The sign-in page of a server without the application, used by people in a real browser."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import settings_with_provider
from tests.conftest import Api, RunningServer, new_organization, running_server
from tests.sessions.provider import Provider
from tests.sessions.visitor import PASSWORD, invite, mails_to, token_in, visitor

LOOKS: dict[str, Any] = {
    "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 900}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 900}},
    "narrow": {"color_scheme": "light", "viewport": {"width": 320, "height": 700}},
}
KEEP = os.environ.get("ATRIUM_TEST_SCREENSHOTS")  # a folder for pictures, to look at them


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """Open a page in a new browser context; it must not meet an error or violate its policy."""
    faults: list[str] = []
    context = chromium.new_context()
    made = context.new_page()
    made.on("pageerror", lambda error: faults.append(str(error)))
    made.on(
        "console", lambda message: faults.append(message.text) if "Content Security Policy" in message.text else None
    )
    yield made
    context.close()
    assert faults == []


@pytest.fixture(scope="module")
def plain(server: RunningServer, provider: Provider) -> Iterator[RunningServer]:
    """Run a server that offers the provider and has no application."""
    with running_server(settings_with_provider(server, provider).with_changes(web_application=False)) as running:
        yield running


@pytest.fixture
def api(plain: RunningServer) -> Iterator[Api]:
    """Return an organization on that server."""
    made = new_organization(plain.settings, plain.url)
    yield made
    made.close()


def expect_signed_in(page: Page, name: str) -> None:
    """Assert that the page shows who is signed in."""
    expect(page.locator("#signed-in .who")).to_have_text(name)


@pytest.mark.contract("Signing in 30")
def test_an_invited_person_joins_signs_out_and_in_again(api: Api, page: Page) -> None:
    email, token = invite(api)
    page.goto(f"{api.url}/sign-in#invitation={token}")
    expect(page.get_by_label("Your name")).to_be_visible()
    page.reload()
    page.get_by_label("Your name").fill("Grace Hopper")
    page.locator("#invitation").get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect_signed_in(page, "Grace Hopper")
    assert token not in page.url
    assert page.evaluate("document.cookie") == ""
    page.reload()
    expect_signed_in(page, "Grace Hopper")
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("#notice")).to_have_text("You've signed out.")
    page.get_by_label("Email address").fill(email)
    page.locator("#password").get_by_label("Password").fill("wrong wrong wrong")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("Incorrect email address or password.")
    page.locator("#password").get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect_signed_in(page, "Grace Hopper")
    assert [cookie["name"] for cookie in page.context.cookies() if not cookie["httpOnly"]] == []


@pytest.mark.contract("Signing in 30")
def test_a_sign_in_link_a_password_reset_and_single_sign_on_all_sign_in(
    api: Api, provider: Provider, page: Page
) -> None:
    grace = visitor(api)
    provider.put_user("grace", email=grace.email, email_verified=True, name="Grace")
    page.goto(f"{api.url}/sign-in")
    for button, parameter in (("Request a sign-in link", "token"), ("Forgot your password?", "reset")):
        page.get_by_label("Email address").fill(grace.email)
        page.get_by_role("button", name=button).click()
        expect(page.locator("#notice")).to_contain_text("This server doesn't send email")
        page.goto("about:blank")
        page.goto(f"{api.url}/sign-in#{parameter}={token_in(mails_to(api, grace.email)[-1], parameter)}")
        if parameter == "reset":
            page.get_by_label("New password").fill("another good password")
            page.get_by_role("button", name="Set password").click()
        else:
            page.get_by_role("button", name="Sign in").click()
        expect_signed_in(page, "Grace")
        page.get_by_role("button", name="Sign out").click()
        expect(page.locator("#password")).to_be_visible()
    page.get_by_role("link", name="Continue with Acme SSO").click()
    page.locator("input[name=sub]").first.fill("grace")
    page.locator("button:not([value=deny])").first.click()
    expect_signed_in(page, "Grace")
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("#notice")).to_have_text("You've signed out.")


def test_a_link_that_was_used_is_not_offered_again(api: Api, page: Page) -> None:
    grace = visitor(api)
    page.goto(f"{api.url}/sign-in")
    page.get_by_label("Email address").fill(grace.email)
    page.get_by_role("button", name="Request a sign-in link").click()
    expect(page.locator("#notice")).to_contain_text("This server doesn't send email")
    link = f"{api.url}/sign-in#token={token_in(mails_to(api, grace.email)[-1], 'token')}"
    for is_used in (False, True):
        page.goto("about:blank")
        page.goto(link)
        page.locator("#link").get_by_role("button", name="Sign in").click()
        if not is_used:
            expect_signed_in(page, "Grace")
            page.get_by_role("button", name="Sign out").click()
            expect(page.locator("#password")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("This link has already been used")
    expect(page.locator("#link")).to_be_hidden()
    for _ in range(2):
        expect(page.get_by_role("button", name="Request a sign-in link")).to_be_visible()
        page.reload()


def test_a_server_that_sends_mail_says_where_the_link_is(api: Api, page: Page) -> None:
    def with_mail_server(route: Route) -> None:
        route.fulfill(json={**route.fetch().json(), "mail_server": True})

    page.route("**/v1/sign-in/methods", with_mail_server)
    for button in ("Email me a sign-in link", "Forgot your password?"):
        page.goto(f"{api.url}/sign-in")
        page.get_by_label("Email address").fill("grace@example.org")
        page.get_by_role("button", name=button).click()
        expect(page.locator("#notice")).to_have_text(
            "If grace@example.org has an account, we've sent an email. Its link works for 30 minutes."
        )


def test_a_signed_in_person_joins_with_their_existing_account(api: Api, page: Page) -> None:
    grace, (_, token) = visitor(api), invite(api)
    page.goto(f"{api.url}/sign-in")
    page.get_by_label("Email address").fill(grace.email)
    page.locator("#password").get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect_signed_in(page, "Grace")
    page.goto("about:blank")
    page.goto(f"{api.url}/sign-in#invitation={token}")
    page.locator("#joining").get_by_role("button", name="Join").click()
    expect(page.locator("#notice")).to_have_text("You've joined.")


def test_problems_are_shown_with_an_explanation(api: Api, page: Page) -> None:
    page.goto(f"{api.url}/sign-in?problem=oidc_unverified")
    expect(page.get_by_role("alert")).to_contain_text("has not verified your email address")
    page.goto(f"{api.url}/sign-in?problem=constructor")
    expect(page.get_by_role("alert")).to_have_text("The sign-in failed. Try again.")
    page.goto("about:blank")
    page.goto(f"{api.url}/sign-in#token=used-long-ago")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("already been used")


@pytest.mark.parametrize("place", ["", "?problem=oidc_no_account", "#token=x", "#invitation=x", "#reset=x", "in"])
def test_each_state_fits_its_window(api: Api, page: Page, place: str) -> None:
    if place == "in":
        session = visitor(api).signed_in_client().cookies["atrium_session"]
        page.context.add_cookies([{"name": "atrium_session", "value": session, "url": api.url}])
    page.goto(f"{api.url}/sign-in{place if place != 'in' else ''}")
    for name, look in LOOKS.items():
        page.set_viewport_size(look["viewport"])
        page.emulate_media(color_scheme=look["color_scheme"])
        expect(page.locator("main > section:visible")).to_have_count(1)
        assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(13, 15, 18)"
        assert dark == (name == "dark")
        if KEEP:
            page.screenshot(path=Path(KEEP) / f"{name}-{place.strip('#?').partition('=')[0] or 'password'}.png")


def test_without_a_built_application_the_home_page_says_so(api: Api, page: Page) -> None:
    page.goto(f"{api.url}/")
    expect(page.get_by_role("heading")).to_have_text("Atrium is running")
    page.get_by_role("link", name="sign in").click()
    expect(page.get_by_label("Email address")).to_be_visible()
    assert page.goto(f"{api.url}/o/{api.organization_id}").status == 404

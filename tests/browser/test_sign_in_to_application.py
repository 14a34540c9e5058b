"""Signing in to the application: every way to sign in, every error explained, in light, dark and narrow windows."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.axe import violations, violations_of_both_widths
from tests.browser.conftest import PASSWORD, new_page, settings_with_provider, wait_until_loaded
from tests.conftest import Api, RunningServer, new_organization, running_server
from tests.sessions.provider import Provider
from tests.sessions.visitor import invite, mails_to, token_in, visitor


@pytest.fixture(scope="module")
def with_provider(server: RunningServer, provider: Provider, browser: Browser) -> Iterator[RunningServer]:
    """Run a server that offers the provider."""
    with running_server(settings_with_provider(server, provider)) as running:
        yield running


@pytest.fixture
def api(with_provider: RunningServer) -> Iterator[Api]:
    """Return an organization on that server."""
    made = new_organization(with_provider.settings, with_provider.url)
    yield made
    made.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open a page in a new browser context; it must not meet an error or violate its policy."""
    faults: list[str] = []
    made = new_page(browser)
    made.on("pageerror", lambda error: faults.append(str(error)))
    made.on("console", lambda message: faults.append(message.text) if "Security Policy" in message.text else None)
    yield made
    made.context.close()
    assert faults == []


def expect_signed_in(page: Page, name: str) -> None:
    """Assert that the application is open and shows who is signed in."""
    expect(menu_of(page, name)).to_be_visible()


def menu_of(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"{name} ?: account menu"))


def sign_out(page: Page, name: str) -> None:
    menu_of(page, name).click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_label("Email address")).to_be_visible()


@pytest.mark.contract("Web application 67")
def test_an_invitation_is_accepted_once_and_leaves_no_token(api: Api, page: Page) -> None:
    email, token = invite(api)
    page.goto(f"{api.url}/sign-in#invitation={token}")
    expect(page.get_by_role("heading", name="Join Acme")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text(
        re.compile(f"Ada invited you as.*{email}.*Role: Member", re.DOTALL)
    )
    page.get_by_label("Your name").fill("Grace Hopper")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect_signed_in(page, "Grace Hopper")
    assert token not in page.url
    assert page.evaluate("document.cookie") == ""
    sign_out(page, "Grace Hopper")
    page.goto("about:blank")
    page.goto(f"{api.url}/sign-in#invitation={token}")
    expect(page.get_by_role("heading", name="This invitation has already been used")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text(f"If you accepted it, sign in as {email}.")
    page.get_by_role("link", name="Sign in").click()
    expect(page.get_by_label("Email address")).to_be_visible()


def test_a_sign_in_link_a_password_reset_and_single_sign_on_all_sign_in(
    api: Api, provider: Provider, page: Page
) -> None:
    grace = visitor(api)
    provider.put_user("grace", email=grace.email, email_verified=True, name="Grace")
    page.goto(f"{api.url}/sign-in")
    for button, parameter in (("Request a sign-in link", "token"), ("Forgot your password?", "reset")):
        page.get_by_label("Email address").fill(grace.email)
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("status").first).to_contain_text("This server doesn't send email")
        page.goto("about:blank")
        page.goto(f"{api.url}/sign-in#{parameter}={token_in(mails_to(api, grace.email)[-1], parameter)}")
        if parameter == "reset":
            page.get_by_label("New password").fill("another good password")
            page.get_by_role("button", name="Set password").click()
        else:
            page.get_by_role("button", name="Sign in").click()
        expect_signed_in(page, "Grace")
        sign_out(page, "Grace")
    page.get_by_role("link", name="Continue with Acme SSO").click()
    page.locator("input[name=sub]").first.fill("grace")
    page.locator("button:not([value=deny])").first.click()
    expect_signed_in(page, "Grace")


def test_a_signed_in_person_joins_with_their_existing_account(
    api: Api, with_provider: RunningServer, page: Page
) -> None:
    grace, other = visitor(api), new_organization(with_provider.settings, with_provider.url, "Others")
    page.goto(f"{api.url}/sign-in")
    page.get_by_label("Email address").fill(grace.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect_signed_in(page, "Grace")
    page.goto("about:blank")
    page.goto(f"{api.url}/sign-in#invitation={invite(other)[1]}")
    expect(page.get_by_role("alert")).to_contain_text(f"signed in as Grace ({grace.email}), but the invitation is for")
    assert violations(page) == []
    page.get_by_role("button", name="Join Others").click()
    page.get_by_role("button", name="Acme: switch organization").click()
    expect(page.get_by_role("menuitem", name="Others")).to_be_visible()
    other.close()


@pytest.mark.contract("Web application 67")
def test_a_person_with_an_account_signs_in_and_joins(api: Api, with_provider: RunningServer, page: Page) -> None:
    grace, other = visitor(api), new_organization(with_provider.settings, with_provider.url, "Others")
    _, token = invite(other, grace.email)
    page.goto(f"{api.url}/sign-in#invitation={token}")
    expect(page.get_by_text(f"{grace.email} already has an account")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="Sign in to join").click()
    page.get_by_label("Email address").fill(grace.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_text("You're signed in as Grace.")).to_be_visible()
    assert token not in page.url
    page.get_by_role("button", name="Join Others").click()
    expect_signed_in(page, "Grace")
    other.close()


@pytest.mark.contract("Web application 67")
def test_a_link_that_opens_nothing_says_why_and_what_to_do(api: Api, page: Page) -> None:
    revoked, expired = invite(api), invite(api)
    for each in api.person.get(f"{api.organization}/invitations").json()["invitations"]:
        if each["email"] == revoked[0]:
            api.person.delete(f"{api.organization}/invitations/{each['invitation_id']}")
    api.sql("update invitations set expires_at = now() where email = $1", expired[0])
    for token, title, more in (
        (revoked[1], "This invitation was revoked", "Ask Ada for a new one"),
        (expired[1], "This invitation has expired", "It was for Acme."),
        ("wrong", "This invitation link doesn't work", "Check that you copied the whole link"),
    ):
        page.goto("about:blank")
        page.goto(f"{api.url}/sign-in#invitation={token}")
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        expect(page.get_by_role("alert")).to_contain_text(more)
        assert violations(page) == []


@pytest.mark.parametrize("mail_server", [True, False])
def test_a_link_requested_after_a_wrong_password_is_confirmed(api: Api, page: Page, mail_server: bool) -> None:
    methods = {"password": True, "link": True, "oidc": None, "mail_server": mail_server}
    page.route("**/v1/sign-in/methods", lambda route: route.fulfill(json=methods))
    grace = visitor(api)
    request, confirmation = (
        ("Email me a sign-in link", "we've emailed a link")
        if mail_server
        else ("Request a sign-in link", "ask an admin for the link")
    )
    page.goto(f"{api.url}/sign-in?problem=oidc_stale")
    shown = page.get_by_role("main")
    for button in (request, "Forgot your password?"):
        page.get_by_label("Email address").fill(grace.email)
        page.get_by_label("Password", exact=True).fill("wrong wrong wrong")
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(shown.get_by_role("alert")).to_contain_text("Incorrect email address or password.")
        page.get_by_role("button", name=button).click()
        expect(shown.get_by_role("status")).to_contain_text(confirmation)
        expect(shown.get_by_role("alert")).to_have_count(0)
        assert "#" not in shown.inner_text()


@pytest.mark.contract("Web application 9")
def test_a_reloaded_invitation_is_still_open(api: Api, page: Page) -> None:
    _, token = invite(api)
    page.goto(f"{api.url}/sign-in#invitation={token}")
    expect(page.get_by_label("Your name")).to_be_visible()
    assert token not in page.url
    page.reload()
    page.get_by_label("Your name").fill("Grace")
    page.get_by_role("link", name="Sign in").click()
    expect(page.get_by_label("Email address")).to_be_visible()
    page.goto("about:blank")
    page.goto(f"{api.url}/sign-in#invitation={token}")
    page.get_by_label("Your name").wait_for()
    page.reload()
    page.get_by_label("Your name").fill("Grace")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect_signed_in(page, "Grace")


def test_problems_are_shown_with_an_explanation(api: Api, page: Page) -> None:
    page.goto(f"{api.url}/sign-in?problem=oidc_unverified")
    expect(page.get_by_role("alert").first).to_contain_text("has not verified your email address")
    page.goto(f"{api.url}/sign-in?problem=constructor")
    expect(page.get_by_role("alert").first).to_have_text("The sign-in failed. Try again.")
    page.goto("about:blank")
    page.goto(f"{api.url}/sign-in#token=used-long-ago")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert").first).to_contain_text("already been used")
    expect(page.get_by_text("This link works once")).to_have_count(0)  # nor a button that cannot work
    expect(page.get_by_role("button", name="Sign in")).to_have_count(0)


def test_each_state_fits_its_window_and_is_accessible(api: Api, page: Page) -> None:
    found: dict[str, list[str]] = {}
    for place in ("", "?problem=oidc_no_account", "#token=x", "#invitation=x", "#reset=x"):
        page.goto("about:blank")
        page.goto(f"{api.url}/sign-in{place}")
        wait_until_loaded(page)
        found[place] = violations_of_both_widths(page)
    assert not any(found.values()), found

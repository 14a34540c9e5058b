"""The administration of an organization in a real browser against a real server."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.browser.administration import address, choose, row
from tests.browser.administration_data import PAGES, populate_administration
from tests.browser.conftest import PASSWORD, new_page, start_session
from tests.conftest import Api, RunningServer, new_organization


@pytest.fixture(scope="module")
def organization_api(server: RunningServer) -> Iterator[Api]:
    """Create an organization with content on each page, for all tests of this module."""
    made = new_organization(server.settings, server.url, "Analytical Engines")
    populate_administration(made)
    yield made
    made.close()


@pytest.fixture(scope="module")
def shared_page(organization_api: Api, browser: Browser) -> Iterator[Page]:
    """Open a page as the super_admin for all tests of this module, whose code is loaded and compiled once."""
    page = new_page(browser, permissions=["clipboard-read", "clipboard-write"])
    start_session(organization_api, page)
    yield page
    page.context.close()


@pytest.fixture
def admin_page(shared_page: Page) -> Iterator[Page]:
    """Return the page of the super_admin; no script on it may fail."""
    faults: list[str] = []

    def note_error(error: object) -> None:
        faults.append(str(error))

    def note_violation(message: ConsoleMessage) -> None:
        if "Security Policy" in message.text:
            faults.append(message.text)

    shared_page.on("pageerror", note_error)
    shared_page.on("console", note_violation)
    yield shared_page
    shared_page.remove_listener("pageerror", note_error)
    shared_page.remove_listener("console", note_violation)
    assert not faults, faults


@pytest.mark.contract("Web application 69")
def test_a_person_is_invited_changed_deactivated_and_reactivated(
    organization_api: Api, admin_page: Page, browser: Browser
) -> None:
    admin_page.goto(address(organization_api, "/people"))
    admin_page.get_by_role("button", name="Invite", exact=True).click()
    email = f"ellen.{organization_api.organization_id[-8:]}@example.org"
    admin_page.get_by_role("dialog").get_by_label("Email addresses").fill(email)
    admin_page.get_by_role("button", name="Create invitation").click()
    results = admin_page.get_by_role("dialog", name="Invited 1 person")
    link = results.get_by_text("/sign-in#invitation=").inner_text()
    results.get_by_role("button", name="Close").last.click()
    expect(admin_page.get_by_role("list", name="Invitations")).to_contain_text(email)
    theirs = new_page(browser)
    theirs.goto(link)
    theirs.get_by_label("Your name").fill("Ellen")
    theirs.get_by_label("Password", exact=True).fill(PASSWORD)
    theirs.get_by_role("button", name="Join").click()
    theirs.wait_for_url("**/rooms/*")
    admin_page.reload()
    admin_page.get_by_label("Search by name or email").fill("ellen")
    admin_page.get_by_role("button", name="Role of Ellen: Member").click()
    admin_page.get_by_role("menuitem", name="Reader").click()
    expect(admin_page.get_by_role("button", name="Role of Ellen: Reader")).to_be_visible()
    row(admin_page, email).get_by_role("button", name="Actions for Ellen").click()
    admin_page.get_by_role("menuitem", name="Deactivate").click()
    admin_page.get_by_role("dialog", name="Deactivate Ellen?").get_by_role("button", name="Deactivate").click()
    expect(row(admin_page, email)).to_contain_text("Deactivated")
    theirs.wait_for_url("**/sign-in**")
    theirs.context.close()
    row(admin_page, email).get_by_role("button", name="Actions for Ellen").click()
    admin_page.get_by_role("menuitem", name="Reactivate").click()
    expect(row(admin_page, email)).not_to_contain_text("Deactivated")


@pytest.mark.contract("Web application 22")
def test_an_invitation_is_sent_again_and_revoked_and_the_last_super_admin_cannot_leave(
    organization_api: Api, admin_page: Page
) -> None:
    content = {"email": f"late.{organization_api.organization_id[-8:]}@example.org"}
    invitation = organization_api.person.post(
        f"{organization_api.organization}/invitations", json={"content": content}
    ).json()
    admin_page.goto(address(organization_api, "/people"))
    choose(admin_page, content["email"], "Send again")
    admin_page.get_by_role("dialog").get_by_role("button", name="Send again").click()
    link = admin_page.get_by_role("dialog").get_by_text("#invitation=").inner_text()
    tokens = [invitation["token"], link.partition("#invitation=")[2]]
    admin_page.get_by_role("dialog").get_by_role("button", name="Close").last.click()
    expect(row(admin_page, content["email"])).to_have_count(1)
    previews = [
        organization_api.client(None).post("/v1/invitations/preview", json={"content": {"token": each}})
        for each in tokens
    ]
    assert [each.json()["invitation"]["state"] for each in previews] == ["revoked", "pending"]
    choose(admin_page, content["email"], "Revoke")
    admin_page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(row(admin_page, content["email"])).to_have_count(0)
    body = {"content": {"token": tokens[1], "name": "Late"}}
    assert organization_api.client(None).post("/v1/invitations/accept", json=body).status_code == 404
    admin_page.get_by_role("button", name="Role of Ada: Super admin").click()
    admin_page.get_by_role("menuitem", name="Member").click()
    expect(admin_page.get_by_role("alert")).to_contain_text("super_admin")
    expect(admin_page.get_by_role("button", name="Role of Ada: Super admin")).to_be_visible()


@pytest.mark.contract("Web application 70")
def test_the_audit_log_is_filtered_opened_and_exported(organization_api: Api, admin_page: Page) -> None:
    admin_page.goto(address(organization_api, "/audit"))
    admin_page.get_by_role("combobox", name="Action").fill("space.created")
    admin_page.keyboard.press("Escape")
    admin_page.get_by_role("button", name="Apply", exact=True).click()
    admin_page.wait_for_url("**/audit?action=space.created")
    entries = admin_page.get_by_role("list", name="Entries").get_by_role("listitem")
    expect(entries.first).to_contain_text("created the space Observatory")
    entries.first.get_by_role("button").first.click()
    expect(entries.first).to_contain_text("private")
    expect(entries.first).to_contain_text("IP address")
    with admin_page.expect_download() as download:
        admin_page.get_by_role("link", name="Download JSON Lines").click()
    lines = [json.loads(line) for line in Path(download.value.path()).read_text().splitlines()]
    assert {each["action"] for each in lines} == {"space.created"}
    assert len(lines) == entries.count()
    with admin_page.expect_download() as download:
        admin_page.get_by_role("link", name="Download CSV").click()
    assert download.value.suggested_filename == "audit-log.csv"
    table = list(csv.DictReader(Path(download.value.path()).read_text("utf-8-sig").splitlines()))
    assert [each["entry_id"] for each in table] == [each["entry_id"] for each in lines]
    entries.first.get_by_role("button", name="Actions by Ada").click()
    admin_page.wait_for_url("**/audit?actor=*")
    expect(entries.filter(has_text="invited").first).to_be_visible()
    admin_page.get_by_role("button", name="Clear filters").click()
    expect(entries.filter(has_text="Caroline").first).to_be_visible()


@pytest.mark.contract("Web application 72")
def test_the_directory_gets_a_key_and_its_groups_get_roles(organization_api: Api, admin_page: Page) -> None:
    admin_page.goto(address(organization_api, "/directory"))
    expect(admin_page.get_by_text(f"{organization_api.url}/scim/v2")).to_be_visible()
    admin_page.get_by_role("button", name="Create directory key").click()
    key = (
        admin_page.get_by_role("alert")
        .filter(has_text="You won't be able to see it again")
        .locator("code")
        .inner_text()
    )
    provisioned = httpx.post(
        f"{organization_api.url}/scim/v2/Groups",
        json={"displayName": "Navigators"},
        headers={"authorization": f"Bearer {key}"},
        timeout=60,
    )
    assert provisioned.status_code == 201, provisioned.text
    admin_page.reload()
    expect(admin_page.get_by_role("list", name="Entries")).to_contain_text("Navigators")
    admin_page.get_by_role("button", name="Roles of Navigators").click()
    admin_page.get_by_role("button", name="Role in Observatory: No access").click()
    admin_page.get_by_role("menuitem", name="Member").click()
    admin_page.get_by_role("button", name="Role in Observatory: Member").wait_for()
    admin_page.get_by_role("button", name="Done").click()
    expect(row(admin_page, "Navigators").first).to_contain_text("Observatory (Member)")


@pytest.mark.contract("Web application 73")
def test_a_space_is_created_given_members_and_deleted(organization_api: Api, admin_page: Page) -> None:
    admin_page.goto(address(organization_api, "/spaces"))
    admin_page.get_by_role("button", name="Create space").click()
    admin_page.get_by_role("dialog").get_by_label("Name").fill("Foundry")
    admin_page.get_by_role("dialog").get_by_text("Private", exact=True).click()
    admin_page.get_by_role("dialog").get_by_role("button", name="Create space").click()
    admin_page.get_by_role("link", name="Foundry", exact=True).click()
    admin_page.get_by_role("button", name="Add", exact=True).click()
    admin_page.get_by_role("dialog").get_by_label("Person or integration").select_option(label="Charles Babbage")
    admin_page.get_by_role("dialog").get_by_role("button", name="Add").click()
    expect(admin_page.get_by_role("list", name="Members")).to_contain_text("Charles Babbage")
    expect(admin_page.get_by_role("list", name="Members")).not_to_contain_text("Mary Somerville")
    admin_page.get_by_role("button", name="Show 1 person").click()
    expect(admin_page.get_by_role("button", name="Space role of Mary Somerville: Inherited: Admin")).to_be_visible()
    admin_page.get_by_role("button", name="Space role of Charles Babbage: Member").click()
    admin_page.get_by_role("menuitem", name="Remove from space").click()
    expect(admin_page.get_by_role("button", name=re.compile("Charles"))).to_have_count(0)
    admin_page.get_by_label("Description").fill("Castings")
    admin_page.get_by_role("button", name="Save").click()
    expect(admin_page.get_by_text("Saved")).to_be_visible()
    admin_page.get_by_role("button", name="Delete Foundry").click()
    admin_page.get_by_label("Type “Foundry” to confirm").fill("Foundry")
    admin_page.get_by_role("dialog").get_by_role("button", name="Delete space").click()
    admin_page.wait_for_url("**/administration/spaces")
    expect(admin_page.get_by_role("main").get_by_text("Foundry")).to_have_count(0)


@pytest.mark.contract("Web application 74")
def test_the_overview_shows_its_counts_as_charts_and_as_tables(organization_api: Api, admin_page: Page) -> None:
    admin_page.goto(address(organization_api))
    figures = organization_api.person.get(f"{organization_api.organization}/overview").json()
    expect(admin_page.get_by_role("term").filter(has_text="People").locator("xpath=..")).to_contain_text(
        str(figures["counts"]["active_people"])
    )
    expect(admin_page.get_by_role("img", name=re.compile("^Webhook deliveries per day"))).to_be_visible()
    admin_page.get_by_role("button", name="Show as table").first.click()
    table = admin_page.get_by_role("table", name="Messages per day")
    expect(table.get_by_role("row")).to_have_count(31)
    expect(table.get_by_role("row").nth(1)).to_contain_text(str(figures["days"][-1]["messages"]))
    admin_page.get_by_text("7 days").click()
    expect(table.get_by_role("row")).to_have_count(8)


@pytest.mark.contract("Webhook details 26")
def test_mail_that_no_server_sends_can_be_read_by_administrators(organization_api: Api, admin_page: Page) -> None:
    admin_page.goto(address(organization_api, "/mail"))
    expect(admin_page.get_by_text("No mail server configured")).to_be_visible()
    admin_page.get_by_role(
        "button", name=re.compile(f"View .* sent to grace.{organization_api.organization_id[-8:]}")
    ).click()
    text = admin_page.get_by_label("Email text")
    expect(text).to_contain_text(f"{organization_api.url}/sign-in#invitation=")
    admin_page.get_by_role("button", name="Copy link").click()
    expect(admin_page.get_by_text("Link copied")).to_be_visible()
    assert admin_page.evaluate("navigator.clipboard.readText()") in text.inner_text()


def test_the_organization_is_renamed(organization_api: Api, admin_page: Page) -> None:
    admin_page.goto(address(organization_api, "/settings"))
    admin_page.get_by_label("Organization name").fill("Difference Engines")
    admin_page.get_by_role("button", name="Save").click()
    expect(admin_page.get_by_role("complementary").get_by_text("Difference Engines")).to_be_visible()
    assert (
        organization_api.person.get(organization_api.organization).json()["organization"]["name"]
        == "Difference Engines"
    )


@pytest.mark.contract("Web application 75")
@pytest.mark.parametrize("role", ["member", "reader", "admin"])
def test_each_role_sees_what_it_may_use(organization_api: Api, browser: Browser, role: str) -> None:
    page = new_page(browser)
    start_session(organization_api, page, f"A {role}", role)
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status == 403 else None)
    page.goto(address(organization_api, "/people"))
    links = page.get_by_role("navigation", name="Administration").get_by_role("link")
    if role == "member":
        expect(page.get_by_text("Admins only")).to_be_visible()
        expect(page.get_by_role("link", name="Administration")).to_have_count(0)
    elif role == "reader":
        expect(links).to_have_text(["Overview", "People", "Webhooks", "Audit log"])
        expect(page.get_by_role("button", name="Invite", exact=True)).to_have_count(0)
        page.goto(address(organization_api, "/integrations"))
        expect(page.get_by_text("Admins only")).to_be_visible()
    else:
        expect(links).to_have_count(len(PAGES))  # with webhooks, which have their own tests, and without imports
        expect(page.get_by_role("button", name=re.compile("Role of Mary"))).to_have_count(0)
        expect(page.get_by_role("button", name=re.compile("Role of Charles"))).to_be_visible()
    assert refused == []
    page.context.close()


def test_the_navigation_works_with_the_keyboard(organization_api: Api, admin_page: Page) -> None:
    admin_page.goto(f"{organization_api.url}/o/{organization_api.organization_id}/rooms/{organization_api.room_id}")
    expect(
        admin_page.get_by_role("textbox", name="Message #general")
    ).to_be_focused()  # a room takes the focus when it opens
    admin_page.get_by_role("link", name="Administration").press("Enter")
    admin_page.get_by_role("heading", name="Overview").wait_for()
    admin_page.get_by_role("link", name="People", exact=True).press("Tab")
    spaces = admin_page.get_by_role("link", name="Spaces", exact=True)
    expect(spaces).to_be_focused()
    spaces.press("Enter")
    admin_page.get_by_role("heading", name="Spaces").wait_for()
    expect(spaces).to_have_attribute("aria-current", "page")

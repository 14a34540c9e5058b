"""The people of an organization in a real browser: found by name and state, changed together, and given links on
a server that sends no email."""

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import PASSWORD, SignIn, new_page, visit
from tests.conftest import Api
from tests.contract.tour import add_to_another_organization
from tests.sessions.visitor import visitor


def open_people(api: Api, page: Page) -> None:
    visit(page, f"{api.url}/o/{api.organization_id}/administration/people")


def invite(page: Page, email: str) -> None:
    page.get_by_role("button", name="Invite", exact=True).click()
    page.get_by_role("dialog").get_by_label("Email addresses").fill(email)
    page.get_by_role("button", name=re.compile("(Send|Create) invitation")).click()


def test_a_filtered_list_says_how_many_members_it_shows(api: Api, sign_in: SignIn) -> None:
    visitor(api)
    page = sign_in()
    open_people(api, page)
    expect(page.get_by_role("heading", name="2 active members")).to_be_visible()
    page.get_by_label("Search by name or email").fill("grace")
    expect(page.get_by_role("heading", name="1 of 2 members")).to_be_visible()
    page.get_by_label("Search by name or email").fill("")
    expect(page.get_by_role("heading", name="2 active members")).to_be_visible()


def import_people(api: Api, *names: str) -> None:
    """Add people as an import does: with an address, and without anything that signs them in."""
    for number, name in enumerate(names):
        user = {"userName": f"i{number}.{api.organization_id}@example.org", "displayName": name}
        made = api.integration.post("/scim/v2/Users", json=user).json()["id"]
        api.sql(
            "insert into imported values ($1::text::uuid, 'slack/people', $2, $2::text::uuid)",
            api.organization_id,
            made,
        )


@pytest.mark.contract("Web application 65")
def test_imported_people_are_found_downloaded_and_invited_together(api: Api, sign_in: SignIn) -> None:
    visitor(api)
    import_people(api, "=Zuse", "Noether")
    page = sign_in()
    open_people(api, page)
    expect(page.get_by_role("heading", name="2 active members · 2 imported")).to_be_visible()
    page.get_by_label("Filter by status").select_option("imported")
    page.wait_for_url("**/people?state=imported")
    people = page.get_by_role("list", name="People").get_by_role("listitem")
    expect(people).to_have_text([re.compile("Zuse.*Imported.*Never signed in"), re.compile("Noether")])
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    table = list(csv.reader(Path(download.value.path()).read_text("utf-8-sig").splitlines()))
    assert [[row[0], row[2], row[3]] for row in table[1:]] == [
        ["'=Zuse", "Member", "Imported"],
        ["Noether", "Member", "Imported"],
    ]
    page.get_by_label("Select all 2").check()
    expect(page.get_by_text("2 selected")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("group", name="Selected people").get_by_role("button", name="Invite").click()
    dialog = page.get_by_role("dialog", name="Invited 2 people")
    expect(dialog.get_by_role("button", name=re.compile("Copy link for i"))).to_have_count(2)
    assert violations(page) == []
    dialog.get_by_role("button", name="Close").last.click()
    expect(people.filter(has_text="Noether")).to_contain_text("Invited")


@pytest.mark.contract("Web application 65")
def test_a_change_of_several_people_says_who_was_left_out_and_why(api: Api, sign_in: SignIn) -> None:
    visitor(api)
    import_people(api, "Noether")
    api.new_person("super_admin", email=f"boss.{api.organization_id}@example.org")
    api.sql("update memberships set role = 'admin' where actor_id = $1::text::uuid", api.person_id)
    page = sign_in()
    open_people(api, page)
    page.get_by_label("Select all 3").check()
    page.get_by_role("button", name="Change role").click()
    page.get_by_role("dialog").get_by_label("Organization role").select_option("reader")
    expect(page.get_by_role("dialog")).to_contain_text("A member who can also view the administration.")
    page.get_by_role("dialog").get_by_role("button", name="Change role").click()
    left_out = page.get_by_role("alert").filter(has_text="1 of 3 people couldn't be updated")
    expect(left_out).to_contain_text("Only a super_admin can assign or remove the roles")
    expect(page.get_by_text("1 selected")).to_be_visible()
    expect(page.get_by_role("button", name="Role of Noether: Reader")).to_be_visible()
    left_out.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Select Grace").check()
    page.get_by_role("group", name="Selected people").get_by_role("button", name="Deactivate").click()
    page.get_by_role("dialog").get_by_role("button", name="Deactivate").click()
    expect(page.get_by_text("Updated 1 person")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Grace")).to_contain_text("Deactivated")


@pytest.mark.contract("Web application 66")
def test_several_addresses_are_invited_together_to_spaces_and_each_result_is_shown(
    api: Api, sign_in: SignIn, browser: Browser
) -> None:
    grace, private = visitor(api), api.new_space("private")
    page = sign_in()
    open_people(api, page)
    page.get_by_role("button", name="Invite", exact=True).click()
    addresses = page.get_by_label("Email addresses")
    addresses.fill("ada, nobody")
    expect(page.get_by_text("Not an email address: ada, nobody")).to_be_visible()
    expect(page.get_by_role("button", name="Create invitation")).to_be_disabled()
    new = f"ellen.{api.organization_id}@example.org"
    addresses.fill(f"Ellen <{new}>\n{new.upper()}; {grace.email}")
    expect(page.get_by_role("status").filter(has_text="2 people · 1 duplicate skipped")).to_be_visible()
    page.get_by_label("Organization role").select_option("guest")
    page.get_by_label("Role in Space").select_option("member")
    assert violations(page) == []
    page.get_by_role("button", name="Create 2 invitations").click()
    results = page.get_by_role("dialog", name="Invited 1 of 2 people").get_by_role("listitem")
    expect(results.filter(has_text=grace.email)).to_contain_text("already a member")
    link = results.filter(has_text=new).get_by_text("/sign-in#invitation=").inner_text()
    theirs = new_page(browser)
    theirs.goto(link)
    theirs.get_by_label("Your name").fill("Ellen")
    theirs.get_by_label("Password", exact=True).fill(PASSWORD)
    theirs.get_by_role("button", name="Join").click()
    expect(theirs.get_by_role("button", name=re.compile("Ellen ?: account menu"))).to_be_visible()
    theirs.context.close()
    members = api.person.get(f"/v1/spaces/{private}/members").json()["members"]
    assert [each["granted"] for each in members if each["name"] == "Ellen"] == ["member"]


@pytest.mark.contract("Webhook details 26")
def test_without_a_mail_server_an_administrator_shares_the_links(api: Api, sign_in: SignIn, browser: Browser) -> None:
    visitor(api)
    page = sign_in()
    open_people(api, page)
    invite(page, "ellen@example.org")
    results = page.get_by_role("dialog", name="Invited 1 person")
    expect(results).to_contain_text("share the links yourself")
    results.get_by_role("button", name="Close").last.click()
    page.get_by_role("button", name="Actions for Grace").click()
    page.get_by_role("menuitem", name="Create sign-in link").click()
    link = page.get_by_role("dialog").locator("code").inner_text()
    theirs = new_page(browser)
    theirs.goto(link)
    theirs.get_by_role("button", name="Sign in", exact=True).click()
    expect(theirs.get_by_role("button", name=re.compile("Grace ?: account menu"))).to_be_visible()
    theirs.context.close()


@pytest.mark.contract("Webhook details 26")
def test_with_a_mail_server_only_the_recipient_gets_a_sign_in_link(api: Api, sign_in: SignIn) -> None:
    visitor(api)
    page = sign_in()
    methods = {"password": True, "link": True, "oidc": None, "mail_server": True}
    page.route("**/v1/sign-in/methods", lambda route: route.fulfill(json=methods))
    open_people(api, page)
    invite(page, "ellen@example.org")
    expect(page.get_by_role("dialog", name="Invited 1 person")).to_contain_text("We've emailed the links")
    page.get_by_role("dialog").get_by_role("button", name="Close").last.click()
    page.get_by_role("button", name="Actions for Grace").click()
    expect(page.get_by_role("menuitem", name="Deactivate")).to_be_visible()
    expect(page.get_by_role("menuitem", name="Create sign-in link")).to_have_count(0)


@pytest.mark.contract("Web application 4")
def test_a_person_accepts_or_declines_organizations_that_added_them(api: Api, sign_in: SignIn) -> None:
    accepted, declined = add_to_another_organization(api), add_to_another_organization(api)
    api.sql("update organizations set name = 'Downstairs' where organization_id = $1::text::uuid", declined)
    page = sign_in(at=f"{api.url}/settings")
    part = page.get_by_role("region", name="Organizations that added you")
    expect(part.get_by_role("listitem")).to_have_count(2)
    assert violations(page) == []
    page.get_by_role("button", name="Decline Downstairs").click()
    expect(part.get_by_role("listitem")).to_have_count(1)
    page.get_by_role("button", name="Accept Elsewhere").click()
    expect(page.get_by_text("You joined Elsewhere")).to_be_visible()
    expect(part).to_have_count(0)
    assert api.person.get(f"/v1/organizations/{accepted}").status_code == 200
    assert api.person.get(f"/v1/organizations/{declined}").status_code == 404


@pytest.mark.contract("Webhook details 25")
def test_reactivating_a_person_shows_their_keys_and_offers_to_revoke_them(api: Api, sign_in: SignIn) -> None:
    person_id, key = api.new_person(email=f"ellen.{api.organization_id[-8:]}@example.org")
    member = f"{api.organization}/members/{person_id}"
    assert api.person.patch(member, json={"content": {"active": False}}).is_success
    page = sign_in()
    open_people(api, page)
    page.get_by_label("Status").select_option("deactivated")
    page.get_by_role("button", name=re.compile("^Actions for ellen")).click()
    page.get_by_role("menuitem", name="Reactivate").click()  # which takes the row out of this list
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"First key (…{key[-4:]})")
    dialog.get_by_role("button", name="Revoke").click()
    expect(dialog).to_have_count(0)
    assert api.client(key).get("/v1/me/profile").status_code == 401


def test_reactivating_several_people_shows_the_keys_of_all(api: Api, sign_in: SignIn) -> None:
    names = ("ellen", "grace", "mary")
    people = [api.new_person(email=f"{name}.{api.organization_id[-8:]}@example.org") for name in names]
    for person_id, _ in people[:2]:
        member = f"{api.organization}/members/{person_id}"
        assert api.person.patch(member, json={"content": {"active": False}}).is_success
    page = sign_in()
    open_people(api, page)
    page.get_by_label("Status").select_option("deactivated")
    page.get_by_role("checkbox", name="Select all 2").check()
    page.get_by_role("button", name="Reactivate").click()
    dialog = page.get_by_role("dialog", name="API keys of 2 people work again")
    for name, (_, key) in zip(names[:2], people[:2], strict=True):
        expect(dialog).to_contain_text(re.compile(f"{name}[^:]*: First key \\(…{key[-4:]}\\)"))
    dialog.get_by_role("button", name="Revoke").click()
    expect(dialog).to_have_count(0)
    assert [api.client(key).get("/v1/me/profile").status_code for _, key in people] == [401, 401, 200]

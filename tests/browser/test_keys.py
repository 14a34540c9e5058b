"""The pages on which admins oversee keys and people manage their own, in a real browser against a real server."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.browser.axe import violations
from tests.browser.conftest import NARROW, WIDE, SignIn, at_rest, new_page, start_session, visit
from tests.conftest import Api, RunningServer, new_organization
from tests.wait_until import wait_until

# Name, scopes, and days since the key was created, since it was last used (None: never) and until it expires.
KEYS: tuple[tuple[str, list[str] | None, int, int | None, int | None], ...] = (
    ("Archive", ["messages:read", "search"], 200, 91, None),
    ("Backup", None, 300, None, -3),
    ("Deploy bot", None, 20, 2, 13),
    ("Weekly report", ["webhooks:read"], 10, 1, 80),
)

EXPIRE = """
update api_keys set expires_at = now()
where name = $1 and actor_id in (select actor_id from memberships where organization_id = $2::text::uuid)
"""


@pytest.fixture(scope="module")
def keys_api(server: RunningServer) -> Iterator[Api]:
    """Create an organization with keys of different ages, instead of its first one."""
    made = new_organization(server.settings, server.url, "Locksmiths")
    for first in made.person.get(f"{made.organization}/api-keys").json()["api_keys"]:
        made.person.delete(f"{made.organization}/api-keys/{first['api_key_id']}")
    for name, scopes, created, used, ends in KEYS:
        limits = {"scopes": scopes} if scopes else {}
        content = {"name": name, "organization_role": "reader", "spaces": [], **limits}
        key = made.person.post(f"{made.organization}/api-keys", json={"content": content}).json()["api_key"]
        made.sql(
            """update api_keys set created_at = now() - make_interval(days => $2),
                last_used_at = now() - make_interval(days => $3), expires_at = now() + make_interval(days => $4)
            where api_key_id = $1::text::uuid""",
            key["api_key_id"],
            created,
            used,
            ends,
        )
    yield made
    made.close()


@pytest.fixture(scope="module")
def session(keys_api: Api, browser: Browser) -> StorageState:
    """Sign in as the super_admin, whose link works once."""
    page = new_page(browser)
    start_session(keys_api, page)
    state = page.context.storage_state()
    page.context.close()
    return state


@pytest.fixture
def admin_page(browser: Browser, session: StorageState) -> Iterator[Page]:
    """Open a page as the super_admin; no script on it may fail."""
    page, faults = new_page(browser, storage_state=session), list[str]()
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    page.context.close()
    assert not faults, faults


def address(api: Api, path: str = "") -> str:
    return f"{api.url}/o/{api.organization_id}/administration/integrations{path}"


def row(page: Page, name: str) -> Any:
    return page.get_by_role("main").locator("tbody tr").filter(has_text=name)


def choose(page: Page, name: str, action: str) -> None:
    """Choose an action in the menu of a key in the table."""
    row(page, name).get_by_role("button", name="Actions for").click()
    page.get_by_role("menuitem", name=action).click()


def expect_names(page: Page, *names: str) -> None:
    """Wait until the table lists these keys in this order."""
    expect(page.get_by_role("table").locator("tbody th a")).to_have_text(list(names))


@pytest.mark.contract("Web application 3")
def test_keys_are_filtered_and_sorted_and_a_view_can_be_linked(keys_api: Api, admin_page: Page) -> None:
    admin_page.goto(address(keys_api))
    expect_names(admin_page, "Archive", "Backup", "Deploy bot", "Weekly report")
    expect(row(admin_page, "Archive")).to_contain_text("Unused")
    expect(row(admin_page, "Backup")).to_contain_text("Never used")
    expect(row(admin_page, "Backup")).to_contain_text("Expired")
    expect(row(admin_page, "Deploy bot")).to_contain_text("Expires soon")
    for filter_name, names in (
        ("Unused for 90 days 2", ["Archive", "Backup"]),
        ("Expires soon 1", ["Deploy bot"]),
        ("Expired 1", ["Backup"]),
        ("Full access 2", ["Backup", "Deploy bot"]),
    ):
        choice = admin_page.get_by_role("button", name=filter_name)
        choice.press("Enter")
        expect(choice).to_have_attribute("aria-pressed", "true")
        expect_names(admin_page, *names)
        choice.press("Space")
        expect_names(admin_page, "Archive", "Backup", "Deploy bot", "Weekly report")
    admin_page.get_by_label("Scope", exact=True).select_option("webhooks:read")
    expect_names(admin_page, "Backup", "Deploy bot", "Weekly report")
    used = admin_page.get_by_role("columnheader", name="Last used")
    used.get_by_role("button").press("Enter")
    expect(used).to_have_attribute("aria-sort", "ascending")
    expect_names(admin_page, "Backup", "Deploy bot", "Weekly report")
    used.get_by_role("button").click()
    expect_names(admin_page, "Weekly report", "Deploy bot", "Backup")
    admin_page.get_by_label("Search keys").fill("bot")
    expect_names(admin_page, "Deploy bot")
    expect(admin_page.get_by_role("heading", name="1 of 4 keys")).to_be_visible()
    admin_page.wait_for_url("**/integrations?*find=bot*")
    linked = admin_page.url
    admin_page.goto("about:blank")
    admin_page.goto(linked)
    expect_names(admin_page, "Deploy bot")
    expect(used).to_have_attribute("aria-sort", "descending")
    admin_page.get_by_role("button", name="Clear filters").click()
    expect_names(admin_page, "Weekly report", "Deploy bot", "Archive", "Backup")


@pytest.mark.contract("Web application 5")
def test_a_members_personal_key_is_revoked_and_those_of_admins_only_by_super_admins(
    keys_api: Api, admin_page: Page, browser: Browser
) -> None:
    person_id, key = keys_api.new_person(email=f"grace.{keys_api.organization_id[-8:]}@example.org")
    theirs = keys_api.client(key)
    theirs.post("/v1/me/integrations", json={"content": {"name": "Laptop", "scopes": ["search"]}})
    admin_page.goto(address(keys_api))
    admin_page.get_by_role("link", name="Personal keys").click()
    admin_page.get_by_label("Person", exact=True).select_option(person_id)
    expect(row(admin_page, "grace")).to_have_count(2)
    expect(row(admin_page, "Laptop")).to_contain_text("1 scope")
    choose(admin_page, "First key", "View audit log")
    entries = admin_page.get_by_role("list", name="Entries").get_by_role("listitem")
    expect(entries).to_have_count(1)
    expect(entries).to_contain_text("created the personal key Laptop")
    admin_page.go_back()
    choose(admin_page, "First key", "Revoke")
    question = admin_page.get_by_role("dialog")
    expect(question).to_contain_text("stops working in this organization")
    assert theirs.get("/v1/me/profile").status_code == 200
    question.get_by_role("button", name="Revoke").click()
    expect(row(admin_page, "grace")).to_have_count(1)
    assert theirs.get("/v1/me/profile").status_code == 401
    page = new_page(browser)
    start_session(keys_api, page, "Helper", "admin")
    page.goto(address(keys_api, "/personal"))
    expect(row(page, "Laptop").get_by_role("button", name="Actions for")).to_be_visible()
    expect(row(page, "Ada").get_by_role("button", name="Actions for")).to_have_count(0)
    page.context.close()


def usage_of(api: Api, key: dict[str, Any]) -> list[dict[str, Any]]:
    path = f"{api.organization}/api-keys/{key['api_key_id']}/usage"
    usage: list[dict[str, Any]] = api.person.get(path).json()["usage"]
    return usage


@pytest.mark.contract("Web application 6")
def test_a_key_is_narrowed_on_its_page_which_shows_what_it_did_and_what_was_refused(
    keys_api: Api, admin_page: Page
) -> None:
    spaces = [{"space_id": keys_api.space_id, "role": "member"}]
    content = {"name": "Scribe", "description": "Takes notes", "spaces": spaces}
    limits = {"scopes": ["messages:read", "messages:write", "search"], "allowed_networks": ["127.0.0.0/8"]}
    made = keys_api.person.post(f"{keys_api.organization}/api-keys", json={"content": content | limits}).json()
    scribe, known = keys_api.client(made["key"]), made["api_key"]
    assert scribe.get(keys_api.messages).status_code == 200
    assert scribe.post(keys_api.messages, json={"text": "Noted"}).status_code == 201
    wait_until(lambda: len(usage_of(keys_api, known)) == 2, "the usage shows both routes")
    admin_page.goto(address(keys_api))
    admin_page.get_by_role("link", name="Scribe").press("Enter")
    main = admin_page.get_by_role("main")
    for text in ("Takes notes", "Send, edit and delete messages", "127.0.0.0/8", "Organization: Member"):
        expect(main.get_by_text(text)).to_be_visible()
    made_on = f"{datetime.fromisoformat(known['created_at']):%b %-d}"
    for text in ("1 scope has not been needed since {}", "Not needed since {}", "Since {}. Days are in UTC."):
        expect(main.get_by_text(text.format(made_on))).to_be_visible()
    expect(main.get_by_role("img", name="Requests per day: 2 requests")).to_be_visible()
    assert violations(admin_page) == []
    main.get_by_role("button", name="Remove unused scopes").click()
    question = admin_page.get_by_role("dialog")
    expect(question).to_contain_text("Requests that need search will be rejected")
    question.get_by_role("button", name="Remove unused scopes").click()
    expect(main.get_by_role("button", name="Remove unused scopes")).to_have_count(0)
    assert scribe.get(f"/v2/organizations/{keys_api.organization_id}/search?q=noted").status_code == 403
    main.get_by_role("button", name="Edit").click()
    question.get_by_role("checkbox", name="messages:write").uncheck()
    question.get_by_role("button", name="Save").click()
    expect(main.get_by_text("Send, edit and delete messages")).to_have_count(0)
    refused = scribe.post(keys_api.messages, json={"text": "Noted again"})
    assert (refused.status_code, refused.json()["code"]) == (403, "insufficient_scope")
    wait_until(
        lambda: sum(each["forbidden"] for each in usage_of(keys_api, known)) == 2, "both rejected requests are counted"
    )
    admin_page.reload()
    expect(main.get_by_role("img", name="Requests per day: 4 requests, 2 forbidden")).to_be_visible()
    written = main.get_by_role("table", name="Requests by route").get_by_role("row").filter(has_text="POST")
    expect(written.get_by_role("cell")).to_contain_text(["2", "1", "0", "messages:write"])
    expect(main.get_by_role("list", name="IP addresses")).to_contain_text("127.0.0.1")
    admin_page.set_viewport_size(NARROW)
    at_rest(admin_page)
    assert admin_page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    assert violations(admin_page) == []
    main.get_by_role("button", name="View audit log").click()
    entries = main.get_by_role("list", name="Entries").get_by_role("listitem")
    expect(entries).to_contain_text(["Scribe was denied access", "Scribe was denied access"])
    keys_api.person.delete(f"{keys_api.organization}/api-keys/{known['api_key_id']}")


@pytest.mark.contract("Web application 6")
def test_a_key_is_renewed_for_as_long_as_the_policy_allows_and_revoked_on_its_page(
    keys_api: Api, admin_page: Page
) -> None:
    made = keys_api.new_integration()
    policy = {"max_lifetime_days": 30, "enforce_at": "2999-01-01T00:00:00Z"}
    assert keys_api.person.put(f"{keys_api.organization}/key-policy", json={"content": policy}).status_code == 200
    api_key_id = made["api_key"]["api_key_id"]
    keys_api.sql("update api_keys set expires_at = now() where api_key_id = $1::text::uuid", api_key_id)
    admin_page.goto(address(keys_api, f"/keys/{api_key_id}"))
    admin_page.get_by_role("button", name="Renew").click()
    expect(admin_page.get_by_role("dialog")).to_contain_text("expires in 30 days")
    admin_page.get_by_role("dialog").get_by_role("button", name="Renew").click()
    shown = admin_page.get_by_role("alert").filter(has_text="You won't be able to see it again")
    renewed = keys_api.client(shown.locator("code").inner_text())
    assert renewed.get(keys_api.organization).status_code == 200
    expect(admin_page.get_by_role("progressbar", name="29 days left of 30")).to_be_visible()
    admin_page.get_by_role("button", name="Revoke").click()
    admin_page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    admin_page.wait_for_url(address(keys_api))
    expect_names(admin_page, "Archive", "Backup", "Deploy bot", "Weekly report")
    assert renewed.get(keys_api.organization).status_code == 401
    request = admin_page.request  # a key cannot loosen the policy, a session can
    headers = {"origin": keys_api.url}
    path = f"{keys_api.url}{keys_api.organization}/key-policy"
    assert request.put(path, data={"content": {}}, headers=headers).status == 200


def test_an_admin_creates_keys_of_integrations_that_fit_the_policy(keys_api: Api, admin_page: Page) -> None:
    policy = {"max_lifetime_days": 30, "require_networks": True, "enforce_at": "2999-01-01T00:00:00Z"}
    assert keys_api.person.put(f"{keys_api.organization}/key-policy", json={"content": policy}).status_code == 200
    admin_page.goto(address(keys_api))
    dialog = admin_page.get_by_role("dialog")
    shown = admin_page.get_by_role("alert").filter(has_text="You won't be able to see it again").locator("code")
    admin_page.get_by_role("button", name="Create integration").click()
    for name, action in (("Herald", "Create integration"), ("Herald's second", "Create key")):
        expect(dialog).to_contain_text("Your organization allows at most 30 days")
        expect(dialog).to_contain_text("Your organization requires networks")
        expect(admin_page.get_by_role("menu")).to_have_count(0)
        assert violations(admin_page) == []
        dialog.get_by_label("Name").fill(name)
        expires = dialog.get_by_label(re.compile("expires", re.IGNORECASE))
        expires.fill(str(expires.get_attribute("max")))
        dialog.get_by_label("Allowed networks").fill("127.0.0.0/8")
        dialog.get_by_role("button", name=action).click()
        assert keys_api.client(shown.inner_text()).get(keys_api.organization).status_code == 200
        admin_page.get_by_role("button", name="I've saved it").click()
        if action == "Create integration":
            admin_page.get_by_role("button", name="Actions for Herald").click()
            admin_page.get_by_role("menuitem", name="Add another key").click()
    headers, path = {"origin": keys_api.url}, f"{keys_api.url}{keys_api.organization}"
    assert admin_page.request.put(f"{path}/key-policy", data={"content": {}}, headers=headers).status == 200
    for each in keys_api.person.get(f"{path}/api-keys").json()["api_keys"]:
        if each["name"] == "Herald":
            assert keys_api.person.delete(f"{path}/api-keys/{each['api_key_id']}").status_code == 204


@pytest.mark.contract("Web application 7")
def test_a_member_renews_and_creates_keys_for_as_long_as_the_policy_allows(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    own, headers = f"{api.url}/v1/me/integrations", {"origin": api.url}
    for name in ("Laptop", "Phone"):
        content = {"name": name, "expires_at": "2999-01-01T00:00:00Z"}
        assert page.request.post(own, data={"content": content}, headers=headers).status == 201
    api.sql(EXPIRE, "Laptop", api.organization_id)
    policy = {"max_lifetime_days": 30, "enforce_at": "2999-01-01T00:00:00Z"}
    assert api.person.put(f"{api.organization}/key-policy", json={"content": policy}).status_code == 200
    visit(page, f"{api.url}/o/{api.organization_id}/settings")
    dialog, shown = page.get_by_role("dialog"), page.get_by_role("alert").locator("code")
    for name, action in (("Laptop", "Renew"), ("Phone", "Rotate")):
        page.get_by_role("button", name=f"Actions for {name}").click()
        page.get_by_role("menuitem", name=action).click()
        expect(dialog).to_contain_text("expires in 30 days")
        dialog.get_by_role("button", name=action).click()
        assert api.client(shown.inner_text()).get(api.messages).status_code == 200
        page.get_by_role("button", name="I've saved it").click()
    page.get_by_role("button", name="Create key").click()
    expect(dialog).to_contain_text("Your organization allows at most 30 days")
    assert violations(page) == []
    dialog.get_by_label("Name").fill("Tablet")
    last, ends = str(dialog.get_by_label("Expires").get_attribute("max")), dialog.get_by_label("Expires")
    for date, is_valid in (("", False), ("2999-01-01", False), (last, True)):
        ends.fill(date)
        assert ends.evaluate("each => each.checkValidity()") is is_valid, date
    dialog.get_by_role("button", name="Create key").click()
    assert api.client(shown.inner_text()).get(api.messages).status_code == 200
    limit = datetime.now(UTC) + timedelta(days=30)
    keys = {each["name"]: each["expires_at"] for each in page.request.get(own).json()["integrations"]}
    assert all(limit - timedelta(hours=2) < datetime.fromisoformat(at) < limit for at in keys.values()), keys


@pytest.mark.contract("Web application 8")
def test_a_key_policy_shows_whose_keys_would_stop_before_it_stops_them(keys_api: Api, admin_page: Page) -> None:
    _, key = keys_api.new_person(email=f"visitor.{keys_api.organization_id[-8:]}@example.org")
    theirs = keys_api.client(key)
    admin_page.goto(address(keys_api))
    admin_page.get_by_role("link", name="Policy").click()
    main, question = admin_page.get_by_role("main"), admin_page.get_by_role("dialog")
    expect(main.get_by_text("Without a rule, all keys work.")).to_be_visible()
    main.get_by_label("Personal keys", exact=True).select_option(label="Only those of admins")
    visitor = (
        main.get_by_role("list", name="What this policy changes").get_by_role("listitem").filter(has_text="visitor")
    )
    expect(visitor).to_contain_text("Personal key not allowed")
    assert violations(admin_page) == []
    main.get_by_role("button", name="Save policy").click()
    expect(question).to_contain_text(re.compile(r"stops? on .*\d{4}, unless changed before"))
    question.get_by_role("button", name="Cancel").click()
    main.get_by_label("Applies to existing keys from").fill(f"{datetime.now(UTC):%Y-%m-%d}")
    main.get_by_role("button", name="Save policy").click()
    expect(question).to_contain_text("immediately")
    expect(visitor).to_contain_text("Stops immediately")
    assert theirs.get(keys_api.messages).status_code == 200
    question.get_by_role("button", name="Save policy").click()
    expect(visitor).to_contain_text("Stopped")
    refused = theirs.get(keys_api.messages)
    assert (refused.status_code, refused.json()["code"]) == (403, "key_policy")
    main.get_by_label("Personal keys", exact=True).select_option(label="Everyone's")
    expect(main.get_by_text("Without a rule, all keys work.")).to_be_visible()
    main.get_by_role("button", name="Save policy").click()
    wait_until(lambda: theirs.get(keys_api.messages).status_code == 200, "the key works again")


@pytest.mark.contract("Web application 3")
def test_the_pages_are_accessible_also_with_filters_and_fit_a_narrow_window(keys_api: Api, admin_page: Page) -> None:
    paths = {"?state=full": "2 of 4 keys", "?find=nothing": "No keys match", "/personal": "First key"}
    for path, text in paths.items():
        admin_page.set_viewport_size(WIDE)
        admin_page.goto(address(keys_api, path))
        admin_page.get_by_role("main").get_by_text(text).first.wait_for()
        assert violations(admin_page) == [], path
        admin_page.set_viewport_size(NARROW)
        at_rest(admin_page)
        assert admin_page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    admin_page.goto(address(keys_api, "?state=full"))
    admin_page.get_by_label("Sort by").select_option("created")
    expect_names(admin_page, "Backup", "Deploy bot")
    assert violations(admin_page) == []

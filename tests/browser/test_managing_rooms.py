"""Managing rooms from their menu, the panel of details, profile cards, and who is in a space."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser.axe import violations
from tests.browser.conftest import SignIn, at_rest, room_url, visit
from tests.conftest import Api
from tests.recordings.media import PICTURE

DESCRIPTION = "Everything about the harbor: tides, boats, spare parts and who has the key. " * 3


def menu(page: Page, room: str = "general") -> Locator:
    page.get_by_role("button", name=f"Actions for {room}", exact=True).click()
    return page.get_by_role("menu")


def choose(page: Page, item: str, room: str = "general") -> None:
    menu(page, room).get_by_role("menuitem", name=item).click()


def sidebar(page: Page, room: str) -> Locator:
    return page.get_by_role("navigation", name="Rooms").get_by_role("link", name=room)


def details(page: Page) -> Locator:
    return page.get_by_role("region", name="Details")


def send_file(api: Api, name: str, content: bytes) -> str:
    path = f"/v2/rooms/{api.room_id}/attachments"
    made = api.person.post(path, content=content, params={"name": name}).json()["attachment_id"]
    return str(api.send(f"with {name}", attachments=[made])["message_id"])


@pytest.mark.contract("Web application 48")
def test_a_room_is_renamed_and_described_and_others_see_it(api: Api, sign_in: SignIn) -> None:
    api.new_room(name="harbor")
    grace = sign_in("Grace")
    page = sign_in()
    choose(page, "Edit name and description")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(" HARBOR ")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("This space already has a room with this name.")).to_be_visible()
    dialog.get_by_label("Name").fill("lighthouse")
    dialog.get_by_label("Description").fill(DESCRIPTION)
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    for window in (page, grace):
        expect(window.get_by_role("heading", level=1)).to_have_text("lighthouse")
        expect(sidebar(window, "lighthouse")).to_be_visible()
        line = window.get_by_role("button", name="Everything about the harbor")
        assert line.get_attribute("title") == DESCRIPTION.strip()
        assert line.bounding_box()["height"] < 30  # type: ignore[index]
    grace.get_by_role("button", name="Everything about the harbor").click()
    expect(details(grace).get_by_text(DESCRIPTION.strip())).to_be_visible()


@pytest.mark.contract("Web application 48")
def test_a_room_is_archived_restored_and_deleted_after_a_question_that_names_it(api: Api, sign_in: SignIn) -> None:
    room = api.new_room(name="harbor")["room_id"]
    grace = sign_in("Grace")
    page = sign_in()
    for window in (page, grace):
        visit(window, room_url(api, room))
        window.get_by_label("Message #harbor").wait_for()
    choose(page, "Archive room", "harbor")
    for window in (page, grace):
        expect(window.get_by_text("This room is archived and read-only.")).to_be_visible()
        expect(sidebar(window, "harbor")).to_have_count(0)
    visit(page, room_url(api))
    page.get_by_role("button", name="Actions for the space General").click()
    page.get_by_role("menuitem", name="Archived rooms (1)").click()
    page.get_by_role("dialog").get_by_role("link", name="harbor").click()
    choose(page, "Restore room", "harbor")
    expect(sidebar(page, "harbor")).to_be_visible()
    expect(grace.get_by_label("Message #harbor")).to_be_visible()
    choose(page, "Delete room", "harbor")
    question = page.get_by_role("dialog", name="Delete harbor?")
    expect(question).to_be_visible()
    question.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Deleted harbor.")).to_be_visible()
    for window in (page, grace):
        expect(sidebar(window, "harbor")).to_have_count(0)
    expect(grace.get_by_role("heading", name="Page not found")).to_be_visible()


@pytest.mark.contract("Web application 48")
def test_only_admins_of_the_space_can_change_a_room(api: Api, sign_in: SignIn) -> None:
    grace = sign_in("Grace")
    expect(menu(grace).get_by_role("menuitem")).to_have_text(["Room details"])
    grace.keyboard.press("Escape")
    grace.get_by_role("button", name="Actions for the space General").click()
    expect(grace.get_by_role("menuitem")).to_have_text(["People"])


def test_a_right_click_in_the_sidebar_opens_the_menu(api: Api, sign_in: SignIn) -> None:
    api.new_room(name="harbor")
    page = sign_in()
    sidebar(page, "harbor").click(button="right")
    page.get_by_role("menuitem", name="Room details").click()
    expect(details(page).get_by_role("heading", name="harbor")).to_be_visible()


@pytest.mark.contract("Web application 49")
def test_details_list_the_files_newest_first_and_the_people(api: Api, sign_in: SignIn) -> None:
    grace = sign_in("Grace")
    send_file(api, "old.txt", b"old")
    page = sign_in()
    choose(page, "Room details")
    files = details(page).get_by_role("region", name="Files").get_by_role("listitem")
    expect(files).to_have_count(1)
    message_id = send_file(api, "new.png", PICTURE)
    expect(files.locator("bdi").first).to_have_text("new.png")
    expect(files).to_have_count(2)
    files.first.get_by_role("link", name="Show new.png in the conversation").click()
    expect(page.locator(f"#message-{message_id}")).to_be_in_viewport()
    details(page).get_by_role("button", name="Grace").click()
    expect(page.get_by_role("dialog", name="Profile of Grace")).to_be_visible()
    page.keyboard.press("Escape")
    expect(details(page).get_by_role("button", name="Grace")).to_be_focused()
    page.keyboard.press("Escape")
    expect(details(page)).to_have_count(0)
    api.person.delete(f"{api.messages}/{message_id}")
    choose(page, "Room details")
    expect(files.locator("bdi").first).to_have_text("old.txt")
    choose(grace, "Room details")
    expect(details(grace).get_by_role("button", name="Edit name and description")).to_have_count(0)
    expect(details(grace).get_by_role("list", name="Members").get_by_role("button", name="Grace")).to_be_visible()


@pytest.mark.contract("Web application 50")
def test_a_profile_card_opens_from_a_name_a_picture_and_a_mention(api: Api, sign_in: SignIn) -> None:
    grace = sign_in("Grace")
    member = next(
        each for each in api.person.get(f"{api.organization}/members").json()["members"] if each["name"] == "Grace"
    )
    api.send(f"Hello <@{member['person_id']}>")
    page = sign_in()
    card = page.get_by_role("dialog", name="Profile of")
    name = page.get_by_role("article").get_by_role("button", name="Ada")
    name.focus()
    page.keyboard.press("Enter")
    expect(card.get_by_text("You", exact=True)).to_be_visible()
    expect(card.get_by_role("link", name="Messages from this person")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    expect(name).to_be_focused()
    page.locator("article button[aria-hidden=true]").first.click()
    expect(card.get_by_role("heading", name="Ada")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="@Grace").click()
    expect(card.get_by_role("link", name=member["email"])).to_be_visible()
    card.get_by_role("link", name="Manage in administration").click()
    expect(page.get_by_role("searchbox")).to_have_value(member["email"])
    grace.get_by_role("article").get_by_role("button", name="Ada").click()
    theirs = grace.get_by_role("dialog", name="Profile of Ada")
    expect(theirs.get_by_role("link")).to_have_text(["Messages from this person"])
    theirs.get_by_role("link").click()
    expect(grace.get_by_text("Hello")).to_be_visible()


@pytest.mark.contract("Web application 21")
def test_the_name_of_a_room_in_a_message_leads_to_it(api: Api, sign_in: SignIn) -> None:
    plans = api.new_room(name="plans")
    for space in (api.space_id, api.new_space()):
        api.new_room(space, name="twice")
    api.send("see #Plans, not #twice, #nowhere, `#plans` or [#plans](https://example.org)")
    page = sign_in()
    message = page.locator("article").last
    expect(message.get_by_role("link")).to_have_text(["#plans", "#plans"])
    expect(message).to_contain_text("#twice")
    message.get_by_role("link").first.click()
    page.wait_for_url(f"**/rooms/{plans['room_id']}")


@pytest.mark.contract("Web application 51")
def test_a_space_shows_who_was_added_before_those_who_inherit_access(api: Api, sign_in: SignIn) -> None:
    person_id, _ = api.new_person(email="zoe@example.org")
    path = f"/v1/spaces/{api.space_id}/members/{person_id}"
    assert api.person.put(path, json={"content": {"role": "member"}}).status_code == 200
    grace = sign_in("Grace")
    grace.get_by_role("button", name="Actions for the space General").click()
    grace.get_by_role("menuitem", name="People").click()
    members = api.person.get(f"/v1/spaces/{api.space_id}/members").json()["members"]
    [bot] = [each["name"] for each in members if each["actor_type"] == "integration"]
    dialog = grace.get_by_role("dialog", name="People in General")
    expect(dialog.get_by_role("heading", level=3)).to_have_text(
        ["Added to this space (3)", "Have access through the organization (1)"]
    )
    added = dialog.get_by_role("list", name="Added").get_by_role("listitem")
    expect(added.locator("bdi")).to_have_text(sorted(["Ada", bot, "zoe"], key=str.lower))
    expect(dialog.get_by_role("list", name="through").locator("bdi")).to_have_text("Grace")
    dialog.get_by_role("button", name="zoe").click()
    expect(grace.get_by_role("dialog", name="Profile of zoe")).to_be_visible()


def choose_dialog(page: Page, item: str) -> None:
    choose(page, item)
    expect(page.get_by_role("menu")).to_have_count(0)  # it gives the focus back to its button, then the dialog takes it
    await_dialog(page)


def show_card(page: Page) -> None:
    page.get_by_role("article").get_by_role("button", name="Ada").first.click()
    await_dialog(page)


def await_dialog(page: Page) -> None:
    """Wait until a dialog is loaded and has the focus, so that Escape closes it."""
    expect(page.get_by_role("dialog").locator(":focus")).to_have_count(1)


def states(api: Api) -> dict[str, Callable[[Page], None]]:
    return {
        "details": lambda page: choose(page, "Room details"),
        "menu": lambda page: menu(page).wait_for(),
        "edit": lambda page: choose_dialog(page, "Edit name and description"),
        "delete": lambda page: choose_dialog(page, "Delete room"),
        "card": show_card,
    }


def test_menus_panels_and_cards_are_accessible(api: Api, sign_in: SignIn, viewport: ViewportSize) -> None:
    api.person.patch(f"/v2/rooms/{api.room_id}", json={"description": DESCRIPTION})
    send_file(api, "plan.png", PICTURE)
    page = sign_in(viewport=viewport)
    page.get_by_role("article").first.wait_for()
    found = {}
    shown = page.get_by_role("dialog").or_(page.get_by_role("menu")).or_(details(page))
    for name, show in states(api).items():
        show(page)
        at_rest(page)
        found[name] = violations(page)
        page.keyboard.press("Escape")
        visit(page, room_url(api))
        expect(shown).to_have_count(0)
    assert found == {name: [] for name in found}

"""A walk over every kind of page with its menus and dialogs, with a look at each by axe-core."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import WIDE, at_rest, room_url, visit, wait_until_loaded
from tests.browser.writing import act
from tests.conftest import Api


def page_urls(api: Api) -> dict[str, str]:
    """Return the URLs of every kind of page, each with content."""
    root = api.send("A **root** with `code`, [a link](https://example.org) and\n\n- a list\n\n> and a quote")
    api.person.put(f"{api.messages}/{root['message_id']}/reactions/%F0%9F%91%8D")
    api.send("A reply", parent_id=root["message_id"])
    posts = api.new_room(name="posts", room_type="post")
    api.person.post(f"/v2/rooms/{posts['room_id']}/messages", json={"text": "# A post\n\nwith more"})
    for kind, content in {"heading": {"text": "Plan"}, "todo": {"items": [{"text": "tea", "done": True}]}}.items():
        api.person.post(f"/v2/rooms/{api.room_id}/blocks", json={"type": kind, "content": content})
    home = f"{api.url}/o/{api.organization_id}"
    return {
        "room": room_url(api),
        "thread": room_url(api, query=f"?thread={root['message_id']}"),
        "posts": room_url(api, posts["room_id"]),
        "page": room_url(api, query="?view=page"),
        "search": f"{home}/search?q=root",
        "settings": f"{home}/settings",
        "nothing": f"{home}/rooms/{api.space_id}",
    }


def open_person_menu(page: Page) -> None:
    menu = page.get_by_role("button", name="Open room list")
    if menu.count():
        menu.click()
    page.get_by_role("button", name=re.compile("Ada ?: account menu")).click()
    page.get_by_role("menuitem", name="Sign out").wait_for()
    expect(page.locator("[role=menu]:focus, [role=menu] :focus")).to_be_attached()


def open_switcher(page: Page) -> None:
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog").get_by_placeholder("Go to a room")).to_be_focused()


def open_shortcuts(page: Page) -> None:
    page.evaluate("document.activeElement.blur()")  # a field may have the focus again
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keyboard shortcuts").get_by_role("button", name="Close").wait_for()


def open_jump(page: Page) -> None:
    if (page.viewport_size or WIDE)["width"] == WIDE["width"]:
        page.get_by_role("button", name="Jump to a date").click()
    else:
        page.get_by_role("main").get_by_role("button", name="Actions for").click()
        page.get_by_role("menuitem", name="Jump to a date").click()
    expect(page.get_by_role("button", name="Last week")).to_be_focused()


def open_by(action: str, focused: Callable[[Page], Locator]) -> Callable[[Page], None]:
    """Return a function that opens an element with a message action and waits for its focus, so that Escape closes it."""

    def open_it(page: Page) -> None:
        act(page, "A root", action)
        expect(focused(page)).to_be_focused()

    return open_it


DIALOGS: dict[str, Callable[[Page], None]] = {
    "emoji": open_by("React", lambda page: page.get_by_label("Search emoji")),
    "editing": open_by("Edit", lambda page: page.get_by_label("Edit message")),
    "deleting": open_by("Delete", lambda page: page.get_by_role("dialog").locator(":focus")),
    "switcher": open_switcher,
    "shortcuts": open_shortcuts,
    "jump": open_jump,
    "menu": open_person_menu,
}


def violations_of_pages(api: Api, page: Page) -> dict[str, list[str]]:
    """Return the violations of every page and of everything that opens in a room, in the window as it is."""
    addresses, found = page_urls(api), dict[str, list[str]]()
    for name, address in addresses.items():
        visit(page, address)
        wait_until_loaded(page)
        found[name] = violations(page)
    visit(page, addresses["room"])
    for name, open_it in DIALOGS.items():
        open_it(page)
        at_rest(page)
        found[name] = violations(page)
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")  # a menu may cover the list of rooms
        expect(page.get_by_role("dialog").or_(page.get_by_role("menu"))).to_have_count(0)
    return found

"""The application with the keyboard alone: shortcuts, and the tab stops of a list of messages."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import SignIn, at_end, room_url
from tests.browser.writing import write
from tests.conftest import Api


def message(page: Page, text: str) -> Locator:
    return page.locator("article", has_text=text).first


@pytest.mark.contract("Web application 42")
def test_a_list_of_messages_is_one_tab_stop_and_letters_move_in_it(api: Api, sign_in: SignIn) -> None:
    for number in range(4):
        sent = api.send(f"number {number} with [a link](https://example.org/{number})")
        api.person.put(f"{api.messages}/{sent['message_id']}/reactions/tea")
    page = sign_in()
    at_end(page)
    field = page.get_by_label("Message #general")
    expect(field).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(message(page, "number 3")).to_be_focused()
    page.keyboard.press("k")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("j")
    expect(message(page, "number 2")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="a link").nth(2)).to_be_focused()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("!document.activeElement.closest('[data-messages]')"):
            break
        expect(message(page, "number 2").locator(":focus")).to_have_count(1)
    expect(field).to_be_focused()
    page.keyboard.press("Shift+Tab")  # back to the message that had the focus
    expect(message(page, "number 2")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("!document.activeElement.closest('[data-messages]')")


@pytest.mark.contract("Web application 42")
def test_shortcuts_act_on_the_focused_message_and_never_while_typing(api: Api, sign_in: SignIn) -> None:
    api.send("of Ada")
    page = sign_in("Grace")
    write(page, "of Grace")
    expect(message(page, "of Grace")).to_be_visible()
    page.get_by_label("Message #general").press_sequentially("jkre?:")
    expect(page.get_by_label("Message #general")).to_have_value("jkre?:")
    message(page, "of Grace").focus()
    page.keyboard.press("e")
    expect(page.get_by_label("Edit message")).to_be_focused()
    page.keyboard.type("r")  # in the field
    page.keyboard.press("Enter")
    expect(message(page, "of Gracer")).to_contain_text("(edited)")
    message(page, "of Ada").focus()
    page.keyboard.press("e")
    expect(page.get_by_label("Edit message")).to_have_count(0)  # not hers
    page.keyboard.press(":")
    expect(page.get_by_label("Search emoji")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Search emoji")).to_have_count(0)
    expect(message(page, "of Ada")).to_be_focused()
    page.keyboard.press("r")
    expect(page.get_by_label("Reply…")).to_be_focused()
    page.get_by_role("region", name="Thread").locator("article").focus()
    page.keyboard.press("r")
    expect(page.get_by_label("Reply…")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("region", name="Thread")).to_have_count(0)
    message(page, "of Grace").focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_contain_text("Next unread room")
    page.keyboard.press("e")  # a dialog is open
    expect(page.get_by_label("Edit message")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.mark.contract("Web application 42")
def test_rooms_change_with_the_arrows_and_escape_marks_one_as_read(api: Api, sign_in: SignIn) -> None:
    rooms = {name: api.new_room(name=name)["room_id"] for name in ("atlas", "harbor", "tides")}
    page = sign_in("Grace")
    for _ in range(60):
        api.person.post(f"/v2/rooms/{rooms['tides']}/messages", json={"text": "news\n\n" * 3})
    unread = page.get_by_role("link", name="tides").filter(has_text="unread")
    expect(unread).to_have_count(1)
    title = page.get_by_role("heading", level=1)
    names = page.get_by_role("navigation", name="Rooms").get_by_role("listitem").locator("bdi").all_inner_texts()
    after = names[(names.index("general") + 1) % len(names)]
    page.keyboard.press("Alt+ArrowDown")  # also from the composer, where the focus is
    expect(title).to_have_text(after)
    page.keyboard.press("Alt+ArrowUp")
    expect(title).to_have_text("general")
    page.keyboard.press("Alt+Shift+ArrowDown")
    expect(title).to_have_text("tides")
    page.get_by_role("button", name="Jump to latest").wait_for()  # it opens at the first unread message
    with page.expect_request("**/read-marker"):
        api.person.post(f"/v2/rooms/{rooms['tides']}/messages", json={"text": "the last one"})
        page.keyboard.press("Escape")
    expect(message(page, "the last one")).to_be_visible()
    expect(unread).to_have_count(0)
    page.goto(room_url(api))
    expect(unread).to_have_count(0)


@pytest.mark.contract("Web application 43")
def test_escape_tells_that_it_marked_a_room_as_read_and_leaves_what_is_marked_as_unread(
    api: Api, sign_in: SignIn
) -> None:
    api.send("of Ada")
    page = sign_in("Grace")
    api.send("news")
    at_end(page)
    composer = page.get_by_label("Message #general")
    mark, bar = (
        message(page, "of Ada").get_by_role("button", name="Mark as unread"),
        page.get_by_role("group", name="Unread messages"),
    )
    message(page, "of Ada").focus()  # which shows its actions
    mark.press("Enter")
    expect(bar).to_be_visible()
    composer.focus()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog").locator("input")).to_be_focused()
    page.keyboard.press("Escape")
    expect(composer).to_be_focused()
    marks: list[str] = []
    page.on("request", lambda request: marks.append(request.url) if "read-marker" in request.url else None)
    page.keyboard.press("Escape")  # once more than needed
    bar.get_by_role("button", name="Mark as read").click()
    expect(bar).to_have_count(0)
    assert len(marks) == 1  # of the button: a mark of Escape would be the first
    other = api.new_room(name="plans")["room_id"]
    for _ in range(30):
        api.person.post(f"/v2/rooms/{other}/messages", json={"text": "news\n\n" * 3})
    plans = page.get_by_role("link", name="plans")
    expect(plans).to_contain_text("30")
    plans.click()
    expect(bar).to_be_visible()
    page.keyboard.press("Escape")
    expect(bar).to_have_count(0)
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(bar).to_be_visible()
    expect(page.get_by_role("link", name="plans").filter(has_text="unread")).to_have_count(1)

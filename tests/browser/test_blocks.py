"""The page of a room, written as people write: in place, with the keyboard, by dragging, and several at the same time."""

import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.attachments.files import picture
from tests.browser.axe import violations
from tests.browser.blocks import add, field, open_page, row, stored_blocks, texts, wait_for_texts, wait_until_saved
from tests.browser.conftest import SignIn
from tests.conftest import Api
from tests.wait_until import wait_until

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
SIZE = "({ offsetWidth, offsetHeight }) => [offsetWidth, offsetHeight]"
DROP = """([name, type, bytes, y]) => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array(bytes)], name, { type }));
  const target = document.elementFromPoint(500, y);
  target.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true, clientY: y }));
}"""


@pytest.mark.contract("Web application 26")
def test_a_page_is_written_with_the_keyboard(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    open_page(page, api)
    keys = page.keyboard
    page.get_by_role("button", name="Write something").click()
    expect(field(page, "Text")).to_be_focused()
    keys.press("Escape")
    assert stored_blocks(api) == []  # an empty block is not saved
    page.get_by_role("button", name="Write something").click()
    page.get_by_role("button", name="Text actions").click()
    page.get_by_role("menuitem", name="Heading 1").click()
    expect(field(page, "Heading")).to_be_focused()
    keys.type("Plan")
    keys.press("Enter")
    keys.type("One two")
    for _ in range(4):
        keys.press("ArrowLeft")
    keys.press("Enter")  # splits the text
    keys.press("End")
    keys.press("Enter")
    keys.type("/bul")
    expect(page.get_by_role("option", name="Bulleted list")).to_have_attribute("aria-selected", "true")
    keys.press("Enter")
    keys.type("first")
    keys.press("Enter")
    keys.type("second")
    keys.press("Enter")
    keys.press("Enter")  # ends the list
    keys.type("[] tea")
    keys.press("Enter")
    keys.press("Enter")
    keys.type("gone")
    for _ in range(5):
        keys.press("Backspace")
    expect(page.locator("textarea:focus")).to_have_value("tea")  # the list above may still be open
    keys.press("Escape")
    expected = [
        ("heading", "Plan"),
        ("paragraph", "One"),
        ("paragraph", " two"),
        ("list", ["first", "second"]),
        ("todo", [{"text": "tea", "done": False}]),
    ]
    wait_until_saved(api, expected)
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    keys.press("Enter")
    keys.press("Home")
    keys.press("Backspace")  # joins it with the text above
    expect(field(page, "Text")).to_have_value("One two")
    keys.press("ArrowUp")
    expect(field(page, "Heading")).to_be_focused()
    page.reload()
    expect(page.get_by_role("heading", name="Plan")).to_be_visible()
    wait_until_saved(api, [expected[0], ("paragraph", "One two"), *expected[3:]])
    page.get_by_text("first").click()  # in a list, the item is opened
    keys.type("!")
    expect(field(page, "Item 1")).to_have_value("first!")
    keys.press("Backspace")
    keys.press("Escape")
    page.get_by_label("tea").click()
    wait_until(lambda: stored_blocks(api)[-1] == ("todo", [{"text": "tea", "done": True}]))


def test_a_block_that_is_emptied_while_it_is_created_is_deleted(api: Api, sign_in: SignIn) -> None:
    add(api, "alpha")
    page = sign_in("Grace")
    open_page(page, api)
    delayed: list[Route] = []

    def hold(route: Route) -> None:
        delayed.append(route)

    page.route("**/v2/rooms/*/blocks", hold, times=1)
    page.get_by_text("alpha").click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    with page.expect_request(lambda request: request.method == "POST"):
        page.keyboard.type("x")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    expect(row(page, "alpha").get_by_role("textbox")).to_be_focused()
    with page.expect_response(lambda response: response.request.method == "DELETE"):
        delayed[0].continue_()
    expect(page.locator("[data-key]")).to_have_count(1)
    wait_for_texts(api, "alpha")


@pytest.mark.contract("Web application 27")
def test_blocks_are_moved_and_a_deletion_can_be_undone(api: Api, sign_in: SignIn) -> None:
    add(api, "alpha", "beta", "gamma", "delta")
    page = sign_in("Grace")
    open_page(page, api)
    keys = page.keyboard
    row(page, "alpha").hover()
    handle = row(page, "alpha").get_by_role("button", name="Text actions")
    start, end = handle.bounding_box(), row(page, "gamma").bounding_box()
    assert start and end
    page.mouse.move(start["x"] + 8, start["y"] + 8)
    page.mouse.down()
    page.mouse.move(start["x"] + 8, end["y"] + end["height"] - 2, steps=8)
    page.mouse.up()
    wait_for_texts(api, "beta", "gamma", "alpha", "delta")
    expect(page.get_by_role("menu")).to_have_count(0)  # a drag is no click
    page.get_by_text("delta").click()
    keys.press("Alt+Shift+ArrowUp")
    keys.press("Control+Shift+ArrowUp")
    expect(field(page, "Text")).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="Moved to position 2 of 4")).to_be_visible()
    wait_for_texts(api, "beta", "delta", "gamma", "alpha")
    keys.press("Escape")
    keys.press("Delete")
    expect(row(page, "delta")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row(page, "delta")).to_be_focused()
    wait_for_texts(api, "beta", "delta", "gamma", "alpha")
    keys.press("Backspace")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    keys.press("Control+z")
    expect(row(page, "delta")).to_be_visible()
    row(page, "gamma").hover()
    row(page, "gamma").get_by_role("button", name="Text actions").click()
    page.get_by_role("menuitem", name="Quote").click()
    wait_until(lambda: stored_blocks(api)[2] == ("quote", "gamma"))


@pytest.mark.contract("Web application 25")
def test_changes_of_others_appear_and_interrupt_nobody(api: Api, sign_in: SignIn) -> None:
    first, second = add(api, "first", "second")
    page = sign_in("Grace")
    open_page(page, api)
    page.get_by_text("first").click()
    page.keyboard.type(" of mine")
    path = f"/v2/blocks/{second['block_id']}"
    change = {"version": 1, "content": {"text": "second of theirs"}, "position": 0}
    assert api.person.patch(path, json=change).status_code == 200
    expect(page.get_by_text("second of theirs")).to_be_visible()
    expect(field(page, "Text")).to_have_value("first of mine")
    expect(field(page, "Text")).to_be_focused()
    page.keyboard.press("Escape")
    wait_for_texts(api, "second of theirs", "first of mine")
    path = f"/v2/blocks/{first['block_id']}"

    def change_first(route: Route) -> None:
        change = {"version": api.person.get(path).json()["version"], "content": {"text": "first of theirs"}}
        assert api.person.patch(path, json=change).status_code == 200
        route.continue_()

    page.route("**/v2/blocks/*", change_first, times=1)
    page.get_by_text("first of mine").click()
    page.keyboard.type("!")
    page.keyboard.press("Escape")
    conflict = page.get_by_role("alert").filter(has_text="edited this block too")
    expect(conflict).to_contain_text("Ada")
    expect(conflict).to_contain_text("first of theirs")
    expect(conflict).to_contain_text("first of mine!")
    assert violations(page) == []
    conflict.get_by_role("button", name="Keep mine").click()
    wait_for_texts(api, "second of theirs", "first of mine!")
    assert api.person.delete(f"/v2/blocks/{second['block_id']}").status_code == 204
    expect(page.get_by_text("second of theirs")).to_have_count(0)
    add(api, "third")
    expect(page.get_by_text("third")).to_be_visible()


@pytest.mark.contract("Web application 31")
def test_files_and_tables_are_put_on_the_page(api: Api, sign_in: SignIn) -> None:
    add(api, "upper", "lower")
    page = sign_in("Grace")
    open_page(page, api)
    box = row(page, "lower").bounding_box()
    assert box
    page.evaluate(DROP, ["plan.png", "image/png", list(picture(400, 300)), box["y"]])
    shown = page.locator("figure img")
    expect(shown).to_be_visible()
    wait_until(lambda: shown.evaluate("(image) => image.naturalWidth") == 400)
    wait_until(lambda: [kind for kind, _ in stored_blocks(api)] == ["paragraph", "image", "paragraph"])
    page.get_by_text("lower").click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("/tab")
    page.keyboard.press("Enter")
    field(page, "Header of column 1").fill("Name")
    field(page, "Row 1, column 2").fill("a|b")
    page.keyboard.press("Escape")
    table = "| Name |  |\n| --- | --- |\n|  | a\\|b |\n|  |  |"
    wait_until(lambda: stored_blocks(api)[-1] == ("paragraph", table))
    expect(page.get_by_role("cell", name="a|b")).to_be_visible()
    assert violations(page) == []


@pytest.mark.contract("Web application 27")
def test_a_page_on_a_phone(api: Api, sign_in: SignIn) -> None:
    add(api, "alpha", "[a link](https://example.org/with/a/long/address/that/takes/several/lines) " * 4, "beta")
    page = sign_in("Grace", **PHONE)
    open_page(page, api)
    handle = row(page, "alpha").get_by_role("button", name="Text actions")
    size = handle.bounding_box()
    assert size and min(size["width"], size["height"]) >= 44
    handle.tap()
    page.get_by_role("menuitem", name="Delete").tap()
    expect(row(page, "alpha")).to_have_count(0)
    page.get_by_role("button", name="Undo").tap()
    expect(row(page, "alpha")).to_be_visible()
    wait_until(lambda: len(texts(api)) == 3)
    page.get_by_text("alpha").tap()
    page.locator("p", has_text="a link").tap(position={"x": 290, "y": 5})
    expect(page.locator("textarea:focus")).to_have_value(re.compile("example"))
    page.get_by_text("beta").tap()  # it moves up when the block above it closes
    expect(page.locator("textarea:focus")).to_have_value("beta")
    assert page.locator("textarea:focus").evaluate("(field) => parseFloat(getComputedStyle(field).fontSize)") >= 16
    assert violations(page) == []


@pytest.mark.contract("Web application 28")
def test_tab_nests_the_items_of_a_list_and_what_was_written_can_be_undone(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    open_page(page, api)
    keys = page.keyboard
    page.get_by_role("button", name="Write something").click()
    keys.type("1. one")
    keys.press("Enter")
    keys.press("Tab")
    keys.type("nested?")
    expect(field(page, "Item 2")).to_have_value("nested?")
    keys.press("Tab")  # not deeper than one below the item above
    keys.press("Enter")
    keys.press("Enter")  # an empty item is nested less, then ends the list
    keys.type("two")
    keys.press("Escape")
    content = {"ordered": True, "items": ["one", "nested?", "two"], "levels": [0, 1, 0]}
    path = f"/v2/rooms/{api.room_id}/blocks"
    wait_until(lambda: [each["content"] for each in api.person.get(path).json()["blocks"]] == [content])
    items = page.locator("[data-key] li")
    expect(items).to_have_count(3)
    numbers = items.evaluate_all("(all) => all.map((each) => [each.value, each.ariaLevel])")
    assert numbers == [[1, "1"], [1, "2"], [2, "1"]]
    page.get_by_text("nested?").click()
    keys.press("Home")
    keys.press("Backspace")
    keys.type("not ")
    keys.press("Escape")
    flat = {"ordered": True, "items": ["one", "not nested?", "two"]}
    wait_until(lambda: [each["content"] for each in api.person.get(path).json()["blocks"]] == [flat])
    expect(page.locator("[data-key]:focus")).to_have_count(1)
    keys.press("Control+z")
    wait_until(lambda: [each["content"] for each in api.person.get(path).json()["blocks"]] == [content])
    expect(page.get_by_text("Change undone")).to_be_visible()


def test_a_block_keeps_its_shape_when_it_is_left(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    open_page(page, api)
    page.get_by_role("button", name="Write something").click()
    page.keyboard.type("/table")
    page.keyboard.press("Enter")
    table = page.locator("[data-key] table")
    table.wait_for()
    edited = table.evaluate(SIZE)
    page.keyboard.press("Escape")
    expect(page.locator("[data-key] textarea")).to_have_count(0)
    assert table.evaluate(SIZE) == pytest.approx(edited, abs=4)
    path = f"/v2/rooms/{api.room_id}/blocks"
    api.person.post(path, json={"type": "callout", "content": {"text": "note", "emoji": "💡"}})
    text = page.get_by_text("note", exact=True)
    text.wait_for()
    read = text.bounding_box()
    text.click()
    field = page.get_by_role("textbox", name="Callout")
    field.wait_for()
    written = field.bounding_box()
    assert read
    assert written
    assert (written["x"], written["y"]) == pytest.approx((read["x"], read["y"]), abs=4)

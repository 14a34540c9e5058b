"""The order of the style sheets, and its effects: sheets on a phone, and the composer of a room with a long name."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SignIn, at_end, at_rest, room_url, visit, wait_until_loaded
from tests.browser.finger import Finger
from tests.browser.sheets import PHONE, message, sheet_of
from tests.conftest import Api

# The style sheets in the order in which they apply: a file by its name, that of the theme as "theme".
SHEETS = """[...document.styleSheets].filter((each) => each.href || each.ownerNode.dataset.mantineStyles).map(
  (each) => each.href ? new URL(each.href).pathname.split("/").at(-1) : "theme")"""
# What of the composer is beyond the edges of the window, or of the composer.
BEYOND = """() => {
  const composer = document.querySelector("[data-composer]"), box = composer.getBoundingClientRect();
  const isBeyond = ({ left, right, width }) => width > 0 && (left < box.left - 1 || right > box.right + 1);
  const found = [...composer.querySelectorAll("*")].filter((each) => isBeyond(each.getBoundingClientRect()));
  const width = document.documentElement.scrollWidth;
  return [...found.map((each) => each.outerHTML.slice(0, 120)), ...(box.left < 0 || box.right > innerWidth || width > innerWidth ? ["page"] : [])];
}"""
NAME = "customer-success-weekly-handoffs-with-everyone-in-the-north"


@pytest.mark.contract("Web application 46")
def test_styles_of_code_that_loads_later_come_after_the_base_and_before_the_theme(api: Api, sign_in: SignIn) -> None:
    posts = api.new_room(name="news", room_type="post")["room_id"]
    api.send("Shall we start?")
    page = sign_in(**PHONE)
    at_end(page)
    Finger(page).rest_on(page.get_by_text("Shall we start?"), until=sheet_of(page))
    at_rest(page)
    box, height = sheet_of(page).bounding_box(), PHONE["viewport"]["height"]
    assert box and box["y"] > height / 4 and box["y"] + box["height"] == height  # at the bottom, the room above it
    page.keyboard.press("Escape")
    message(page, "Shall we start?").get_by_role("button", name="Ada").first.tap()
    card = page.get_by_role("dialog")
    expect(card.get_by_role("heading", name="Ada", exact=True)).to_be_visible()
    at_rest(page)
    box = card.bounding_box()
    assert box and box["y"] > height / 4 and box["y"] + box["height"] == height
    page.keyboard.press("Escape")
    for address in (
        room_url(api, posts),
        room_url(api, query="?view=page"),
        f"{api.url}/o/{api.organization_id}/search",
    ):
        visit(page, address)
    visit(page, f"{api.url}/o/{api.organization_id}/administration/people")
    wait_until_loaded(page)
    sheets = page.evaluate(SHEETS)
    base, *others = [each for each in sheets if each != "theme"]
    assert base.startswith("index-")
    assert len(others) > 5
    assert set(sheets[len(others) + 1 :]) == {"theme"}


@pytest.mark.contract("Web application 46")
@pytest.mark.parametrize("width", [320, 390])
def test_nothing_of_the_composer_is_beyond_the_edge(api: Api, sign_in: SignIn, width: int) -> None:
    room = api.new_room(name=NAME)["room_id"]
    look: dict[str, Any] = {**PHONE, "viewport": {"width": width, "height": 664}}
    page = sign_in(at=room_url(api, room), **look)
    field = page.get_by_label(f"Message #{NAME}")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        expect(field).to_be_visible()
        assert page.evaluate(BEYOND) == []
        expect(page.get_by_role("button", name="Attach files")).to_be_in_viewport(ratio=1)
        field.tap()
        assert page.evaluate(BEYOND) == []
        field.blur()

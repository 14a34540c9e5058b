"""The application on a phone: targets for fingers, fields that are not zoomed into, and the keyboard."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.administration_data import populate_administration
from tests.browser.conftest import SignIn, at_end, at_rest, room_url, visit, wait_until_loaded
from tests.conftest import Api
from tests.wait_until import wait_until

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
ADMINISTRATION = (
    "people",
    "spaces",
    "integrations",
    "integrations/personal",
    "integrations/policy",
    "directory",
    "webhooks",
    "webhooks/events",
    "imports",
    "audit",
    "settings",
)
# Return the controls in sight that a finger misses within 20 px of their middle (check boxes: 9), and the fields with
# small letters. Links in texts are as high as their line.
TOO_SMALL = """() => {
  const shown = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const isText = (each) => each.matches("a") && getComputedStyle(each).display === "inline" && !each.closest("[class*=title]");
  const misses = (each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    const reach = each.type === "checkbox" ? 9 : 20;
    const middle = [x + width / 2, y + height / 2];
    if (!each.contains(document.elementFromPoint(...middle))) return false;
    return [[0, -reach], [0, reach], [-reach, 0], [reach, 0]].some(([dx, dy]) => {
      const at = document.elementFromPoint(middle[0] + dx, middle[1] + dy);
      return at !== null && !each.contains(at) && !at.closest("label")?.contains(each);
    });
  };
  const isSmall = (each) => each.matches("input, select, textarea") && parseFloat(getComputedStyle(each).fontSize) < 16;
  return [...document.querySelectorAll("a[href], button, input, select, textarea, [role=button]")]
    .filter((each) => shown(each) && !isText(each) && (misses(each) || isSmall(each)))
    .map((each) => each.outerHTML.slice(0, 160));
}"""
# As the keyboard of an iPhone, which covers the page.
COVER = """(height) => {
  Object.defineProperty(visualViewport, "height", { value: height, configurable: true });
  visualViewport.dispatchEvent(new Event("resize"));
}"""


def rooms_with_content(api: Api) -> list[str]:
    """Return the URLs of a room, a thread, a page and posts."""
    root = api.send("Shall we **start**? See https://example.org")["message_id"]
    api.send("Yes", parent_id=root)
    assert api.person.put(f"{api.messages}/{root}/reactions/👍").status_code in {200, 201, 204}
    content = {"items": [{"text": "Pack", "done": False}, {"text": "Leave", "done": False}]}
    for block in ({"type": "paragraph", "content": {"text": "A page"}}, {"type": "todo", "content": content}):
        assert api.person.post(f"/v2/rooms/{api.room_id}/blocks", json=block).status_code == 201
    posts = api.new_room(name="posts", room_type="post")["room_id"]
    api.person.post(f"/v2/rooms/{posts}/messages", json={"text": "A post"})
    return [
        room_url(api),
        room_url(api, query=f"?thread={root}"),
        room_url(api, query="?view=page"),
        room_url(api, posts),
        room_url(api, query="?view=incoming"),
    ]


def test_fingers_hit_each_control_and_no_field_has_small_letters(api: Api, sign_in: SignIn) -> None:
    populate_administration(api)
    organization = f"{api.url}/o/{api.organization_id}"
    urls = rooms_with_content(api)
    urls += [f"{organization}/{name}" for name in ("search?q=page", "threads", "mentions", "settings")]
    urls += [f"{organization}/administration/{name}" for name in ADMINISTRATION]
    page = sign_in(**PHONE)
    small: dict[str, list[str]] = {}
    for url in urls:
        visit(page, url)
        wait_until_loaded(page)
        if found := page.evaluate(TOO_SMALL):
            small[url.removeprefix(organization)] = found
    page.get_by_role("button", name="Open room list").tap()
    page.get_by_role("navigation", name="Rooms").wait_for()
    at_rest(page)
    assert not page.evaluate(TOO_SMALL)
    assert not small


def composer_bottom(page: Page) -> float:
    return float(page.get_by_label("Message #general").evaluate("field => field.getBoundingClientRect().bottom"))


def test_the_composer_stays_above_a_keyboard_that_covers_the_page(api: Api, sign_in: SignIn) -> None:
    for number in range(30):
        api.send(f"Message {number}")
    page = sign_in(**PHONE)
    at_end(page)
    page.get_by_label("Message #general").tap()
    page.evaluate(COVER, 360)
    page.wait_for_function("document.body.clientHeight === 360")
    assert composer_bottom(page) < 360
    at_end(page)
    expect(page.get_by_text("Message 29", exact=True)).to_be_in_viewport()
    page.evaluate(COVER, 664)
    page.wait_for_function("document.body.clientHeight === 664")
    assert composer_bottom(page) > 500


def test_the_page_lets_the_keyboard_resize_it_and_keeps_clear_of_the_notch(api: Api, sign_in: SignIn) -> None:
    page = sign_in(**PHONE)
    viewport = page.locator("meta[name=viewport]").get_attribute("content") or ""
    assert "interactive-widget=resizes-content" in viewport
    assert "viewport-fit=cover" in viewport


def test_the_button_of_the_room_list_says_what_is_unread_in_other_rooms(api: Api, sign_in: SignIn) -> None:
    other = api.new_room(name="plans")["room_id"]
    api.send("First")
    page = sign_in("Grace", **PHONE)
    at_end(page)
    button = page.get_by_role("button", name="Open room list")
    expect(button).to_have_accessible_name("Open room list")
    api.send("In the open room")
    api.person.post(f"/v2/rooms/{other}/messages", json={"text": "elsewhere"})
    expect(button).to_have_accessible_name("Open room list, unread messages")
    person_id = page.request.get(f"{api.url}/v1/me/profile").json()["person_id"]
    api.person.post(f"/v2/rooms/{other}/messages", json={"text": f"<@{person_id}> and you"})
    expect(button).to_have_accessible_name("Open room list, 1 unread")
    expect(button).to_have_text("1")
    unread = f"{api.url}/v2/organizations/{api.organization_id}/unread"
    wait_until(lambda: [each["room_id"] for each in page.request.get(unread).json()["rooms"]] == [other])
    button.tap()
    page.get_by_role("navigation", name="Rooms").get_by_role("link", name="plans").tap()
    page.get_by_text("and you").wait_for()
    expect(button).to_have_accessible_name("Open room list")


def test_a_second_tap_uses_the_tools_that_the_first_one_shows(api: Api, sign_in: SignIn) -> None:
    api.send("to be deleted")
    block = {"type": "paragraph", "content": {"text": "a block to delete"}}
    assert api.person.post(f"/v2/rooms/{api.room_id}/blocks", json=block).status_code == 201
    page = sign_in(**PHONE)
    at_end(page)
    page.get_by_text("to be deleted").tap()
    page.get_by_role("button", name="More actions").tap()
    page.get_by_role("dialog", name="Message actions").get_by_role("button", name="Delete").tap()
    page.get_by_role("dialog", name="Delete this").get_by_role("button", name="Delete").tap()
    expect(page.get_by_text("This message was deleted.")).to_be_visible()
    visit(page, room_url(api, query="?view=page"))
    page.get_by_role("button", name="Text actions").tap()
    page.get_by_role("menuitem", name="Delete").tap()
    expect(page.get_by_text("a block to delete")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_be_visible()  # the server has deleted it
    assert api.person.get(f"/v2/rooms/{api.room_id}/blocks").json()["blocks"] == []

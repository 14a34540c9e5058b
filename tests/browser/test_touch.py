"""The application on a phone: one tap anywhere destroys nothing, and two taps still reach every tool."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import SignIn, at_end, room_url
from tests.conftest import Api

pytestmark = pytest.mark.xdist_group("browser")
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
STEP = 26  # pixels, about the size of a tool
TOOLS = {
    "React", "Reply in thread", "Copy link", "Edit", "Delete", "Edit block", "Move up", "Move down", "Delete block",
}  # fmt: skip
HARMLESS = ("/read-marker", "/typing")  # requests that change nothing for others
# Record the labels of the buttons that a tap presses.
RECORD_PRESSES = """
window.presses = [];
document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (button) window.presses.push(button.getAttribute("aria-label") ?? button.innerText);
});
"""
# Return what the last tap pressed and whether it led elsewhere, and take the focus from what it showed.
AFTER_TAP = """(url) => {
  document.activeElement?.blur();
  return [window.presses.splice(0), location.href !== url];
}"""


def grid() -> Iterator[tuple[int, int]]:
    """Yield points all over the screen, each far from the one before, so that it is the first tap on its message."""
    rows = range(STEP // 2, PHONE["viewport"]["height"], STEP)
    half = len(rows) // 2
    for x in range(STEP // 2, PHONE["viewport"]["width"], STEP):
        for upper, lower in zip_longest(rows[:half], rows[half:]):
            yield from ((x, y) for y in (upper, lower) if y is not None)


def tap_everywhere(page: Page, url: str) -> set[str]:
    """Tap each point of the page, as if for the first time. Return the labels of the buttons pressed."""
    pressed: set[str] = set()
    show(page, url)
    for x, y in grid():
        page.touchscreen.tap(x, y)
        labels, is_elsewhere = page.evaluate(AFTER_TAP, url)
        pressed.update(labels)
        if labels or is_elsewhere:  # a menu may open later, and a text may have been written
            show(page, url)
    return pressed


def show(page: Page, url: str) -> None:
    page.evaluate("localStorage.clear()")  # no draft
    page.goto(url)
    page.locator("article, h2 + *, pre").first.wait_for()


def pages(api: Api) -> dict[str, str]:
    """Return the URLs of a room, a thread, a page of blocks and posts, with content all over the screen."""
    roots = [api.send(f"Message {number} with some more words in it") for number in range(12)]
    for number in range(8):
        api.send(f"Reply {number}", parent_id=roots[0]["message_id"])
    for kind in ("paragraph", "heading", "quote", "code", "callout"):
        for number in range(2):
            block = {"type": kind, "content": {"text": f"{kind} {number} with some more words in it"}}
            assert api.person.post(f"/v2/rooms/{api.room_id}/blocks", json=block).status_code == 201
    posts = api.new_room(name="posts", room_type="post")["room_id"]
    for number in range(4):
        api.person.post(f"/v2/rooms/{posts}/messages", json={"text": f"Post {number}\n\nwith more"})
    thread = room_url(api, query=f"?thread={roots[0]['message_id']}")
    return {"room": room_url(api), "thread": thread, "page": room_url(api, query="?view=page"),
            "posts": room_url(api, posts)}  # fmt: skip


@pytest.mark.parametrize("kind", ["room", "thread", "page", "posts"])
def test_one_tap_presses_no_invisible_tool_and_changes_nothing(api: Api, sign_in: SignIn, kind: str) -> None:
    url = pages(api)[kind]
    page = sign_in(**PHONE)
    changes: list[str] = []

    def note(request: Request) -> None:
        if request.method != "GET" and not request.url.endswith(HARMLESS):
            changes.append(f"{request.method} {request.url}")

    page.context.add_init_script(RECORD_PRESSES)
    page.on("request", note)
    pressed = tap_everywhere(page, url)
    assert not pressed & TOOLS, pressed
    assert pressed, "no tap reached a button"
    assert not changes, changes


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
    page.goto(room_url(api, query="?view=page"))
    page.get_by_role("button", name="Text actions").tap()
    page.get_by_role("menuitem", name="Delete").tap()
    expect(page.get_by_text("a block to delete")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_be_visible()  # the server has deleted it
    assert api.person.get(f"/v2/rooms/{api.room_id}/blocks").json()["blocks"] == []

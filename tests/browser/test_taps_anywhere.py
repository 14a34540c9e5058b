"""One tap anywhere in the application on a phone changes nothing."""

from typing import Any

import pytest
from playwright.sync_api import Page, Request

from tests.browser.administration_data import PAGES, populate_administration
from tests.browser.conftest import SignIn, at_rest, room_url, visit, wait_until_loaded
from tests.conftest import Api

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
STEP = 13  # pixels between the points of the grid, half the size of a tool
# Requests that take nothing away: a test event of a webhook, and a new key by a button that says so. So is another:
# reactivating a webhook that Atrium paused.
HARMLESS = ("/read-marker", "/typing", "/test", "/api-keys", "/webhook-preview", "/key-policy-preview")
OF_USE = ("last_used_at", "status", "paused_at", "pause_reason", "failure_count", "missed_count")  # also of webhooks
# Note each press of a button that was not visible when the finger came down. A click that does not reach its button,
# because its container ignores the click, does not count.
NOTE_INVISIBLE = """
const buttons = "button, a, [role=button], [role=menuitem], [role=option]";
const isVisible = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
let visible = new Set();
addEventListener("pointerdown", () => {
  visible = new Set([...document.querySelectorAll(buttons)].filter(isVisible));
}, true);
addEventListener("click", (event) => {
  const button = event.target.closest?.(buttons);
  if (!button || visible.has(button)) return;
  const note = () => window.noteInvisible(button.ariaLabel || button.innerText);
  button.addEventListener("click", note, { capture: true });
  setTimeout(() => button.removeEventListener("click", note, { capture: true }));
}, true);
"""
# Find all elements under a grid over the screen, controls and others, each once. Then find the element at the
# center of each invisible button; from one to the next in a column, so that no tap shows the button of the next one.
FIND_TARGETS = """(step) => {
  const own = "a, button, input, select, textarea, summary, label, article, pre, [tabindex], [role]";
  window.hit = (x, y) => { const at = document.elementFromPoint(x, y); return at?.closest(own) ?? at; };
  const found = new Map();
  for (let y = step; y < innerHeight; y += step)
    for (let x = step; x < innerWidth; x += step) {
      const target = window.hit(x, y);
      if (target && !found.has(target)) found.set(target, [x, y]);
    }
  const invisible = [];
  for (const button of document.querySelectorAll("button")) {
    const { x, y, width, height } = button.getBoundingClientRect();
    const center = { x: x + width / 2, y: y + height / 2 };
    const target = width > 0 && window.hit(center.x, center.y);
    const isVisible = button.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (target && !isVisible) invisible.push({ target, ...center });
  }
  invisible.sort((one, two) => one.x - two.x || one.y - two.y);
  const points = [...[...found].map(([target, [x, y]]) => ({ target, x, y })), ...invisible];
  return points.map(({ target, x, y }) => ({ x, y, inHeader: target.closest("header") ? target.outerHTML : null }));
}"""
# Remember the element at each point, and the choices in forms.
REMEMBER = """(points) => {
  window.targets = points.map(({ x, y }) => window.hit(x, y));
  window.choices = () => [...document.querySelectorAll("input")].map((each) => each.checked).join();
  window.chosen = window.choices();
}"""
IS_STILL_THERE = "([index, x, y]) => window.targets?.[index] === window.hit?.(x, y)"
# Wait for the effect of a tap, and leave the field that it entered. Return whether it led elsewhere, opened or chose
# something.
AFTER_TAP = """async (url) => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise((done) => requestAnimationFrame(done));
  if (document.activeElement.matches("input, textarea, select")) document.activeElement.blur();
  if (location.href !== url) return "elsewhere";
  if (document.querySelector("[role=dialog], [role=menu], [role=listbox]")) return "open";
  return window.choices() === window.chosen ? "" : "chosen";
}"""


def show(page: Page, url: str) -> None:
    """Open the page again, after another one, so that nothing of it stays open."""
    visit(page, url.partition("/o/")[0] + "/sign-in")
    page.evaluate("localStorage.clear()")  # no draft
    visit(page, url)
    wait_until_loaded(page)


def tap_everywhere(page: Page, url: str, known: set[str]) -> int:
    """Tap each thing on the page, but what is known of other headers, as if for the first time. Return how many."""
    show(page, url)
    found = page.evaluate(FIND_TARGETS, STEP)
    points = [point for point in found if point["inHeader"] not in known]
    known.update(point["inHeader"] for point in found if point["inHeader"])
    page.evaluate(REMEMBER, points)
    for index, point in enumerate(points):
        x, y = point["x"], point["y"]
        if not page.evaluate(IS_STILL_THERE, [index, x, y]):
            show(page, url)
            page.evaluate(REMEMBER, points)
        page.touchscreen.tap(x, y)
        match page.evaluate(AFTER_TAP, url):
            case "elsewhere":
                page.go_back()
                if page.url == url:
                    wait_until_loaded(page)
                else:
                    show(page, url)
                page.evaluate(REMEMBER, points)
            case "open":
                page.keyboard.press("Escape")
                at_rest(page)
            case "chosen":  # in a form, which a second tap would save
                show(page, url)
                page.evaluate(REMEMBER, points)
    return len(points)


def state_of(api: Api, posts: str) -> list[Any]:
    """Return the content of the organization, without values that change when they are read."""
    organization = api.organization
    paths = [f"{organization}/{name}" for name in ("members", "invitations", "spaces", "webhooks")]
    paths += [f"/v2/spaces/{api.space_id}/rooms", f"/v2/rooms/{api.room_id}/blocks", "/v1/me/integrations"]
    paths += [f"/v2/rooms/{room}/messages" for room in (api.room_id, posts)]
    answers = [api.person.get(path) for path in paths]
    assert [each.status_code for each in answers] == [200] * len(paths)
    return [without_use(each.json()) for each in answers]


def keys_of(api: Api) -> set[str]:
    """Return the ids of the organization's keys; the list leaves out what was revoked."""
    keys = api.person.get(f"{api.organization}/api-keys").json()["api_keys"]
    return {each["api_key_id"] for each in keys}


def without_use(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_use(each) for name, each in value.items() if name not in OF_USE}
    return [without_use(each) for each in value] if isinstance(value, list) else value


def populate(api: Api) -> str:
    """Fill a room, a thread, a page and posts. Return the id of the room of posts."""
    populate_administration(api)
    roots = [api.send(f"Message {number} with some more words in it") for number in range(4)]
    for number in range(3):
        api.integration.post(api.messages, json={"text": f"Of the integration {number}"})
        api.send(f"Reply {number}", parent_id=roots[0]["message_id"])
    for kind in ("paragraph", "heading", "quote", "code", "callout"):
        block = {"type": kind, "content": {"text": f"{kind} with some more words in it"}}
        assert api.person.post(f"/v2/rooms/{api.room_id}/blocks", json=block).status_code == 201
    posts: str = api.new_room(name="posts", room_type="post")["room_id"]
    for number in range(3):
        api.person.post(f"/v2/rooms/{posts}/messages", json={"text": f"Post {number}\n\nwith more"})
    return posts


def pages_of(api: Api, posts: str) -> list[str]:
    """Return the URLs of all pages."""
    organization = f"{api.url}/o/{api.organization_id}"
    root = api.person.get(api.messages).json()["messages"][-4]["message_id"]
    hook = api.person.get(f"{api.organization}/webhooks").json()["webhooks"][0]["id"]
    administration = [f"{organization}/administration{path}" for path in PAGES]
    inside = [f"{organization}/administration/{path}" for path in (f"webhooks/{hook}", f"spaces/{api.space_id}")]
    video = api.new_room(name="film", room_type="video")["room_id"]
    queries = ("", f"?thread={root}", "?view=page", "?view=incoming")
    rooms = [room_url(api, query=query) for query in queries] + [room_url(api, posts), room_url(api, video)]
    lists = [f"{organization}/{path}" for path in ("search?q=words", "threads", "mentions", "settings")]
    return rooms + lists + administration + inside


@pytest.mark.timeout(900)
def test_one_tap_anywhere_changes_nothing(api: Api, sign_in: SignIn) -> None:
    posts = populate(api)
    urls = pages_of(api, posts)
    before, keys = state_of(api, posts), keys_of(api)
    page = sign_in(**PHONE)
    changes: list[str] = []
    invisible: list[str] = []

    def note(request: Request) -> None:
        reactivates = "WEBHOOK_STATUS_ACTIVE" in (request.post_data or "")
        if request.method != "GET" and not request.url.endswith(HARMLESS) and not reactivates:
            changes.append(f"{request.method} {request.url}")

    def note_invisible(label: str) -> None:
        invisible.append(label)

    page.on("request", note)
    page.expose_function("noteInvisible", note_invisible)
    page.add_init_script(NOTE_INVISIBLE)
    known: set[str] = set()
    for url in urls:
        assert tap_everywhere(page, url, known) > 0, url
        assert not changes, (url, changes)
        assert not invisible, (url, invisible)
    assert state_of(api, posts) == before
    assert keys <= keys_of(api)

"""A walk over the pages of rooms with recordings, files and incoming webhooks, with a look at each by axe-core."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import at_rest, room_url, visit, wait_until_loaded
from tests.conftest import Api
from tests.recordings.media import PICTURE, film, record, video_room

SEGMENTS = [
    {"start": 0, "end": 4, "speaker": "Ada", "text": "Let us begin."},
    {"start": 6, "end": 9, "speaker": "Grace", "text": "The engine runs."},
]


def room_page_urls(api: Api) -> dict[str, str]:
    """Return the URLs of the pages of a video room and of messages with files."""
    films = video_room(api)
    recording = record(api, films, film(), name="Planning.webm")
    path = f"/v2/recordings/{recording['recording_id']}/transcript"
    assert api.person.put(path, json={"segments": SEGMENTS}).status_code == 200
    silent = record(api, films, film(), name="Untold.webm")
    empty = api.new_room(name="empty", room_type="video")["room_id"]
    assert api.person.post(f"/v2/rooms/{films}/incoming-webhooks", json={"name": "Grafana"}).status_code == 201
    files = [
        api.person.post(f"/v2/rooms/{api.room_id}/attachments", content=content, params={"name": name})
        for name, content in (("plan.png", PICTURE), ("figures.csv", b"one,two"), ("film.webm", film()))
    ]
    api.send("with files", attachments=[each.json()["attachment_id"] for each in files])
    return {
        "files": room_url(api),
        "recordings": room_url(api, films),
        "no recordings": room_url(api, empty),
        "recording": room_url(api, films, f"?recording={recording['recording_id']}"),
        "incoming webhooks": room_url(api, films, "?view=incoming"),
        "recording without a transcript": room_url(api, films, f"?recording={silent['recording_id']}"),
    }


def add_incoming(page: Page, name: str) -> Locator:
    """Create an incoming webhook in the dialog; return its URL."""
    page.get_by_role("button", name="Create incoming webhook").click()
    page.get_by_role("dialog").get_by_label("Name").fill(name)
    page.get_by_role("dialog").get_by_role("button", name="Create incoming webhook").click()
    shown = page.get_by_role("alert").filter(has_text=f"Copy the URL of {name} now")
    shown.wait_for()
    expect(page.get_by_role("dialog")).to_have_count(0)
    return shown


def violations_of_room_pages(api: Api, page: Page) -> dict[str, list[str]]:
    """Return the violations of every page, also while attaching files or recording video, in the window as it is."""
    addresses, found = room_page_urls(api), dict[str, list[str]]()
    for name, address in addresses.items():
        visit(page, address)
        wait_until_loaded(page)
        found[name] = violations(page)
    visit(page, addresses["files"])
    page.locator("input[type=file]").set_input_files([{"name": "a.png", "mimeType": "image/png", "buffer": PICTURE}])
    page.get_by_role("button", name="Remove a.png").wait_for()
    found["attaching"] = violations(page)
    page.get_by_role("button", name="View plan.png").click()
    page.get_by_role("dialog").wait_for()
    at_rest(page)
    found["picture"] = violations(page)
    page.keyboard.press("Escape")
    return found | _dialogs(page, addresses)


def _dialogs(page: Page, addresses: dict[str, str]) -> dict[str, list[str]]:
    """Return the violations of dialogs on the pages of recordings and incoming webhooks."""
    found: dict[str, list[str]] = {}
    visit(page, addresses["no recordings"])
    page.get_by_role("button", name="Record", exact=True).click()
    page.get_by_role("button", name="Start recording").wait_for()
    at_rest(page)
    found["recorder"] = violations(page)
    page.keyboard.press("Escape")
    visit(page, addresses["recording"])
    page.get_by_role("button", name="Edit transcript at 0:06").click(force=True)
    page.get_by_label("Text", exact=True).wait_for()
    found["correcting"] = violations(page)
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Rename").wait_for()
    at_rest(page)
    found["menu"] = violations(page)
    page.keyboard.press("Escape")
    visit(page, addresses["incoming webhooks"])
    add_incoming(page, "Weather")
    found["address"] = violations(page)
    return found

"""Recordings, transcripts and files in a real browser."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Playwright, expect

from atrium.server.ui import is_built
from tests.browser.conftest import SHELL, SignIn, room_url, running_browser, start_session, visit
from tests.conftest import Api, fresh_database, new_organization, running_server
from tests.recordings.media import PICTURE, film, record, video_room
from tests.transcripts.harness import hello
from tests.transcripts.server import running_transcriber_in_thread
from tests.transcripts.sound import tone

HOSTILE = "<img src=x onerror=window.hit=1>"
# Chromium's simulated camera and microphone, allowed without a prompt.
MADE_UP = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
SEGMENTS = [
    {"start": 0.5, "end": 4, "speaker": "Ada", "text": "Let us begin."},
    {"start": 6, "end": 9, "speaker": "Ada", "text": "The engine runs."},
    {"start": 12, "end": 19, "speaker": HOSTILE, "text": f"{HOSTILE}<script>window.hit=1</script>"},
]
DROP = """(target, [name, type, content]) => {
  const bytes = Uint8Array.from(atob(content), (each) => each.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name, { type }));
  for (const kind of ["dragenter", "dragover", "drop"])
    target.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
}"""
PASTE = """(target, [name, type, content]) => {
  const bytes = Uint8Array.from(atob(content), (each) => each.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name, { type }));
  target.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data }));
}"""


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Return Debian's Chromium with a simulated camera."""
    if not is_built():
        pytest.skip("the web application is not built: there is no Node.js here")
    yield from running_browser(playwright, SHELL, *MADE_UP)


def put_transcript(api: Api, recording: dict[str, Any], segments: list[dict[str, Any]], **more: Any) -> None:
    path = f"/v2/recordings/{recording['recording_id']}/transcript"
    put = api.person.put(path, json={"segments": segments, **more})
    assert put.status_code == 200, put.text


def transcript_of(api: Api, recording: dict[str, Any]) -> list[str]:
    read = api.person.get(f"/v2/recordings/{recording['recording_id']}/transcript").json()
    return [each["text"] for each in read["segments"]]


def current_segment(page: Page) -> Locator:
    """Return the segment that is marked as current."""
    return page.locator("[data-transcript] button[aria-current]")


def move_to(page: Page, seconds: float) -> None:
    """Move the player's slider as a user does."""
    page.evaluate("(seconds) => { document.querySelector('main video[controls]').currentTime = seconds; }", seconds)


def duration(page: Page) -> float:
    page.wait_for_function("() => Number.isFinite(document.querySelector('main video[controls]')?.duration)")
    return float(page.evaluate("document.querySelector('main video[controls]').duration"))


@pytest.mark.contract("Web application 37")
def test_a_transcript_follows_the_player_and_seeks_it(api: Api, sign_in: SignIn) -> None:
    room_id = video_room(api)
    recording = record(api, room_id, film(), name="Planning.webm")
    put_transcript(api, recording, SEGMENTS)
    page = sign_in("Grace", at=room_url(api, room_id))
    page.get_by_role("link", name="Planning.webm").click()
    assert duration(page) > 19
    move_to(page, 7)
    expect(current_segment(page)).to_contain_text("The engine runs.")
    page.get_by_role("button", name="Let us begin.").click()
    expect(current_segment(page)).to_contain_text("Let us begin.")
    assert page.evaluate("document.querySelector('main video[controls]').currentTime") < 6
    page.wait_for_function(
        "() => document.querySelector('main video[controls]').currentTime > 1"
    )  # it continues to play
    page.get_by_label("Search transcript").fill("engine")
    expect(page.get_by_role("status").filter(has_text="1 match")).to_be_visible()
    page.goto(room_url(api, room_id, f"?recording={recording['recording_id']}&at=6.5"))
    expect(current_segment(page)).to_contain_text("The engine runs.")


@pytest.mark.contract("Web application 40")
def test_hostile_transcripts_and_file_names_are_shown_as_text(api: Api, sign_in: SignIn) -> None:
    room_id = video_room(api)
    recording = record(api, room_id, film(), name=f"{HOSTILE}.webm")
    put_transcript(api, recording, SEGMENTS)
    file = api.person.post(f"/v2/rooms/{room_id}/attachments", content=b"text", params={"name": f"{HOSTILE}.html"})
    sent = {"text": "", "attachments": [file.json()["attachment_id"]]}
    assert api.person.post(f"/v2/rooms/{room_id}/messages", json=sent).status_code == 201
    page = sign_in(HOSTILE, at=room_url(api, room_id))
    expect(page.get_by_text(f"{HOSTILE}.webm")).to_be_visible()
    visit(page, room_url(api, room_id, f"?recording={recording['recording_id']}&at=13"))
    expect(current_segment(page)).to_contain_text("<script>window.hit=1</script>")
    visit(page, room_url(api, room_id, "?view=messages"))
    link = page.get_by_role("link", name=f"Download {HOSTILE}.html")
    with page.expect_download() as downloading:  # content that could run in a browser is never opened
        link.click()
    assert downloading.value.path().read_bytes() == b"text"
    assert page.evaluate("window.hit") is None


@pytest.mark.contract("Web application 38")
def test_concurrent_corrections_of_a_transcript_are_all_saved(api: Api, sign_in: SignIn) -> None:
    room_id = video_room(api)
    recording = record(api, room_id, film())
    put_transcript(api, recording, SEGMENTS)
    page = sign_in("Grace", at=room_url(api, room_id, f"?recording={recording['recording_id']}"))

    def correct(at: str, text: str) -> None:
        page.get_by_role("button", name=f"Edit transcript at {at}").click(force=True)
        page.get_by_label("Text", exact=True).fill(text)

    correct("0:00", "We begin.")
    put_transcript(
        api, recording, [SEGMENTS[0], {**SEGMENTS[1], "text": "The engine stands."}]
    )  # another correction of a different segment
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="We begin.")).to_be_visible()
    expect(page.get_by_role("button", name="The engine stands.")).to_be_visible()
    correct("0:06", "The engine walks.")
    put_transcript(
        api, recording, [SEGMENTS[0], {**SEGMENTS[1], "text": "The engine flies."}]
    )  # another correction of the same segment
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert").filter(has_text="Someone else edited this")).to_contain_text("The engine flies.")
    expect(page.get_by_label("Text", exact=True)).to_have_value("The engine walks.")
    page.get_by_role("button", name="Keep mine").click()
    expect(page.get_by_role("button", name="The engine walks.")).to_be_visible()
    assert transcript_of(api, recording) == [SEGMENTS[0]["text"], "The engine walks."]


@pytest.mark.contract("Web application 35")
def test_an_upload_over_a_bad_connection_arrives_complete(api: Api, sign_in: SignIn, tmp_path: Path) -> None:
    room_id = video_room(api)
    content = film()
    path = tmp_path / "Spring.webm"
    path.write_bytes(content)
    page = sign_in("Grace", at=room_url(api, room_id))
    broken: list[str] = []

    def break_once(route: Any) -> None:
        if route.request.method == "PATCH" and not broken:
            broken.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    page.route("**/uploads/*", break_once)
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Upload").click()
    choosing.value.set_files(path)
    expect(page.get_by_role("link", name="Spring.webm")).to_be_visible(timeout=30_000)
    assert broken
    [made] = api.person.get(f"/v2/rooms/{room_id}/recordings").json()["recordings"]
    assert api.person.get(f"/v2/recordings/{made['recording_id']}/media").content == content


@pytest.mark.contract("Web application 35")
def test_a_file_that_is_no_recording_is_rejected_with_a_reason(api: Api, sign_in: SignIn) -> None:
    room_id = video_room(api)
    page = sign_in("Grace", at=room_url(api, room_id))
    page.get_by_role("heading", name="No recordings yet").wait_for()
    drop(page.locator("h2", has_text="No recordings yet"), "notes.txt", "text/plain", b"only text")
    expect(page.get_by_role("alert").filter(has_text="Couldn't upload")).to_be_visible()
    page.get_by_role("button", name="Cancel upload of notes.txt").click()
    expect(page.get_by_text("notes.txt")).to_have_count(0)


@pytest.mark.contract("Web application 36")
def test_a_recording_made_in_the_browser_can_be_played_and_seeked(api: Api, sign_in: SignIn) -> None:
    room_id = video_room(api)
    page = sign_in("Grace", at=room_url(api, room_id))
    page.get_by_role("button", name="Record", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Start recording").click()
    dialog.locator("time", has_text=re.compile("0:0[2-9]")).wait_for()
    dialog.get_by_role("button", name="Pause").click()
    expect(dialog.get_by_text("Paused")).to_be_visible()
    dialog.get_by_role("button", name="Resume").click()
    dialog.locator("time", has_text=re.compile("0:0[4-9]")).wait_for()
    dialog.get_by_role("button", name="Stop").click()
    dialog.get_by_label("Name").fill("Standup")
    dialog.get_by_role("button", name="Upload").click()
    page.get_by_role("link", name="Standup.webm").click()
    length = duration(page)
    assert 3 < length < 60
    move_to(page, length / 2)
    page.wait_for_function(
        "at => { const v = document.querySelector('main video[controls]');"
        "return !v.seeking && Math.abs(v.currentTime - at) < 1 && v.videoWidth > 0 }",
        arg=length / 2,
    )


@pytest.mark.contract("Web application 37")
def test_the_transcript_of_an_upload_appears_while_the_page_is_open(
    settings: Any, browser: Browser, tmp_path: Path
) -> None:
    with (
        running_transcriber_in_thread(hello) as url,
        fresh_database(settings) as own,
        running_server(own.with_changes(transcriber=url, port=0, workers=1)) as running,
    ):
        api = new_organization(running.settings, running.url)
        room_id = video_room(api)
        page = browser.new_context().new_page()
        start_session(api, page)
        page.goto(room_url(api, room_id))
        with page.expect_file_chooser() as choosing:
            page.get_by_role("button", name="Upload").click()
        choosing.value.set_files(tone(tmp_path))
        page.get_by_role("link", name="speech.wav").click()
        expect(page.locator("[data-transcript] [role=listitem]").first).to_contain_text("Hello.", timeout=150_000)
        page.context.close()
        api.close()


def drop(target: Locator, name: str, media_type: str, content: bytes) -> None:
    """Find the element and drop on it in one step; in between, the page may have replaced it."""
    target.evaluate(DROP, [name, media_type, base64.b64encode(content).decode()])


@pytest.mark.contract("Web application 39")
def test_files_are_dropped_and_pasted_and_others_see_them(api: Api, sign_in: SignIn) -> None:
    ada, grace = sign_in(), sign_in("Grace")
    field = ada.get_by_label("Message #general")
    drop(ada.locator("[data-messages]").first, "plan.png", "image/png", PICTURE)
    packed = base64.b64encode(b"one,two").decode()
    field.evaluate(PASTE, ["figures.csv", "text/csv", packed])
    expect(ada.get_by_role("button", name="Remove plan.png")).to_be_visible()
    expect(ada.get_by_role("progressbar")).to_have_count(0)
    field.fill("Both of them")
    field.press("Enter")
    theirs = grace.locator("article", has_text="Both of them")
    expect(theirs.get_by_role("button", name="View plan.png").locator("img")).to_be_visible()
    shown = theirs.locator("img").element_handle()
    grace.wait_for_function("img => img.complete && img.naturalWidth > 0", arg=shown)
    with grace.expect_download() as downloading:
        theirs.get_by_role("link", name="Download figures.csv").click()
    assert downloading.value.suggested_filename == "figures.csv"
    assert downloading.value.path().read_bytes() == b"one,two"
    theirs.get_by_role("button", name="View plan.png").click()
    expect(grace.get_by_role("dialog").get_by_role("img", name="plan.png")).to_be_visible()
    expect(ada.get_by_role("button", name="Remove plan.png")).to_have_count(0)


@pytest.mark.contract("Web application 39")
def test_a_file_alone_can_be_sent_and_a_failed_upload_can_be_removed(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    page.route("**/uploads", lambda route: route.fulfill(status=413, json={"detail": "At most 5 bytes are taken."}))
    drop(page.locator("[data-messages]").first, "large.bin", "", b"too much")
    expect(page.get_by_text("At most 5 bytes are taken.")).to_be_visible()
    page.get_by_role("button", name="Remove large.bin").click()
    page.unroute("**/uploads")
    drop(page.locator("[data-messages]").first, "small.bin", "", b"little")
    expect(page.get_by_role("progressbar")).to_have_count(0)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("article").get_by_role("link", name="Download small.bin")).to_be_visible()
    [sent] = api.person.get(api.messages).json()["messages"]
    assert (sent["text"], [each["name"] for each in sent["attachments"]]) == ("", ["small.bin"])

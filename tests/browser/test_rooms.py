"""Each kind of room in a real browser: what is shown, and who can use it."""

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SignIn, room_url, visit
from tests.browser.room_pages import SEGMENTS, add_incoming
from tests.browser.writing import HOSTILE, write
from tests.conftest import Api
from tests.recordings.media import PICTURE, film, record, video_room


@pytest.mark.contract("Web application 57")
def test_an_incoming_webhook_is_created_receives_a_post_live_and_is_revoked(api: Api, sign_in: SignIn) -> None:
    grace = sign_in("Grace")
    ada = sign_in(at=f"{api.url}/o/{api.organization_id}/administration/integrations")
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.get_by_label("Room", exact=True).select_option(label="general")
    ada.get_by_role("button", name="Open", exact=True).click()
    expect(ada.get_by_text("No incoming webhooks yet")).to_be_visible()
    shown = add_incoming(ada, HOSTILE)
    expect(shown).to_contain_text("You won't be able to see it again")
    url = shown.locator("code").first.inner_text()
    shown.get_by_role("button", name="Copy URL").click()
    expect(ada.get_by_text("URL copied")).to_be_visible()
    assert ada.evaluate("navigator.clipboard.readText()") == url
    assert httpx.post(url, json={"text": "*Disk* full"}, timeout=60).text == "ok"
    message = grace.locator("article", has_text="Disk full")
    expect(message).to_contain_text(HOSTILE)  # its name is shown as text
    expect(message).to_contain_text("Integration")
    expect(grace.get_by_role("link", name="Incoming webhooks")).to_have_count(0)
    shown.get_by_role("button", name="I've saved it").click()
    expect(shown).to_have_count(0)
    ada.reload()
    known = ada.get_by_role("list", name="Incoming webhooks").get_by_role("listitem")
    expect(known).to_contain_text(HOSTILE)
    expect(known).to_contain_text("Last used")
    assert url not in ada.content()
    known.get_by_role("button", name="Revoke").click()
    assert httpx.post(url, json={"text": "not yet"}, timeout=60).text == "ok"  # the permission was requested first
    ada.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(ada.get_by_text("No incoming webhooks yet")).to_be_visible()
    assert httpx.post(url, json={"text": "too late"}, timeout=60).status_code == 404
    visit(grace, room_url(api, query="?view=incoming"))
    expect(grace.get_by_text("Space admins only")).to_be_visible()
    assert ada.evaluate("window.hit") is None
    assert grace.evaluate("window.hit") is None


def test_posts_are_cards_with_files_and_comments(api: Api, sign_in: SignIn) -> None:
    posts = api.new_room(name="news", room_type="post")["room_id"]
    ada, grace = sign_in(at=room_url(api, posts)), sign_in("Grace", at=room_url(api, posts))
    ada.get_by_role("button", name="New post").click()
    expect(ada.get_by_label("Title")).to_be_focused()
    ada.locator("input[type=file]").first.set_input_files(
        [{"name": "plan.png", "mimeType": "image/png", "buffer": PICTURE}]
    )
    expect(ada.get_by_text("plan.png")).to_be_visible()
    expect(ada.get_by_role("progressbar")).to_have_count(0)
    ada.get_by_label("Title").fill("It moves")
    ada.get_by_label("Title").press("Enter")
    ada.get_by_label("Write a post…").press_sequentially("to March")
    ada.get_by_label("Write a post…").press("Enter")  # starts a line
    ada.get_by_label("Write a post…").press_sequentially("or April")
    assert api.person.get(f"/v2/rooms/{posts}/messages").json()["messages"] == []
    ada.get_by_label("Write a post…").press("Control+Enter")
    expect(ada.get_by_role("article").get_by_text("It moves", exact=True)).to_be_visible()
    expect(ada.get_by_role("button", name="New post")).to_be_visible()
    [post] = api.person.get(f"/v2/rooms/{posts}/messages").json()["messages"]
    assert post["text"] == "# It moves\n\nto March\nor April"
    card = grace.locator("article", has_text="to March")
    expect(card.get_by_role("button", name="View plan.png")).to_be_visible()
    card.get_by_role("button", name="Comment").click()
    write(grace, "At last!", "Add a comment…")
    expect(ada.locator("article", has_text="to March").get_by_role("button", name="1 comment")).to_be_visible()
    card.get_by_role("button", name="Add reaction").click()
    grace.get_by_role("button", name="tada").click()
    expect(ada.locator("article", has_text="to March").get_by_role("button", name="🎉")).to_be_visible()


def test_the_title_of_a_post_is_edited_and_its_draft_is_kept(api: Api, sign_in: SignIn) -> None:
    posts = api.new_room(name="news", room_type="post")["room_id"]
    api.person.post(f"/v2/rooms/{posts}/messages", json={"text": "# It moves\n\nto March"})
    page = sign_in(at=room_url(api, posts))
    page.get_by_role("article").hover()
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Title").fill("It moves on")
    page.get_by_label("Edit message").press("Control+Enter")
    expect(page.get_by_role("article").get_by_text("It moves on", exact=True)).to_be_visible()
    assert api.person.get(f"/v2/rooms/{posts}/messages").json()["messages"][0]["text"] == "# It moves on\n\nto March"
    page.get_by_role("button", name="New post").click()
    page.get_by_label("Title").fill("Not yet")
    page.reload()
    expect(page.get_by_label("Title")).to_have_value("Not yet")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("article").get_by_text("Not yet", exact=True)).to_be_visible()


@pytest.mark.contract("Web application 47")
def test_a_search_hit_in_a_recording_opens_it_at_that_moment(api: Api, sign_in: SignIn) -> None:
    films = video_room(api)
    recording = record(api, films, film(), name="Planning.webm")
    path = f"/v2/recordings/{recording['recording_id']}/transcript"
    later = [SEGMENTS[0], {**SEGMENTS[1], "start": 15, "end": 21}]  # search indexes passages of about twenty seconds
    assert api.person.put(path, json={"segments": later}).status_code == 200
    page = sign_in("Grace")
    result = page.get_by_role("link", name="Planning.webm")
    for _ in range(40):  # indexing happens a moment later
        page.goto(f"{api.url}/o/{api.organization_id}/search?q=engine")
        page.get_by_text("Matches all forms").or_(page.get_by_text("No results")).or_(result).first.wait_for()
        if result.count():
            break
    result.click()
    expect(page.locator("[data-transcript] button[aria-current]")).to_contain_text("The engine runs.")


def test_a_reader_sees_recordings_and_cannot_change_them(api: Api, sign_in: SignIn) -> None:
    space_id = api.new_space("private")
    films = video_room(api, space_id)
    record(api, films, film(), name="Planning.webm")
    page = sign_in("Grace")
    person_id = page.evaluate("fetch('/v1/me/profile').then((answer) => answer.json())")["person_id"]
    role = {"content": {"role": "reader"}}
    assert api.person.put(f"/v1/spaces/{space_id}/members/{person_id}", json=role).status_code == 200
    visit(page, room_url(api, films))
    page.get_by_role("link", name="Planning.webm").wait_for()
    expect(page.get_by_role("button", name="Upload")).to_have_count(0)
    page.get_by_role("link", name="Planning.webm").click()
    page.get_by_role("button", name="More actions").click()
    expect(page.get_by_role("menuitem", name="Download")).to_be_visible()
    for name in ("Rename", "Delete", "Upload transcript (WebVTT)", "Transcribe"):
        expect(page.get_by_role("menuitem", name=name)).to_have_count(0)

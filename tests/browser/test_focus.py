"""Where the focus is after a dialog, a menu, a panel or a viewer is closed: where it was, or in the room's composer."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SignIn, at_end, room_url, visit
from tests.browser.focus_walk import Walk
from tests.conftest import Api, RunningServer, new_organization
from tests.recordings.media import PICTURE
from tests.sessions.accounts import by_scim


@pytest.mark.contract("Web application 44")
def test_everything_that_opens_in_a_room_gives_the_focus_back(api: Api, sign_in: SignIn) -> None:
    path = f"/v2/rooms/{api.room_id}/attachments"
    picture = api.person.post(path, content=PICTURE, params={"name": "plan.png"}).json()["attachment_id"]
    api.send("the plan", attachments=[picture])
    page = sign_in()
    walk = Walk(page)
    at_end(page)
    composer, message = page.get_by_label("Message #general"), page.get_by_role("article").filter(has_text="the plan")
    walk.returns(composer, "Control+k")
    page.keyboard.type("hello")
    expect(composer).to_have_value("hello")
    walk.returns(message, "?")
    walk.returns(message, "Delete")
    walk.returns(message, ":")
    for name in ("View plan.png", "Delete", "React", "Insert emoji", "Jump to a date", "Ada"):
        walk.returns(page.get_by_role("main").get_by_role("button", name=name, exact=True).first)
    for place in (
        page.get_by_role("banner"),
        page.get_by_role("navigation"),
        page.get_by_role("main").locator("header"),
    ):
        for each in place.all():
            walk.everything_in(each)
    reply, panel = (
        message.get_by_role("button", name="Reply in thread"),
        page.get_by_role("region", name=re.compile("Thread|Details")),
    )
    message.focus()  # which shows its actions
    reply.press("Enter")
    expect(panel.get_by_label("Reply…")).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(reply).to_be_focused()
    page.goto(room_url(api, query="?panel=details"))  # opened by nothing on the page
    panel.get_by_role("button", name="Close").press("Enter")
    expect(panel).to_have_count(0)
    expect(composer).to_be_focused()
    visit(page, room_url(api))
    message.focus()
    message.get_by_role("button", name="Delete").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Delete").press("Enter")
    expect(page.get_by_text("This message was deleted")).to_be_visible()
    expect(composer).to_be_focused()  # the button is gone with the message's actions
    assert len(walk.walked) > 3, walk.walked


def test_the_focus_goes_on_when_an_organization_is_answered(
    api: Api, sign_in: SignIn, outsider: Api, server: RunningServer
) -> None:
    third = new_organization(server.settings, server.url, "Third")
    page = sign_in("Grace")
    email = page.evaluate("fetch('/v1/me/profile').then((answer) => answer.json())")["email"]
    api.sql("update people set mailbox_proven_at = now() where email = $1", email)
    for each in (outsider, third):
        by_scim(each, Path(), email)
    third.close()
    visit(page, f"{api.url}/o/{api.organization_id}/settings")
    page.get_by_role("button", name="Decline Third").press("Enter")
    expect(page.get_by_role("button", name=re.compile("^Decline"))).to_have_count(1)
    expect(page.get_by_role("button", name="Decline Others")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("You joined Others")).to_be_visible()
    expect(page.locator("#content")).to_be_focused()


@pytest.mark.contract("Web application 44")
def test_a_comment_is_begun_with_its_field_in_focus(api: Api, sign_in: SignIn) -> None:
    posts = api.new_room(name="news", room_type="post")["room_id"]
    assert api.person.post(f"/v2/rooms/{posts}/messages", json={"text": "# News\n\nAll is well"}).status_code == 201
    page = sign_in(at=room_url(api, posts))
    comment = page.get_by_role("button", name="Comment", exact=True)
    comment.press("Enter")
    field = page.get_by_label("Add a comment…")
    expect(field).to_be_focused()
    page.keyboard.type("er:")  # shortcuts on the post
    expect(field).to_have_value("er:")
    comment.press("Enter")
    expect(field).to_have_count(0)
    page.get_by_role("article").focus()
    page.keyboard.press("r")
    expect(field).to_be_focused()
    page.get_by_role("article").focus()
    page.keyboard.press("r")  # the comments are open
    expect(field).to_be_focused()

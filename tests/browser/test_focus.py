"""Where the focus is after a dialog, a menu, a panel or a viewer is closed: where it was, or in the room's composer."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.administration_data import populate_administration
from tests.browser.conftest import SignIn, at_end, at_rest, loaded, room_url, visit
from tests.conftest import Api, RunningServer, new_organization
from tests.recordings.media import PICTURE, film, record, video_room
from tests.sessions.accounts import by_scim

# The names of buttons and menu items that open a dialog, a popover or a menu.
OPENS = re.compile(
    r"^(Actions for|Add |Archived rooms|Change role|Create (?!directory)|Delete|Edit|Invite|Jump to a date|New |People$|Record$|Rename"
    r"|Replay|Revoke|Roles|Rotate|Usage|View |Where )"
)
SHOWN = "[role=dialog], [role=menu]"


class Walk:
    """Opens everything on pages with the keyboard, and closes it with Escape."""

    def __init__(self, page: Page) -> None:
        self.page, self.shown = page, page.locator(SHOWN)
        self.walked: list[str] = []

    def returns(self, opener: Locator, keys: str = "Enter") -> None:
        """Open something with the keys and close it; the opener has the focus again."""
        opener.focus()
        self.page.keyboard.press(keys)
        expect(self.shown).not_to_have_count(0)
        self.leaves_to(opener)

    def leaves_to(self, opener: Locator) -> None:
        """Close what is open; the opener has the focus again."""
        at_rest(self.page)
        expect(self.shown.locator(":focus").or_(self.page.locator(f":is({SHOWN}):focus")).first).to_be_attached()
        self.page.keyboard.press("Escape")
        expect(self.shown).to_have_count(0)
        expect(opener).to_be_focused()

    def everything_in(self, place: Locator) -> None:
        """Open and close everything that a part of the page offers."""
        for opener in place.get_by_role("button", name=OPENS).all():
            if not opener.is_enabled() or not opener.is_visible():
                continue
            self.returns(opener)
            self.walked.append(opener.get_attribute("aria-label") or opener.inner_text())
            if opener.get_attribute("aria-haspopup") == "menu":
                self.every_item_of(opener)

    def every_item_of(self, opener: Locator) -> None:
        """Open and close what the items of a menu open."""
        opener.press("Enter")
        items = self.page.get_by_role("menuitem", name=OPENS)
        self.page.get_by_role("menuitem").first.wait_for()
        at_rest(self.page)
        names = [each for each in items.all_inner_texts() if each != "View audit log"]  # a page
        self.leaves_to(opener)
        for name in names:
            opener.press("Enter")
            item = self.page.get_by_role("menuitem", name=name, exact=True)
            item.wait_for()
            at_rest(self.page)
            item.press("Enter")
            expect(self.page.get_by_role("dialog"), name).to_have_count(1)
            self.leaves_to(opener)
            self.walked.append(name)


def test_every_dialog_of_the_administration_gives_the_focus_back(api: Api, sign_in: SignIn) -> None:
    populate_administration(api)
    hook = api.person.get(f"{api.organization}/webhooks").json()["webhooks"][0]["id"]
    api.person.post("/v1/me/keys", json={"content": {"name": "laptop"}})
    page = sign_in()
    walk = Walk(page)
    home = f"{api.url}/o/{api.organization_id}"
    pages = (
        "people",
        "spaces",
        f"spaces/{api.space_id}",
        "integrations",
        "directory",
        "mail",
        "webhooks",
        f"webhooks/{hook}",
    )
    for address in (*(f"{home}/administration/{each}" for each in pages), f"{home}/settings"):
        visit(page, address)
        loaded(page)
        walk.everything_in(page.get_by_role("main"))
    assert len(walk.walked) > 20, walk.walked


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
    page.goto(room_url(api))
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


def test_dialogs_of_other_rooms_give_the_focus_back(api: Api, sign_in: SignIn) -> None:
    films, posts = video_room(api), api.new_room(name="news", room_type="post")["room_id"]
    record(api, films, film(), name="Planning.webm")
    api.person.post(f"/v2/rooms/{films}/incoming-webhooks", json={"name": "Grafana"})
    assert api.person.post(f"/v2/rooms/{posts}/messages", json={"text": "# News\n\nAll is well"}).status_code == 201
    page = sign_in()
    walk = Walk(page)
    for address in (room_url(api, films), room_url(api, films, "?view=incoming")):
        visit(page, address)
        loaded(page)
        walk.everything_in(page.get_by_role("main"))
    visit(page, room_url(api, posts))
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
    assert len(walk.walked) > 3, walk.walked

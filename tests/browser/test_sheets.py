"""Sheets and swipes on a phone: what a long press, a tap on "⋯" and a moving finger do."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.conftest import SignIn, at_end, at_rest, room_url
from tests.browser.finger import Finger
from tests.browser.sheets import PHONE, message, sheet_of
from tests.conftest import Api


def reactions(api: Api) -> list[Any]:
    return [each["reactions"] for each in api.person.get(api.messages).json()["messages"]]


def test_a_long_press_opens_the_actions_of_a_message(api: Api, sign_in: SignIn) -> None:
    api.send("Shall we start?")
    page = sign_in(**PHONE)
    at_end(page)
    finger, sheet = Finger(page), sheet_of(page)
    finger.rest_on(page.get_by_text("Shall we start?"), until=sheet)
    at_rest(page)
    labels = ["Reply in thread", "Copy text", "Copy link", "Edit", "Delete"]
    expect(sheet.get_by_role("listitem")).to_have_text(labels)
    assert not violations(page)
    sheet.get_by_role("button", name="React with 🎉").tap()
    expect(sheet).to_have_count(0)
    expect(message(page, "Shall we start?").get_by_role("button", pressed=True)).to_contain_text("🎉")
    finger.rest_on(page.get_by_text("Shall we start?"), until=sheet)
    expect(sheet.get_by_role("button", name="React with").first).to_have_text("🎉")  # the last one comes first
    sheet.get_by_role("button", name="Delete").tap()
    question = page.get_by_role("dialog", name="Delete this message?")
    question.get_by_role("button", name="Cancel").tap()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert [each[0]["emoji"] for each in reactions(api)] == ["🎉"]


def test_the_button_of_a_tapped_message_opens_the_same_sheet(api: Api, sign_in: SignIn) -> None:
    api.integration.post(api.messages, json={"text": "Shall we start?"})
    page = sign_in("Grace", **PHONE)
    at_end(page)
    page.get_by_text("Shall we start?").tap()
    page.get_by_role("button", name="More actions").tap()
    labels = ["Reply in thread", "Copy text", "Copy link", "Mark as unread"]
    expect(sheet_of(page).get_by_role("listitem")).to_have_text(labels)
    page.keyboard.press("Escape")
    expect(sheet_of(page)).to_have_count(0)
    Finger(page).rest_on(page.get_by_text("Shall we start?"), until=sheet_of(page))
    sheet_of(page).get_by_role("button", name="Reply in thread").tap()
    expect(page.get_by_role("region", name="Thread")).to_be_visible()


def test_a_message_is_edited_from_its_sheet(api: Api, sign_in: SignIn) -> None:
    api.send("Shall we start?")
    page = sign_in(**PHONE)
    at_end(page)
    Finger(page).rest_on(page.get_by_text("Shall we start?"), until=sheet_of(page))
    sheet_of(page).get_by_role("button", name="Edit").tap()
    field = page.get_by_label("Edit message")
    expect(field).to_be_focused()
    field.press("End")
    field.press("Enter")  # starts a line, as there is no Shift
    field.press_sequentially("Now?")
    page.get_by_role("button", name="Save").tap()
    expect(field).to_have_count(0)
    expect(message(page, "Now?")).to_be_visible()
    assert api.person.get(api.messages).json()["messages"][0]["text"] == "Shall we start?\nNow?"


def test_emoji_are_picked_from_a_sheet(api: Api, sign_in: SignIn) -> None:
    api.send("Shall we start?")
    page = sign_in(**PHONE)
    at_end(page)
    Finger(page).rest_on(page.get_by_text("Shall we start?"), until=sheet_of(page))
    sheet_of(page).get_by_role("button", name="More emoji").tap()
    picker = page.get_by_role("dialog", name="Emoji")
    expect(picker.get_by_label("Search emoji")).not_to_be_focused()  # no keyboard yet
    at_rest(page)
    assert not violations(page)
    picker.get_by_label("Search emoji").fill("tada")
    picker.get_by_role("button", name="tada").tap()
    expect(message(page, "Shall we start?").get_by_role("button", pressed=True)).to_contain_text("🎉")
    page.get_by_label("Message #general").tap()
    page.get_by_role("button", name="Insert emoji").tap()
    picker.get_by_role("button", name="thumbsup").or_(picker.get_by_role("button", name="+1")).first.tap()
    expect(page.get_by_label("Message #general")).to_have_value("👍")
    expect(page.get_by_label("Message #general")).to_be_focused()


def test_a_long_press_on_a_reaction_shows_who_reacted(api: Api, sign_in: SignIn) -> None:
    sent = api.send("Shall we start?")["message_id"]
    api.integration.put(f"{api.messages}/{sent}/reactions/👍")
    page = sign_in("Grace", **PHONE)
    at_end(page)
    who = page.get_by_role("dialog", name="Reactions")
    Finger(page).rest_on(page.get_by_role("button", pressed=False).filter(has_text="👍"), until=who)
    expect(who.get_by_role("listitem")).to_have_count(1)
    at_rest(page)
    assert not violations(page)
    assert [len(each[0]["user_ids"]) for each in reactions(api)] == [1]


def test_swipes_lead_back_and_close(api: Api, sign_in: SignIn) -> None:
    root = api.send("Shall we start?")["message_id"]
    api.send("Yes", parent_id=root)
    page = sign_in(at=room_url(api, query=f"?thread={root}"), **PHONE)
    thread, rooms = page.get_by_role("region", name="Thread"), page.get_by_role("dialog", name="Rooms")
    thread.get_by_text("Yes").wait_for()
    finger = Finger(page)
    finger.swipe((120, 300), (40, 0))  # too short
    expect(thread).to_be_visible()
    finger.swipe((120, 300), (60, 200))  # downward
    expect(thread).to_be_visible()
    finger.swipe((60, 300), (240, 10))
    expect(thread).to_have_count(0)
    finger.swipe((60, 300), (240, 10))
    expect(rooms).to_be_visible()
    at_rest(page)
    finger.swipe((250, 300), (-200, 10))
    expect(rooms).to_have_count(0)
    finger.rest_on(page.get_by_text("Shall we start?"), until=sheet_of(page))
    at_rest(page)
    box = sheet_of(page).bounding_box()
    assert box
    finger.swipe((200, box["y"] + 30), (0, 160))
    expect(sheet_of(page)).to_have_count(0)


def test_the_list_of_rooms_is_a_drawer_that_keeps_the_focus(api: Api, sign_in: SignIn) -> None:
    page = sign_in(**PHONE)
    opener = page.get_by_role("button", name="Open room list")
    opener.tap()
    rooms = page.get_by_role("dialog", name="Rooms")
    expect(rooms).to_be_visible()
    for _ in range(20):
        page.keyboard.press("Tab")
        assert rooms.evaluate("drawer => drawer.contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(rooms).to_have_count(0)
    expect(opener).to_be_focused()

"""Texts that a browser cannot render as Markdown, or not quickly: the room still opens and shows them as typed."""

import json

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import SignIn, room_url, visit
from tests.conftest import Api

DEEP = [">" * 3000 + " quoted", "*_" * 19_000 + " stressed", "- " * 3000 + "listed", "*a_ " * 9000 + "opened"]


@pytest.mark.contract("Messages and blocks 20")
def test_texts_that_nest_too_deeply_are_shown_as_typed(api: Api, sign_in: SignIn) -> None:
    page = sign_in()
    for text in DEEP:
        room_id = api.new_room()["room_id"]
        for each in (text, "**behind** it"):
            assert api.person.post(f"/v2/rooms/{room_id}/messages", json={"text": each}).status_code == 201
        visit(page, room_url(api, room_id))
        expect(page.locator("article strong", has_text="behind")).to_be_visible()
        shown = page.locator("article p", has_text=text.rpartition(" ")[2].removeprefix("-"))
        assert shown.text_content() == text


def test_hundreds_of_emphases_inside_one_another_are_shown(api: Api, sign_in: SignIn) -> None:
    api.send("*a " * 480 + "stressed" + " a*" * 480)
    page = sign_in(at=room_url(api))
    expect(page.locator("article em em em", has_text="stressed").last).to_be_visible()


@pytest.mark.contract("Messages and blocks 20")
def test_a_message_that_fails_to_render_shows_its_text_and_does_not_affect_others(api: Api, sign_in: SignIn) -> None:
    broken = api.send("**broken** one")["message_id"]
    api.send("**whole** one")

    def break_it(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        for message in body["messages"]:
            if message["message_id"] == broken:
                message["attachments"] = 7
        route.fulfill(response=answer, body=json.dumps(body))

    page = sign_in()
    page.route(f"**/v2/rooms/{api.room_id}/messages?*", break_it)
    page.route(
        f"**/v2/rooms/{api.room_id}/messages", lambda route: break_it(route) if route.request.method == "GET" else None
    )
    page.goto(room_url(api))
    expect(page.locator("article strong", has_text="whole")).to_be_visible()
    expect(page.get_by_text("**broken** one", exact=True)).to_be_visible()

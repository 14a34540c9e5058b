"""A link to a message leads to it, from every place that has one.

What is loaded around a message in a room of few messages fits in the window; then older and newer messages are loaded.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SignIn, room_url, visit
from tests.browser.links import Links, lead_to_first_message, person_of, seed
from tests.conftest import Api


@pytest.mark.contract("Web application 45")
def test_every_link_to_a_message_leads_to_it(api: Api, sign_in: SignIn) -> None:
    lead_to_first_message(api, sign_in, 50)


@pytest.mark.contract("Web application 45")
def test_a_link_to_a_reply_leads_to_it_and_to_its_thread(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    room, root, text = seed(api, 50, person_of(page))
    send = f"/v2/rooms/{room}/messages"
    replies = [
        api.person.post(send, json={"text": f"reply {nr:02}\n\nmore", "parent_id": root}).json() for nr in range(40)
    ]
    links = Links(page)
    panel = page.get_by_role("region", name="Thread")
    for nr in (3, 20):  # in the thread that is open by then
        query = f"?message={replies[nr]['message_id']}&thread={root}"
        links.lead_to(f"reply {nr:02}", lambda: visit(page, room_url(api, room, query)))  # noqa: B023
        links.lead_to(text, lambda: None)
        panel.locator("[data-messages]").hover()
        page.mouse.wheel(0, 2500)
        expect(panel.locator("[data-marked]")).not_to_be_in_viewport()
        links.lead_to(f"reply {nr:02}", lambda: visit(page, room_url(api, room, query)))  # noqa: B023  # the address stays the same
    visit(page, f"{api.url}/o/{api.organization_id}/threads?room={room}&thread={root}")
    links.lead_to(text, panel.get_by_role("link", name="of-50-chat").click)


@pytest.mark.contract("Web application 45")
def test_a_link_to_a_post_leads_to_it(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    seeded = [seed(api, size, person_of(page), "post") for size in (5, 50)]
    links = Links(page)
    for room, message, text in seeded:
        links.lead_to(text, lambda: page.goto(room_url(api, room, f"?message={message}")))  # noqa: B023
        newest = page.get_by_role("article").first
        page.locator("[data-messages]").hover()
        page.mouse.wheel(0, -100_000)
        expect(newest).to_contain_text(f"message {5 if '5post' in text else 50}")  # the newer ones follow

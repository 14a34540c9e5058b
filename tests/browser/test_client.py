"""The application in a real browser against a real server."""

import re
from datetime import datetime
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PASSWORD, SignIn, at_end, room_url, visit
from tests.browser.writing import HOSTILE, act, write
from tests.conftest import Api
from tests.wait_until import wait_until


def message(page: Page, text: str) -> "object":
    return page.locator("article", has_text=text)


@pytest.mark.contract("Web application 1")
def test_the_link_signs_in_and_no_token_stays_in_the_address(api: Api, sign_in: SignIn) -> None:
    page = sign_in()
    assert "token" not in page.url
    expect(page.get_by_role("button", name=re.compile("Ada ?: account menu"))).to_be_visible()


@pytest.mark.contract("Web application 1")
def test_signing_out_ends_the_session_and_signing_in_again_returns_to_the_same_page(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    own = {"data": {"content": {"password": PASSWORD}}, "headers": {"origin": api.url}}
    assert page.request.put(f"{api.url}/v1/me/password", **own).status == 200
    page.get_by_role("button", name=re.compile("Grace ?: account menu")).click()
    page.get_by_role("menuitem", name="Sign out").click()
    page.wait_for_url("**/sign-in**")
    page.goto(room_url(api))
    page.wait_for_url("**/sign-in?return_to=*")
    page.get_by_label("Email address").fill(f"member.{api.organization_id}@example.org")
    page.get_by_label("Password", exact=True).fill("wrong but long enough")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("Incorrect email address or password.")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(room_url(api))


@pytest.mark.contract("Web application 10")
def test_changes_appear_immediately_in_another_browser(api: Api, sign_in: SignIn) -> None:
    ada, grace = sign_in(), sign_in("Grace")
    write(ada, "The engine **runs**")
    expect(grace.locator("article strong")).to_have_text("runs")
    act(grace, "The engine", "React")
    grace.get_by_role("button", name="tada").click()
    expect(ada.locator("article").get_by_role("button", name="1 ")).to_be_visible()
    act(grace, "The engine", "Reply in thread")
    write(grace, "Since when?", "Reply…")
    expect(ada.get_by_role("button", name="1 reply")).to_be_visible()
    ada.get_by_role("button", name="1 reply").click()
    expect(ada.get_by_role("region", name="Thread").get_by_text("Since when?")).to_be_visible()
    act(ada, "The engine", "Edit")
    ada.get_by_label("Edit message").fill("The engine stands")
    ada.get_by_label("Edit message").press("Enter")
    expect(grace.locator("article", has_text="The engine stands").first).to_contain_text("(edited)")
    act(ada, "The engine stands", "Delete")
    ada.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(grace.get_by_text("This message was deleted.").first).to_be_visible()
    assert "engine" not in grace.locator("[data-messages]").first.inner_text()


@pytest.mark.contract("Web application 11")
def test_messages_sent_during_a_minute_offline_appear_once_and_in_order(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    api.send("before")
    expect(page.locator("article", has_text="before")).to_be_visible()
    page.clock.install()
    page.context.set_offline(True)
    for number in range(100):  # within a minute of the page's clock
        api.send(f"number {number:03}")
        page.clock.run_for(600)
    expect(page.get_by_text("Reconnecting")).to_be_visible(timeout=60_000)
    page.context.set_offline(False)
    expect(page.locator("article", has_text="number 099")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Reconnecting")).to_have_count(0, timeout=60_000)
    read = walk_back(page)
    assert [text for text in read if "number" in text] == [f"number {number:03}" for number in range(100)]


@pytest.mark.contract("Web application 12")
def test_a_message_that_cannot_be_sent_is_retried_and_arrives_once(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    page.route(
        "**/v2/rooms/*/messages", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    write(page, "over a bad line")
    expect(page.get_by_text("Sending…")).to_be_visible()
    page.unroute("**/v2/rooms/*/messages")
    expect(page.locator("article", has_text="over a bad line")).to_be_visible(timeout=30_000)
    sent = api.person.get(api.messages).json()["messages"]
    assert [each["text"] for each in sent].count("over a bad line") == 1


def fail_to_send(page: Page, text: str) -> Locator:
    """Send a message without a network; return the alert once the page gives up. The page's time runs fast."""
    page.context.set_offline(True)
    write(page, text)
    expect(page.get_by_text("Sending…")).to_be_visible()
    failed = page.get_by_role("alert").filter(has_text="Couldn't send: Can't reach the server")
    for _ in range(20):
        page.clock.run_for(8_000)
        if failed.count():
            break
    expect(failed).to_be_visible()
    page.context.set_offline(False)
    return failed


@pytest.mark.contract("Web application 13")
def test_a_message_that_failed_offline_shows_its_failure_and_can_be_resent(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    page.clock.install()
    page.reload()
    page.get_by_label("Message #general").wait_for()
    fail_to_send(page, "over no line").get_by_role("button", name="Try again").click()
    expect(page.locator("article", has_text="over no line")).to_be_visible()
    failed = fail_to_send(page, "never mind")
    failed.get_by_role("button", name="Discard").click()
    expect(page.get_by_text("never mind")).to_have_count(0)
    assert [each["text"] for each in api.person.get(api.messages).json()["messages"]] == ["over no line"]


@pytest.mark.contract("Web application 14")
def test_a_long_room_scrolls_back_to_its_start_without_a_jump(api: Api, sign_in: SignIn) -> None:
    texts = [f"message {number:03}\n\n{'words ' * (number % 40)}" for number in range(220)]
    for text in texts:
        api.send(text)
    page = sign_in("Grace")
    read = walk_back(page)
    assert [text.split("\n")[0] for text in read] == [text.split("\n")[0] for text in texts]


WALK = """async () => {
  const list = document.querySelector("[data-messages]");
  const seen = new Map(), jumps = [];
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const note = () => { for (const each of list.querySelectorAll("article[id]")) {
    const said = each.querySelector("p, i"); if (said) seen.set(each.id, said.innerText); } };
  for (let still = 0; still < 25; ) {
    note();
    const top = list.getBoundingClientRect().top;
    const mark = [...list.querySelectorAll("article[id]")].find((each) => each.getBoundingClientRect().top > top + 40);
    const was = mark?.getBoundingClientRect().top, at = list.scrollTop;
    list.scrollTop = at - 250;
    await frame();
    const now = mark?.isConnected ? mark.getBoundingClientRect().top : null;
    if (now !== null && at > 500 && Math.abs(now - was - 250) > 12) jumps.push(now - was);
    still = list.scrollTop < 2 ? still + 1 : 0;
    if (still) await new Promise((done) => setTimeout(done, 60));
  }
  note();
  return { texts: [...seen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text), jumps };
}"""


def walk_back(page: Page) -> list[str]:
    """Scroll to the start of the room; return the texts seen, oldest first. Nothing may jump."""
    at_end(page)
    found = page.evaluate(WALK)
    assert not found["jumps"]
    return list(found["texts"])


@pytest.mark.contract("Web application 15")
def test_a_link_to_a_message_opens_the_room_there_and_more_loads_from_it(api: Api, sign_in: SignIn) -> None:
    sent = [api.send(f"line {number:03}") for number in range(120)]
    page = sign_in("Grace", at=room_url(api, query=f"?message={sent[20]['message_id']}"))
    expect(page.locator("article[data-marked]")).to_contain_text("line 020")
    expect(page.locator("article[data-marked]")).to_be_in_viewport()
    page.get_by_role("button", name="Jump to latest").click()
    expect(page.locator("article", has_text="line 119")).to_be_in_viewport()


def test_a_thread_opens_from_its_address(api: Api, sign_in: SignIn) -> None:
    root = api.send("what is asked")
    api.send("what is answered", parent_id=root["message_id"])
    page = sign_in("Grace", at=room_url(api, query=f"?thread={root['message_id']}"))
    thread = page.get_by_role("region", name="Thread")
    expect(thread.get_by_text("what is asked")).to_be_visible()
    expect(thread.get_by_text("what is answered")).to_be_visible()


@pytest.mark.contract("Web application 17")
def test_a_draft_survives_a_reload_and_a_mention_is_chosen_by_name(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace Hopper")
    page.get_by_label("Message #general").press_sequentially("ask @Gra")
    page.get_by_role("option", name="Grace Hopper").wait_for()
    page.keyboard.press("Enter")
    page.reload()
    expect(page.get_by_label("Message #general")).to_have_value("ask @Grace Hopper ")
    page.get_by_label("Message #general").press("Enter")
    expect(page.locator("article [data-own]")).to_have_text("@Grace Hopper")
    person_id = api.person.get(api.messages).json()["messages"][0]["user_id"]
    assert api.person.get(api.messages).json()["messages"][0]["mentions"] == [person_id]


@pytest.mark.contract("Web application 23")
def test_unread_messages_are_counted_and_reading_them_clears_the_count(api: Api, sign_in: SignIn) -> None:
    other = api.new_room(name="plans")
    page = sign_in("Grace")
    api.person.post(f"/v2/rooms/{other['room_id']}/messages", json={"text": "one"})
    api.person.post(f"/v2/rooms/{other['room_id']}/messages", json={"text": "two"})
    link = page.get_by_role("link", name="plans")
    expect(link).to_contain_text("2 unread messages")
    link.click()
    expect(page.get_by_text("two")).to_be_visible()
    expect(link).not_to_contain_text("unread")


@pytest.mark.contract("Web application 24")
def test_hostile_names_and_texts_are_shown_as_text(api: Api, sign_in: SignIn) -> None:
    room = api.new_room(name=HOSTILE, description=HOSTILE)
    page = sign_in(HOSTILE)
    for text in (HOSTILE, "<script>window.hit=1</script>", "[x](javascript:window.hit=1)", f"```\n{HOSTILE}\n```"):
        api.person.post(f"/v2/rooms/{room['room_id']}/messages", json={"text": text})
    visit(page, room_url(api, room["room_id"]))
    write(page, HOSTILE, f"Message #{HOSTILE}")
    expect(page.locator("article")).to_have_count(5)
    expect(page.get_by_role("heading", name=HOSTILE, exact=True).first).to_be_visible()
    assert page.evaluate("window.hit") is None
    assert page.locator("[data-messages] img, [data-messages] script").count() == 0


@pytest.mark.contract("Web application 33")
def test_a_personal_key_works_and_is_shown_once(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace", at=f"{api.url}/o/{api.organization_id}/settings")
    page.get_by_role("button", name="Create key").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Laptop")
    page.get_by_role("dialog").get_by_role("button", name="Create key").click()
    key = page.locator("code", has_text="atrp_").first.inner_text()
    answer = httpx.get(f"{api.url}/v1/me/profile", headers={"authorization": f"Bearer {key}"}, timeout=60)
    assert answer.json()["name"] == "Grace"
    page.reload()
    expect(page.get_by_text("Laptop")).to_be_visible()
    assert key not in page.content()


def usage_is_counted(api: Api, page: Page, name: str, requests: int) -> dict[str, Any]:
    """Wait until the server has written the requests of the person's key, every few seconds; return the key."""
    own = f"{api.url}/v1/me/integrations"
    [key] = [each for each in page.request.get(own).json()["integrations"] if each["name"] == name]
    usage = f"{own}/{key['api_key_id']}/usage"
    wait_until(
        lambda: sum(each["requests"] for each in page.request.get(usage).json()["usage"]) == requests,
        "the usage of the key is counted",
    )
    return dict(key)


@pytest.mark.contract("Web application 2")
def test_a_personal_key_is_limited_and_its_limits_are_narrowed(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace", at=f"{api.url}/o/{api.organization_id}/settings")
    page.get_by_role("button", name="Create key").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Search index")
    dialog.get_by_label("Access").select_option(label="Only what you choose")
    expect(dialog.get_by_role("button", name="Create key")).to_be_disabled()
    for scope in ("messages:read", "search"):
        dialog.get_by_role("checkbox", name=scope).check()
    dialog.get_by_label("Allowed networks").fill("localhost")
    dialog.get_by_role("button", name="Create key").click()
    expect(dialog.get_by_role("alert")).to_contain_text("is not a network in CIDR notation")
    dialog.get_by_label("Allowed networks").fill("127.0.0.0/8, ::1")
    dialog.get_by_role("button", name="Create key").click()
    client = api.client(page.locator("code", has_text="atrp_").first.inner_text())
    assert client.get(api.messages).status_code == 200
    assert client.post(api.messages, json={"text": "no"}).json()["code"] == "insufficient_scope"
    key = page.get_by_role("listitem").filter(has_text="Search index")
    expect(key).to_contain_text("Only messages:read, search · Only from 127.0.0.0/8, ::1/128")
    made_at = datetime.fromisoformat(usage_is_counted(api, page, "Search index", requests=2)["created_at"])
    key.get_by_role("button", name="Actions for Search index").click()
    page.get_by_role("menuitem", name="View usage").click()
    expect(dialog).to_contain_text(f"2 requests, 1 forbidden since {made_at:%b %-d}.")
    expect(dialog.get_by_role("row").filter(has_text="POST")).to_contain_text("messages:write")
    page.keyboard.press("Escape")
    key.get_by_role("button", name="Actions for Search index").click()
    page.get_by_role("menuitem", name="Edit").click()
    expect(dialog.get_by_role("checkbox")).to_have_count(2)
    dialog.get_by_role("checkbox", name="messages:read").uncheck()
    dialog.get_by_role("button", name="Save").click()
    expect(key).to_contain_text("Only search ·")
    assert client.get(api.messages).json()["code"] == "insufficient_scope"


@pytest.mark.contract("Web application 34")
def test_the_open_page_of_a_deactivated_person_signs_out(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    members = api.person.get(f"{api.organization}/members").json()["members"]
    grace = next(each for each in members if each["name"] == "Grace")
    changed = api.person.patch(f"{api.organization}/members/{grace['person_id']}", json={"content": {"active": False}})
    assert changed.status_code == 200
    page.wait_for_url("**/sign-in**", timeout=30_000)


def test_rooms_can_be_opened_with_the_keyboard_alone(api: Api, sign_in: SignIn) -> None:
    api.new_room(name="plans for spring")
    page = sign_in("Grace")
    page.keyboard.press("Control+k")
    expect(page.get_by_placeholder("Go to a room")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_placeholder("Go to a room")).to_have_count(0)
    page.keyboard.press("Control+k")
    expect(page.get_by_placeholder("Go to a room")).to_be_focused()
    page.keyboard.type("spr")
    page.get_by_role("option", name="plans for spring").wait_for()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="plans for spring").first).to_be_visible()

"""Changes while the application opens: its live stream starts after it has read its first data."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.conftest import SignIn, room_url
from tests.browser.writing import NEWEST, STREAM
from tests.conftest import Api
from tests.wait_until import wait_until

CODE = "**/assets/index-*.js"


def open_with_delayed_streams(page: Page, address: str, streams: int = 1) -> Iterator[Route]:
    """Open the page and hold its live streams: each waits until `next` finds it. The page's content is read."""
    delayed: list[Route] = []

    def hold(route: Route) -> None:
        delayed.append(route)

    page.route(STREAM, hold, times=streams)
    with page.expect_response(NEWEST):
        page.goto(address)
    page.get_by_label("Message #general").wait_for()
    expect(page.get_by_role("log", name="Messages in general")).to_be_visible()

    def delayed_routes() -> Iterator[Route]:
        for _ in range(streams):
            wait_until(lambda: _let_requests_through(page) and delayed, "the stream is asked for")
            yield delayed.pop()

    return delayed_routes()


def open_with_delayed_code(page: Page, address: str) -> Callable[[], None]:
    """Open the page and delay the application's code. Return a function that lets it load."""
    delayed: list[Route] = []

    def delay(route: Route) -> None:
        delayed.append(route)

    page.route(CODE, delay)
    page.goto(address, wait_until="commit")

    def release() -> None:
        wait_until(lambda: _let_requests_through(page) and delayed, "the code is asked for")
        delayed.pop().continue_()

    return release


def _let_requests_through(page: Page) -> bool:
    """Let pending browser requests through, by a question to the browser that no page has to answer."""
    page.context.cookies()
    return True


def mark_list(page: Page) -> None:
    page.evaluate("document.querySelector('[data-messages]').marked = true")


def is_list_as_it_was(page: Page) -> bool:
    return bool(page.evaluate("document.querySelector('[data-messages]')?.marked === true"))


@pytest.mark.contract("Web application 16")
def test_a_change_between_the_first_load_and_the_stream_is_shown(api: Api, sign_in: SignIn) -> None:
    root = api.send("asked before")
    page = sign_in("Grace")
    streams = open_with_delayed_streams(page, room_url(api, query=f"?thread={root['message_id']}"))
    thread = page.get_by_role("region", name="Thread")
    expect(thread.get_by_text("asked before")).to_be_visible()
    api.send("sent meanwhile")
    api.send("answered meanwhile", parent_id=root["message_id"])
    api.person.patch(f"{api.messages}/{root['message_id']}", json={"text": "asked again"})
    api.new_room(name="made meanwhile")
    next(streams).continue_()
    expect(page.locator("article", has_text="sent meanwhile")).to_be_visible()
    expect(thread.get_by_text("answered meanwhile")).to_be_visible()
    expect(page.get_by_role("log", name="Messages in general").get_by_text("asked again")).to_be_visible()
    expect(page.get_by_role("link", name="made meanwhile")).to_be_visible()


@pytest.mark.contract("Web application 16")
def test_an_empty_room_does_not_change_when_its_stream_starts_or_resets(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    streams = open_with_delayed_streams(page, room_url(api), streams=2)
    mark_list(page)
    with page.expect_response(NEWEST):
        next(streams).fulfill(content_type="text/event-stream", body="id: 1\nevent: hello\ndata: {}\n\n")
    with page.expect_response(NEWEST):  # it resumes from an id that the server does not know, so it is reset
        next(streams).continue_()
    api.send("the first")
    expect(page.locator("article", has_text="the first")).to_be_visible()
    assert is_list_as_it_was(page)


@pytest.mark.contract("Web application 16")
def test_a_stream_that_is_cut_before_it_starts_misses_nothing(api: Api, sign_in: SignIn) -> None:
    page = sign_in("Grace")
    streams = open_with_delayed_streams(page, room_url(api))
    api.send("sent before the cut")
    next(streams).fulfill(content_type="text/event-stream", body="")
    expect(page.locator("article", has_text="sent before the cut")).to_be_visible()


@pytest.mark.contract("Web application 53")
def test_what_a_room_shows_is_requested_once_while_the_code_is_loading(api: Api, sign_in: SignIn) -> None:
    api.send("said before")
    page = sign_in("Grace")
    read = "/v1/me/profile"
    requested: list[str] = []

    def note(request: Request) -> None:
        if request.is_navigation_request():
            requested.clear()
        requested.append(request.url.removeprefix(api.url))

    page.on("request", note)
    page.route(
        CODE,
        lambda route: (wait_until(lambda: _let_requests_through(page) and read in requested, read), route.continue_()),
    )
    streams = open_with_delayed_streams(page, room_url(api))
    expect(page.get_by_text("said before")).to_be_visible()
    expect(page.get_by_role("link", name="general", exact=True)).to_be_visible()
    assert page.evaluate("window.early.responses.size") == 0  # all have been used
    data = [each for each in requested if re.match(r"/v\d/", each) and "/events?" not in each]
    assert sorted(data) == sorted(set(data))
    next(streams).continue_()


@pytest.mark.contract("Web application 53")
def test_a_room_is_readable_while_the_code_is_loading(api: Api, sign_in: SignIn) -> None:
    """The newest messages are shown as plain text, and replaced by the rendered room."""
    api.send(f"hello <@{api.person_id}>, **today** & <img src=x onerror=document.title='attacked'>")
    deleted = api.send("taken back")
    assert api.person.delete(f"{api.messages}/{deleted['message_id']}").status_code == 204
    page = sign_in("Grace")
    release = open_with_delayed_code(page, room_url(api))
    outline = page.locator("#outline")
    expect(outline.locator("p")).to_have_text(["Adahello @Ada, today & <img src=x onerror=document.title='attacked'>"])
    expect(outline.locator("p b")).to_have_text(["Ada"])
    expect(outline.get_by_text("general", exact=True)).to_be_visible()
    assert page.title() == "Atrium"
    assert page.locator("main").count() == 0
    release()
    expect(page.locator("article").filter(has_text="hello @Ada, today & <img")).to_be_visible()
    expect(outline).to_have_count(0)


@pytest.mark.contract("Web application 53")
@pytest.mark.parametrize("kind", ["post", "video"])
def test_a_room_without_a_chat_shows_nothing_while_the_code_is_loading(api: Api, sign_in: SignIn, kind: str) -> None:
    room = api.new_room(room_type=kind)
    sent = api.person.post(f"/v2/rooms/{room['room_id']}/messages", json={"text": "a title\n\nand more"})
    assert sent.status_code == 201
    page = sign_in("Grace")
    release = open_with_delayed_code(page, room_url(api, room["room_id"]))
    page.wait_for_function("async () => window.early && (await window.early.actors).length")
    assert page.locator("#outline p").count() == 0
    release()
    page.get_by_role("heading", name=room["name"]).wait_for()


def test_the_first_room_opens_also_when_those_of_another_space_load_first(api: Api, sign_in: SignIn) -> None:
    api.new_room(api.new_space(), name="elsewhere")
    page = sign_in()
    page.evaluate("localStorage.clear()")  # the room visited last
    delayed: list[Route] = []

    def hold_back(route: Route) -> None:
        delayed.append(route)

    page.route(f"**/v2/spaces/{api.space_id}/rooms?*", hold_back)
    page.goto(f"{api.url}/o/{api.organization_id}")
    expect(page.get_by_role("link", name="elsewhere")).to_be_visible()
    wait_until(lambda: _let_requests_through(page) and delayed, "the rooms of the first space are asked for")
    delayed.pop().continue_()
    page.get_by_label("Message #general").wait_for()

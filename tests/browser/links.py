"""Links to messages in old rooms, and whether what they lead to is in sight."""

from collections.abc import Callable
from functools import partial

from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.conftest import SignIn, at_end, room_url, visit
from tests.conftest import Api
from tests.search.harness import wait_until_indexed

DAYS = 60
# Messages that are evenly spread over the last days, oldest first. The first one has another text and mentions someone.
SEED = f"""
with times as (
    select nr, (extract(epoch from now() - interval '{DAYS} days' + (nr - 1) * interval '{DAYS - 1} days' / $3) * 1000)::bigint ms
    from generate_series(1, $3::int) nr
), sent as (
    insert into messages (room_id, message_id, user_id, sender_type, text, mentions, sent_at)
    select $1::text::uuid, id_at((ms << 12) + nr % 4096), $2::text::uuid, 'person',
           case nr when 1 then $4 else 'message ' || nr end,
           case nr when 1 then array[$5::text::uuid] else '{{}}' end, to_timestamp(ms / 1000.0)
    from times order by nr returning message_id, mentions
), mentioned as (
    insert into mentions (room_id, person_id, message_id)
    select $1::text::uuid, $5::text::uuid, message_id from sent where cardinality(mentions) > 0
), heads as (
    update room_heads set last_message_id = (select message_id from sent order by message_id desc limit 1)
    where room_id = $1::text::uuid
)
select message_id::text from sent order by message_id limit 1
"""
AGED = f"update rooms set created_at = now() - interval '{DAYS + 1} days' where room_id = $1::text::uuid"
# Return whether the marked message with the text is in sight, when nothing has moved for a while.
IN_SIGHT = """async (text) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let still = 0, was = ""; still < 20; ) {
    await frame();
    const marked = [...document.querySelectorAll("[data-messages] [data-marked]")].filter((each) => each.innerText.includes(text));
    const places = marked.map((each) => [each.getBoundingClientRect(), each.closest("[data-messages]").getBoundingClientRect()]);
    const now = JSON.stringify(places);
    still = now === was ? still + 1 : 0;
    was = now;
    if (still === 20) return places.some(([row, list]) => row.bottom > list.top && row.top < list.bottom);
  }
}"""


class Links:
    """Follows links to messages on a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._loading: set[Request] = set()
        page.on("request", lambda request: self._loading.add(request) if "/messages" in request.url else None)
        for end in ("requestfinished", "requestfailed"):
            page.on(end, lambda request: self._loading.discard(request))  # type: ignore[call-overload]  # noqa: PLW0108

    def lead_to(self, text: str, follow: Callable[[], object], role: str = "article") -> None:
        """Follow a link; what it leads to is marked and in sight, also when all around it is loaded."""
        follow()
        marked = self.page.locator(f"[data-messages] {role}[data-marked]").filter(has_text=text)
        expect(marked.first).to_be_visible()
        is_in_sight = self.page.evaluate(IN_SIGHT, text)
        while self._loading:
            self.page.wait_for_event("requestfinished", lambda request: "/messages" in request.url)
            is_in_sight = self.page.evaluate(IN_SIGHT, text)
        assert is_in_sight, text

    def switch_to(self, text: str) -> None:
        """Follow the link in the dialog that finds messages."""
        self.page.keyboard.press("Control+k")
        self.page.get_by_role("dialog").locator("input").fill(text)
        self.page.get_by_role("option").filter(has=self.page.get_by_text("Ada")).click()

    def jump_to_beginning(self) -> None:
        """Follow the link to the beginning of the room."""
        self.page.get_by_role("button", name="Jump to a date").click()
        self.page.get_by_role("button", name="Beginning of the room").click()


def seed(api: Api, size: int, grace: str, room_type: str = "chat") -> tuple[str, str, str]:
    """Make an old room; return its id, and the id and the text of its first message."""
    room = api.new_room(name=f"of-{size}-{room_type}", room_type=room_type)["room_id"]
    api.sql(AGED, room)
    text = f"zanzibar{size}{room_type}"
    [row] = api.sql(SEED, room, api.person_id, size, text, grace)
    return room, row["message_id"], text


def person_of(page: Page) -> str:
    return str(page.evaluate("fetch('/v1/me/profile').then((answer) => answer.json())")["person_id"])


def result(page: Page, text: str) -> Locator:
    return page.get_by_role("main").get_by_role("link").filter(has_text=text)


def lead_to_first_message(api: Api, sign_in: SignIn, *sizes: int) -> None:
    """Follow a link from every place that has one to the first message of a room of each size."""
    page = sign_in("Grace")
    seeded = [seed(api, size, person_of(page)) for size in sizes]
    wait_until_indexed(api)
    organization = f"{api.url}/o/{api.organization_id}"
    page.reload()  # for it the rooms are as young as when they were made
    page.get_by_label("Message #general").wait_for()  # until then it does not notice that the address changes
    links = Links(page)
    for room, message, text in seeded:
        for path in ("mentions", f"search?q={text}"):
            visit(page, f"{organization}/{path}")
            links.lead_to(text, result(page, text).click)
        visit(page, room_url(api, room))
        at_end(page)
        links.lead_to(text, links.jump_to_beginning)
        visit(page, room_url(api))
        links.lead_to(text, partial(links.switch_to, text))
        page.locator("[data-messages]").hover()
        page.mouse.wheel(0, 2500)
        links.lead_to(text, partial(links.switch_to, text))  # the address stays the same
        links.lead_to(text, partial(page.goto, room_url(api, room, f"?message={message}")))

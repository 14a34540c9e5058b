"""Pictures of every page of the application, light, dark and narrow, in `.pictures`: `make pictures`."""

import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from atrium.kit.embedded import embedded_postgres
from atrium.kit.settings import Settings
from atrium.migrations import migrate
from tests.browser.administered import PAGES, furnish_administration
from tests.browser.conftest import CHROMIUM, NARROW, QUIET, WIDE, room_url
from tests.browser.endpoint import endpoint
from tests.conftest import Api, new_organization, scratch_folder, served
from tests.recordings.media import film

OUT = Path(__file__).parents[2] / ".pictures"
LOOKS = {
    "light": {"viewport": WIDE, "color_scheme": "light"},
    "dark": {"viewport": WIDE, "color_scheme": "dark"},
    "narrow": {"viewport": NARROW, "color_scheme": "light"},
}


def main() -> None:
    """Serve an organization with something on each page, and take its pictures."""
    shutil.rmtree(OUT, ignore_errors=True)
    with scratch_folder() as folder, embedded_postgres(folder) as url:
        migrate(url)
        settings = Settings(data_dir=folder, database_url=url, port=0, workers=1, rate_limit=0)
        with served(settings) as running, sync_playwright() as playwright:
            api = new_organization(running.settings, running.url, "Analytical Engines")
            addresses = furnish(api) | administration(api) | furnish_webhooks(api)
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
            state = signed_in(api, browser)
            for look, choice in LOOKS.items():
                take_all(browser.new_context(**choice, storage_state=state).new_page(), look, addresses)
                take(browser.new_context(**choice).new_page(), look, "sign-in", f"{api.url}/sign-in")
            browser.close()
            api.close()
    sys.stdout.write(f"{len(list(OUT.glob('*.png')))} pictures in {OUT}\n")


def signed_in(api: Api, browser: Browser) -> str:
    page = browser.new_page()
    page.goto(api.sign_in_url)
    take(page, "light", "sign-in-link")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/rooms/*")
    state = str(OUT / "state.json")
    page.context.storage_state(path=state)
    return state


def take_all(page: Page, look: str, addresses: dict[str, str]) -> None:
    for name, address in addresses.items():
        take(page, look, name, address)
    page.goto(addresses["webhook-paused"])
    page.get_by_role("list", name="Deliveries").get_by_role("button").last.click()
    take(page, look, "webhook-delivery")
    page.get_by_role("button", name="Edit").click()
    take(page, look, "webhook-dialog")
    page.goto(addresses["room"])
    page.locator("article").last.wait_for()
    page.wait_for_timeout(1000)  # arriving at the end is over
    page.locator("article").last.hover()
    page.wait_for_timeout(300)
    take(page, look, "room-hover")
    page.locator("article").last.get_by_role("button", name="React").click()
    take(page, look, "emoji")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.get_by_placeholder("Go to a room").wait_for()
    page.keyboard.type("p")
    take(page, look, "switcher")
    page.keyboard.press("Escape")
    page.goto(addresses["empty"])
    page.get_by_label("Write to mill").fill("Here they are")
    page.locator("input[type=file]").set_input_files([{"name": "mill.png", "mimeType": "image/png", "buffer": still()}])
    take(page, look, "attaching")
    page.get_by_role("button", name="Remove mill.png").click()
    page.get_by_label("Write to mill").fill("")
    page.goto(addresses["incoming"])
    page.get_by_role("button", name="New incoming webhook").click()
    page.get_by_role("dialog").get_by_label("Name").fill(f"Weather {look}")
    page.get_by_role("dialog").get_by_role("button", name="New incoming webhook").click()
    page.get_by_role("alert").filter(has_text="Copy the address").wait_for()
    take(page, look, "incoming-address")
    page.goto(addresses["recordings"])
    page.get_by_role("button", name="Record", exact=True).click()
    page.get_by_role("button", name="Start recording").wait_for()
    take(page, look, "recorder")
    page.keyboard.press("Escape")
    page.goto(addresses["recording"])
    page.get_by_role("button", name="Correct what is said at 0:16").click(force=True)
    take(page, look, "correcting")
    page.goto(addresses["room"])
    if look == "narrow":
        page.get_by_role("button", name="Open the list").click()
        take(page, look, "menu")


def take(page: Page, look: str, name: str, address: str | None = None) -> None:
    if address:
        page.goto(address)
        page.wait_for_timeout(1200)
    page.wait_for_timeout(500)
    page.wait_for_function("!document.querySelector('.mantine-Loader-root')")
    page.screenshot(path=OUT / f"{name}-{look}.png")


def furnish(api: Api) -> dict[str, str]:
    """A few people who talk; the addresses of the pages by name."""
    people = {}
    for name in ("Grace Hopper", "Alan Turing", "Katherine Johnson"):
        person_id, key = api.new_person()
        api.sql("update actors set name = $2 where actor_id = $1::text::uuid", person_id, name)
        people[name.split()[0]] = (person_id, api.client(key))
    grace, alan, katherine = (people[name][1] for name in ("Grace", "Alan", "Katherine"))
    rooms = {name: api.new_room(name=name, **more)["room_id"] for name, more in ROOMS.items()}
    api.person.patch(f"/v2/rooms/{api.room_id}", json={"description": "What concerns all of us"})
    say(grace, api, "Good morning! The difference engine has been **oiled** and runs since seven.")
    say(grace, api, "Figures so far:\n\n| column | turns |\n|---|---|\n| carry | 1,204 |\n| sum | 988 |")
    root = say(alan, api, f"<@{people['Grace'][0]}> what does this print?\n\n```python\nprint(sum(range(7)))\n```")
    for text in ("21, I would say", "It does: 21", "Thanks, both!"):
        say(katherine if "It" in text else grace, api, text, parent_id=root)
    done = say(katherine, api, "- [x] orbit checked twice\n- [ ] landing\n\n> Get the girl to check the numbers.")
    for who, emoji in ((grace, "🎉"), (alan, "🎉"), (api.person, "🎉"), (alan, "👀")):
        who.put(f"{api.messages}/{done}/reactions/{emoji}")
    say(api.integration, api, "Deployed `v1.2` to the mill in 48 s. [Log](https://example.org/log)")
    say(api.person, api, "Wonderful. I wrote the plan onto this room's page.")
    for kind, content in BLOCKS:
        api.person.post(f"/v2/rooms/{api.room_id}/blocks", json={"type": kind, "content": content})
    for text in POSTS:
        alan.post(f"/v2/rooms/{rooms['announcements']}/messages", json={"text": text})
    grace.post(f"/v2/rooms/{rooms['punch-cards']}/messages", json={"text": f"<@{api.person_id}> have a look"})
    say(alan, api, "The drawings, and a table of figures", attachments=attached(alan, api))
    lectures = rooms["lectures"]
    recordings = [record(alan, lectures, name, seconds) for name, seconds in FILMS.items()]
    put = alan.put(f"/v2/recordings/{recordings[0]}/transcript", json={"segments": TALK})
    assert put.status_code == 200, put.text
    home = f"{api.url}/o/{api.organization_id}"
    return {
        "incoming": incoming(api), "recordings": room_url(api, lectures),
        "recording": room_url(api, lectures, f"?recording={recordings[0]}&at=11"),
        "recording-untold": room_url(api, lectures, f"?recording={recordings[1]}"),
        "room": room_url(api), "thread": room_url(api, query=f"?thread={root}"), "page": room_url(api, query="?view=page"),
        "posts": room_url(api, rooms["announcements"]), "empty": room_url(api, rooms["mill"]),
        "search": f"{home}/search?q=engine", "settings": f"{home}/settings", "nothing": f"{home}/rooms/{api.space_id}",
    }  # fmt: skip


def incoming(api: Api) -> str:
    """Where the room's incoming webhooks are shown, of which one was used."""
    path = f"/v2/rooms/{api.room_id}/incoming-webhooks"
    urls = [api.person.post(path, json={"name": name}).json()["url"] for name in ("Grafana", "Nightly builds")]
    assert httpx.post(urls[0], json={"text": "*Disk full* on `mill-3`: 97 %"}, timeout=60).text == "ok"
    return room_url(api, query="?view=incoming")


def furnish_webhooks(api: Api) -> dict[str, str]:
    """A healthy webhook, one that fails and one that was paused."""
    subscription = {
        "subject_type": "WEBHOOK_SUBJECT_TYPE_SPACE", "subject_id": api.space_id,
        "subscription_type": "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT",
    }  # fmt: skip
    ids = []
    room = api.new_room(name="figures")["room_id"]

    def tell(number: int) -> None:
        assert api.person.post(f"/v2/rooms/{room}/messages", json={"text": f"Figure {number}"}).status_code == 201

    with endpoint() as good, endpoint(503, '{"error": "the mill is closed"}') as bad:
        for name, url in (("Build board", good.url), ("Search index", bad.url), ("Archive", bad.url)):
            content = {
                "name": name,
                "endpoint_url": url,
                "subscriptions": [subscription],
                "headers": {"X-Team": "mill"},
            }
            made = api.person.post(f"{api.organization}/webhooks", json={"content": content})
            ids.append(made.json()["webhook"]["id"])
        for number in range(6):
            tell(number)
        time.sleep(2)
        api.person.patch(
            f"{api.organization}/webhooks/{ids[1]}", json={"content": {"status": "WEBHOOK_STATUS_INACTIVE"}}
        )
        for number in range(4):
            tell(number + 6)
        time.sleep(3)
    home = f"{api.url}/o/{api.organization_id}/administration/webhooks"
    return {
        "webhooks": home, "webhook": f"{home}/{ids[0]}", "webhook-off": f"{home}/{ids[1]}",
        "webhook-paused": f"{home}/{ids[2]}",
    }  # fmt: skip


def attached(who: httpx.Client, api: Api) -> list[str]:
    """A picture and a table, ready to go with a message."""
    files = {"mill.png": still(), "figures.csv": b"column,turns\ncarry,1204\n"}
    path = f"/v2/rooms/{api.room_id}/attachments"
    made = [who.post(path, content=content, params={"name": name}) for name, content in files.items()]
    return [str(each.json()["attachment_id"]) for each in made]


def still() -> bytes:
    """A picture with something on it."""
    command = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "mandelbrot=size=960x600", "-frames:v", "1"]
    return subprocess.run([*command, "-f", "image2pipe", "-c:v", "png", "-"], check=True, capture_output=True).stdout


def record(who: httpx.Client, room_id: str, name: str, seconds: int) -> str:
    """A recording in a room: its id."""
    made = who.post(f"/v2/rooms/{room_id}/recordings", content=film(seconds), params={"name": name})
    assert made.status_code == 201, made.text
    return str(made.json()["recording_id"])


def administration(api: Api) -> dict[str, str]:
    """The pages of the administration, with something on each."""
    furnish_administration(api)
    home = f"{api.url}/o/{api.organization_id}/administration"
    found = {f"administration{path.replace('/', '-')}": home + path for path in PAGES}
    return found | {"administration-space": f"{home}/spaces/{api.space_id}"}


def say(who: httpx.Client, api: Api, text: str, **fields: Any) -> str:
    sent = who.post(api.messages, json={"text": text, **fields})
    assert sent.status_code == 201, sent.text
    return str(sent.json()["message_id"])


ROOMS = {
    "punch-cards": {}, "mill": {"description": "Gears and carries"}, "announcements": {"room_type": "post"},
    "lectures": {"room_type": "video"},
}  # fmt: skip
FILMS = {"On the analytical engine.webm": 40, "Questions afterwards.webm": 20}
TALK = [
    {"start": 1, "end": 4, "speaker": "Ada", "text": "Good evening, and thank you for coming out in this weather."},
    {
        "start": 5,
        "end": 9,
        "speaker": "Ada",
        "text": "I want to show what the engine does with symbols that are no numbers.",
    },
    {
        "start": 10,
        "end": 15,
        "speaker": "Ada",
        "text": "It might compose elaborate pieces of music, of any degree of complexity.",
    },
    {"start": 16, "end": 20, "speaker": "Grace Hopper", "text": "Would somebody have to write down each of its steps?"},
    {
        "start": 21,
        "end": 28,
        "speaker": "Ada",
        "text": "Once. The engine repeats them as often as one asks for, and never tires.",
    },
    {"start": 29, "end": 34, "speaker": "Alan Turing", "text": "And who says when it should stop?"},
    {"start": 35, "end": 39, "speaker": "Ada", "text": "That, gentlemen, is the difficult part."},
]
BLOCKS = (
    ("heading", {"text": "Plan for the winter", "level": 1}),
    ("paragraph", {"text": "What has to be **done** before the exhibition, and by whom."}),
    ("todo", {"items": [{"text": "Order brass", "done": True}, {"text": "Cut the gears", "done": False}]}),
    ("callout", {"text": "The mill is closed on Sundays.", "emoji": "🕯"}),
    ("code", {"text": "def bernoulli(n):\n    ...", "language": "python"}),
    ("quote", {"text": "That brain of mine is something more than merely mortal."}),
)
POSTS = (
    "# The exhibition moves to March\n\nThe hall is being painted, so we have **two more months**. Please plan with that.",
    "## New on the team\n\nKatherine joins us from the observatory and takes care of the orbits.",
)

if __name__ == "__main__":
    main()

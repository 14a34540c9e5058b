"""Pictures of every page of the application, light, dark and narrow, in `.pictures`: `make pictures`."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from atrium.kit.embedded import embedded_postgres
from atrium.kit.settings import Settings
from atrium.migrations import migrate
from tests.browser.administered import PAGES, furnish_administration
from tests.browser.conftest import CHROMIUM, NARROW, QUIET, WIDE, room_url
from tests.conftest import Api, new_organization, scratch_folder, served

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
            addresses = furnish(api) | administration(api)
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
    page.goto(addresses["room"])
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
    if look == "narrow":
        page.get_by_role("button", name="Open the list").click()
        take(page, look, "menu")


def take(page: Page, look: str, name: str, address: str | None = None) -> None:
    if address:
        page.goto(address)
        page.wait_for_timeout(1200)
    page.wait_for_timeout(500)
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
    home = f"{api.url}/o/{api.organization_id}"
    return {
        "room": room_url(api), "thread": room_url(api, query=f"?thread={root}"), "page": room_url(api, query="?view=page"),
        "posts": room_url(api, rooms["announcements"]), "empty": room_url(api, rooms["mill"]),
        "search": f"{home}/search?q=engine", "settings": f"{home}/settings", "nothing": f"{home}/rooms/{api.space_id}",
    }  # fmt: skip


def administration(api: Api) -> dict[str, str]:
    """The pages of the administration, with something on each."""
    furnish_administration(api)
    home = f"{api.url}/o/{api.organization_id}/administration"
    found = {f"administration{path.replace('/', '-')}": home + path for path in PAGES}
    return found | {"administration-space": f"{home}/spaces/{api.space_id}"}


def say(who: object, api: Api, text: str, **fields: str) -> str:
    sent = who.post(api.messages, json={"text": text, **fields})  # type: ignore[attr-defined]
    assert sent.status_code == 201, sent.text
    return str(sent.json()["message_id"])


ROOMS = {
    "punch-cards": {}, "mill": {"description": "Gears and carries"}, "announcements": {"room_type": "post"},
    "lectures": {"room_type": "video"},
}  # fmt: skip
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

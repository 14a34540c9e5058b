"""Take pictures of the demo: two for the README in `docs/pictures`, and with `--all` every page in `.pictures`.

`make pictures` takes both kinds. With `--link`, a sign-in link of a running demo, no other demo is started.
"""

import argparse
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.demo import running_demo, sign_in
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from tests.browser.conftest import CHROMIUM, QUIET, at_end, at_rest
from tests.house.sources import ROOT

README, ALL = ROOT / "docs" / "pictures", ROOT / ".pictures"
LARGEST = 150 * 1024  # bytes of a picture in the README
SIZE, PHONE = {"width": 1200, "height": 750}, {"width": 390, "height": 844}
LOOKS: dict[str, Any] = {
    "light": {"viewport": SIZE, "color_scheme": "light"},
    "dark": {"viewport": SIZE, "color_scheme": "dark"},
    "narrow": {"viewport": PHONE, "color_scheme": "light", "has_touch": True, "is_mobile": True},
}
ADMINISTRATION = (
    "",
    "/people",
    "/spaces",
    "/integrations",
    "/integrations/personal",
    "/integrations/policy",
    "/directory",
    "/webhooks",
    "/webhooks/events",
    "/imports",
    "/audit",
    "/mail",
    "/settings",
)


def main() -> None:
    """Take the pictures of a new demo, or of the one that `--link` signs in to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="every page too: light, dark and narrow")
    parser.add_argument("--link", help="a sign-in link of a demo that runs")
    options = parser.parse_args()
    demo = nullcontext(options.link) if options.link else running_demo(ROOT)
    with demo as link, sync_playwright() as playwright:
        url = "{0.scheme}://{0.netloc}".format(urlsplit(link))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        state, _ = sign_in(browser, link)
        take_for_readme(browser.new_context(**LOOKS["light"], storage_state=state, device_scale_factor=1.5), url)
        if options.all:
            ALL.mkdir(exist_ok=True)
            for look, choice in LOOKS.items():
                take_all(browser.new_context(**choice, storage_state=state), url, look)
        browser.close()


class Places:
    """The URLs of the demo's pages by their content."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self._read = context.request
        self._url, self.own = url, {"origin": url}
        organization = self._list("/v1/me/organizations", "organizations")[0]["organization_id"]
        self.home, self._path = f"{url}/o/{organization}", f"/v1/organizations/{organization}"
        self.spaces = {each["name"]: each["space_id"] for each in self._list(f"{self._path}/spaces", "spaces")}
        rooms = (room for space in self.spaces.values() for room in self._list(f"/v2/spaces/{space}/rooms", "rooms"))
        self.rooms = {room["name"]: room["room_id"] for room in rooms}
        self.webhooks = {each["name"]: each["id"] for each in self._list(f"{self._path}/webhooks", "webhooks")}

    def room(self, name: str, query: str = "") -> str:
        """Return the URL of a room."""
        return f"{self.home}/rooms/{self.rooms[name]}{query}"

    def webhook(self, name: str) -> str:
        """Return the URL of a webhook."""
        return f"{self.home}/administration/webhooks/{self.webhooks[name]}"

    def thread(self, name: str, text: str) -> str:
        """Return the URL of the thread whose root contains the text."""
        messages = self._list(f"/v2/rooms/{self.rooms[name]}/messages?limit=100", "messages")
        root = next(each for each in messages if text in each["text"])["message_id"]
        return self.room(name, f"?thread={root}")

    def recording(self) -> str:
        """Return the URL of the recorded talk, a few seconds in."""
        made = self._list(f"/v2/rooms/{self.rooms['talks']}/recordings", "recordings")[0]["recording_id"]
        return self.room("talks", f"?recording={made}&at=14")

    def invitation(self) -> tuple[str, str]:
        """Create an invitation. Return its own URL and the URL that it is accepted at."""
        content = {"email": "ellen@harbour.example", "role": "member"}
        invitations = f"{self._url}{self._path}/invitations"
        made = self._read.post(invitations, data={"content": content}, headers=self.own).json()
        return (
            f"{invitations}/{made['invitation']['invitation_id']}",
            f"{self._url}/sign-in#invitation={made['token']}",
        )

    def all(self) -> dict[str, str]:
        """Return the address of every page by its name."""
        administration = {f"administration{each.replace('/', '-')}": each for each in ADMINISTRATION}
        return {
            **{f"room-{name}": self.room(name) for name in self.rooms},
            **{name: f"{self.home}/administration{path}" for name, path in administration.items()},
            "administration-space": f"{self.home}/administration/spaces/{self.spaces['Field work']}",
            "webhook": self.webhook("Data portal"),
            "webhook-paused": self.webhook("Old chat bridge"),
            "thread": self.thread("forecasts", "Here is yesterday"),
            "page": self.room("welcome", "?view=page"),
            "incoming": self.room("builds", "?view=incoming"),
            "recording": self.recording(),
            "threads": f"{self.home}/threads",
            "mentions": f"{self.home}/mentions",
            "search": f"{self.home}/search?q=radio",
            "settings": f"{self.home}/settings",
            "nothing": f"{self.home}/rooms/{self.spaces['Field work']}",
            "sign-in": f"{self._url}/sign-in",
        }

    def _list(self, path: str, member: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._read.get(self._url + path).json()[member]
        return found


def take_for_readme(context: BrowserContext, url: str) -> None:
    """Take pictures of a room with an open thread, and of a webhook with its log."""
    places, page = Places(context, url), context.new_page()
    page.goto(places.thread("forecasts", "Here is yesterday"))
    at_end(page)
    page.wait_for_timeout(3000)
    photograph(page, README / "room.png", colors=192)
    page.goto(places.webhook("Data portal"))
    page.get_by_role("list", name="Deliveries").wait_for()
    photograph(page, README / "webhook.png", colors=192)


def take_all(context: BrowserContext, url: str, look: str) -> None:
    """Take pictures of every page and of some dialogs."""
    places, page = Places(context, url), context.new_page()
    for name, address in places.all().items():
        page.goto(address)
        page.wait_for_timeout(1000)
        photograph(page, ALL / f"{name}-{look}.png")
    for name, show in STATES.items():
        show(page, places)
        photograph(page, ALL / f"{name}-{look}.png")
        page.keyboard.press("Backspace")  # what was typed on the page of blocks would be saved


def photograph(page: Page, path: Path, colors: int | None = None) -> None:
    """Save the page once its animations end; with `colors`, as a small PNG with that many colors."""
    expect(page.locator(".mantine-Loader-root")).to_have_count(0)
    at_rest(page)
    page.screenshot(path=path)
    if colors:
        with Image.open(path) as taken:
            taken.convert("RGB").quantize(colors).save(path, optimize=True)
        assert path.stat().st_size <= LARGEST, f"{path} has {path.stat().st_size} bytes"


def _open_delivery(page: Page, places: Places) -> None:
    page.goto(places.webhook("Data portal"))
    page.get_by_role("list", name="Deliveries").get_by_role("button").last.click()


def _open_webhook_dialog(page: Page, places: Places) -> None:
    page.goto(places.webhook("Old chat bridge"))
    page.get_by_role("button", name="Edit").click()


def _open_emoji(page: Page, places: Places) -> None:
    page.goto(places.room("general"))
    at_end(page)
    page.locator("article").last.hover()
    page.locator("article").last.get_by_role("button", name="React").click()


def _open_switcher(page: Page, places: Places) -> None:
    page.goto(places.room("general"))
    at_end(page)
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").get_by_role("textbox").fill("fo")


def _open_people_menu(page: Page, places: Places) -> None:
    page.goto(f"{places.home}/administration/people")
    page.get_by_role("button", name="Actions for Jonas").click()


def _open_invite_dialog(page: Page, places: Places) -> None:
    page.goto(f"{places.home}/administration/people")
    page.get_by_role("button", name="Invite", exact=True).click()
    page.get_by_label("Email addresses").fill("ellen@harbour.example, noor@harbour.example")


def _open_key_dialog(page: Page, places: Places) -> None:
    page.goto(f"{places.home}/settings")
    page.get_by_role("button", name="Create key").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Search index")
    page.get_by_label("Access").select_option(label="Only what you choose")
    page.get_by_role("checkbox", name="messages:read").check()


def _open_integration_menu(page: Page, places: Places) -> None:
    page.goto(f"{places.home}/administration/integrations")
    page.get_by_role("button", name="Actions for Gauge monitor").click()


def _open_key(page: Page, places: Places) -> None:
    page.goto(f"{places.home}/administration/integrations")
    page.get_by_role("link", name="Gauge monitor").click()
    page.get_by_role("heading", name="Usage").wait_for()


def _open_revocation(page: Page, places: Places) -> None:
    page.goto(f"{places.home}/administration/integrations/personal?find=priya")
    page.get_by_role("button", name="Actions for Priya").first.click()
    page.get_by_role("menuitem", name="Revoke").click()


def _open_block_types(page: Page, places: Places) -> None:
    page.goto(places.room("welcome", "?view=page"))
    page.get_by_role("button", name="Write something").click()
    page.keyboard.type("/")
    page.get_by_role("listbox").scroll_into_view_if_needed()


def _open_block_menu(page: Page, places: Places) -> None:
    page.goto(places.room("welcome", "?view=page"))
    page.get_by_text("We build low-cost").hover()
    page.get_by_role("button", name="Text actions").first.click()


def _open_drawer(page: Page, places: Places) -> None:
    page.goto(places.room("general"))
    at_end(page)
    button = page.get_by_role("button", name="Open room list")
    if button.is_visible():
        button.click()


def _open_invitation(page: Page, places: Places) -> None:
    invitation, address = places.invitation()
    signed_in = page.context.cookies()
    page.context.clear_cookies()
    page.goto("about:blank")
    page.goto(address)
    page.get_by_role("heading", name="Open Tide").wait_for()
    page.context.add_cookies(signed_in)
    page.request.delete(invitation, headers=places.own)  # the other pictures do not show it


STATES = {
    "webhook-delivery": _open_delivery, "webhook-dialog": _open_webhook_dialog, "emoji": _open_emoji,
    "switcher": _open_switcher, "people-menu": _open_people_menu, "invite": _open_invite_dialog,
    "page-types": _open_block_types, "page-menu": _open_block_menu, "drawer": _open_drawer,
    "key-dialog": _open_key_dialog, "integration-menu": _open_integration_menu,
    "key": _open_key, "personal-key-revoke": _open_revocation,
    "invitation": _open_invitation,
}  # fmt: skip

if __name__ == "__main__":
    main()

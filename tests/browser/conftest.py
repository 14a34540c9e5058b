"""A browser for the run, people signed in to the application with it, and a server with single sign-on."""

import secrets
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, ViewportSize, expect, sync_playwright

from atrium.keys.tokens import hash_of
from atrium.kit.settings import Settings
from atrium.server.ui import is_built
from tests.conftest import Api, RunningServer, free_port
from tests.sessions.provider import Provider, running_provider

CHROMIUM = shutil.which("chromium")
# The same browser without windows and notifications, which takes a fourth less of the processor.
SHELL = shutil.which("chromium-headless-shell") or CHROMIUM
# The popups of the address bar are two pages for each window, which cost more than most of our tests. The last list
# counts, so that of Playwright is repeated.
UNUSED = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,"
    "HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,"
    "OptimizationHints,NetworkTimeServiceQuerying,PreconnectToSearch,SpareRendererForSitePerProcess"
)
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync",
    f"--disable-features={UNUSED}",
]  # fmt: skip
# Most of our pages are open for a second, too short for the optimizing compilers to pay off.
UNOPTIMIZED = "--js-flags=--no-turbofan --no-maglev"
PASSWORD = "correct horse battery staple"
WIDE, NARROW = {"width": 1280, "height": 860}, {"width": 320, "height": 700}
ZOOMED = {"width": 640, "height": 430}  # the wide window at 200 %
expect.set_options(timeout=15_000)  # the machine may be busy; no test asserts speed
SignIn = Callable[..., Page]
# As after signing up with a password there is no key.
ADD_LINK = """
with first as (delete from api_keys where actor_id = $2::text::uuid)
insert into sign_in_links (token_hash, person_id, created_at, expires_at, proves_mailbox)
values ($1, $2::text::uuid, now(), now() + interval '1 hour', false)
"""
# Elements open with an animation that starts some frames later. Endless animations do not count.
AT_REST = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const endless = (each) => each.effect?.getComputedTiming().endTime === Infinity;
  for (let still = 0; still < 5; still = document.getAnimations().every(endless) ? still + 1 : 0) await frame();
}"""
# Go to another page as a link in the application does. The router is done when React has drawn the page.
VISIT = """async (url) => {
  const router = window.__TSR_ROUTER__;
  const there = new URL(url).href.slice(location.origin.length);
  router.history.push(there);
  const isDone = () => router.state.status === "idle" && router.state.resolvedLocation?.href === router.latestLocation.href;
  do await new Promise((done) => requestAnimationFrame(done)); while (!isDone());
}"""
# The newest message is visible, and nothing has moved for a while.
AT_END = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let still = 0, was = -1; still < 20; ) {
    await frame();
    const list = document.querySelector("[data-messages]");
    const isAtEnd = list && list.scrollHeight - list.scrollTop - list.clientHeight < 2;
    still = isAtEnd && list.scrollHeight === was ? still + 1 : 0;
    was = list?.scrollHeight;
  }
}"""


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Run Playwright for these tests. It has an event loop, which tests elsewhere that have their own cannot bear."""
    with sync_playwright() as running:
        yield running


def running_browser(playwright: Playwright, path: str | None, *arguments: str) -> Iterator[Browser]:
    """Yield a browser; skip the test if it is not installed."""
    if path is None:
        pytest.skip("Debian's chromium is not installed")
    launched = playwright.chromium.launch(executable_path=path, args=[*QUIET, UNOPTIMIZED, *arguments])
    yield launched
    launched.close()


@pytest.fixture(scope="package")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """Yield Debian's Chromium, also for pages that need no built application."""
    yield from running_browser(playwright, SHELL)


@pytest.fixture(scope="package")
def browser(chromium: Browser) -> Browser:
    """Return Debian's Chromium for the application."""
    if not is_built():
        pytest.skip("the web application is not built: there is no Node.js here")
    return chromium


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """Run an OpenID Connect provider."""
    with running_provider() as made:
        yield made


def settings_with_provider(server: RunningServer, provider: Provider) -> Settings:
    """Return the settings of another server on the same database that offers the provider."""
    return server.settings.with_changes(
        port=free_port(),
        workers=1,
        oidc_issuer=provider.url,
        oidc_client_id="atrium",
        oidc_client_secret="s" * 20,
        oidc_name="Acme SSO",
    )


@pytest.fixture(params=[WIDE, NARROW], ids=["wide", "narrow"])
def viewport(request: pytest.FixtureRequest) -> ViewportSize:
    """Run the test in a wide window, then in a narrow one."""
    size: ViewportSize = request.param
    return size


def new_page(browser: Browser, **look: Any) -> Page:
    """Open a page in a new browser context; it fails the test through `faults` if a script fails."""
    page = browser.new_context(**{"viewport": WIDE, **look}).new_page()
    page.set_default_timeout(20_000)
    return page


@pytest.fixture
def sign_in(api: Api, browser: Browser) -> Iterator[SignIn]:
    """Return a function that signs in the super_admin with the link of `init`, or a new member through an invitation.

    It does so without the pages of signing in, which have tests of their own (test_sign_in). It returns a page that
    shows the first room, or that has begun to load the URL `at`. No page may have an error, request another host or
    violate its content security policy.
    """
    pages: list[Page] = []
    faults: list[str] = []

    def enter(name: str | None = None, role: str = "member", at: str | None = None, **look: Any) -> Page:
        page = new_page(browser, **look)
        pages.append(page)
        page.on("pageerror", lambda error: faults.append(f"fault: {error}"))
        page.on("console", lambda message: faults.append(message.text) if "Security Policy" in message.text else None)
        page.on("request", lambda response: faults.append(response.url) if not _is_own(response.url, api.url) else None)
        start_session(api, page, name, role)
        page.goto(at or api.url)
        if at is None:
            page.wait_for_url("**/rooms/*")
            page.get_by_label("Message #general").wait_for()
        return page

    yield enter
    for page in pages:
        page.unroute_all(behavior="ignoreErrors")  # a test may end while a request that it changes is under way
        page.context.close()
    assert not faults, faults


def start_session(api: Api, page: Page, name: str | None = None, role: str = "member") -> None:
    """Give the page's browser context the cookie of a new session of the super_admin, or of a new person."""
    # A password would take as much of the processor as a page that is opened.
    token = api.sign_in_url.partition("=")[2] if name is None else _link_of(api, _join(api, name, role))
    content = {"content": {"token": token}}
    response = page.context.request.post(f"{api.url}/v1/sessions/link", data=content, headers={"origin": api.url})
    assert response.status == 201, response.text()


def _join(api: Api, name: str, role: str) -> str:
    """Return the id of a new person."""
    content = {"token": _invite(api, role), "name": name}
    response = api.client(None).post("/v1/invitations/accept", json={"content": content})
    assert response.status_code == 201, response.text
    return str(response.json()["person_id"])


def _link_of(api: Api, person_id: str) -> str:
    """Return the token of a new sign-in link."""
    token = secrets.token_urlsafe(32)
    api.sql(ADD_LINK, hash_of(token), person_id)
    return token


def _is_own(url: str, own: str) -> bool:
    return url.startswith((own, "data:", "blob:", "mailto:"))  # a profile card links an email address


def _invite(api: Api, role: str) -> str:
    content = {"email": f"{role}.{api.organization_id}@example.org", "role": role}
    response = api.person.post(f"{api.organization}/invitations", json={"content": content})
    assert response.status_code == 201, response.text
    return str(response.json()["token"])


def at_rest(page: Page) -> None:
    """Wait until the animation of an opened element ends."""
    page.evaluate(AT_REST)


def wait_until_loaded(page: Page) -> None:
    """Wait until the page has its title and everything below it, and nothing moves."""
    page.locator("main h1").first.wait_for()
    expect(page.locator(".mantine-Loader-root, .mantine-Skeleton-root")).to_have_count(0)
    at_rest(page)


def visit(page: Page, url: str) -> None:
    """Show another page of the application without loading the application again, which takes ten times as long."""
    page.evaluate(VISIT, url)


def at_end(page: Page) -> None:
    """Wait until the list of messages shows its end."""
    page.locator("article").first.wait_for()
    page.evaluate(AT_END)


def room_url(api: Api, room_id: str | None = None, query: str = "") -> str:
    """Return the URL of a room in the application."""
    return f"{api.url}/o/{api.organization_id}/rooms/{room_id or api.room_id}{query}"

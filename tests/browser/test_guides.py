"""The guides in a real browser: light, dark and narrow, without scripts and without other hosts."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page

from atrium.server.guides import NAMES
from tests.browser.conftest import NARROW, WIDE
from tests.conftest import RunningServer
from tests.contract.tour import assert_problem

LOOKS: dict[str, Any] = {
    "light": {"color_scheme": "light", "viewport": WIDE}, "dark": {"color_scheme": "dark", "viewport": WIDE},
    "narrow": {"color_scheme": "light", "viewport": NARROW},
}  # fmt: skip
PATHS = ["/docs/guides", *(f"/docs/guides/{name}" for name in NAMES)]


@pytest.fixture(scope="module")
def page(chromium: Browser, server: RunningServer) -> Iterator[Page]:
    """Open a page that may not request another host or violate its policy."""
    context = chromium.new_context()
    new_page, faults = context.new_page(), list[str]()
    own = (server.url, "data:")
    new_page.on("request", lambda request: None if request.url.startswith(own) else faults.append(request.url))
    new_page.on("console", lambda message: faults.append(message.text) if "Security Policy" in message.text else None)
    new_page.on("pageerror", lambda error: faults.append(str(error)))
    yield new_page
    context.close()
    assert not faults, faults


def look_at(page: Page, look: str) -> None:
    page.set_viewport_size(LOOKS[look]["viewport"])
    page.emulate_media(color_scheme=LOOKS[look]["color_scheme"])


@pytest.mark.contract("Guides 6")
@pytest.mark.parametrize("path", PATHS)
def test_a_guide_fits_its_window_and_loads_nothing_from_other_hosts(
    server: RunningServer, page: Page, path: str
) -> None:
    answer = page.goto(server.url + path)
    assert answer
    assert answer.status == 200
    assert page.locator("h1").count() == 1
    for look in LOOKS:
        look_at(page, look)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), look


@pytest.mark.parametrize("look", LOOKS)
def test_guides_link_to_each_other(server: RunningServer, page: Page, look: str) -> None:
    look_at(page, look)
    page.goto(f"{server.url}/docs/guides")
    page.get_by_role("main").get_by_role("link", name="Receive webhooks").click()
    page.wait_for_url("**/docs/guides/webhooks")
    menu = page.get_by_text("All guides")
    if menu.is_visible():
        menu.click()
    page.locator("nav[aria-label^=Guides]:visible").get_by_role("link", name="Keys and roles").click()
    page.wait_for_url("**/docs/guides/keys")
    assert page.locator("a[aria-current=page]:visible").count() == (0 if menu.is_visible() else 1)


@pytest.mark.contract("Guides 6")
def test_the_guide_pages_run_no_script_and_cannot_be_framed(server: RunningServer) -> None:
    for path in PATHS:
        answer = httpx.get(server.url + path, timeout=60)
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self';")
        assert "script" not in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert "<script" not in answer.text
        assert "style=" not in answer.text


@pytest.mark.parametrize("path", ["/docs", "/docs/problems"])
def test_the_reference_and_the_guides_link_to_each_other(server: RunningServer, path: str) -> None:
    assert '<a href="/docs/guides">' in httpx.get(server.url + path, timeout=60).text
    assert f'<a href="{path}">' in httpx.get(f"{server.url}/docs/guides", timeout=60).text


@pytest.mark.parametrize("name", ["nothing", "settings.md", "..%2fsettings", "__init__"])
def test_an_unknown_guide_is_not_found(server: RunningServer, name: str) -> None:
    assert_problem(httpx.get(f"{server.url}/docs/guides/{name}", timeout=60), 404)

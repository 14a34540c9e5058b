"""The pages that a browser finds without a key, in a real browser."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import RunningServer

LOOKS: dict[str, Any] = {
    "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 900}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 900}},
    "narrow": {"color_scheme": "light", "viewport": {"width": 320, "height": 800}},
}


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with chromium.new_context() as context:
        yield context.new_page()


def look_at(page: Page, look: str) -> None:
    page.set_viewport_size(LOOKS[look]["viewport"])
    page.emulate_media(color_scheme=LOOKS[look]["color_scheme"])


@pytest.mark.contract("Crashes and restarts 14")
def test_the_reference_shows_every_operation_loads_nothing_from_other_hosts_and_sends_requests(
    server: RunningServer, page: Page
) -> None:
    requested: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{server.url}/docs")
    document = httpx.get(f"{server.url}/openapi.json", timeout=60).json()
    operations = sum(len(methods) for methods in document["paths"].values())
    received = len(document["webhooks"])  # shown below the operations
    for look in ("dark", "narrow", "light"):
        look_at(page, look)
        expect(page.locator(".opblock")).to_have_count(operations + received, timeout=120_000)
    send_in_reference(page)
    assert not faults
    assert all(url.startswith((server.url, "data:")) for url in requested), requested


def send_in_reference(page: Page) -> None:
    """Send a request without a key in the reference; its schema is shown."""
    # This redraws a hundred operations, which takes a while on a busy machine.
    page.locator("#operations-people-read_profile button.opblock-summary-control").click(timeout=120_000)
    page.locator("#operations-people-read_profile .responses-wrapper").get_by_text("Schema", exact=True).first.click()
    model = page.locator("#operations-people-read_profile .responses-wrapper .model-box").first
    expect(model).to_contain_text("created_at")  # of a type that the document refers to
    page.locator("#operations-people-read_profile button.execute").click()
    page.wait_for_selector("#operations-people-read_profile .live-responses-table .response-col_status")
    assert "401" in page.locator("#operations-people-read_profile .live-responses-table").inner_text()


@pytest.mark.parametrize("path", ["/docs/problems", "/sign-in?token=unknown"])
def test_a_text_page_fits_its_window(server: RunningServer, page: Page, path: str) -> None:
    page.goto(server.url + path)
    for look in LOOKS:
        look_at(page, look)
        too_wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not too_wide, look


def test_the_pages_follow_the_dark_color_scheme(server: RunningServer, page: Page) -> None:
    look_at(page, "dark")
    page.goto(f"{server.url}/docs/problems")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 18, 18)"

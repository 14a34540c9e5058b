"""The pages that a browser finds without a key, in a real browser."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import RunningServer


@pytest.fixture(scope="module")
def pages(chromium: Browser) -> Iterator[dict[str, Page]]:
    """Open a page in light mode, one in dark mode and one as narrow as a phone."""
    looks = {
        "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 900}},
        "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 900}},
        "narrow": {"color_scheme": "light", "viewport": {"width": 320, "height": 800}},
    }
    pages = {name: chromium.new_context(**look).new_page() for name, look in looks.items()}
    yield pages
    for page in pages.values():
        page.context.close()


@pytest.mark.parametrize("look", ["light", "dark", "narrow"])
def test_the_reference_shows_every_operation_and_loads_nothing_from_other_hosts(
    server: RunningServer, pages: dict[str, Page], look: str
) -> None:
    requested: list[str] = []
    faults: list[str] = []
    page = pages[look]
    page.on("request", lambda request: requested.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{server.url}/docs")
    document = httpx.get(f"{server.url}/openapi.json", timeout=60).json()
    operations = sum(len(methods) for methods in document["paths"].values())
    received = len(document["webhooks"])  # shown below the operations
    expect(page.locator(".opblock")).to_have_count(operations + received, timeout=120_000)
    assert not faults
    assert all(url.startswith((server.url, "data:")) for url in requested), requested


def test_requests_can_be_tried_in_the_reference_with_a_key(server: RunningServer, pages: dict[str, Page]) -> None:
    page = pages["light"]
    page.goto(f"{server.url}/docs")
    # This redraws a hundred operations, which takes a while on a busy machine.
    page.locator("#operations-people-read_profile button.opblock-summary-control").click(timeout=120_000)
    page.locator("#operations-people-read_profile .responses-wrapper").get_by_text("Schema", exact=True).first.click()
    model = page.locator("#operations-people-read_profile .responses-wrapper .model-box").first
    expect(model).to_contain_text("created_at")  # of a type that the document refers to
    page.locator("#operations-people-read_profile button.execute").click()
    page.wait_for_selector("#operations-people-read_profile .live-responses-table .response-col_status")
    assert "401" in page.locator("#operations-people-read_profile .live-responses-table").inner_text()


@pytest.mark.parametrize("path", ["/docs/problems", "/sign-in?token=unknown"])
@pytest.mark.parametrize("look", ["light", "dark", "narrow"])
def test_a_text_page_fits_its_window(server: RunningServer, pages: dict[str, Page], look: str, path: str) -> None:
    page = pages[look]
    page.goto(server.url + path)
    too_wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not too_wide


def test_the_pages_follow_the_dark_color_scheme(server: RunningServer, pages: dict[str, Page]) -> None:
    page = pages["dark"]
    page.goto(f"{server.url}/docs/problems")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 18, 18)"

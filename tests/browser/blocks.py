"""The page of a room: what is stored of it, and its fields."""

from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.conftest import room_url, visit
from tests.conftest import Api
from tests.wait_until import wait_until


def add(api: Api, *texts: str) -> list[dict[str, Any]]:
    """Add a paragraph to the first room's page for each text."""
    path = f"/v2/rooms/{api.room_id}/blocks"
    blocks = [api.person.post(path, json={"type": "paragraph", "content": {"text": text}}).json() for text in texts]
    assert all(each["content"]["text"] == text for each, text in zip(blocks, texts, strict=True))
    return blocks


def stored_blocks(api: Api) -> list[tuple[str, Any]]:
    """Return the type of each block of the page, and its text or its items."""
    blocks = api.person.get(f"/v2/rooms/{api.room_id}/blocks").json()["blocks"]
    return [(each["type"], each["content"].get("text", each["content"].get("items"))) for each in blocks]


def texts(api: Api) -> list[str]:
    return [text for _, text in stored_blocks(api)]


def wait_until_saved(api: Api, expected: list[tuple[str, Any]]) -> None:
    """Wait until the page has these blocks."""
    wait_until(lambda: stored_blocks(api) == expected, f"the page is {expected}")


def wait_for_texts(api: Api, *expected: str) -> None:
    wait_until_saved(api, [("paragraph", text) for text in expected])


def open_page(page: Page, api: Api) -> None:
    visit(page, room_url(api, query="?view=page"))
    page.get_by_role("button", name="Write something").wait_for()


def field(page: Page, name: str) -> Locator:
    return page.get_by_role("textbox", name=name, exact=True)


def row(page: Page, text: str) -> Locator:
    return page.locator("[data-key]", has_text=text)

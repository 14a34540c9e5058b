"""A phone, and the sheet of a message on it."""

from typing import Any

from playwright.sync_api import Locator, Page

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}


def sheet_of(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Message actions")


def message(page: Page, text: str) -> Locator:
    return page.get_by_role("article").filter(has_text=text)

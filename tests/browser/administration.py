"""The pages of the administration: where they are, and their lists."""

from typing import Any

from playwright.sync_api import Page

from tests.conftest import Api


def address(api: Api, path: str = "") -> str:
    return f"{api.url}/o/{api.organization_id}/administration{path}"


def row(page: Page, text: str) -> Any:
    """Return the entry of a list or the row of a table that contains the text."""
    return page.get_by_role("main").locator("li, tbody tr").filter(has_text=text)


def choose(page: Page, entry: str, action: str) -> None:
    """Choose from the menu of an entry."""
    row(page, entry).get_by_role("button", name="Actions for").click()
    page.get_by_role("menuitem", name=action, exact=True).click()

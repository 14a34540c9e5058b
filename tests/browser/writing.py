"""Write messages in the application, and let it lose its stream."""

from playwright.sync_api import Page

HOSTILE = "<img src=x onerror=window.hit=1>"
STREAM, NEWEST = "**/v2/events?*", "**/v2/rooms/*/messages?top_level=true*"


def write(page: Page, text: str, label: str = "Message #general") -> None:
    page.get_by_label(label).fill(text)
    page.get_by_label(label).press("Enter")


def act(page: Page, text: str, action: str) -> None:
    """Choose an action of a message with the mouse."""
    found = page.locator("article", has_text=text).first
    found.hover()
    found.get_by_role("button", name=action).click()

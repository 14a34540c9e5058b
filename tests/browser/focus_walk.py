"""Open everything on a page with the keyboard, close it, and look where the focus is."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import at_rest

# The names of buttons and menu items that open a dialog, a popover or a menu.
OPENS = re.compile(
    r"^(Actions for|Add |Archived rooms|Change role|Create (?!directory)|Delete|Edit|Invite|Jump to a date|New |People$|Record$|Rename"
    r"|Replay|Revoke|Roles|Rotate|Usage|View |Where )"
)
SHOWN = "[role=dialog], [role=menu]"


class Walk:
    """Opens everything on pages with the keyboard, and closes it with Escape."""

    def __init__(self, page: Page) -> None:
        self.page, self.shown = page, page.locator(SHOWN)
        self.walked: list[str] = []

    def returns(self, opener: Locator, keys: str = "Enter") -> None:
        """Open something with the keys and close it; the opener has the focus again."""
        opener.focus()
        self.page.keyboard.press(keys)
        expect(self.shown).not_to_have_count(0)
        self.leaves_to(opener)

    def leaves_to(self, opener: Locator) -> None:
        """Close what is open; the opener has the focus again."""
        at_rest(self.page)
        expect(self.shown.locator(":focus").or_(self.page.locator(f":is({SHOWN}):focus")).first).to_be_attached()
        self.page.keyboard.press("Escape")
        expect(self.shown).to_have_count(0)
        expect(opener).to_be_focused()

    def everything_in(self, place: Locator) -> None:
        """Open and close everything that a part of the page offers."""
        for opener in place.get_by_role("button", name=OPENS).all():
            if not opener.is_enabled() or not opener.is_visible():
                continue
            self.returns(opener)
            self.walked.append(opener.get_attribute("aria-label") or opener.inner_text())
            if opener.get_attribute("aria-haspopup") == "menu":
                self.every_item_of(opener)

    def every_item_of(self, opener: Locator) -> None:
        """Open and close what the items of a menu open."""
        opener.press("Enter")
        items = self.page.get_by_role("menuitem", name=OPENS)
        self.page.get_by_role("menuitem").first.wait_for()
        at_rest(self.page)
        names = [each for each in items.all_inner_texts() if each != "View audit log"]  # a page
        self.leaves_to(opener)
        for name in names:
            opener.press("Enter")
            item = self.page.get_by_role("menuitem", name=name, exact=True)
            item.wait_for()
            at_rest(self.page)
            item.press("Enter")
            expect(self.page.get_by_role("dialog"), name).to_have_count(1)
            self.leaves_to(opener)
            self.walked.append(name)

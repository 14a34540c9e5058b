"""axe-core finds no violation on any page of the application, and no page is wider than its window.

test_accessible_elsewhere looks at the pages in other windows.
"""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.administration import address
from tests.browser.administration_data import PAGES, populate_administration
from tests.browser.axe import violations
from tests.browser.conftest import NARROW, WIDE, SignIn, at_rest, visit
from tests.browser.pages import violations_of_pages
from tests.browser.room_pages import violations_of_room_pages
from tests.conftest import Api

OPENERS = {"/integrations": "Create integration", "/people": "Invite", "/spaces": "Create space"}  # of dialogs
WIDER = """() => document.documentElement.scrollWidth > innerWidth ||
  [...document.querySelectorAll("main *")].some((each) => each.getBoundingClientRect().right > innerWidth + 1)"""


@pytest.mark.contract("Web application 56")
def test_pages_are_accessible(api: Api, sign_in: SignIn) -> None:
    found = violations_of_pages(api, sign_in())
    assert not any(found.values()), json.dumps(found, indent=1)


@pytest.mark.contract("Web application 56")
def test_room_pages_are_accessible(api: Api, sign_in: SignIn) -> None:
    found = violations_of_room_pages(api, sign_in())
    assert not any(found.values()), json.dumps(found, indent=1)


@pytest.mark.contract("Web application 56")
def test_the_administration_is_accessible_and_fits_the_window(api: Api, sign_in: SignIn) -> None:
    populate_administration(api)
    page = sign_in(at=address(api))
    for path in (*PAGES, f"/spaces/{api.space_id}"):
        visit(page, address(api, path))
        page.get_by_role("heading", level=2).wait_for()
        expect(page.get_by_role("status", name="Loading")).to_have_count(0)
        assert violations(page) == [], path
        assert page.evaluate(WIDER) is False, path
        page.set_viewport_size(NARROW)
        at_rest(page)
        assert page.evaluate(WIDER) is False, (path, "narrow")
        page.set_viewport_size(WIDE)
        if path in OPENERS:
            page.get_by_role("button", name=OPENERS[path], exact=True).click()
            page.get_by_role("dialog").wait_for()
            assert violations(page) == [], OPENERS[path]
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)

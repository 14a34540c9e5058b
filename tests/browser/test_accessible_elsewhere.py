"""The pages of test_accessible in a narrow window, and in one at twice the size without motion."""

import json
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.axe import violations
from tests.browser.conftest import NARROW, ZOOMED, SignIn, new_page
from tests.browser.pages import violations_of_pages
from tests.browser.room_pages import violations_of_room_pages
from tests.conftest import Api

LOOKS = {
    "narrow": {"viewport": NARROW},
    "twice the size, without motion": {"viewport": ZOOMED, "reduced_motion": "reduce"},
}


@pytest.mark.contract("Web application 56")
@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_pages_are_accessible(api: Api, sign_in: SignIn, browser: Browser, look: dict[str, Any]) -> None:
    found = violations_of_pages(api, sign_in(**look))
    outside = new_page(browser, **look)
    outside.goto(f"{api.url}/sign-in")
    outside.get_by_label("Email address").wait_for()
    found["sign-in"] = violations(outside)
    outside.context.close()
    assert not any(found.values()), json.dumps(found, indent=1)


@pytest.mark.contract("Web application 56")
def test_room_pages_are_accessible(api: Api, sign_in: SignIn) -> None:
    found = violations_of_room_pages(api, sign_in(viewport=NARROW))
    assert not any(found.values()), json.dumps(found, indent=1)

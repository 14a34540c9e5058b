"""axe-core finds no violation on any page of the application, and no page is wider than its window.

test_accessible_elsewhere looks at the pages in other windows.
"""

import json

from tests.browser.conftest import SignIn
from tests.browser.pages import violations_of_pages
from tests.browser.room_pages import violations_of_room_pages
from tests.conftest import Api


def test_pages_are_accessible(api: Api, sign_in: SignIn) -> None:
    found = violations_of_pages(api, sign_in())
    assert not any(found.values()), json.dumps(found, indent=1)


def test_room_pages_are_accessible(api: Api, sign_in: SignIn) -> None:
    found = violations_of_room_pages(api, sign_in())
    assert not any(found.values()), json.dumps(found, indent=1)

"""Every dialog and menu of the administration and of rooms with recordings gives the focus back when it is closed."""

import pytest

from tests.browser.administration_data import populate_administration
from tests.browser.conftest import SignIn, room_url, visit, wait_until_loaded
from tests.browser.focus_walk import Walk
from tests.conftest import Api
from tests.recordings.media import film, record, video_room


@pytest.mark.contract("Web application 44")
def test_every_dialog_of_the_administration_gives_the_focus_back(api: Api, sign_in: SignIn) -> None:
    populate_administration(api)
    hook = api.person.get(f"{api.organization}/webhooks").json()["webhooks"][0]["id"]
    api.person.post("/v1/me/keys", json={"content": {"name": "laptop"}})
    page = sign_in()
    walk = Walk(page)
    home = f"{api.url}/o/{api.organization_id}"
    pages = (
        "people",
        "spaces",
        f"spaces/{api.space_id}",
        "integrations",
        "directory",
        "mail",
        "webhooks",
        f"webhooks/{hook}",
    )
    for address in (*(f"{home}/administration/{each}" for each in pages), f"{home}/settings"):
        visit(page, address)
        wait_until_loaded(page)
        walk.everything_in(page.get_by_role("main"))
    assert len(walk.walked) > 20, walk.walked


@pytest.mark.contract("Web application 44")
def test_every_dialog_of_a_room_with_recordings_gives_the_focus_back(api: Api, sign_in: SignIn) -> None:
    films = video_room(api)
    record(api, films, film(), name="Planning.webm")
    api.person.post(f"/v2/rooms/{films}/incoming-webhooks", json={"name": "Grafana"})
    page = sign_in()
    walk = Walk(page)
    for address in (room_url(api, films), room_url(api, films, "?view=incoming")):
        visit(page, address)
        wait_until_loaded(page)
        walk.everything_in(page.get_by_role("main"))
    assert len(walk.walked) > 3, walk.walked

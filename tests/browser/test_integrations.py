"""The integrations of an organization and their keys, in a real browser against a real server."""

import json
import re
import subprocess
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.administration import address, choose, row
from tests.browser.conftest import SignIn, visit
from tests.browser.writing import HOSTILE
from tests.conftest import Api
from tests.wait_until import wait_until


@pytest.mark.contract("Web application 64")
def test_an_integration_is_created_and_its_key_works_is_rotated_and_is_revoked(api: Api, sign_in: SignIn) -> None:
    api.person.post(f"{api.organization}/spaces", json={"content": {"name": "Observatory", "visibility": "private"}})
    page = sign_in(at=address(api, "/integrations"), permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Create integration").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Weather")
    dialog.get_by_label("Role in Observatory").select_option("reader")
    dialog.get_by_label(re.compile("Role in (?!Observatory)")).first.select_option("member")
    dialog.get_by_role("button", name="Create integration").click()
    shown = page.get_by_role("alert").filter(has_text="You won't be able to see it again")
    first = shown.locator("code").inner_text()
    shown.get_by_role("button", name="Copy key").click()
    expect(page.get_by_text("Key copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == first
    assert curl(f"{api.url}{api.messages}", first, {"text": "Rain"})["text"] == "Rain"
    weather = row(page, "Weather")
    expect(weather).to_contain_text("Observatory (Reader)")
    choose(page, "Weather", "Rotate")
    page.get_by_role("dialog").get_by_role("button", name="Rotate").click()
    expect(shown.locator("code")).not_to_have_text(first)
    second = shown.locator("code").inner_text()
    assert works(api, second)
    assert not works(api, first)
    shown.get_by_role("button", name="I've saved it").click()
    wait_until(lambda: key_of(api, "Weather")["last_used_at"], "the key shows its use")
    page.reload()
    expect(row(page, "Weather")).not_to_contain_text("Never used")
    assert second not in page.content()
    choose(page, "Weather", "Revoke")
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(row(page, "Weather")).to_have_count(0)
    assert not works(api, second)


@pytest.mark.contract("Web application 2")
def test_an_integration_gets_another_key_and_keeps_the_first(api: Api, sign_in: SignIn) -> None:
    made = api.new_integration([{"space_id": api.space_id, "role": "member"}])
    page = sign_in(at=address(api, "/integrations"))
    choose(page, "Another", "Add another key")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("New office")
    dialog.get_by_label("Access").select_option(label="Only what you choose")
    dialog.get_by_role("checkbox", name="messages:read").check()
    dialog.get_by_role("button", name="Create key").click()
    shown = page.get_by_role("alert").filter(has_text="You won't be able to see it again")
    second = shown.locator("code").inner_text()
    assert works(api, second)
    assert works(api, made["key"])
    expect(row(page, "New office")).to_contain_text("1 scope")
    expect(row(page, "Another")).to_have_count(2)


def curl(url: str, key: str, body: dict[str, str]) -> Any:
    """Return the response to a request sent with curl and the key."""
    command = ["curl", "-sS", "--fail-with-body", "-H", f"Authorization: Bearer {key}", "-d", json.dumps(body), url]
    return json.loads(subprocess.run(command, check=True, capture_output=True, timeout=30).stdout)


def key_of(api: Api, name: str) -> dict[str, Any]:
    listed = api.person.get(f"{api.organization}/api-keys").json()["api_keys"]
    return next(each for each in listed if each["name"] == name)


def works(api: Api, key: str) -> bool:
    answer = httpx.get(f"{api.url}{api.messages}", headers={"authorization": f"Bearer {key}"}, timeout=60)
    assert answer.status_code in (200, 401)
    return answer.is_success


def test_an_integration_is_edited_and_hostile_names_are_shown_as_text(api: Api, sign_in: SignIn) -> None:
    made = api.new_integration()["api_key"]
    path = f"{api.organization}/api-keys/{made['api_key_id']}"
    api.person.patch(path, json={"content": {"name": HOSTILE}})
    page = sign_in(at=address(api, "/integrations"))
    expect(row(page, HOSTILE)).to_contain_text("Not in any space")
    choose(page, HOSTILE, "Edit")
    expect(page.get_by_role("dialog")).to_contain_text("Not in any space")
    page.get_by_role("dialog").get_by_label("Description").fill("Says hello")
    page.get_by_role("dialog").get_by_label("Organization role").select_option("reader")
    page.get_by_role("button", name="Save").click()
    expect(row(page, HOSTILE)).to_contain_text("Reader")
    expect(row(page, HOSTILE)).not_to_contain_text("Not in any space")
    saved = api.person.get(path).json()["api_key"]
    assert (saved["description"], saved["organization_role"], saved["spaces"]) == ("Says hello", "reader", [])
    visit(page, address(api, "/audit"))
    expect(page.get_by_role("list", name="Entries").get_by_text(HOSTILE).first).to_be_visible()
    assert page.evaluate("window.hit") is None

"""How a webhook authenticates to its endpoint, in the browser."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations, violations_of_both_widths
from tests.browser.conftest import SignIn
from tests.browser.webhooks import address
from tests.conftest import Api
from tests.contract.tour import subscription
from tests.webhooks.certificates import Authority

OAUTH = "OAuth 2 client credentials"
URL, TLS_URL, TOKEN_URL = "http://127.0.0.1:9/hook", "https://127.0.0.1:9/hook", "http://127.0.0.1:9/token"


def create_webhook(api: Api, **fields: object) -> str:
    content = {"name": "Mill", "endpoint_url": URL, "subscriptions": [subscription(api.room_id)]} | fields
    made = api.person.post(f"{api.organization}/webhooks", json={"content": content})
    assert made.status_code == 201, made.text
    return made.json()["webhook"]["id"]


def edit(page: Page) -> Locator:
    page.get_by_role("button", name="Edit").click()
    return page.get_by_role("dialog")


@pytest.mark.contract("Web application 58")
def test_client_credentials_are_entered_and_again_when_a_url_changes(api: Api, sign_in: SignIn) -> None:
    webhook = create_webhook(api)
    page = sign_in(at=address(api, webhook))
    dialog = edit(page)
    save = dialog.get_by_role("button", name="Save")
    dialog.get_by_label("Authentication").select_option(label=OAUTH)
    dialog.get_by_label("Token URL").fill(TOKEN_URL)
    dialog.get_by_label("Client ID", exact=True).fill("mill")
    expect(save).to_be_disabled()
    dialog.get_by_role("textbox", name="Client secret").fill("very-secret")
    assert violations(page) == []
    save.click()
    expect(page.get_by_text("OAuth 2 as mill, with tokens of 127.0.0.1:9")).to_be_visible()
    dialog = edit(page)
    expect(dialog.get_by_text("Stored and not shown.")).to_be_visible()
    dialog.get_by_label("Endpoint URL").fill(f"{URL}/2")
    expect(dialog.get_by_text("Enter it again, because a URL changes.")).to_be_visible()
    expect(save).to_be_disabled()
    dialog.get_by_role("textbox", name="Client secret").fill("very-secret")
    save.click()
    expect(page.get_by_text(f"{URL}/2")).to_be_visible()
    edit(page).get_by_label("Authentication").select_option(label="None")
    save.click()
    expect(page.get_by_text("OAuth 2 as mill")).to_have_count(0)


@pytest.mark.contract("Web application 58")
def test_a_certificate_shows_when_it_ends_and_is_replaced(api: Api, sign_in: SignIn) -> None:
    authority, soon = Authority("Acme CA"), datetime.now(UTC) + timedelta(days=3)
    webhook = create_webhook(
        api, endpoint_url=TLS_URL, authentication=authority.issue("mill", ends=soon).as_authentication
    )
    page = sign_in(at=address(api))
    expect(page.get_by_text("Certificate ends")).to_be_visible()
    page.get_by_role("link", name="Mill").click()
    expect(page.get_by_role("heading", name="The client certificate ends on")).to_be_visible()
    expect(page.get_by_text("Issued by CN=Acme CA")).to_be_visible()
    dialog, renewed = edit(page), authority.issue("renewed")
    dialog.get_by_label("Certificate", exact=True).fill(renewed.certificate)
    assert violations_of_both_widths(page) == []
    save = dialog.get_by_role("button", name="Save")
    save.click()
    expect(dialog.get_by_role("alert")).to_contain_text("does not belong to the first certificate")
    dialog.get_by_label("Private key").fill(renewed.private_key)
    save.click()
    expect(page.get_by_text("CN=renewed")).to_be_visible()
    expect(page.get_by_role("heading", name="The client certificate ends on")).to_have_count(0)
    shown = api.person.get(f"{api.organization}/webhooks/{webhook}").json()["webhook"]["authentication"]
    assert shown["subject"] == "CN=renewed"


@pytest.mark.contract("Web application 58")
def test_custom_headers_are_entered_again_when_the_endpoint_changes(api: Api, sign_in: SignIn) -> None:
    webhook = create_webhook(api, headers={"X-Token": "very-secret"})
    page = sign_in(at=address(api, webhook))
    dialog = edit(page)
    save = dialog.get_by_role("button", name="Save")
    expect(dialog.get_by_text("Leave empty to keep them.")).to_be_visible()
    dialog.get_by_label("Endpoint URL").fill(f"{URL}/2")
    expect(dialog.get_by_text("Enter them again, because the URL changes.")).to_be_visible()
    expect(save).to_be_disabled()
    dialog.get_by_label("Custom headers").fill("X-Token: again")
    save.click()
    expect(page.get_by_text(f"{URL}/2")).to_be_visible()

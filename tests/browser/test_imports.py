"""Import of a Slack export in the browser: choose, check, start, progress, cancel."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations, violations_of_both_widths
from tests.browser.conftest import SignIn, at_rest, visit
from tests.conftest import Api
from tests.imports.export import history, one_day, slack_message, write_zip
from tests.imports.harness import begin, send

CHANNELS = [{"id": f"C{nr}", "name": f"channel-{nr}", "created": 1_500_000_000} for nr in range(3)]


def export(folder: Path, messages: int = 30) -> Path:
    days = {f"channel-{nr}/2017-07-14.json": [slack_message(each) for each in range(messages)] for nr in range(3)}
    return write_zip(folder / "acme.zip", days, channels=CHANNELS)


def open_page(api: Api, page: Page) -> None:
    visit(page, f"{api.url}/o/{api.organization_id}/administration/imports")
    page.get_by_role("heading", name="Import", exact=True).wait_for()


def choose(page: Page, path: Path) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose export").click()
    chooser.value.set_files(path)


@pytest.mark.contract("Web application 71")
def test_an_export_is_uploaded_checked_and_imported(api: Api, sign_in: SignIn, tmp_path: Path) -> None:
    page = sign_in()
    open_page(api, page)
    expect(page.get_by_text("No exports uploaded yet")).to_be_visible()
    assert violations_of_both_widths(page) == []
    choose(page, export(tmp_path))
    row = page.get_by_role("list", name="Imports").get_by_role("listitem").first
    expect(row.get_by_role("status")).to_have_text("Ready to import")
    expect(row.get_by_role("row", name="Rooms 3 0")).to_be_visible()
    expect(row.get_by_role("row", name="Messages 90 0")).to_be_visible()
    expect(row).to_contain_text("Nothing is imported yet.")
    at_rest(page)
    assert violations_of_both_widths(page) == []
    row.get_by_role("button", name="Start import of acme.zip").click()
    expect(row.get_by_role("status")).to_have_text("Completed")
    expect(row.get_by_role("row", name="Messages 90 0")).to_be_visible()
    assert len(history(api, "channel-2")) == 30
    choose(page, tmp_path / "acme.zip")
    expect(row.get_by_role("status")).to_have_text("Ready to import")
    expect(row.get_by_role("row", name="Messages 0 90")).to_be_visible()
    expect(row).to_contain_text("Everything in this export is already in Atrium.")
    assert violations_of_both_widths(page) == []
    page.reload()
    expect(page.get_by_role("list", name="Imports").get_by_role("status")).to_have_text(
        ["Ready to import", "Completed"]
    )


@pytest.mark.contract("Web application 71")
def test_the_progress_is_shown_and_the_import_canceled(api: Api, sign_in: SignIn, tmp_path: Path) -> None:
    path = export(tmp_path)
    page = sign_in()
    url = begin(api, path).headers["location"]
    send(api, url, path.read_bytes()[:200])
    open_page(api, page)
    row = page.get_by_role("list", name="Imports").get_by_role("listitem").first
    expect(row.get_by_role("progressbar", name="Progress of acme.zip")).to_have_attribute("value", "200")
    shown = "update imports set status = $2, done = $3::text::int, total = 90, due_at = now() + interval '1 h' where import_id = $1::text::uuid"
    import_id = url.rpartition("/")[2]
    api.sql(shown, import_id, "importing", "30")  # as by a worker in the middle of it
    page.reload()
    expect(row).to_contain_text("30 of 90 messages")
    bar = row.get_by_role("progressbar", name="Progress of acme.zip")
    expect(bar).to_have_attribute("value", "30")
    assert violations(page) == []
    api.sql(shown, import_id, "importing", "60")
    expect(bar).to_have_attribute("value", "60")
    row.get_by_role("button", name="Cancel").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(row.get_by_role("status")).to_have_text("Canceled")
    expect(row.get_by_role("button")).to_have_count(0)


@pytest.mark.contract("Web application 71")
def test_a_file_that_is_no_export_is_refused(api: Api, sign_in: SignIn, tmp_path: Path) -> None:
    page = sign_in()
    open_page(api, page)
    (tmp_path / "notes.zip").write_text("no zip")
    choose(page, tmp_path / "notes.zip")
    expect(page.get_by_text("This isn't a zip file.")).to_be_visible()
    broken = one_day(tmp_path / "broken.zip", ["no message"])  # type: ignore[list-item]
    choose(page, broken)
    row = page.get_by_role("list", name="Imports").get_by_role("listitem").first
    expect(row.get_by_role("status")).to_have_text("Failed")
    expect(row).to_contain_text("2017-07-14.json")


@pytest.mark.contract("Web application 71")
@pytest.mark.parametrize(("role", "action"), [("admin", "Learn how"), (None, "Import")])
def test_the_first_steps_lead_to_the_import(api: Api, sign_in: SignIn, role: str | None, action: str) -> None:
    page = sign_in(name="Grace", role=role) if role else sign_in()
    step = page.get_by_role("listitem").filter(has_text="Import from Slack")
    if role:
        expect(step.get_by_role("link", name=action)).to_have_attribute("href", "/docs/guides/slack")
        visit(page, f"{api.url}/o/{api.organization_id}/administration/imports")
        expect(page.get_by_role("alert")).to_be_visible()
        expect(page.get_by_role("link", name="Import")).to_have_count(0)
    else:
        step.get_by_role("link", name=action).click()
        page.wait_for_url("**/administration/imports")

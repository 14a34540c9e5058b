"""Imports in the browser: upload, check, start, progress, cancel."""

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.imports.export import ADA, GENERAL, history, one_day, rooms_named, run_import, slack_message, ts, write_zip
from tests.imports.harness import begin, import_by_upload, send, upload, wait_for

FILES = "select count(*) from media_parts where object = $1::text::uuid"
DROPPED = "select count(*) from dropped_objects where object = $1::text::uuid"


def actions(api: Api) -> list[str]:
    found = api.person.get(f"{api.organization}/audit-log", params={"action": "import"}).json()["entries"]
    return [entry["action"] for entry in found][::-1]


@pytest.mark.contract("Messages and blocks 26")
def test_a_checked_file_is_imported_as_by_the_command(api: Api, outsider: Api, tmp_path: Path) -> None:
    long = "word " * 10_000
    messages = [slack_message(1, "hi <@U2>"), slack_message(2, "reply", thread_ts=ts(1)), slack_message(3, long)]
    path = one_day(tmp_path / "export.zip", messages)
    ready, done = import_by_upload(api, path)
    counts = {"people": {"new": 2, "known": 0}, "rooms": {"new": 1, "known": 0}, "messages": {"new": 3, "known": 0}}
    assert counts.items() <= ready["found"].items()
    assert counts.items() <= done["added"].items()
    assert (ready["added"], done["reason"], done["name"]) == (None, None, "export.zip")
    assert done["added"]["notes"] == ["messages added to continue texts over 40,000 characters: 1"]
    assert run_import(outsider, path).summary["messages"] == (3, 0)
    shown = ("text", "reply_count", "sent_at", "edited_at", "reactions")
    assert _only(shown, history(api)) == _only(shown, history(outsider))
    assert actions(api) == ["import.uploaded", "import.started", "import.completed"]
    assert api.sql(DROPPED, done["import_id"])[0]["count"] == 1


def _only(names: tuple[str, ...], messages: list[dict[str, Any]]) -> list[list[Any]]:
    mention = "<@"
    return [[each[name] for name in names if name != "text" or mention not in each["text"]] for each in messages]


@pytest.mark.contract("Messages and blocks 25")
def test_the_check_writes_nothing_and_says_what_exists(api: Api, tmp_path: Path) -> None:
    [owner] = api.person.get(f"{api.organization}/members").json()["members"]
    mailed = {"id": "U4", "name": "cy", "profile": {"email": owner["email"].upper()}}
    run_import(api, one_day(tmp_path / "first.zip", [slack_message(1)]))
    random = {"id": "C2", "name": "random", "created": 1_500_000_000}
    days = {
        "general/2017-07-14.json": [slack_message(1), slack_message(2)],
        "random/2017-07-14.json": [slack_message(3)],
        "secrets/2017-07-14.json": [slack_message(4)],
    }
    path = write_zip(tmp_path / "later.zip", days, users=[ADA, mailed], channels=[GENERAL, random])
    found = wait_for(api, url := upload(api, path), "ready")["found"]
    assert found["people"] == {"new": 0, "known": 2}
    assert found["rooms"] == {"new": 1, "known": 1}
    assert found["messages"] == {"new": 2, "known": 1}
    assert found["notes"] == ["folders skipped, not named in channels.json: 1 with 1 day files: secrets"]
    assert len(history(api)) == 1
    assert rooms_named(api, "random") == []
    assert api.person.post(f"{url}/start").status_code == 202
    added = wait_for(api, url, "done")["added"]
    assert {name: added[name] for name in ("people", "rooms", "messages")} == {
        name: found[name] for name in ("people", "rooms", "messages")
    }


@pytest.mark.contract("Messages and blocks 25")
@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"no zip at all", "export.zip: is not a zip file"), (b"PK\x03\x04" + bytes(100), "export.zip: is truncated")],
)
def test_a_wrong_file_is_named_and_removed(api: Api, tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "notes.zip"
    path.write_bytes(content)
    failed = wait_for(api, upload(api, path), "failed")
    assert failed["reason"].startswith(reason)
    assert (failed["name"], failed["found"]) == ("notes.zip", None)
    assert api.sql(DROPPED, failed["import_id"])[0]["count"] == 1
    assert actions(api) == ["import.uploaded", "import.failed"]


@pytest.mark.contract("Messages and blocks 25")
def test_a_channel_that_is_in_another_space_fails_the_check(api: Api, tmp_path: Path) -> None:
    path = one_day(tmp_path / "a.zip", [slack_message(1)])
    import_by_upload(api, path)
    other = api.new_space()
    begun = begin(api, path, space_id=other).headers["location"]
    assert send(api, begun, path.read_bytes()).status_code == 204
    assert f"was imported into space {api.space_id} before" in wait_for(api, begun, "failed")["reason"]


def test_an_upload_continues_where_it_was_cut(api: Api, tmp_path: Path) -> None:
    path = one_day(tmp_path / "a.zip", [slack_message(1)])
    content = path.read_bytes()
    url = begin(api, path).headers["location"]
    assert send(api, url, content[:100]).status_code == 204
    head = api.person.head(url, headers={"tus-resumable": "1.0.0"})
    assert (head.headers["upload-offset"], head.headers["upload-length"]) == ("100", str(len(content)))
    assert (shown := api.person.get(url).json())["status"] == "uploading" and shown["received"] == 100
    assert_problem(send(api, url, content[200:], 200), 409)
    assert send(api, url, content[100:], 100).status_code == 204
    assert wait_for(api, url, "ready")["received"] == len(content)
    assert_problem(send(api, url, b"more", len(content)), 409)


@pytest.mark.contract("Messages and blocks 33")
def test_an_import_is_started_only_after_its_check_and_canceled_only_before_its_end(api: Api, tmp_path: Path) -> None:
    path = one_day(tmp_path / "a.zip", [slack_message(1)])
    url = begin(api, path).headers["location"]
    assert assert_problem(api.person.post(f"{url}/start"), 409)["code"] == "import_conflict"
    assert api.person.delete(url).status_code == 204
    assert_problem(api.person.delete(url), 409)
    assert_problem(api.person.post(f"{url}/start"), 409)
    assert_problem(send(api, url, path.read_bytes()), 409)
    url = upload(api, path)
    wait_for(api, url, "ready")
    assert api.person.delete(url).status_code == 204
    canceled = api.person.get(url).json()
    assert (canceled["status"], canceled["added"]) == ("canceled", None)
    assert rooms_named(api, "general") == []
    assert actions(api) == ["import.canceled", "import.uploaded", "import.canceled"]


@pytest.mark.contract("Messages and blocks 24")
def test_only_super_admins_import_and_only_into_their_own_spaces(api: Api, outsider: Api, tmp_path: Path) -> None:
    path = one_day(tmp_path / "a.zip", [slack_message(1)])
    assert_problem(begin(api, path, api.client(api.new_person("admin")[1])), 403)
    assert_problem(begin(api, path, api.integration), 403)
    assert assert_problem(begin(api, path, space_id=outsider.space_id), 404)["code"] == "space_not_found"
    url = begin(api, path).headers["location"]
    import_id = url.rpartition("/")[2]
    missing = outsider.person.get(f"{outsider.organization}/imports/{import_id}")
    assert assert_problem(missing, 404)["code"] == "import_not_found"
    assert outsider.person.get(f"{outsider.organization}/imports").json()["imports"] == []
    [listed] = api.person.get(f"{api.organization}/imports").json()["imports"]
    assert listed["import_id"] == import_id


def test_a_real_export_is_imported_completely(api: Api, archive: Path) -> None:
    ready, done = import_by_upload(api, archive)
    assert ready["found"] == done["added"]
    assert (done["added"]["people"]["new"], done["added"]["messages"]) == (351, {"new": 22_172, "known": 0})

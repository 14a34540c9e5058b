"""Archives as other programs write them: nothing in them is dropped without a note."""

import json
import unicodedata
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.conftest import Api
from tests.imports.export import ADA, GENERAL, history, one_day, rooms_named, run_import, slack_message, write_zip

PROJECTS = {"id": "C2", "name": "проекты", "created": 1_500_000_000}
ACCENTED = {"id": "C3", "name": "caf\u00e9"}
LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"
DAY = "2017-07-14.json"


def without_utf8_flag(path: Path) -> Path:
    """Clear the flag for UTF-8 names in all headers, as Slack's exports have it."""
    content = bytearray(path.read_bytes())
    for signature, flags in ((LOCAL, 7), (CENTRAL, 9)):
        at = content.find(signature)
        while at >= 0:
            content[at + flags] &= ~0x08
            at = content.find(signature, at + 1)
    path.write_bytes(content)
    return path


@pytest.mark.contract("Messages and blocks 28")
def test_names_in_utf8_without_the_flag_are_read(api: Api, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {f"проекты/{DAY}": [slack_message(1, "план")]}, channels=[PROJECTS])
    result = run_import(api, without_utf8_flag(path))
    assert result.summary["messages"] == (1, 0), result.text
    assert [each["text"] for each in history(api, "проекты")] == ["план"]


@pytest.mark.contract("Messages and blocks 28")
def test_names_whose_accents_are_apart_are_the_same(api: Api, tmp_path: Path) -> None:
    folder = unicodedata.normalize("NFD", "café")
    result = run_import(
        api, write_zip(tmp_path / "a.zip", {f"{folder}/{DAY}": [slack_message(1)]}, channels=[ACCENTED])
    )
    assert result.summary["messages"] == (1, 0), result.text


@pytest.mark.contract("Messages and blocks 28")
@pytest.mark.parametrize("top", ["", "export\\"])
def test_backslashes_separate_folders(api: Api, tmp_path: Path, top: str) -> None:
    path = tmp_path / "a.zip"
    files = {"users.json": [ADA], "channels.json": [GENERAL], f"general\\{DAY}": [slack_message(1, "from Windows")]}
    with ZipFile(path, "w") as file:
        for name, content in files.items():
            file.writestr(top + name, json.dumps(content))
    result = run_import(api, path)
    assert result.summary["messages"] == (1, 0), result.text


@pytest.mark.contract("Messages and blocks 29")
def test_what_is_not_understood_is_named_and_counted(api: Api, tmp_path: Path) -> None:
    days: dict[str, Any] = {
        f"general/{DAY}": [
            slack_message(1),
            slack_message(2, subtype="novel_kind"),
            {**slack_message(3), "text": None},
        ],
        f"genéral/{DAY}": [slack_message(1)],
        "general/canvas.json": {},
        "integration_logs.json": [],
        f"general/deep/{DAY}": [],
        f"__MACOSX/general/._{DAY}": "x",
        "general/.DS_Store": "x",
    }
    channels = [GENERAL, {"id": "C2", "name": "empty"}, GENERAL]
    result = run_import(api, write_zip(tmp_path / "a.zip", days, users=[ADA, ADA], channels=channels))
    for line in (
        "folders skipped, not named in channels.json: 1 with 1 day files: genéral",
        "files skipped, as only people, public channels and messages are imported: 3: general/canvas.json, "
        "general/deep/2017-07-14.json, integration_logs.json",
        "files of macOS skipped: 2: __MACOSX/general/._2017-07-14.json, general/.DS_Store",
        "channels without a folder, imported without messages: 1: empty",
        "channels and people that the export names twice, the last of which counts: 2: U1, general",
        "messages of an unknown kind, imported with their text: 1: novel_kind",
        "messages without any content: 1: message",
    ):
        assert line in result.text
    assert result.summary["messages"] == (3, 0)


@pytest.mark.contract("Messages and blocks 29")
def test_an_entry_that_is_there_twice_is_read_and_named(api: Api, tmp_path: Path) -> None:
    path = one_day(tmp_path / "a.zip", [slack_message(1, "one")])
    with pytest.warns(UserWarning, match="Duplicate name"), ZipFile(path, "a") as file:
        file.writestr(f"general/{DAY}", json.dumps([slack_message(1, "one"), slack_message(2, "two")]))
    result = run_import(api, path)
    assert [each["text"] for each in history(api)] == ["one", "two"]
    assert f"files that are in the archive more than once: 1: general/{DAY}" in result.text


@pytest.mark.contract("Messages and blocks 29")
def test_records_of_changes_are_no_messages(api: Api, tmp_path: Path) -> None:
    message = slack_message(1, "as it is now", edited={"user": "U1", "ts": "1500000002.000000"})
    changed = {**slack_message(2, ""), "subtype": "message_changed", "message": message, "hidden": True}
    deleted = {"type": "message", "subtype": "message_deleted", "ts": "1500000003.000000", "deleted_ts": "1.1"}
    result = run_import(api, one_day(tmp_path / "a.zip", [message, changed, deleted]))
    assert [each["text"] for each in history(api)] == ["as it is now"]
    assert "records of changes to messages, skipped: 2: message_changed, message_deleted" in result.text
    assert rooms_named(api, "general")[0]["last_message_at"] == history(api)[0]["sent_at"]


@pytest.mark.contract("Messages and blocks 28")
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_day_files_in_other_encodings_are_read(api: Api, tmp_path: Path, encoding: str) -> None:
    day = json.dumps([slack_message(1, "größe")], ensure_ascii=False).encode(encoding)
    run_import(api, write_zip(tmp_path / "a.zip", {f"general/{DAY}": day}))
    assert [each["text"] for each in history(api)] == ["größe"]

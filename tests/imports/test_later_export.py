"""A later export of the same workspace brings what is new to where the first one went."""

from pathlib import Path

import pytest

from tests.conftest import Api
from tests.imports.export import (
    ADA,
    BOB,
    GENERAL,
    Entry,
    history,
    one_day,
    rooms_named,
    run_import,
    said,
    ts,
    write_zip,
)

EVE: Entry = {"id": "U3", "name": "eve", "profile": {"real_name": "Eve"}}


@pytest.fixture
def first(api: Api, tmp_path: Path) -> list[Entry]:
    messages = [
        said(10, "root", thread_ts=ts(10), reply_count=1),
        said(20, "reply", thread_ts=ts(10)),
        said(30, "last"),
    ]
    assert run_import(api, one_day(tmp_path / "first.zip", messages)).status == 0
    return messages


def test_new_messages_and_replies_come_in_once(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    later = [*first, said(15, "between"), said(40, "late reply", user="U3", thread_ts=ts(10)), said(50, "newest")]
    told = run_import(api, one_day(tmp_path / "later.zip", later, users=[ADA, BOB, EVE]))
    assert told.summary == {
        "people": (1, 2), "rooms": (0, 1), "messages": (3, 3), "of them replies": (1, 1), "reactions": (0, 0),
    }  # fmt: skip
    found = history(api)
    assert [each["text"] for each in found] == ["root", "between", "reply", "last", "late reply", "newest"]
    assert (found[0]["reply_count"], found[0]["last_reply_at"]) == (2, found[4]["sent_at"])


def test_replies_to_a_root_that_only_the_first_export_has(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    told = run_import(api, one_day(tmp_path / "later.zip", [said(60, "much later", thread_ts=ts(10))]))
    assert told.summary["of them replies"] == (1, 0)
    root, *_, reply = history(api)
    assert reply["thread_root_id"] == root["message_id"]
    assert root["reply_count"] == 2


def test_older_messages_lower_the_age_of_the_room(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    older = [said(-86_400 * 30, "older"), *first]
    run_import(api, one_day(tmp_path / "later.zip", older))
    [room] = rooms_named(api, "general")
    assert room["created_at"] == history(api)[0]["sent_at"]
    assert [each["text"] for each in history(api)] == ["older", "root", "reply", "last"]
    assert room["last_message_at"] == history(api)[-1]["sent_at"]


def test_a_reply_finds_its_thread_when_the_root_comes_later(api: Api, tmp_path: Path) -> None:
    reply, root = said(20, "reply", thread_ts=ts(10)), said(10, "root")
    told = run_import(api, one_day(tmp_path / "first.zip", [reply]))
    assert "replies without the message they answer, which now stand at the top level: 1" in told.text
    [alone] = history(api)
    assert (alone["thread_root_id"], alone["text"]) == (None, "reply")

    run_import(api, one_day(tmp_path / "later.zip", [root, reply]))
    found = history(api)
    assert found[1]["thread_root_id"] == found[0]["message_id"]
    assert found[0]["reply_count"] == 1


def test_what_was_said_in_the_room_since_stays(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    root = history(api)[0]
    path = f"/v2/rooms/{root['room_id']}/messages"
    reply = api.person.post(path, json={"text": "through the API", "parent_id": root["message_id"]}).json()
    api.person.delete(f"{path}/{history(api)[2]['message_id']}").raise_for_status()

    run_import(api, one_day(tmp_path / "later.zip", [*first, said(25, "new", thread_ts=ts(10))]))
    found = history(api)
    assert [each["text"] for each in found] == ["root", "reply", "new", "", "through the API"]
    assert found[-1] == reply
    assert (found[0]["reply_count"], found[0]["last_reply_at"]) == (3, reply["sent_at"])
    [room] = rooms_named(api, "general")
    assert room["last_message_at"] == reply["sent_at"]
    sent = api.person.post(path, json={"text": "after"}).json()
    assert sent["message_id"] > reply["message_id"]


def test_a_deleted_room_is_imported_anew(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    [room] = rooms_named(api, "general")
    api.person.delete(f"/v2/rooms/{room['room_id']}").raise_for_status()
    assert run_import(api, one_day(tmp_path / "again.zip", first)).summary["messages"] == (3, 0)
    assert [each["text"] for each in history(api)] == ["root", "reply", "last"]


def test_a_room_stays_in_its_space(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    told = run_import(api, tmp_path / "first.zip", space=api.new_space())
    assert told.status == 1
    assert f"#general was imported into the space {api.space_id} before" in told.refusal


def test_another_channel_is_another_room(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    both = [GENERAL, {"id": "C2", "name": "random", "is_archived": True, "topic": {"value": "Odds & ends"}}]
    days = {"general/2017-07-14.json": first, "random/2017-07-14.json": [said(10, "elsewhere")]}
    told = run_import(api, write_zip(tmp_path / "later.zip", days, channels=both))
    assert (told.summary["rooms"], told.summary["messages"]) == ((1, 1), (1, 3))
    [random] = rooms_named(api, "random")
    assert random["archived_at"] is not None
    assert (random["description"], random["room_type"]) == ("Odds & ends", "chat")
    assert random["created_at"] == history(api, "random")[0]["sent_at"]

"""A later export of the same workspace adds what is new to the same rooms."""

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
    slack_message,
    ts,
    write_zip,
)

EVE: Entry = {"id": "U3", "name": "eve", "profile": {"real_name": "Eve"}}


@pytest.fixture
def first(api: Api, tmp_path: Path) -> list[Entry]:
    messages = [
        slack_message(10, "root", thread_ts=ts(10), reply_count=1),
        slack_message(20, "reply", thread_ts=ts(10)),
        slack_message(30, "last"),
    ]
    assert run_import(api, one_day(tmp_path / "first.zip", messages)).status == 0
    return messages


def test_new_messages_and_replies_are_imported_once(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    later = [
        *first,
        slack_message(15, "between"),
        slack_message(40, "late reply", user="U3", thread_ts=ts(10)),
        slack_message(50, "newest"),
    ]
    result = run_import(api, one_day(tmp_path / "later.zip", later, users=[ADA, BOB, EVE]))
    assert result.summary == {
        "people": (1, 2),
        "rooms": (0, 1),
        "messages": (3, 3),
        "of them replies": (1, 1),
        "reactions": (0, 0),
    }
    found = history(api)
    assert [each["text"] for each in found] == ["root", "between", "reply", "last", "late reply", "newest"]
    assert (found[0]["reply_count"], found[0]["last_reply_at"]) == (2, found[4]["sent_at"])


def test_a_reply_joins_a_root_from_an_earlier_export(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    result = run_import(api, one_day(tmp_path / "later.zip", [slack_message(60, "much later", thread_ts=ts(10))]))
    assert result.summary["of them replies"] == (1, 0)
    root, *_, reply = history(api)
    assert reply["thread_root_id"] == root["message_id"]
    assert root["reply_count"] == 2


@pytest.mark.contract("Messages and blocks 23")
def test_older_messages_move_created_at_of_the_room_back(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    older = [slack_message(-86_400 * 30, "older"), *first]
    run_import(api, one_day(tmp_path / "later.zip", older))
    [room] = rooms_named(api, "general")
    assert room["created_at"] == history(api)[0]["sent_at"]
    assert [each["text"] for each in history(api)] == ["older", "root", "reply", "last"]
    assert room["last_message_at"] == history(api)[-1]["sent_at"]


def test_a_reply_joins_its_thread_if_the_root_is_imported_later(api: Api, tmp_path: Path) -> None:
    reply, root = slack_message(20, "reply", thread_ts=ts(10)), slack_message(10, "root")
    result = run_import(api, one_day(tmp_path / "first.zip", [reply]))
    assert "replies without their root message, now top-level messages: 1" in result.text
    [alone] = history(api)
    assert (alone["thread_root_id"], alone["text"]) == (None, "reply")

    run_import(api, one_day(tmp_path / "later.zip", [root, reply]))
    found = history(api)
    assert found[1]["thread_root_id"] == found[0]["message_id"]
    assert found[0]["reply_count"] == 1


def test_changes_in_the_room_since_the_import_stay(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    root = history(api)[0]
    path = f"/v2/rooms/{root['room_id']}/messages"
    reply = api.person.post(path, json={"text": "through the API", "parent_id": root["message_id"]}).json()
    api.person.delete(f"{path}/{history(api)[2]['message_id']}").raise_for_status()

    run_import(api, one_day(tmp_path / "later.zip", [*first, slack_message(25, "new", thread_ts=ts(10))]))
    found = history(api)
    assert [each["text"] for each in found] == ["root", "reply", "new", "", "through the API"]
    assert found[-1] == reply
    assert (found[0]["reply_count"], found[0]["last_reply_at"]) == (3, reply["sent_at"])
    [room] = rooms_named(api, "general")
    assert room["last_message_at"] == reply["sent_at"]
    sent = api.person.post(path, json={"text": "after"}).json()
    assert sent["message_id"] > reply["message_id"]


def test_a_deleted_room_is_imported_again(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    [room] = rooms_named(api, "general")
    api.person.delete(f"/v2/rooms/{room['room_id']}").raise_for_status()
    assert run_import(api, one_day(tmp_path / "again.zip", first)).summary["messages"] == (3, 0)
    assert [each["text"] for each in history(api)] == ["root", "reply", "last"]


def test_a_room_stays_in_its_space(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    result = run_import(api, tmp_path / "first.zip", space=api.new_space())
    assert result.status == 1
    assert f"#general was imported into space {api.space_id} before" in result.error


def test_another_channel_is_another_room(api: Api, tmp_path: Path, first: list[Entry]) -> None:
    both = [GENERAL, {"id": "C2", "name": "random", "is_archived": True, "topic": {"value": "Odds & ends"}}]
    days = {"general/2017-07-14.json": first, "random/2017-07-14.json": [slack_message(10, "elsewhere")]}
    result = run_import(api, write_zip(tmp_path / "later.zip", days, channels=both))
    assert (result.summary["rooms"], result.summary["messages"]) == ((1, 1), (1, 3))
    [random] = rooms_named(api, "random")
    assert random["archived_at"] is not None
    assert (random["description"], random["room_type"]) == ("Odds & ends", "chat")
    assert random["created_at"] == history(api, "random")[0]["sent_at"]

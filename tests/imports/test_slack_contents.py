"""The contents of a Slack export besides plain messages."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.conftest import Api
from tests.imports.export import (
    ADA,
    BOB,
    history,
    members,
    one_day,
    rooms_named,
    run_import,
    slack_message,
    ts,
    write_zip,
)


def test_people_become_members(api: Api, tmp_path: Path) -> None:
    gone = {"id": "U3", "name": "gone", "deleted": True, "profile": {}}
    mailed = {"id": "U4", "name": "cy", "profile": {"display_name": "Cy", "email": f"Cy.{api.room_id}@example.org"}}
    run_import(api, one_day(tmp_path / "a.zip", [], users=[ADA, gone, mailed]))
    found = members(api)
    assert (found["Ada L"]["role"], found["Ada L"]["active"], found["Ada L"]["email"]) == ("member", True, None)
    assert found["gone"]["active"] is False
    assert found["Cy"]["email"] == mailed["profile"]["email"]


@pytest.mark.contract("Roles and keys 13")
def test_imported_people_are_marked_until_they_accept_an_invitation(api: Api, tmp_path: Path) -> None:
    address = f"cy.{api.room_id}@example.org"
    mailed = {"id": "U4", "name": "cy", "profile": {"display_name": "Cy", "email": address}}
    run_import(api, one_day(tmp_path / "a.zip", [], users=[ADA, mailed]))
    assert {name for name, each in members(api).items() if each["imported"]} == {"Ada L", "Cy"}
    ids = ",".join(each["person_id"] for each in members(api).values())
    actors = api.person.get(f"{api.organization}/actors", params={"ids": ids}).json()["actors"]
    assert {each["name"] for each in actors if each["imported"]} == {"Ada L", "Cy"}
    invited = api.person.post(f"{api.organization}/invitations", json={"content": {"email": address}}).json()
    body = {"content": {"token": invited["token"], "name": "Cy"}}
    assert api.client(None).post("/v1/invitations/accept", json=body).status_code == 201
    assert {name for name, each in members(api).items() if each["imported"]} == {"Ada L"}


def test_an_existing_person_with_that_email_does_not_change(api: Api, tmp_path: Path) -> None:
    [owner] = members(api).values()
    user = {"id": "U1", "name": "x", "deleted": True, "profile": {"email": owner["email"].upper()}}
    result = run_import(api, one_day(tmp_path / "a.zip", [slack_message(1)], users=[user]))
    assert result.summary["people"] == (0, 1)
    assert list(members(api).values()) == [owner]
    assert history(api)[0]["user_id"] == api.person_id


@pytest.mark.contract("Room 1")
def test_equal_names_of_channels_are_numbered(api: Api, tmp_path: Path) -> None:
    api.new_room(name="Harbor (3)")
    channels = [{"id": f"C{nr}", "name": name} for nr, name in enumerate(("harbor", "Harbor", "HARBOR", "quay"))]
    result = run_import(api, write_zip(tmp_path / "a.zip", {}, channels=channels))
    assert result.summary["rooms"] == (4, 0)
    rooms = api.person.get(f"/v2/spaces/{api.space_id}/rooms").json()["rooms"]
    names = {room["name"] for room in rooms}
    assert names == {"general", "Harbor (3)", "harbor", "Harbor (2)", "HARBOR (4)", "quay"}
    assert run_import(api, tmp_path / "a.zip").summary["rooms"] == (0, 4)


def test_mentions_reactions_and_edits_are_imported(api: Api, tmp_path: Path) -> None:
    reactions = [
        {"name": "+1", "users": ["U2", "U1", "U2"], "count": 2},
        {"name": "tada::skin-tone-2", "users": ["U7"]},
    ]
    entry = slack_message(
        1, "hi <@U2>, *read* <http://a.b|this>", reactions=reactions, edited={"user": "U1", "ts": ts(5)}
    )
    result = run_import(api, one_day(tmp_path / "a.zip", [entry]))
    assert result.summary["reactions"] == (3, 0)
    ids = {name: member["person_id"] for name, member in members(api).items()}
    [message] = history(api)
    assert message["text"] == f"hi <@{ids['Bob']}>, **read** [this](http://a.b)"
    assert message["mentions"] == [ids["Bob"]]
    assert message["reactions"] == [
        {"emoji": "+1", "user_ids": [ids["Bob"], ids["Ada L"]]},
        {"emoji": "tada::skin-tone-2", "user_ids": [ids["U7"]]},
    ]
    assert message["edited_at"] == "2017-07-14T02:40:05.000Z"


@pytest.mark.contract("Messages and blocks 17")
def test_reactions_that_do_not_fit_are_left_out_and_counted(api: Api, tmp_path: Path) -> None:
    crowd = [f"U{nr}" for nr in range(100, 400)]
    reactions = [{"name": "+1", "users": crowd[:200]}, {"name": "tada", "users": crowd[200:]}]
    result = run_import(
        api, one_day(tmp_path / "a.zip", [slack_message(1, "字" * 40_000, reactions=reactions), slack_message(2, "on")])
    )
    [message, following] = history(api)
    assert len(message["text"]) == 40_000
    included = [len(each["user_ids"]) for each in message["reactions"]]
    assert included[0] == 200 and 0 < included[1] < 100
    assert f"limited to 128 KiB: {300 - sum(included)}" in result.text
    assert following["text"] == "on"
    [rendered] = api.sql(
        "select octet_length(rendered) from messages where message_id::text = $1", message["message_id"]
    )
    assert rendered[0] <= 128 << 10


def test_authors_missing_from_users_json_are_imported(api: Api, tmp_path: Path) -> None:
    days = [
        slack_message(1, "from a bot", subtype="bot_message", username="deploy", bot_id="B1", user=None),
        slack_message(2, "same bot", subtype="bot_message", username="alerts", bot_id="B1", user=None),
        slack_message(3, "from elsewhere", user="U9", user_profile={"real_name": "Guest of ours"}),
        slack_message(4, "nobody", user=None),
        slack_message(5, "commented", user=None, comment={"user": "U2"}, subtype="file_comment"),
        slack_message(6, "bot on the list", user="U5"),
    ]
    users = [ADA, BOB, {"id": "U5", "name": "hal", "is_bot": True}]
    result = run_import(api, one_day(tmp_path / "a.zip", days, users=users))
    assert (result.summary["people"], result.summary["bots"]) == ((3, 0), (4, 0))
    names = {str(row["actor_id"]): row["name"] for row in api.sql("select actor_id, name from actors")}
    assert [(names[each["user_id"]], each["sender_type"]) for each in history(api)] == [
        ("deploy", "integration"),
        ("alerts", "integration"),
        ("Guest of ours", "person"),
        ("Slack", "integration"),
        ("Bob", "person"),
        ("hal", "integration"),
    ]
    assert members(api)["Guest of ours"]["active"] is False
    assert run_import(api, tmp_path / "a.zip").summary["bots"] == (0, 4)


def test_files_attachments_and_blocks_become_text(api: Api, tmp_path: Path) -> None:
    days = [
        slack_message(1, "look", files=[{"title": "plan (1).pdf", "permalink": "https://f/1"}, {"name": "gone.png"}]),
        slack_message(
            2, "", attachments=[{"title": "Build", "title_link": "https://ci/1", "text": "*passed*"}, {"fallback": "f"}]
        ),
        slack_message(3, "", blocks=[{"type": "section", "text": {"type": "mrkdwn", "text": "in a block"}}]),
        slack_message(4, "<@U1> has joined the channel", subtype="channel_join"),
        {"type": "message", "user": "U1", "ts": ts(5), "text": None},
    ]
    run_import(api, one_day(tmp_path / "a.zip", days))
    ada = members(api)["Ada L"]["person_id"]
    assert history(api)[2]["blocks"] == [{"type": "paragraph", "content": {"text": "in a block"}}]
    assert [each["text"] for each in history(api)] == [
        "look\n[plan (1).pdf](https://f/1)\ngone.png",
        "**[Build](https://ci/1)**\n\n**passed**\n\nf",
        "",
        f"<@{ada}> has joined the channel",
        "",
    ]


def test_characters_that_cannot_be_stored_are_replaced_and_counted(api: Api, tmp_path: Path) -> None:
    result = run_import(
        api, one_day(tmp_path / "a.zip", [slack_message(1, "a\x00b\ud800c"), slack_message(2, "whole")])
    )
    assert [each["text"] for each in history(api)] == ["a\ufffdb\ufffdc", "whole"]
    assert "messages with characters that cannot be stored (NUL, lone surrogates), each now \ufffd: 1" in result.text


def test_a_long_text_continues_in_the_next_message(api: Api, tmp_path: Path) -> None:
    text = "word " * 17_000
    entries = [slack_message(1, "root"), slack_message(2, text, thread_ts=ts(1)), slack_message(2.000001, "next")]
    result = run_import(api, one_day(tmp_path / "a.zip", entries))
    assert result.summary["messages"] == (3, 0)
    assert "messages added to continue texts over 40,000 characters: 2" in result.text
    root, *parts, following = history(api)
    assert "".join(part["text"] for part in parts) == text
    assert {part["thread_root_id"] for part in parts} == {root["message_id"]}
    assert (following["text"], root["reply_count"]) == ("next", 3)
    assert run_import(api, tmp_path / "a.zip").summary["messages"] == (0, 3)


def test_several_messages_with_one_ts(api: Api, tmp_path: Path) -> None:
    same = [
        slack_message(1, "one"),
        slack_message(1, "two"),
        slack_message(1, "one"),
        slack_message(1, "one", user="U2"),
    ]
    result = run_import(api, one_day(tmp_path / "a.zip", same))
    assert [each["text"] for each in history(api)] == ["one", "two", "one"]
    assert "duplicate messages in the export, imported once: 1" in result.text
    assert run_import(api, tmp_path / "a.zip").summary["messages"] == (0, 3)


def test_replies_in_an_earlier_file_than_their_root_and_nested_ones(api: Api, tmp_path: Path) -> None:
    days = {
        "general/2017-07-13.json": [
            slack_message(30, "nested", thread_ts=ts(20)),
            slack_message(40, "early", thread_ts=ts(90)),
        ],
        "general/2017-07-14.json": [slack_message(20, "reply", thread_ts=ts(10)), slack_message(90, "later")],
        "general/2017-07-15.json": [slack_message(10, "root", thread_ts=ts(10), subtype="thread_broadcast")],
    }
    run_import(api, write_zip(tmp_path / "a.zip", days))
    found = history(api)
    root = found[0]["message_id"]
    assert [(each["text"], each["thread_root_id"], each["reply_count"]) for each in found] == [
        ("root", None, 2),
        ("reply", root, 0),
        ("nested", root, 0),
        ("early", None, 0),
        ("later", None, 0),
    ]


def test_private_channels_are_left_out_and_counted(api: Api, tmp_path: Path) -> None:
    days = {
        "general/2017-07-14.json": [slack_message(1)],
        "secret/2017-07-14.json": [slack_message(1)],
        "general/canvas.json": {},
    }
    result = run_import(api, write_zip(tmp_path / "a.zip", days, groups=[{"id": "G1", "name": "secret"}]))
    assert result.summary["messages"] == (1, 0)
    assert (
        "folders skipped, private channels and direct messages (groups.json): 1 with 1 day files: secret" in result.text
    )


def test_an_export_zipped_inside_a_folder_is_imported(api: Api, tmp_path: Path) -> None:
    inner, outer = one_day(tmp_path / "a.zip", [slack_message(1, "inside")]), tmp_path / "b.zip"
    with ZipFile(inner) as source, ZipFile(outer, "w") as target:
        for name in source.namelist():
            target.writestr(f"Our export/{name}", source.read(name))
    assert run_import(api, outer).summary["messages"] == (1, 0)


def test_messages_sent_while_an_import_runs_keep_their_order(api: Api, tmp_path: Path) -> None:
    run_import(api, one_day(tmp_path / "a.zip", [slack_message(1, "first")]))
    [room] = rooms_named(api, "general")
    one_day(tmp_path / "b.zip", [slack_message(n, f"old {n}", thread_ts=ts(1)) for n in range(1, 5000)])
    path, person = f"/v2/rooms/{room['room_id']}/messages", api.person
    with ThreadPoolExecutor(1) as aside:
        running = aside.submit(lambda: asyncio.run(asyncio.to_thread(run_import, api, tmp_path / "b.zip")))
        sent = []
        while not running.done():
            sent.append(person.post(path, json={"text": "live"}).raise_for_status().json()["message_id"])
        assert running.result().summary["messages"] == (4998, 1)
    found = history(api)
    assert [each["message_id"] for each in found if each["text"] == "live"] == sent
    assert all(before < after for before, after in pairwise(each["message_id"] for each in found))
    assert found[0]["reply_count"] == 4998
    assert len(found) == 4999 + len(sent)

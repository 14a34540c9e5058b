"""One message after it was sent: read, edited, deleted, reactions, replies."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem

MESSAGE = {
    "message_id", "room_id", "user_id", "sender_type", "parent_id", "thread_root_id", "status", "text", "blocks",
    "mentions", "attachments", "reactions", "reply_count", "last_reply_at", "sent_at", "created_at", "edited_at",
    "deleted_at",
}  # fmt: skip


def path(api: Api, message: dict[str, Any], tail: str = "") -> str:
    return f"{api.messages}/{message['message_id']}{tail}"


def read(api: Api, message: dict[str, Any]) -> dict[str, Any]:
    answer = api.person.get(path(api, message))
    assert answer.status_code == 200, answer.text
    single = dict(answer.json())
    listed = api.integration.get(api.messages, params={"limit": 200}).json()["messages"]
    assert single in listed  # a page and a single read return the same
    return single


@pytest.mark.contract("Authentication 3")
def test_sending_returns_the_message_as_it_is_read(api: Api) -> None:
    sent = api.person.post(api.messages, json={"text": 'Ünï 👍 \\ " \n'})
    assert sent.status_code == 201
    message = sent.json()
    assert set(message) == MESSAGE
    assert (message["text"], message["status"], message["sender_type"]) == ('Ünï 👍 \\ " \n', "SENT", "person")
    assert (message["room_id"], message["user_id"]) == (api.room_id, api.person_id)
    assert message["sent_at"] == message["created_at"]
    for empty in ("blocks", "mentions", "attachments", "reactions"):
        assert message[empty] == []
    for none in ("parent_id", "thread_root_id", "last_reply_at", "edited_at", "deleted_at"):
        assert message[none] is None
    assert message["reply_count"] == 0
    assert read(api, message) == message


def test_a_message_of_another_room_is_not_found(api: Api) -> None:
    message, other = api.send(), api.new_room()["room_id"]
    for message_id, room in ((message["message_id"], other), (str(uuid4()), api.room_id)):
        answer = api.person.get(f"/v2/rooms/{room}/messages/{message_id}")
        assert assert_problem(answer, 404)["code"] == "message_not_found"


def test_an_edit_changes_only_the_given_fields(api: Api) -> None:
    message = api.send("before", blocks=[{"type": "quote", "content": {"text": "q"}}])
    edited = api.person.patch(path(api, message), json={"text": "after"})
    assert edited.status_code == 200
    assert edited.json()["edited_at"] >= message["sent_at"]
    assert edited.json() == message | {"text": "after", "edited_at": edited.json()["edited_at"]}
    assert read(api, message) == edited.json()
    bare = api.person.patch(path(api, message), json={"blocks": []}).json()
    assert (bare["text"], bare["blocks"]) == ("after", [])


@pytest.mark.parametrize("field", ["message_id", "user_id", "parent_id", "status", "sent_at", "reactions"])
def test_a_field_that_cannot_change_is_rejected_and_named(api: Api, field: str) -> None:
    answer = api.person.patch(path(api, api.send()), json={"text": "x", field: "other"})
    assert assert_problem(answer, 400)["errors"][0]["pointer"] == f"/{field}"


def test_an_edit_may_not_empty_a_message(api: Api) -> None:
    message = api.send("x", blocks=[{"type": "divider", "content": {}}])
    assert api.person.patch(path(api, message), json={"text": ""}).status_code == 200
    assert_problem(api.person.patch(path(api, message), json={"blocks": []}), 400)
    assert read(api, message)["blocks"] == [{"type": "divider", "content": {}}]


@pytest.mark.contract("Messages and blocks 8")
def test_a_message_can_be_edited_only_by_its_sender(api: Api) -> None:
    person_id, key = api.new_person()
    theirs = api.client(key).post(api.messages, json={"text": "x"}).json()
    assert theirs["user_id"] == person_id
    for other in (api.person, api.integration, api.client(api.new_person()[1])):
        assert_problem(other.patch(path(api, theirs), json={"text": "y"}), 403)
    assert api.client(key).patch(path(api, theirs), json={"text": "y"}).status_code == 200


@pytest.mark.contract("Messages and blocks 8")
def test_a_message_can_be_deleted_by_its_sender_and_space_admins(api: Api) -> None:
    _, key = api.new_person()
    sender, other = api.client(key), api.client(api.new_person()[1])
    for deleter in (sender, api.person, api.integration):
        message = sender.post(api.messages, json={"text": "x"}).json()
        assert_problem(other.delete(path(api, message)), 403)
        assert deleter.delete(path(api, message)).status_code == 204


@pytest.mark.contract("Messages and blocks 7")
def test_a_tombstone_keeps_its_position_and_no_content(api: Api) -> None:
    before = api.send("before")
    message = api.send(f"secret <@{api.person_id}>", blocks=[{"type": "code", "content": {"text": "secret"}}])
    after = api.send("after")
    reply = api.send("reply", parent_id=message["message_id"])
    api.person.put(path(api, message, "/reactions/+1"))
    api.person.patch(path(api, message), json={"text": f"secret too <@{api.person_id}>"})
    assert api.person.delete(path(api, message)).status_code == 204
    tomb = read(api, message)
    assert tomb == message | {
        "status": "DELETED",
        "text": "",
        "blocks": [],
        "mentions": [],
        "reactions": [],
        "reply_count": 1,
        "last_reply_at": reply["sent_at"],
        "edited_at": tomb["edited_at"],
        "deleted_at": tomb["deleted_at"],
    }
    assert tomb["deleted_at"] >= message["sent_at"]
    ids = [each["message_id"] for each in api.person.get(api.messages).json()["messages"]]
    assert ids == [each["message_id"] for each in (reply, after, message, before)]
    [row] = api.sql("select m::text as row from messages m where message_id = $1::text::uuid", message["message_id"])
    assert "secret" not in row["row"]
    for answer in (
        api.person.delete(path(api, message)),
        api.person.patch(path(api, message), json={"text": "x"}),
        api.person.put(path(api, message, "/reactions/+1")),
    ):
        assert assert_problem(answer, 409)["code"] == "message_deleted"
    thread = api.person.get(f"/v2/rooms/{api.room_id}/threads/{message['message_id']}/messages").json()
    assert [each["message_id"] for each in thread["messages"]] == [reply["message_id"]]
    assert api.send("on", parent_id=message["message_id"])["thread_root_id"] == message["message_id"]


@pytest.mark.contract("Messages and blocks 9")
def test_reactions_are_added_and_removed_once(api: Api) -> None:
    message = api.send()
    other_id, key = api.new_person()
    thumbs, heart = path(api, message, "/reactions/%F0%9F%91%8D"), path(api, message, "/reactions/heart")
    for _ in range(2):
        put = api.person.put(thumbs)
        assert put.status_code == 200
        assert put.json()["reactions"] == [{"emoji": "👍", "user_ids": [api.person_id]}]
    api.client(key).put(thumbs)
    assert api.client(key).put(heart).json()["reactions"] == [
        {"emoji": "👍", "user_ids": [api.person_id, other_id]},
        {"emoji": "heart", "user_ids": [other_id]},
    ]
    for _ in range(2):
        assert api.person.delete(thumbs).status_code == 204
        assert api.person.delete(heart).status_code == 204  # not ours to remove
    seen = read(api, message)
    assert seen["reactions"] == [{"emoji": "👍", "user_ids": [other_id]}, {"emoji": "heart", "user_ids": [other_id]}]
    assert seen["edited_at"] is None
    api.client(key).delete(thumbs)
    api.client(key).delete(heart)
    assert read(api, message) == message


def test_concurrent_reactions_are_all_stored(api: Api) -> None:
    message = api.send()
    people = [api.new_person() for _ in range(6)]
    clients = [api.client(key) for _, key in people]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda client: client.put(path(api, message, "/reactions/+1")).status_code, clients))
    assert answers == [200] * 6
    [reaction] = read(api, message)["reactions"]
    assert sorted(reaction["user_ids"]) == sorted(person_id for person_id, _ in people)


def test_a_message_can_have_fifty_different_emoji(api: Api) -> None:
    message, person = api.send(), api.person
    for n in range(50):
        assert person.put(path(api, message, f"/reactions/e{n}")).status_code == 200
    assert assert_problem(person.put(path(api, message, "/reactions/e50")), 409)["code"] == "too_many_reactions"
    assert person.put(path(api, message, "/reactions/e49")).status_code == 200


@pytest.mark.contract("Thread messages 3")
def test_a_reply_joins_the_thread_of_the_message_it_answers(api: Api) -> None:
    root = api.send("root")
    reply = api.send("reply", parent_id=root["message_id"])
    nested = api.send("nested", parent_id=reply["message_id"])
    deepest = api.send("deepest", parent_id=nested["message_id"])
    assert [each["parent_id"] for each in (reply, nested, deepest)] == [
        root["message_id"],
        reply["message_id"],
        nested["message_id"],
    ]
    assert {each["thread_root_id"] for each in (reply, nested, deepest)} == {root["message_id"]}
    seen = read(api, root)
    assert (seen["reply_count"], seen["last_reply_at"], seen["edited_at"]) == (3, deepest["sent_at"], None)
    assert (read(api, reply)["reply_count"], read(api, reply)["last_reply_at"]) == (0, None)
    thread = api.person.get(f"/v2/rooms/{api.room_id}/threads/{root['message_id']}/messages").json()
    assert thread["messages"] == [reply, nested, deepest]
    assert thread["has_more"] is False
    top = api.person.get(api.messages, params={"top_level": "true"}).json()["messages"]
    assert [each["message_id"] for each in top] == [root["message_id"]]


@pytest.mark.contract("Messages and blocks 11")
def test_the_thread_of_a_reply_names_its_root(api: Api) -> None:
    root = api.send()
    reply = api.send(parent_id=root["message_id"])
    nested = api.send(parent_id=reply["message_id"])
    for each in (reply, nested):
        answer = api.person.get(f"/v2/rooms/{api.room_id}/threads/{each['message_id']}/messages")
        problem = assert_problem(answer, 400)
        assert (problem["code"], problem["thread_root_id"]) == ("not_a_thread_root", root["message_id"])


@pytest.mark.contract("Messages and blocks 11")
def test_a_thread_of_another_room_is_not_found(api: Api) -> None:
    message, other = api.send(), api.new_room()["room_id"]
    for root, room in ((message["message_id"], other), (str(uuid4()), api.room_id)):
        answer = api.person.get(f"/v2/rooms/{room}/threads/{root}/messages")
        assert assert_problem(answer, 404)["code"] == "message_not_found"
        sent = api.person.post(f"/v2/rooms/{room}/messages", json={"text": "x", "parent_id": root})
        assert assert_problem(sent, 404)["code"] == "message_not_found"


def test_mentions_are_the_members_named_in_the_text(api: Api, outsider: Api) -> None:
    other, _ = api.new_person()
    bot = api.new_integration()["api_key"]["integration_id"]
    nobody = f"<@{outsider.person_id}> <@{uuid4()}> <@x> @{api.person_id}"
    text = f"<@{other}> and <@{bot.upper()}>, <@{other}> again; {nobody}"
    message = api.send(text)
    assert message["mentions"] == [other, bot]
    edited = api.person.patch(path(api, message), json={"text": f"<@{api.person_id}>"}).json()
    assert edited["mentions"] == [api.person_id]
    assert api.person.patch(path(api, message), json={"text": "nobody"}).json()["mentions"] == []


def test_the_blocks_of_a_message_have_the_types_of_a_page(api: Api) -> None:
    blocks = [{"type": "heading", "content": {"text": "H"}}, {"type": "todo", "content": {"items": [{"text": "t"}]}}]
    message = api.send("", blocks=blocks)
    assert message["blocks"] == [
        {"type": "heading", "content": {"text": "H", "level": 1}},
        {"type": "todo", "content": {"items": [{"text": "t", "done": False}]}},
    ]
    assert read(api, message) == message


EMOJI = {
    "with and without a variation selector": ("👍", "👍\ufe0f", "👍\ufe0e"),
    "a heart": ("❤", "❤\ufe0f"),
    "a keycap": ("1\ufe0f\u20e3", "1\u20e3"),
    "a sequence": ("❤\ufe0f\u200d🔥", "❤\u200d🔥"),
    "a skin tone after a selector": ("☝\ufe0f🏽", "☝🏽"),
}


@pytest.mark.contract("Messages and blocks 10")
@pytest.mark.parametrize("spellings", EMOJI.values(), ids=EMOJI.keys())
def test_an_emoji_is_one_reaction_however_a_keyboard_spells_it(api: Api, spellings: tuple[str, ...]) -> None:
    message = api.send("hello")
    for client in (api.person, api.integration):
        for emoji in spellings:
            assert client.put(path(api, message, f"/reactions/{quote(emoji)}")).status_code == 200
    [reaction] = read(api, message)["reactions"]
    assert (reaction["emoji"], len(reaction["user_ids"])) == (spellings[0], 2)
    for client in (api.person, api.integration):
        assert client.delete(path(api, message, f"/reactions/{quote(spellings[-1])}")).status_code == 204
    assert read(api, message)["reactions"] == []


@pytest.mark.contract("Messages and blocks 10")
def test_two_spellings_that_an_earlier_release_stored_are_removed_together(api: Api) -> None:
    message, who = api.send("hello"), api.person_id
    stored = [{"emoji": emoji, "user_ids": [who]} for emoji in ("👍", "👍\ufe0f")]
    api.sql(
        "update messages set reactions = $1::jsonb where message_id = $2::text::uuid",
        json.dumps(stored),
        message["message_id"],
    )
    assert api.person.delete(path(api, message, f"/reactions/{quote('👍')}")).status_code == 204
    assert read(api, message)["reactions"] == []


@pytest.mark.contract("Messages and blocks 9")
def test_skin_tones_and_sequences_are_different_reactions(api: Api) -> None:
    message = api.send("hello")
    emoji = [
        "👍",
        "👍🏻",
        "👍🏿",
        "👨\u200d👩\u200d👧",
        "🇩🇪",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "🏴",
        "+1",
        "می\u200cخواهم",
        "é",
    ]
    for each in emoji:
        assert api.person.put(path(api, message, f"/reactions/{quote(each)}")).status_code == 200, each
    assert [each["emoji"] for each in read(api, message)["reactions"]] == emoji


@pytest.mark.contract("Messages and blocks 10")
@pytest.mark.parametrize(
    "emoji",
    [
        "\u202e",
        "\u200d",
        "\ufe0f",
        "👍\u202e",
        "👍\u200f",
        "\u200d👍",
        "👍\u200d",
        "\u2066x\u2069",
        "\ufeff",
        "x\u00ad",
        "\u3164",
        "\x85",
        "👍 ",
        "\u2028",
        "👍\ufe0f\ufe0f",
        "\U000e0067",
        "\u034f",
        "\u2060👍",
    ],
    ids=ascii,
)
def test_what_nobody_sees_is_no_emoji(api: Api, emoji: str) -> None:
    message = api.send("hello")
    for method in ("PUT", "DELETE"):
        assert_problem(api.person.request(method, path(api, message, f"/reactions/{quote(emoji)}")), 400)

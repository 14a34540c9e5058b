"""Filters of subscriptions: a webhook is sent exactly the messages that fit every field, and each answer says so."""

import json
from dataclasses import dataclass

import httpx
import pytest

from atrium.permissions import Scope
from tests.conftest import Api, new_organization
from tests.contract.tour import subscription
from tests.webhooks.filtering import EDITED, Message, reasons_of, sent_ids
from tests.webhooks.subscribing import bodies, catalogue, faults, subscribe, webhook


@dataclass(frozen=True)
class Cast:
    """A person and an integration, in addition to the super_admin."""

    api: Api
    grace_id: str
    grace: httpx.Client
    bot: httpx.Client

    def say(self) -> dict[str, Message]:
        """Send a message of each kind that filters tell apart; return them by name."""
        root = self.api.send("Deploy of v2.4 is done")
        self.api.wait_for_queue()  # an event includes the message as it is when it is queued
        return {
            "root": root,
            "reply": self.api.send("thanks", parent_id=root["message_id"]),
            "grace": self._send(self.grace, "redeployed C++ and größe"),
            "bot": self._send(self.bot, f"<@{self.grace_id}> deploy failed"),
        }

    def _send(self, client: httpx.Client, text: str) -> Message:
        answer = client.post(self.api.messages, json={"text": text})
        assert answer.status_code == 201, answer.text
        return dict(answer.json())


@pytest.fixture
def cast(api: Api) -> Cast:
    grace_id, key = api.new_person()
    integration = api.new_integration([{"space_id": api.space_id, "role": "member"}])
    return Cast(api, grace_id, api.client(key), api.client(integration["key"]))


@pytest.mark.contract("Events and deliveries 9")
@pytest.mark.parametrize(
    ("fields", "chosen"),
    [
        ({"sender_ids": ["ADA"]}, ["root", "reply"]),
        ({"not_sender_ids": ["ADA", "GRACE"]}, ["bot"]),
        ({"sender_type": "integration"}, ["bot"]),
        ({"sender_type": "person"}, ["root", "reply", "grace"]),
        ({"thread": "root"}, ["root", "grace", "bot"]),
        ({"thread": "reply"}, ["reply"]),
        ({"mentions": ["GRACE"]}, ["bot"]),
        ({"mentions": ["ADA"]}, []),
        ({"words": ["deploy"]}, ["root", "bot"]),
        ({"words": ["C++", "thanks"]}, ["reply", "grace"]),
        ({"words": ["v2.4"]}, ["root"]),
        ({"words": ["v2x4", "2", "(", "|"]}, []),
        ({"words": ["größe"]}, ["grace"]),
        ({"words": ["deploy"], "sender_type": "person"}, ["root"]),
        ({"words": ["deploy"], "thread": "reply"}, []),
        ({"room_type": "video"}, []),
        ({"room_type": "chat", "thread": "reply"}, ["reply"]),
    ],
)
def test_a_filter_chooses_the_messages_that_fit_every_field(cast: Cast, fields: Message, chosen: list[str]) -> None:
    api, names = cast.api, {"ADA": cast.api.person_id, "GRACE": cast.grace_id}
    fields = {
        key: [names.get(each, each) for each in value] if isinstance(value, list) else value
        for key, value in fields.items()
    }
    one = subscription(api.space_id, "SPACE", filter=fields)
    cast.say()
    preview = api.person.post(f"{api.organization}/webhook-preview", json={"content": {"subscriptions": [one]}})
    assert preview.json() == {"messages": 4, "chosen": len(chosen)}
    webhook_id = webhook(api, one)
    shown = api.person.get(f"{api.organization}/webhooks/{webhook_id}").json()["webhook"]["subscriptions"]
    assert shown == [{**one, "filter": {"room_type": None, **fields}}]
    sent = cast.say()
    assert sent_ids(api, webhook_id) == [message["message_id"] for name, message in sent.items() if name in chosen]
    for name, message in sent.items():
        [reason] = reasons_of(api, webhook_id, message)
        assert (reason is None) == (name in chosen)
        assert reason in (None, *fields)


@pytest.mark.contract("Events and deliveries 9")
def test_an_answer_names_what_keeps_a_message_out_of_each_subscription(cast: Cast) -> None:
    api, elsewhere = cast.api, cast.api.new_room()["room_id"]
    several = webhook(
        api,
        subscription(elsewhere),
        {**subscription(api.room_id), "subscription_type": EDITED},
        subscription(api.room_id, filter={"thread": "reply"}),
        subscription(api.space_id, "SPACE"),
    )
    sent = cast.say()
    assert reasons_of(api, several, sent["root"]) == ["subject_id", "subscription_type", "thread", None]
    assert len(sent_ids(api, several)) == len(sent)
    gone = {"room_id": elsewhere, "message_id": sent["root"]["message_id"]}
    assert (
        api.person.get(f"{api.organization}/webhooks/{several}/match", params=gone).json()["code"]
        == "message_not_found"
    )


@pytest.mark.contract("Events and deliveries 10")
def test_an_event_includes_the_message_where_a_subscription_asks_for_it(cast: Cast) -> None:
    api = cast.api
    kinds = [subscription(api.room_id), {**subscription(api.room_id), "subscription_type": EDITED}]
    thin, thick = webhook(api, *kinds), webhook(api, *({**each, "include": ["message"]} for each in kinds))
    some = webhook(
        api, subscription(api.room_id), subscription(api.room_id, filter={"thread": "reply"}, include=["message"])
    )
    sent = cast.say()
    api.wait_for_queue()
    root = f"{api.messages}/{sent['root']['message_id']}"
    edited = api.person.patch(root, json={"text": 'edited "twice"'}).json()
    assert [each["data"].pop("message") for each in bodies(api, thick)] == [*sent.values(), edited]
    without = [
        {**each, "data": {k: v for k, v in each["data"].items() if k != "message"}} for each in bodies(api, thick)
    ]
    assert without == bodies(api, thin)
    assert [each["data"].get("message") for each in bodies(api, some)] == [None, sent["reply"], None, None]


@pytest.mark.contract("Events and deliveries 10")
def test_the_schema_of_an_event_has_the_message_that_a_subscription_includes(api: Api) -> None:
    kinds = [subscription(api.room_id), {**subscription(api.room_id), "subscription_type": EDITED}]
    thin, thick = webhook(api, *kinds), webhook(api, *({**each, "include": ["message"]} for each in kinds))
    message = api.send("one")
    api.wait_for_queue()
    api.person.patch(f"{api.messages}/{message['message_id']}", json={"text": "two"}).raise_for_status()
    known = catalogue(api)
    sent = bodies(api, thick)
    assert [faults(known, each) for each in [*bodies(api, thin), *sent]] == [[]] * 4
    for body in sent:
        del body["data"]["message"]["text"]
        assert faults(known, body) == ["$.data.message"]


@pytest.mark.contract("Events and deliveries 9")
def test_a_filter_of_edits_sees_the_edited_text(cast: Cast) -> None:
    api = cast.api
    one = {
        **subscription(api.room_id, filter={"words": ["done"], "sender_ids": [api.person_id]}),
        "subscription_type": EDITED,
    }
    webhook_id = webhook(api, one)
    message = f"{api.messages}/{api.send('not yet')['message_id']}"
    for text in ("still not", "done", "undone"):
        api.person.patch(message, json={"text": text}).raise_for_status()
        api.wait_for_queue()
    assert len(bodies(api, webhook_id)) == 1


@pytest.mark.contract("Events and deliveries 14")
@pytest.mark.parametrize(
    ("event", "more", "pointer"),
    [
        ("MESSAGE_DELETED", {"filter": {"words": ["x"]}}, "/filter/words"),
        ("ROOM_UPDATED", {"filter": {"thread": "root"}}, "/filter/thread"),
        ("REACTION_ADDED", {"include": ["message"]}, "/include"),
        ("MESSAGE_SENT", {"filter": {"words": []}}, "/filter/words"),
        ("MESSAGE_SENT", {"filter": {"words": ["a b"]}}, "/filter/words/0"),
        ("MESSAGE_SENT", {"filter": {"words": ["a\n"]}}, "/filter/words/0"),
        ("MESSAGE_SENT", {"filter": {"mentions": ["x"]}}, "/filter/mentions/0"),
        ("MESSAGE_SENT", {"filter": {"words": ["x"] * 11}}, "/filter/words"),
        ("MESSAGE_SENT", {"include": ["room"]}, "/include/0"),
        ("MESSAGE_SENT", {"filter": {"sender_type": "robot"}}, "/filter/sender_type"),
    ],
)
def test_what_an_event_cannot_have_is_rejected_and_named(api: Api, event: str, more: Message, pointer: str) -> None:
    one = {**subscription(api.room_id), "subscription_type": f"WEBHOOK_SUBSCRIPTION_TYPE_{event}", **more}
    for answer in (
        subscribe(api.person, api, one),
        api.person.post(f"{api.organization}/webhook-preview", json={"content": {"subscriptions": [one]}}),
    ):
        assert answer.status_code == 400, answer.text
        assert answer.json()["errors"][0]["pointer"] == f"/content/subscriptions/0{pointer}"


@pytest.mark.contract("Events and deliveries 15")
def test_a_key_that_reads_no_messages_reads_none_through_a_webhook(api: Api) -> None:
    """Neither in a log, nor by asking whether words match, nor by sending messages to an endpoint of its own."""
    including = subscription(api.room_id, include=["message"])
    existing = webhook(api, including)
    message = api.send("secret")
    api.wait_for_queue()
    logs, path = f"{api.organization}/webhooks/{existing}/logs", f"{api.organization}/webhooks/{existing}"
    named = {"room_id": message["room_id"], "message_id": message["message_id"]}
    for granted, allowed in (([], False), ([Scope.MESSAGES_READ], True)):
        key = {"content": {"name": "k", "scopes": [Scope.WEBHOOKS_READ, Scope.WEBHOOKS_MANAGE, *granted]}}
        client = api.client(api.person.post("/v1/me/integrations", json=key).json()["key"])
        assert subscribe(client, api, including).status_code == (201 if allowed else 403)
        moved = client.patch(path, json={"content": {"endpoint_url": f"http://127.0.0.1:9/{len(granted)}"}})
        assert moved.status_code == (200 if allowed else 403)
        [entry] = client.get(logs).json()["logs"]
        assert ("secret" in json.dumps(entry)) == allowed
        assert client.get(f"{path}/match", params=named).status_code == (200 if allowed else 403)


@pytest.mark.contract("Events and deliveries 15")
@pytest.mark.parametrize("name", ["words", "mentions", "include"])
def test_a_key_that_reads_no_messages_asks_for_none_by_what_they_say(api: Api, name: str) -> None:
    by_content = {"words": {"filter": {"words": ["secret"]}}, "mentions": {"filter": {"mentions": [api.person_id]}}}
    wanted = subscription(api.room_id, **by_content.get(name, {"include": ["message"]}))
    reaction = {**subscription(api.room_id), "subscription_type": "WEBHOOK_SUBSCRIPTION_TYPE_REACTION_ADDED"}
    key = {"content": {"name": "k", "scopes": [Scope.WEBHOOKS_READ, Scope.WEBHOOKS_MANAGE]}}
    client = api.client(api.person.post("/v1/me/integrations", json=key).json()["key"])
    for refused in (wanted, reaction):
        assert subscribe(client, api, refused).json()["code"] == "insufficient_scope"
        preview = client.post(f"{api.organization}/webhook-preview", json={"content": {"subscriptions": [refused]}})
        assert preview.json()["code"] == "insufficient_scope"


@pytest.mark.contract("Events and deliveries 17")
def test_only_members_are_mentioned(api: Api) -> None:
    """A filter sees the mentions of the message as it is stored: a stranger is not mentioned."""
    stranger = new_organization(api.settings, api.url)
    webhook_id = webhook(api, subscription(api.room_id, filter={"mentions": [stranger.person_id]}))
    message = api.send(f"hi <@{stranger.person_id}>")
    assert message["mentions"] == []
    assert sent_ids(api, webhook_id) == []
    assert reasons_of(api, webhook_id, message) == ["mentions"]
    stranger.close()

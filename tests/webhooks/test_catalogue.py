"""Each event of the catalogue is sent when it happens, with a body that fits its schema, and to no one who may not read it."""

from collections import defaultdict
from typing import Any
from uuid import uuid4

import httpx
import pytest
from jsonschema import Draft202012Validator

from atrium.events import Audience, WebhookEventKind
from atrium.permissions import Scope
from tests.conftest import Api
from tests.contract.tour import CLOSED
from tests.recordings.media import film, record, video_room
from tests.webhooks.subscribing import bodies, catalogue, faults, subscribe, webhook

SUBJECT, TYPE = "WEBHOOK_SUBJECT_TYPE_", "WEBHOOK_SUBSCRIPTION_TYPE_"
PAUSED = "webhook.paused"  # at some time: nothing answers at the endpoint
SUBSCRIBED = {str(kind) for kind in WebhookEventKind if kind.audience is not Audience.TESTED}


def subscription(subject: str, subject_id: str, event: str, **fields: Any) -> dict[str, Any]:
    return {
        "subject_type": SUBJECT + subject,
        "subject_id": subject_id,
        "subscription_type": TYPE + event.upper(),
        **fields,
    }


def everything(api: Api) -> str:
    """Create a webhook for every event of the organization and of its first space."""
    types = [each for each in catalogue(api).values() if each["subscription_type"]]
    wanted = [
        subscription("SPACE", api.space_id, each["event_type"])
        if SUBJECT + "SPACE" in each["subject_types"]
        else subscription("ORGANIZATION", api.organization_id, each["event_type"])
        for each in types
    ]
    return webhook(api, *wanted)


def change_everything(api: Api) -> dict[str, Any]:
    """Make each change that has an event; return the ids that the events name."""
    person = api.person
    sent = api.send("first")
    message = f"{api.messages}/{sent['message_id']}"
    person.patch(message, json={"text": "second"}).raise_for_status()
    person.put(f"{message}/reactions/%F0%9F%91%8D").raise_for_status()
    person.delete(f"{message}/reactions/%F0%9F%91%8D").raise_for_status()
    person.delete(message).raise_for_status()
    films = video_room(api)
    recording = record(api, films, film())["recording_id"]
    segments = [{"start": 0, "end": 1, "speaker": "Ada", "text": "Hello."}]
    person.put(f"/v2/recordings/{recording}/transcript", json={"segments": segments}).raise_for_status()
    room = f"/v2/rooms/{api.new_room()['room_id']}"
    person.patch(room, json={"name": "renamed"}).raise_for_status()
    person.patch(room, json={"archived": True}).raise_for_status()
    person.delete(room).raise_for_status()
    person_id, _ = api.new_person()
    member = f"/v1/spaces/{api.space_id}/members/{person_id}"
    for role in ("reader", "member"):
        person.put(member, json={"content": {"role": role}}).raise_for_status()
    person.delete(member).raise_for_status()
    for active in (False, True):
        changed = {"content": {"active": active}}
        person.patch(f"{api.organization}/members/{person_id}", json=changed).raise_for_status()
    person.patch(f"{api.organization}/members/{person_id}", json={"content": {"active": False}}).raise_for_status()
    person.delete(f"{api.organization}/members/{person_id}").raise_for_status()
    return {"message_id": sent["message_id"], "recording_id": recording, "person_id": person_id}


@pytest.mark.contract("Events and deliveries 3")
def test_every_event_is_sent_when_it_happens_and_fits_its_schema(api: Api) -> None:
    known, webhook_id = catalogue(api), everything(api)
    assert set(known) == SUBSCRIBED | {"ping"}
    ids = change_everything(api)
    api.person.post(f"{api.organization}/webhooks/{webhook_id}/test").raise_for_status()
    by_type: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for body in bodies(api, webhook_id):
        by_type[body["event_type"]].append(body)
        assert faults(known, body) == [], body
        assert body["data"].keys() == known[body["event_type"]]["example"]["data"].keys()
        assert body["subject"]["type"] == known[body["event_type"]]["example"]["subject"]["type"]
    assert set(by_type) == SUBSCRIBED | {"ping"}
    for kind, named in (("message_", "message_id"), ("reaction_", "message_id"), ("person_", "person_id")):
        data = [each["data"] for event, sent in by_type.items() if event.startswith(kind) for each in sent]
        assert {each[named] for each in data} == {ids[named]}
    assert by_type["message_deleted"][0]["data"]["status"] == "DELETED"
    assert [each["data"]["granted"] for each in by_type["space_member_updated"]] == ["member"]
    assert len(by_type["room_updated"]) == 1
    assert len(by_type["person_deactivated"]) == 2


@pytest.mark.contract("Events and deliveries 3")
@pytest.mark.parametrize("event", sorted(SUBSCRIBED))
def test_the_examples_of_the_catalogue_fit_their_schemas(event: str, api: Api) -> None:
    entry = catalogue(api)[event]
    Draft202012Validator.check_schema(entry["schema"])
    assert list(Draft202012Validator(entry["schema"]).iter_errors(entry["example"])) == []
    assert entry["subscription_type"] == TYPE + event.upper()


@pytest.mark.contract("Events and deliveries 4")
def test_the_audit_stream_has_each_entry_of_the_log_once_as_the_log_shows_it(api: Api) -> None:
    webhook_id = webhook(api, subscription("ORGANIZATION", api.organization_id, "audit_entry"))
    change_everything(api)
    sent = [each["data"] for each in bodies(api, webhook_id) if each["data"]["action"] != PAUSED]
    streamed = {each["entry_id"]: each for each in sent}
    assert len(streamed) == len(sent)
    entries = api.person.get(f"{api.organization}/audit-log?limit=200").json()["entries"]
    logged = {each["entry_id"]: each for each in entries if each["action"] != PAUSED}
    created = next(entry for entry in logged.values() if entry["action"] == "webhook.created")
    assert streamed == {key: each for key, each in logged.items() if key >= created["entry_id"]}


@pytest.mark.contract("Events and deliveries 3")
def test_a_subject_gets_only_its_own_events(api: Api) -> None:
    other, room = api.new_space(), api.new_room()["room_id"]
    of_room = webhook(api, subscription("ROOM", room, "message_edited"), subscription("ROOM", room, "room_updated"))
    of_videos = webhook(api, subscription("SPACE", api.space_id, "room_created", filter={"room_type": "video"}))
    of_other = webhook(api, *(subscription("SPACE", other, each) for each in ("room_created", "space_member_added")))
    change_everything(api)
    assert bodies(api, of_room) == bodies(api, of_other) == []
    assert [each["data"]["room_type"] for each in bodies(api, of_videos)] == ["video"]
    api.person.patch(f"/v2/rooms/{room}", json={"name": f"new {uuid4()}"}).raise_for_status()
    assert [each["subject"] for each in bodies(api, of_room)] == [{"type": "room", "id": room}]


@pytest.mark.contract("Events and deliveries 7")
@pytest.mark.parametrize(
    ("subject", "event", "fields"),
    [
        ("ORGANIZATION", "message_sent", {}),
        ("ROOM", "room_created", {}),
        ("ROOM", "space_member_added", {}),
        ("SPACE", "audit_entry", {}),
        ("ROOM", "person_joined", {}),
        ("SPACE", "space_member_added", {"filter": {"room_type": "chat"}}),
        ("ORGANIZATION", "audit_entry", {"filter": {"room_type": "chat"}}),
    ],
)
def test_a_subject_without_such_events_is_refused(api: Api, subject: str, event: str, fields: dict[str, Any]) -> None:
    ids = {"ORGANIZATION": api.organization_id, "ROOM": api.room_id, "SPACE": api.space_id}
    refused = subscribe(api.person, api, subscription(subject, ids[subject], event, **fields))
    assert refused.status_code == 400, refused.text
    assert refused.json()["errors"][0]["pointer"].startswith("/content/subscriptions/0/")


@pytest.mark.contract("Events and deliveries 8")
def test_a_webhook_passes_on_nothing_that_its_key_may_not_read(api: Api) -> None:
    """A key that manages webhooks neither subscribes to the audit log or to people, nor reads their events in a log."""
    events = {"audit_entry": Scope.AUDIT_READ, "person_joined": Scope.MEMBERS_MANAGE}
    wanted = [subscription("ORGANIZATION", api.organization_id, event) for event in events]
    existing = webhook(api, *wanted)
    api.new_person()
    managing = [Scope.WEBHOOKS_READ, Scope.WEBHOOKS_MANAGE]
    api.wait_for_queue()
    logs = f"{api.organization}/webhooks/{existing}/logs"
    for granted in ([], [Scope.AUDIT_READ], [Scope.MEMBERS_MANAGE], list(events.values())):
        key = {"content": {"name": "Narrow", "scopes": [*managing, *granted]}}
        client = api.client(api.person.post("/v1/me/integrations", json=key).json()["key"])
        for (event, scope), one in zip(events.items(), wanted, strict=True):
            answer = subscribe(client, api, one)
            assert answer.status_code == (201 if scope in granted else 403), (granted, event, answer.text)
            shown = [each for each in client.get(logs).json()["logs"] if each["event_type"] == event]
            assert shown
            assert all(bool(each["request_body"]) == (scope in granted) for each in shown)
        moved = client.patch(
            f"{api.organization}/webhooks/{existing}", json={"content": {"endpoint_url": CLOSED + "/x"}}
        )
        assert moved.status_code == (200 if set(events.values()) <= set(granted) else 403)
    other = subscribe(api.person, api, subscription("ORGANIZATION", str(uuid4()), "audit_entry"))
    assert other.json()["code"] == "organization_not_found"


@pytest.mark.contract("Events and deliveries 16")
def test_a_key_sends_nothing_elsewhere_that_it_may_not_read(api: Api) -> None:
    """Not by another endpoint, with what waits, nor by a resend or replay, also after the subscriptions are changed."""
    audit = subscription("ORGANIZATION", api.organization_id, "audit_entry")
    message = subscription("ROOM", api.new_room()["room_id"], "message_sent", include=["message"])
    path = f"{api.organization}/webhooks/{webhook(api, audit, message)}"
    plain = {"content": {"subscriptions": [subscription("ROOM", api.room_id, "message_sent")]}}
    moved, period = {"content": {"endpoint_url": CLOSED + "/mine"}}, {"since": "2020-01-01", "until": "2100-01-01"}
    for status in ("INACTIVE", "ACTIVE"):  # so that a message is missed, and one waits
        api.person.patch(path, json={"content": {"status": f"WEBHOOK_STATUS_{status}"}}).raise_for_status()
        api.person.post(f"/v2/rooms/{message['subject_id']}/messages", json={"text": "secret"}).raise_for_status()
    scopes = [Scope.WEBHOOKS_READ, Scope.WEBHOOKS_MANAGE]

    def holder(*more: Scope) -> httpx.Client:
        key = {"content": {"name": "k", "scopes": [*scopes, *more]}}
        return api.client(api.person.post("/v1/me/integrations", json=key).json()["key"])

    narrow, wide = holder(), holder(Scope.AUDIT_READ, Scope.MESSAGES_READ)
    assert narrow.patch(path, json=plain).status_code == 200
    assert narrow.patch(path, json=moved).status_code == 403
    api.wait_for_queue()
    entries = narrow.get(f"{path}/logs", params={"limit": 200}).json()["logs"]
    assert {each["event_type"] for each in entries} == {"audit_entry", "message_sent"}
    for each in entries:
        assert narrow.post(f"{path}/deliveries/{each['delivery_id']}/resend").status_code == 403
    assert narrow.post(f"{path}/replay", json=period).status_code == 403
    assert wide.patch(path, json=moved).status_code == 200
    assert wide.post(f"{path}/deliveries/{entries[0]['delivery_id']}/resend").status_code == 202
    assert wide.post(f"{path}/replay", json=period).json()["replayed"] >= 1


@pytest.mark.contract("Events and deliveries 17")
def test_who_waits_to_prove_an_address_joins_when_they_do(api: Api) -> None:
    wanted = ("person_joined", "person_reactivated", "person_removed", "person_deactivated")
    webhook_id = webhook(api, *(subscription("ORGANIZATION", api.organization_id, each) for each in wanted))
    (person_id, _), (gone, _) = api.new_person(), api.new_person()
    of = "where actor_id = $1::text::uuid"
    for each in (person_id, gone):
        api.sql(f"update memberships set deactivated_at = now(), active_when_proven = true {of}", each)
    before = len(bodies(api, webhook_id))
    api.sql(f"delete from memberships {of}", gone)
    api.sql(f"update memberships set deactivated_at = null, active_when_proven = null {of}", person_id)
    found = [(each["event_type"], each["data"]["person_id"]) for each in bodies(api, webhook_id)[before:]]
    assert found == [("person_joined", person_id)]

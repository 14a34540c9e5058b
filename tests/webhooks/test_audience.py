"""An event of each kind reaches exactly the webhooks that the catalogue names."""

from collections.abc import Callable
from typing import Any

import pytest

from atrium.events import Audience, WebhookEventKind
from atrium.webhooks.model import SubjectType, SubscriptionType
from tests.conftest import Api
from tests.contract.tour import CLOSED
from tests.recordings.media import record, video_room, webm
from tests.transcripts.recordings import events, new_recording, put

Act = Callable[[], Any]
THUMB = "%F0%9F%91%8D"


def message(api: Api) -> str:
    return f"{api.messages}/{api.send()['message_id']}"


def react(api: Api) -> str:
    reaction = f"{message(api)}/reactions/{THUMB}"
    api.person.put(reaction)
    return reaction


def room(api: Api) -> str:
    return f"/v2/rooms/{api.new_room()['room_id']}"


def person(api: Api, *, active: bool = True) -> str:
    path = f"{api.organization}/members/{api.new_person()[0]}"
    if not active:
        api.person.patch(path, json={"content": {"active": False}})
    return path


def space_member(api: Api, *, role: str | None = None) -> str:
    path = f"/v1/spaces/{api.space_id}/members/{api.new_person()[0]}"
    if role:
        api.person.put(path, json={"content": {"role": role}})
    return path


def patching(api: Api, path: str, content: dict[str, Any]) -> Act:
    return lambda: api.person.patch(path, json=content)


def putting(api: Api, path: str, content: dict[str, Any] | None = None) -> Act:
    return lambda: api.person.put(path, json=content)


def deleting(api: Api, path: str) -> Act:
    return lambda: api.person.delete(path)


def joining(api: Api) -> Act:
    content = {"email": f"{api.organization_id}.x@example.org"}
    made = api.person.post(f"{api.organization}/invitations", json={"content": content}).json()
    accepted = {"content": {"token": made["token"], "name": "Joan"}}
    return lambda: api.client(None).post("/v1/invitations/accept", json=accepted)


def publishing(api: Api) -> Act:
    path = new_recording(api)
    return lambda: put(api, path, "hello")


def recording(api: Api) -> Act:
    films = video_room(api)
    return lambda: record(api, films, webm(1000))


# What makes an event of each kind happen: prepared before there are webhooks, then done.
Kind = WebhookEventKind
PREPARATIONS: dict[Kind, Callable[[Api], Act]] = {
    Kind.MESSAGE_SENT: lambda api: api.send,
    Kind.TRANSCRIPT_PUBLISHED: publishing,
    Kind.MESSAGE_EDITED: lambda api: patching(api, message(api), {"text": "edited"}),
    Kind.MESSAGE_DELETED: lambda api: deleting(api, message(api)),
    Kind.REACTION_ADDED: lambda api: putting(api, f"{message(api)}/reactions/{THUMB}"),
    Kind.REACTION_REMOVED: lambda api: deleting(api, react(api)),
    Kind.RECORDING_READY: recording,
    Kind.ROOM_CREATED: lambda api: api.new_room,
    Kind.ROOM_UPDATED: lambda api: patching(api, room(api), {"description": "changed"}),
    Kind.ROOM_ARCHIVED: lambda api: patching(api, room(api), {"archived": True}),
    Kind.ROOM_DELETED: lambda api: deleting(api, room(api)),
    Kind.SPACE_MEMBER_ADDED: lambda api: putting(api, space_member(api), {"content": {"role": "member"}}),
    Kind.SPACE_MEMBER_UPDATED: lambda api: putting(
        api, space_member(api, role="reader"), {"content": {"role": "member"}}
    ),
    Kind.SPACE_MEMBER_REMOVED: lambda api: deleting(api, space_member(api, role="reader")),
    Kind.PERSON_JOINED: joining,
    Kind.PERSON_DEACTIVATED: lambda api: patching(api, person(api), {"content": {"active": False}}),
    Kind.PERSON_REACTIVATED: lambda api: patching(api, person(api, active=False), {"content": {"active": True}}),
    Kind.PERSON_REMOVED: lambda api: deleting(api, person(api, active=False)),
    Kind.AUDIT_ENTRY: lambda api: patching(api, api.organization, {"content": {"name": "Renamed"}}),
}  # fmt: skip


def subscribe(api: Api, wanted: SubscriptionType, space_id: str) -> str:
    """Create a webhook for a space, or for the organization if a space has no such events; return its path."""
    subject = SubjectType.SPACE if SubjectType.SPACE in wanted.subjects else SubjectType.ORGANIZATION
    subject_id = space_id if subject is SubjectType.SPACE else api.organization_id
    one = {"subject_type": subject, "subject_id": subject_id, "subscription_type": wanted}
    hook = {"name": "hook", "endpoint_url": CLOSED, "subscriptions": [one]}
    made = api.person.post(f"{api.organization}/webhooks", json={"content": hook})
    assert made.status_code == 201, made.text
    return f"{api.organization}/webhooks/{made.json()['webhook']['id']}"


def webhooks_of(api: Api) -> dict[tuple[SubscriptionType, str], str]:
    """Create a webhook for every type of event, in the first space and in another one."""
    places = {"here": api.space_id, "elsewhere": api.new_space()}
    return {(each, name): subscribe(api, each, space) for each in SubscriptionType for name, space in places.items()}


def kinds_of(api: Api, path: str) -> list[str]:
    return [each["event_type"] for each in reversed(events(api, path))]


@pytest.mark.contract("Events and deliveries 3")
@pytest.mark.parametrize("kind", WebhookEventKind)
def test_an_event_reaches_exactly_its_audience(api: Api, kind: WebhookEventKind) -> None:
    act = None if kind is Kind.PING else PREPARATIONS[kind](api)
    webhooks = webhooks_of(api)
    before = {name: len(kinds_of(api, path)) for name, path in webhooks.items()}
    tested = (SubscriptionType["MESSAGE_SENT"], "elsewhere")
    if act:
        act()
    else:
        api.person.post(f"{webhooks[tested]}/test")
    fresh = {name: kinds_of(api, path)[before[name] :] for name, path in webhooks.items()}
    received = {
        name: sent
        for name, sent in fresh.items()
        if sent and (name[0].name != "AUDIT_ENTRY" or kind is Kind.AUDIT_ENTRY)
    }
    if kind.audience is Audience.TESTED:
        assert received == {tested: [kind]}
        return
    [wanted] = [each for each in SubscriptionType if each.name == kind.name]
    places = ["here"] if SubjectType.SPACE in wanted.subjects else ["here", "elsewhere"]  # both for the organization
    assert received == {(wanted, place): [kind] for place in places}


@pytest.mark.contract("Events and deliveries 3")
def test_integrations_are_not_people(api: Api) -> None:
    joined = subscribe(api, SubscriptionType["PERSON_JOINED"], api.space_id)
    api.new_integration()
    assert events(api, joined) == []

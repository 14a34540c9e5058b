"""For each route a valid request that any number of callers may send.

Requests that delete, or change what others request, get a new resource from a caller who may create it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import httpx

from atrium.kit.http.route import Route
from atrium.permissions import Subject
from tests.conftest import Api
from tests.contract.tour import CLOSED, World, key_of_member, new_import, populate, ready_import, subscription
from tests.permissions.callers import Caller, grant
from tests.recordings.media import PICTURE, record, webm

Json = dict[str, Any]
Ids = dict[str, str]

# Allowed, but with another status than the success of the route.
LET_IN: dict[str, tuple[int, str]] = {
    "end_current_session": (404, "session_not_found"), "end_own_session": (404, "session_not_found"),
    "put_password": (400, "invalid_request"),
    "accept_pending_membership": (404, "pending_membership_not_found"),
    "decline_pending_membership": (404, "pending_membership_not_found"),
}  # fmt: skip

BODIES: dict[str, Callable[[World], Json]] = {
    "put_password": lambda _: {},
    "update_profile": lambda _: {"content": {"name": "Renamed"}},
    "create_invitation": lambda _: {"content": {"email": f"{uuid4().hex}@example.org", "role": "guest"}},
    "create_api_key": lambda _: {"content": {"name": "Bot", "organization_role": "guest", "spaces": []}},
    "create_integration_key": lambda _: {"content": {"key_name": "Bot, office"}},
    "update_own_key": lambda _: {"content": {"name": "Desk"}},
    "update_api_key": lambda _: {"content": {"description": "deploys"}},
    "update_member": lambda _: {"content": {"role": "guest"}},
    "update_space": lambda _: {"content": {"description": "d"}},
    "create_webhook": lambda w: {"content": {
        "name": "CI", "endpoint_url": CLOSED, "subscriptions": [subscription(w.ids["room_id"])]
    }},
    "update_webhook": lambda _: {"content": {"description": "d"}},
    "put_key_policy": lambda _: {"content": {}},
    "preview_key_policy": lambda _: {"content": {"personal_keys": "none"}},
    "preview_subscriptions": lambda w: {"content": {"subscriptions": [subscription(w.ids["room_id"])]}},
    "create_block": lambda _: {"type": "divider", "content": {}},
    "update_block": lambda _: {"version": 1, "content": {"text": "New"}},
    "put_transcript": lambda _: {"segments": [{"start": 0, "end": 1, "text": "Hello."}], "version": 1},
    "create_user": lambda _: {"userName": f"{uuid4().hex}@example.org"},
}  # fmt: skip


def furnish(api: Api, visibility: str = "private") -> World:
    """Create one resource of each kind in a separate space; no receiver listens for its webhook."""
    space_id = api.new_space(visibility)
    placed = replace(api, space_id=space_id, room_id=api.new_room(space_id)["room_id"])
    world = populate(placed)
    quiet = {"room_id": api.new_room(space_id)["room_id"]}
    hook = {"name": "hook", "endpoint_url": CLOSED, "subscriptions": [subscription(quiet["room_id"])]}
    made = world.client.post(f"{api.organization}/webhooks", json={"content": hook}).json()["webhook"]["id"]
    world.client.post(f"/v2/rooms/{quiet['room_id']}/messages", json={"text": "new"})
    api.wait_for_queue()
    logs = world.client.get(f"{api.organization}/webhooks/{made}/logs").json()["logs"]
    bot = api.new_integration(role="guest")["api_key"]
    attached = world.client.post(f"/v2/rooms/{placed.room_id}/attachments", content=PICTURE).json()["attachment_id"]
    world.client.post(placed.messages, json={"text": "look", "attachments": [attached]})
    world.ids |= {
        "webhook_id": made,
        "delivery_id": logs[0]["delivery_id"],
        "api_key_id": bot["api_key_id"],
        "integration_id": bot["integration_id"],
        "attachment_id": attached,
        "mail_id": _mail(world),
    }
    return world


def _mail(world: World) -> str:
    api, email = world.api, f"{uuid4().hex}@example.org"
    world.client.post(f"{api.organization}/invitations", json={"content": {"email": email, "role": "guest"}})
    mails = world.client.get(f"{api.organization}/mails").json()["mails"]
    return str(next(mail["mail_id"] for mail in mails if mail["to"] == email))


def request_as(world: World, route: Route, client: httpx.Client, ids: Ids) -> httpx.Response:
    """Send the caller's request of the route for the resources in `ids`; return the response."""
    name = route.handler.__name__
    more: Json = {}
    if route.permission.subject is Subject.ANYONE and route.method == "POST":
        more["json"] = {}
    elif name in BODIES:
        more["json"] = BODIES[name](world)
    named = {each: ids[each] for each in ids if each in route.path_names}
    return world.ask(route, client, url=world.path(route, **named), **more)


def fresh(world: World, route: Route, caller: Caller, client: httpx.Client) -> Ids:
    """Create again what the route deletes or changes."""
    make = FRESH.get(route.handler.__name__)
    return make(world, caller, client) if make else {}


def _post(name: str, path: str, body: Callable[[World], Json]) -> Callable[..., Ids]:
    """Create a resource with a POST of the super_admin; return the id at `name`."""

    def make(world: World, _caller: Caller, _client: httpx.Client) -> Ids:
        made = world.client.post(path.format(**world.ids), json=body(world))
        assert made.status_code == 201, made.text
        answer = made.json()
        inside = [each for each in answer.values() if isinstance(each, dict)]
        return {name: next(each[key] for each in (answer, *inside) for key in (name, "id") if key in each)}

    return make


def _space(world: World, caller: Caller, _client: httpx.Client) -> Ids:
    space_id = world.api.new_space("private")
    grant(replace(world.api, space_id=space_id), caller.actor_id, caller.space)
    return {"space_id": space_id}


def _group_with_role(world: World, _caller: Caller, _client: httpx.Client) -> Ids:
    group = world.api.integration.post("/scim/v2/Groups", json={"displayName": "Fresh"}).json()["id"]
    given = world.client.put(f"/v1/spaces/{world.ids['space_id']}/groups/{group}", json={"content": {"role": "reader"}})
    assert given.is_success, given.text
    return {"group_id": group, "group": group}


def _user(world: World, _caller: Caller, _client: httpx.Client) -> Ids:
    name = f"{uuid4().hex}@example.org"
    return {"user": world.api.integration.post("/scim/v2/Users", json={"userName": name}).json()["id"]}


def _grant(world: World, _caller: Caller, _client: httpx.Client) -> Ids:
    spaces = [{"space_id": world.ids["space_id"], "role": "reader"}]
    return {"actor_id": world.api.new_integration(spaces)["api_key"]["integration_id"]}


def _recording(world: World, _caller: Caller, _client: httpx.Client) -> Ids:
    made = record(world.api, world.ids["video_room_id"], webm(100))["recording_id"]
    spoken = {"segments": [{"start": 0, "end": 1, "text": "Hello."}]}
    assert world.client.put(f"/v2/recordings/{made}/transcript", json=spoken).is_success
    return {"recording_id": made}


def _own_key(world: World, _caller: Caller, client: httpx.Client) -> Ids:
    made = client.post("/v1/me/integrations", json={"content": {"name": "Spare"}})
    return {"api_key_id": made.json()["api_key"]["api_key_id"]}


_organization = "/v1/organizations/{organization_id}"
_block = _post("block_id", "/v2/rooms/{room_id}/blocks", lambda _: {"type": "paragraph", "content": {"text": "p"}})


def _deleted_block(world: World, caller: Caller, client: httpx.Client) -> Ids:
    block_id = _block(world, caller, client)["block_id"]
    assert world.client.delete(f"/v2/blocks/{block_id}").status_code == 204
    return {"deleted_block_id": block_id}


FRESH: dict[str, Callable[[World, Caller, httpx.Client], Ids]] = {
    "update_own_key": _own_key,
    "revoke_own_key": _own_key,
    "rotate_own_key": _own_key,
    "read_own_key_usage": _own_key,
    "accept_pending_membership": lambda *_: {"organization_id": str(uuid4())},
    "decline_pending_membership": lambda *_: {"organization_id": str(uuid4())},
    "revoke_member_key": lambda world, *_: {"api_key_id": key_of_member(world.api)},
    "remove_member": lambda world, *_: {"person_id": world.api.new_person("guest")[0]},
    "revoke_invitation": _post("invitation_id", f"{_organization}/invitations", BODIES["create_invitation"]),
    "revoke_api_key": _post("api_key_id", f"{_organization}/api-keys", BODIES["create_api_key"]),
    "delete_webhook": _post("webhook_id", f"{_organization}/webhooks", BODIES["create_webhook"]),
    "delete_space": _space,
    "remove_space_member": _grant,
    "remove_space_group": _group_with_role,
    "delete_room": _post("room_id", "/v2/spaces/{space_id}/rooms", lambda _: {"name": f"spare {uuid4()}"}),
    "revoke_incoming_webhook": _post(
        "incoming_webhook_id", "/v2/rooms/{room_id}/incoming-webhooks", lambda _: {"name": "spare"}
    ),
    "delete_message": _post("message_id", "/v2/rooms/{room_id}/messages", lambda _: {"text": "spare"}),
    "update_block": _block,
    "delete_block": _block,
    "restore_block": _deleted_block,
    "delete_user": _user,
    "delete_group": _group_with_role,
    "delete_recording": _recording,
    "delete_transcript": _recording,
    "put_transcript": _recording,
    "start_transcription": _recording,
    "append_to_import": lambda world, *_: {"import_id": new_import(world.api, world.ids["space_id"])},
    "cancel_import": lambda world, *_: {"import_id": new_import(world.api, world.ids["space_id"])},
    "start_import": lambda world, *_: {"import_id": ready_import(world.api, world.ids["space_id"])},
}

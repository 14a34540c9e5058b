"""A populated organization and a valid request for each route, used by tests that call every route."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx

from atrium.kit.http.examples import example_of
from atrium.kit.http.request import Content
from atrium.kit.http.route import Route
from atrium.permissions import Subject
from atrium.routes import ROUTES
from atrium.scim.resources import USER_SCHEMA
from tests.conftest import Api
from tests.recordings.media import PICTURE, begin, record, video_room, webm
from tests.sessions.visitor import PASSWORD, Visitor, browser, visitor

Json = dict[str, Any]
OWN_KEYS = "/v1/me/integrations/"
# All routes except SCIM's, whose errors have another format and which are not in the OpenAPI document.
API = tuple(route for route in ROUTES if route.permission.subject is not Subject.DIRECTORY)


@dataclass
class World:
    """An organization with one resource of each kind; `ids` are by the names of path parameters."""

    api: Api
    client: httpx.Client
    ids: dict[str, str]
    own_key_id: str
    grace: Visitor
    browser: httpx.Client  # signed in as Grace
    email: str = field(default_factory=lambda: f"{uuid4().hex}@example.org")

    def path(self, route: Route, **other: str) -> str:
        """Return the route's path with existing ids, except for those given."""
        own = {"api_key_id": self.own_key_id} if route.path.startswith(OWN_KEYS) else {}
        if "/personal-keys/" in route.path:
            own["api_key_id"] = self.ids["member_key_id"]
        if "/pending-memberships/" in route.path:
            own["organization_id"] = self.ids["accepted" if route.method == "POST" else "declined"]
        if route.path.endswith("/recordings"):
            own["room_id"] = self.ids["video_room_id"]
        if route.handler.__name__ == "start_import":
            own["import_id"] = self.ids["ready_import_id"]
        ids = self.ids | own | other
        return re.sub(r"{(\w+)}", lambda found: quote(ids[found[1]], safe="%"), route.path)

    def body(self, route: Route) -> Any:
        """Return a valid body for the route."""
        name = route.handler.__name__
        return BODIES[name](self) if name in BODIES else example_of(route.body)

    def ask(self, route: Route, client: httpx.Client | None = None, **more: Any) -> httpx.Response:
        """Send a valid request of the route."""
        takes_one = route.body is not None or route.handler.__name__ in BODIES
        if takes_one and not more.keys() & {"json", "content"}:
            more["json"] = self.body(route)
        if route.handler.__name__ in QUERIES:
            more["params"] = QUERIES[route.handler.__name__](self) | (more.get("params") or {})
        if route.receives:
            more.setdefault("content", webm(100))
        own = {header.name: header.example for header in route.reads_headers}
        if route.receives:
            own["content-type"] = route.receives
        more["headers"] = [*own.items(), *httpx.Headers(more.get("headers")).raw]
        url = more.pop("url", None) or self.path(route)
        client = client or self._own(route)
        if route.is_event_stream:
            return first_chunk(client, url, **more)
        request = client.build_request(route.method, url, **more)
        request.headers.setdefault("sec-fetch-site", "same-origin")  # as browsers send
        return client.send(request)

    def _own(self, route: Route) -> httpx.Client:
        if route.handler.__name__ == "end_current_session":
            return self.browser
        return self.client if route in API else self.api.integration

    def link(self, purpose: str) -> str:
        """Return the token of a link as if it had been mailed to Grace."""
        token = uuid4().hex
        self.api.sql(
            "insert into sign_in_links values (sha256($1::text::bytea), $2::text::uuid, now(), now() + interval '1 h', "
            "null, $3)",
            token,
            self.grace.person_id,
            purpose,
        )
        return token


QUERIES: dict[str, Callable[[World], dict[str, str]]] = {
    "search": lambda _: {"q": "root"}, "list_actors": lambda w: {"ids": w.ids["person_id"]},
    "create_import": lambda w: {"space_id": w.ids["space_id"]},
    "match_webhook": lambda w: {"room_id": w.ids["room_id"], "message_id": w.ids["message_id"]},
}  # fmt: skip


BODIES: dict[str, Callable[[World], Any]] = {
    "create_own_key": lambda w: {"content": {"name": "Laptop", "expires_at": "2099-01-01T00:00:00Z"}},
    "rotate_own_key": lambda w: {"content": {"expires_at": "2099-01-01T00:00:00Z"}},
    "rotate_api_key": lambda w: {"content": {"expires_at": "2099-01-01T00:00:00Z"}},
    "update_organization": lambda w: {"content": {"name": "Acme & Sons"}},
    "update_member": lambda w: {"content": {"role": "reader", "active": True}},
    "create_invitation": lambda w: {"content": {"email": w.email, "role": "guest"}},
    "preview_invitation": lambda w: {"content": {"token": invitation(w)}},
    "accept_invitation": lambda w: {"content": {"token": invitation(w), "name": "Grace"}},
    "create_api_key": lambda w: {
        "content": {
            "name": "Bot", "description": "deploys", "organization_role": "reader", "expires_at": None,
            "spaces": [{"space_id": w.ids["space_id"], "role": "member"}],
        }
    },
    "create_integration_key": lambda _: {
        "content": {
            "key_name": "Bot, office", "expires_at": None, "scopes": ["messages:read"], "allowed_networks": ["127.0.0.0/8"]
        }
    },
    "update_own_key": lambda _: {
        "content": {
            "name": "Desk", "expires_at": None, "scopes": ["messages:read"],
            "allowed_networks": ["127.0.0.0/8"],
        }
    },
    "update_api_key": lambda w: {
        "content": {
            "name": "Bot 2", "description": "", "organization_role": "guest",
            "spaces": [{"space_id": w.ids["space_id"], "role": "reader"}], "expires_at": "2099-01-01T00:00:00Z",
        }
    },
    "create_space": lambda w: {"content": {"name": "Lab", "description": "d", "visibility": "private"}},
    "update_space": lambda w: {"content": {"name": "Lab 2", "description": "", "visibility": "open"}},
    "put_space_member": lambda w: {"content": {"role": "reader"}},
    "create_room": lambda w: {"name": f"plans {uuid4()}", "description": "d", "room_type": "post"},
    "update_room": lambda w: {"name": f"plans {uuid4()}", "description": "", "archived": False},
    "send_message": lambda w: {
        "text": "hi", "attachments": [], "parent_id": w.ids["message_id"], "blocks": [{"type": "code", "content": {"text": "1 + 1"}}]
    },
    "create_incoming_webhook": lambda w: {"name": "Alertmanager"},
    "post_to_incoming_webhook": lambda w: {
        "text": "*hi*", "blocks": [{"type": "divider"}], "attachments": [{"title": "t", "fields": [{"title": "n", "value": 1}]}]
    },
    "update_message": lambda w: {"text": "hi again", "blocks": [{"type": "divider", "content": {}}]},
    "put_read_marker": lambda w: {"message_id": w.ids["message_id"], "unread": False},
    "put_thread_read_marker": lambda w: {"message_id": w.ids["message_id"], "unread": True},
    "create_block": lambda w: {
        "type": "todo", "content": {"items": [{"text": "tea", "done": True}]}, "parent_block_id": w.ids["block_id"],
        "position": 0,
    },
    "update_block": lambda w: {
        "version": w.client.get(f"/v2/blocks/{w.ids['block_id']}").json()["version"], "content": {"text": "New"},
        "parent_block_id": None, "position": 0,
    },
    "create_webhook": lambda w: {"content": {
        "name": "CI", "description": "d", "endpoint_url": CLOSED, "headers": {"X-Token": "t"},
        "subscriptions": [subscription(w.ids["space_id"], "SPACE", filter={"room_type": "video"})],
    }},
    "update_webhook": lambda w: {"content": {
        "name": "CI 2", "description": "", "endpoint_url": CLOSED, "headers": {}, "status": "WEBHOOK_STATUS_ACTIVE",
        "subscriptions": [subscription(w.ids["room_id"])],
    }},
    "put_key_policy": lambda _: {"content": {"personal_keys": "allowed"}},
    "preview_key_policy": lambda _: {"content": {"max_lifetime_days": 90, "require_networks": True}},
    "preview_subscriptions": lambda w: {"content": {"subscriptions": [
        subscription(w.ids["space_id"], "SPACE", filter={"words": ["root"]}, include=["message"])
    ]}},
    "put_transcript": lambda w: {
        "segments": [{"start": 0, "end": 1.5, "speaker": "Ada", "text": "Hello."}], "language": "en", "version": transcript_version(w)
    },
    "start_transcription": lambda w: {"language": "en"},
    "replay_deliveries": lambda w: {
        "since": "2020-01-01", "until": "2020-01-02T00:00:00Z", "status": "DELIVERY_STATUS_FAILED"
    },
    "rotate_webhook_secret": lambda w: {"overlap_hours": 1},
    # signing in
    "create_session": lambda w: {"content": {"email": w.grace.email, "password": PASSWORD}},
    "create_session_by_link": lambda w: {"content": {"token": w.link("sign_in")}},
    "create_sign_in_link": lambda w: {"content": {"email": w.grace.email}},
    "create_password_reset": lambda w: {"content": {"email": w.grace.email}},
    "confirm_password_reset": lambda w: {"content": {"token": w.link("password"), "password": PASSWORD}},
    "put_password": lambda w: {"content": {"password": PASSWORD, "current_password": PASSWORD}},
    "update_profile": lambda w: {"content": {"name": "Ada Lovelace"}},
    "put_space_group": lambda w: {"content": {"role": "member"}},
    "create_user": lambda w: {"userName": w.email, "displayName": "Grace"},
    "replace_user": lambda w: {"userName": "grace", "displayName": "Grace H."},
    "patch_user": lambda w: {"Operations": [{"op": "replace", "path": "title", "value": "Rear admiral"}]},
    "create_group": lambda w: {"displayName": "Navy"},
    "replace_group": lambda w: {"displayName": "Navy", "members": [{"value": w.ids["user"]}]},
    "patch_group": lambda w: {"Operations": [{"op": "remove", "path": "members"}]},
    "run_bulk": lambda w: {
        "Operations": [{"method": "POST", "path": "/Groups", "bulkId": "g", "data": {"displayName": "Bulk"}}]
    },
    "search_users": lambda w: {"filter": "userName pr"},
    "search_groups": lambda w: {"filter": "displayName pr"},
    "search_directory": lambda w: {"count": 1},
}  # fmt: skip
CLOSED = "http://127.0.0.1:9/hook"


def first_chunk(client: httpx.Client, url: str, **more: Any) -> httpx.Response:
    """Return the first chunk of a streamed response, or the error."""
    with client.stream("GET", url, **more) as answer:
        content = answer.read() if answer.is_error else next(answer.iter_raw())
    return httpx.Response(answer.status_code, headers=answer.headers, content=content, request=answer.request)


def subscription(subject_id: str, kind: str = "ROOM", **more: Any) -> Json:
    """Return a subscription to sent messages."""
    wanted = "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT"
    return {
        "subject_type": f"WEBHOOK_SUBJECT_TYPE_{kind}",
        "subject_id": subject_id,
        "subscription_type": wanted,
        **more,
    }


def transcript_version(world: World) -> int:
    """Return the version of the recording's transcript, 0 if it has none."""
    read = world.client.get(f"/v2/recordings/{world.ids['recording_id']}/transcript")
    return int(read.json()["version"]) if read.is_success else 0


def invitation(world: World) -> str:
    """Create an invitation and return its token."""
    body = {"content": {"email": f"{uuid4().hex}@example.org"}}
    response = world.client.post(f"{world.api.organization}/invitations", json=body)
    assert response.status_code == 201, response.text
    return str(response.json()["token"])


def new_import(api: Api, space_id: str) -> str:
    """Begin the upload of an import; return its id."""
    headers = {"tus-resumable": "1.0.0", "upload-length": "1000"}
    begun = api.person.post(f"{api.organization}/imports", params={"space_id": space_id}, headers=headers)
    assert begun.status_code == 201, begun.text
    return str(begun.headers["location"].rpartition("/")[2])


def ready_import(api: Api, space_id: str) -> str:
    """Return the id of an import that can be started."""
    import_id = new_import(api, space_id)
    api.sql("update imports set status = 'ready' where import_id = $1::text::uuid", import_id)
    return import_id


def populate(api: Api) -> World:
    """Create one resource of each kind over HTTP as the super_admin."""
    client = api.person
    api.sql("delete from sign_in_attempts")  # earlier tests may have used up the set-up attempts of this address
    message = api.send("root", blocks=[{"type": "heading", "content": {"text": "H"}}])
    client.put(f"{api.messages}/{message['message_id']}/reactions/%F0%9F%91%8D")
    api.send("reply", parent_id=message["message_id"])
    block = client.post(f"/v2/rooms/{api.room_id}/blocks", json={"type": "paragraph", "content": {"text": "p"}})
    deleted = client.post(f"/v2/rooms/{api.room_id}/blocks", json={"type": "divider", "content": {}}).json()
    client.delete(f"/v2/blocks/{deleted['block_id']}")
    spare = client.post("/v1/me/integrations", json={"content": {"name": "Spare"}})
    hook = {"name": "hook", "endpoint_url": CLOSED, "subscriptions": [subscription(api.room_id)]}
    webhook_id = client.post(f"{api.organization}/webhooks", json={"content": hook}).json()["webhook"]["id"]
    api.send("new")
    api.wait_for_queue()
    logs = client.get(f"{api.organization}/webhooks/{webhook_id}/logs").json()["logs"]
    person_id, key = api.new_person()
    api.client(key).post(f"/v2/rooms/{api.new_room()['room_id']}/messages", json={"text": f"unread <@{api.person_id}>"})
    room_id = video_room(api)
    attached = client.post(f"/v2/rooms/{api.room_id}/attachments", content=PICTURE).json()
    grace, own = visitor(api), browser(api)
    link = {"content": {"token": api.sign_in_url.partition("#token=")[2]}}
    session_id = own.post("/v1/sessions/link", json=link).json()["session"]["session_id"]
    content = {"email": f"{uuid4().hex}@example.org"}
    invited = client.post(f"{api.organization}/invitations", json={"content": content}).json()["invitation"]
    user = api.integration.post("/scim/v2/Users", json={"userName": f"{uuid4().hex}@example.org"}).json()["id"]
    group = api.integration.post("/scim/v2/Groups", json={"displayName": "Crew"}).json()["id"]
    client.put(f"/v1/spaces/{api.space_id}/groups/{group}", json={"content": {"role": "reader"}})
    revoked, posted_to = (
        client.post(f"/v2/rooms/{api.room_id}/incoming-webhooks", json={"name": "Grafana"}).json() for _ in range(2)
    )
    bot = api.new_integration([{"space_id": api.space_id, "role": "admin"}])["api_key"]
    ids = {
        "incoming_webhook_id": revoked["incoming_webhook_id"],
        "token": posted_to["url"].rpartition("/")[2],
        "video_room_id": room_id,
        "recording_id": record(api, room_id, webm(100))["recording_id"],
        "attachment_id": attached["attachment_id"],
        "upload_id": begin(client, api.room_id, 1000, "attachment").rsplit("/", 1)[1],
        "import_id": new_import(api, api.space_id),
        "ready_import_id": ready_import(api, api.space_id),
        "organization_id": api.organization_id,
        "space_id": api.space_id,
        "room_id": api.room_id,
        "message_id": message["message_id"],
        "parent_id": message["message_id"],
        "emoji": "+1",
        "block_id": block.json()["block_id"],
        "deleted_block_id": deleted["block_id"],
        "person_id": person_id,
        "actor_id": person_id,
        "user": user,
        "group": group,
        "group_id": group,
        "schema": str(USER_SCHEMA),
        "resource_type": "User",
        "session_id": session_id,
        "invitation_id": invited["invitation_id"],
        "mail_id": client.get(f"{api.organization}/mails").json()["mails"][0]["mail_id"],
        "webhook_id": webhook_id,
        "delivery_id": logs[0]["delivery_id"],
        "api_key_id": bot["api_key_id"],
        "integration_id": bot["integration_id"],
        "member_key_id": key_of_member(api),
        "accepted": add_to_another_organization(api),
        "declined": add_to_another_organization(api),
    }
    spoken = {"segments": [{"start": 0, "end": 1, "text": "Hello."}]}
    client.put(f"/v2/recordings/{ids['recording_id']}/transcript", json=spoken)
    return World(api, client, ids, spare.json()["api_key"]["api_key_id"], grace, grace.signed_in_client())


def add_to_another_organization(api: Api) -> str:
    """Return the id of another organization that has added the super_admin, and waits for an answer."""
    [row] = api.sql(
        "with added as (insert into organizations (organization_id, name, created_at) "
        "values (gen_random_uuid(), 'Elsewhere', now()) returning organization_id) "
        "insert into memberships (organization_id, actor_id, role, created_at, deactivated_at, active_when_proven, "
        "pending_name, pending_email) select organization_id, person_id, 'member', now(), now(), true, 'Ada', email "
        "from added, people where person_id::text = $1 returning organization_id::text",
        api.person_id,
    )
    return str(row["organization_id"])


def key_of_member(api: Api) -> str:
    """Return the id of a new member's personal key."""
    _, key = api.new_person("guest")
    return str(api.client(key).get(OWN_KEYS).json()["integrations"][0]["api_key_id"])


def fields_of(route: Route) -> tuple[Any, str]:
    """Return the struct that holds the body's fields, and the JSON pointer of its position."""
    if getattr(route.body, "__origin__", None) is Content:
        return route.body.__args__[0], "/content"
    return route.body, ""


def wrap(route: Route, fields: Any) -> Any:
    """Return the fields of a body inside the wrapper that the route requires."""
    return {"content": fields} if fields_of(route)[1] else fields


def unwrap(route: Route, body: Any) -> Any:
    """Return the fields of a body without their wrapper."""
    return body["content"] if fields_of(route)[1] else body


def assert_problem(answer: httpx.Response, *statuses: int) -> Json:
    """Assert that the response is an RFC 9457 problem with one of the statuses; return its members."""
    assert answer.status_code in statuses, f"{answer.request.method} {answer.request.url}: {answer.text[:500]}"
    assert answer.headers["content-type"] == "application/problem+json"
    problem: Json = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["request_id"] == answer.headers["x-request-id"]
    assert problem["type"].endswith(f"#{problem['code']}")
    assert problem["title"]
    assert problem["detail"]
    if answer.status_code == 401:
        assert answer.headers["www-authenticate"] == "Bearer"
    return problem


# Deletions come last, and containers after their contents.
LAST = ("delete_user", "remove_space_group", "delete_group", "remove_reaction", "delete_message", "delete_block",
        "delete_recording", "delete_upload", "delete_room", "revoke_own_key", "revoke_member_key", "revoke_api_key",
        "remove_space_member", "remove_member", "delete_webhook",
        "end_current_session", "confirm_password_reset", "end_own_session", "end_own_sessions", "put_password",
        "cancel_import", "delete_space")  # fmt: skip


def handler_name(route: Route) -> str:
    return route.handler.__name__


def tour() -> list[Route]:
    return sorted(ROUTES, key=lambda route: LAST.index(handler_name(route)) if handler_name(route) in LAST else -1)

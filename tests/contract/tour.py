"""A furnished organization and, for each route, a request that it takes: what walks over all routes use."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx

from atrium.kit.web import Content, Route
from atrium.server.examples import example_of
from tests.conftest import Api
from tests.sessions.visitor import PASSWORD, Visitor, browser, visitor

Json = dict[str, Any]
OWN_KEYS = "/v1/me/integrations/"


@dataclass
class World:
    """An organization with one of everything; `ids` goes by the names of path parameters."""

    api: Api
    client: httpx.Client
    ids: dict[str, str]
    own_key_id: str
    grace: Visitor
    browser: httpx.Client  # signed in as grace
    email: str = field(default_factory=lambda: f"{uuid4().hex}@example.org")

    def path(self, route: Route, **other: str) -> str:
        """The route's path with ids that exist, but for those given."""
        own = {"api_key_id": self.own_key_id} if route.path.startswith(OWN_KEYS) else {}
        ids = self.ids | own | other
        return re.sub(r"{(\w+)}", lambda found: quote(ids[found[1]], safe="%"), route.path)

    def body(self, route: Route) -> Any:
        """A body that the route takes."""
        name = route.handler.__name__
        return BODIES[name](self) if name in BODIES else example_of(route.body)

    def ask(self, route: Route, client: httpx.Client | None = None, **more: Any) -> httpx.Response:
        """A request of the route that is in order."""
        if route.body is not None and not more.keys() & {"json", "content"}:
            more["json"] = self.body(route)
        if route.handler.__name__ in QUERIES:
            more["params"] = QUERIES[route.handler.__name__] | more.get("params", {})
        url = more.pop("url", None) or self.path(route)
        client = client or (self.browser if route.handler.__name__ == "end_current_session" else self.client)
        if route.is_server_sent:
            return beginning(client, url, **more)
        request = client.build_request(route.method, url, **more)
        request.headers.setdefault("sec-fetch-site", "same-origin")  # as browsers say
        return client.send(request)

    def link(self, purpose: str) -> str:
        """The token of a link that was mailed to grace, so to say."""
        token = uuid4().hex
        self.api.sql(
            "insert into sign_in_links values (sha256($1::text::bytea), $2::text::uuid, now(), now() + interval '1 h', "
            "null, $3)", token, self.grace.person_id, purpose,
        )  # fmt: skip
        return token


QUERIES: dict[str, dict[str, str]] = {
    "search": {"q": "root"}, "list_actors": {"ids": "01936f4e-8f2a-7c31-9d4b-5e6f70819203"},
}  # fmt: skip


BODIES: dict[str, Callable[[World], Any]] = {
    "create_own_key": lambda w: {"content": {"name": "Laptop", "expires_at": "2099-01-01T00:00:00Z"}},
    "update_organization": lambda w: {"content": {"name": "Acme & Sons"}},
    "update_member": lambda w: {"content": {"role": "reader", "active": True}},
    "create_invitation": lambda w: {"content": {"email": w.email, "role": "guest"}},
    "accept_invitation": lambda w: {"content": {"token": invitation(w), "name": "Grace"}},
    "create_api_key": lambda w: {
        "content": {
            "name": "Bot", "description": "deploys", "organization_role": "reader", "expires_at": None,
            "spaces": [{"space_id": w.ids["space_id"], "role": "member"}],
        }
    },
    "update_api_key": lambda w: {
        "content": {
            "name": "Bot 2", "description": "", "organization_role": "guest",
            "spaces": [{"space_id": w.ids["space_id"], "role": "reader"}],
        }
    },
    "create_space": lambda w: {"content": {"name": "Lab", "description": "d", "visibility": "private"}},
    "update_space": lambda w: {"content": {"name": "Lab 2", "description": "", "visibility": "open"}},
    "put_space_member": lambda w: {"content": {"role": "reader"}},
    "create_room": lambda w: {"name": "plans", "description": "d", "room_type": "post"},
    "update_room": lambda w: {"name": "plans 2", "description": "", "archived": False},
    "send_message": lambda w: {
        "text": "hi", "parent_id": w.ids["message_id"], "blocks": [{"type": "code", "content": {"text": "1 + 1"}}]
    },
    "update_message": lambda w: {"text": "hi again", "blocks": [{"type": "divider", "content": {}}]},
    "put_read_marker": lambda w: {"message_id": w.ids["message_id"]},
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
    "replay_deliveries": lambda w: {
        "since": "2020-01-01", "until": "2030-01-01T00:00:00Z", "status": "DELIVERY_STATUS_FAILED"
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
}  # fmt: skip
CLOSED = "http://127.0.0.1:9/hook"


def beginning(client: httpx.Client, url: str, **more: Any) -> httpx.Response:
    """The answer of a route whose answer goes on: its first chunk, or the refusal."""
    with client.stream("GET", url, **more) as answer:
        content = answer.read() if answer.is_error else next(answer.iter_raw())
    return httpx.Response(answer.status_code, headers=answer.headers, content=content, request=answer.request)


def subscription(subject_id: str, kind: str = "ROOM", **more: Any) -> Json:
    """A subscription to sent messages."""
    wanted = "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT"
    return {
        "subject_type": f"WEBHOOK_SUBJECT_TYPE_{kind}", "subject_id": subject_id, "subscription_type": wanted, **more
    }  # fmt: skip


def invitation(world: World) -> str:
    """A fresh invitation's token."""
    body = {"content": {"email": f"{uuid4().hex}@example.org"}}
    asked = world.client.post(f"{world.api.organization}/invitations", json=body)
    assert asked.status_code == 201, asked.text
    return str(asked.json()["token"])


def furnish(api: Api) -> World:
    """One of everything, made over HTTP by the super_admin."""
    client = api.person
    message = api.say("root", blocks=[{"type": "heading", "content": {"text": "H"}}])
    client.put(f"{api.messages}/{message['message_id']}/reactions/%F0%9F%91%8D")
    api.say("reply", parent_id=message["message_id"])
    block = client.post(f"/v2/rooms/{api.room_id}/blocks", json={"type": "paragraph", "content": {"text": "p"}})
    spare = client.post("/v1/me/integrations", json={"content": {"name": "Spare"}})
    hook = {"name": "hook", "endpoint_url": CLOSED, "subscriptions": [subscription(api.room_id)]}
    webhook_id = client.post(f"{api.organization}/webhooks", json={"content": hook}).json()["webhook"]["id"]
    api.say("told")
    logs = client.get(f"{api.organization}/webhooks/{webhook_id}/logs").json()["logs"]
    person_id, key = api.new_person()
    api.client(key).post(f"/v2/rooms/{api.new_room()['room_id']}/messages", json={"text": "unread"})
    person_id, _ = api.new_person()
    grace, own = visitor(api), browser(api)
    link = {"content": {"token": api.sign_in_url.partition("#token=")[2]}}
    session_id = own.post("/v1/sessions/link", json=link).json()["session"]["session_id"]
    ids = {
        "organization_id": api.organization_id, "space_id": api.space_id, "room_id": api.room_id,
        "message_id": message["message_id"], "parent_id": message["message_id"], "emoji": "+1",
        "block_id": block.json()["block_id"], "person_id": person_id, "actor_id": person_id,
        "session_id": session_id, "webhook_id": webhook_id, "delivery_id": logs[0]["delivery_id"],
        "api_key_id": api.new_integration([{"space_id": api.space_id, "role": "admin"}])["api_key"]["api_key_id"],
    }  # fmt: skip
    return World(api, client, ids, spare.json()["api_key"]["api_key_id"], grace, grace.signed_in())


def fields_of(route: Route) -> tuple[Any, str]:
    """The struct that holds the body's fields, and the JSON pointer at which they stand."""
    if getattr(route.body, "__origin__", None) is Content:
        return route.body.__args__[0], "/content"
    return route.body, ""


def wrapped(route: Route, fields: Any) -> Any:
    """The fields of a body inside the wrapper that the route asks for."""
    return {"content": fields} if fields_of(route)[1] else fields


def unwrapped(route: Route, body: Any) -> Any:
    """The fields of a body without their wrapper."""
    return body["content"] if fields_of(route)[1] else body


def assert_problem(answer: httpx.Response, *statuses: int) -> Json:
    """The answer is an RFC 9457 problem with one of the statuses; its members."""
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

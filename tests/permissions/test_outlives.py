"""Resources that outlive their creator's right to create them, and those that end (decision 0005).

Streams, and accounts that join another organization, are in tests/live/test_access.py and tests/sessions/test_adoption.py.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.conftest import Api
from tests.contract.tour import CLOSED, subscription
from tests.recordings.media import PICTURE, TUS, append, begin
from tests.sessions.visitor import PASSWORD, browser, mails_to, token_in

Json = dict[str, Any]
Works = Callable[[], httpx.Response]


@dataclass(frozen=True)
class Maker:
    """Who makes something in a room of an open space, with a key and a session."""

    api: Api
    role: str
    person_id: str
    email: str
    key: str
    key_id: str
    space_id: str
    room_id: str

    @property
    def client(self) -> httpx.Client:
        return self.api.client(self.key)

    @property
    def room(self) -> str:
        return f"/v2/rooms/{self.room_id}"

    def make(self, path: str, **body: Any) -> Any:
        made = self.client.post(path, json=body)
        assert made.status_code == 201, made.text
        return made.json()


def new_maker(api: Api, role: str) -> Maker:
    email, space = f"maker{os.urandom(6).hex()}@example.org", api.new_space()
    person_id, key = api.new_person(role, email)
    [own] = api.client(key).get("/v1/me/integrations").json()["integrations"]
    return Maker(api, role, person_id, email, key, own["api_key_id"], space, api.new_room(space)["room_id"])


# Each thing: made with the maker's key, and a request that shows whether it still works.


def own_key(maker: Maker) -> Works:
    return partial(maker.client.get, f"{maker.room}/messages")


def key_made_with_it(maker: Maker) -> Works:
    made = maker.make("/v1/me/integrations", content={"name": "second"})
    return partial(maker.api.client(made["key"]).get, f"{maker.room}/messages")


def session(maker: Maker) -> Works:
    assert maker.client.put("/v1/me/password", json={"content": {"password": PASSWORD}}).status_code == 200
    signed_in = browser(maker.api)
    content = {"email": maker.email, "password": PASSWORD}
    assert signed_in.post("/v1/sessions", json={"content": content}).status_code == 201
    return partial(signed_in.get, f"{maker.room}/messages")


def password(maker: Maker) -> Works:
    assert maker.client.put("/v1/me/password", json={"content": {"password": PASSWORD}}).status_code == 200
    content = {"email": maker.email, "password": PASSWORD}
    return partial(browser(maker.api).post, "/v1/sessions", json={"content": content})


def sign_in_link(maker: Maker) -> Works:
    queued = maker.api.client(None).post("/v1/sign-in-links", json={"content": {"email": maker.email}})
    assert queued.status_code == 202, queued.text
    [token] = [token_in(mail, "token") for mail in mails_to(maker.api, maker.email) if "#token=" in mail]
    return partial(browser(maker.api).post, "/v1/sessions/link", json={"content": {"token": token}})


def invitation(maker: Maker) -> Works:
    spaces = [{"space_id": maker.space_id, "role": "reader"}]
    content = {"email": f"guest{os.urandom(6).hex()}@example.org", "role": "guest", "spaces": spaces}
    token = maker.make(f"{maker.api.organization}/invitations", content=content)["token"]
    accepted = {"content": {"token": token, "name": "Guest"}}
    return partial(maker.api.client(None).post, "/v1/invitations/accept", json=accepted)


def created_space(maker: Maker) -> Works:
    content = {"name": "Lab", "visibility": "private"}
    space = maker.make(f"{maker.api.organization}/spaces", content=content)["space"]["space_id"]
    return partial(maker.client.get, f"/v1/spaces/{space}")


def integration(maker: Maker) -> Works:
    content = {"name": "Bot", "spaces": [{"space_id": maker.space_id, "role": "member"}]}
    made = maker.make(f"{maker.api.organization}/api-keys", content=content)
    return partial(maker.api.client(made["key"]).get, f"{maker.room}/messages")


def role_of_another(maker: Maker) -> Works:
    bot = maker.api.new_integration()
    path = f"/v1/spaces/{maker.space_id}/members/{bot['api_key']['integration_id']}"
    assert maker.client.put(path, json={"content": {"role": "reader"}}).status_code == 200
    return partial(maker.api.client(bot["key"]).get, f"{maker.room}/messages")


def webhook(maker: Maker) -> Works:
    path, subscriptions = f"{maker.api.organization}/webhooks", [subscription(maker.space_id, "SPACE")]
    content = {"name": "W", "endpoint_url": CLOSED, "subscriptions": subscriptions}
    webhook_id = maker.make(path, content=content)["webhook"]["id"]
    matches = {"room_id": maker.room_id, "message_id": maker.make(f"{maker.room}/messages", text="m")["message_id"]}
    return partial(maker.api.person.get, f"{path}/{webhook_id}/match", params=matches)


def incoming_webhook(maker: Maker) -> Works:
    made = maker.make(f"{maker.room}/incoming-webhooks", name="Grafana")
    return partial(maker.api.client(None).post, made["url"], json={"text": "m"})


def upload(maker: Maker) -> Works:
    path = begin(maker.client, maker.room_id, len(PICTURE), "attachment", "a.png")
    assert append(maker.client, path, 0, PICTURE[:50]).status_code == 204
    return partial(append, maker.client, path, 50, PICTURE[50:])


def upload_of_an_import(maker: Maker) -> Works:
    where = {"params": {"space_id": maker.api.space_id}, "headers": {**TUS, "upload-length": "100"}}
    begun = maker.client.post(f"{maker.api.organization}/imports", **where)
    assert begun.status_code == 201, begun.text
    return partial(append, maker.client, begun.headers["location"], 0, b"PK")


def unsent_attachment(maker: Maker) -> Works:
    made = maker.client.post(f"{maker.room}/attachments", content=PICTURE).json()
    return partial(maker.client.get, made["url"])


def cached_attachment(maker: Maker) -> Works:
    made = maker.client.post(f"{maker.room}/attachments", content=PICTURE).json()
    maker.make(f"{maker.room}/messages", text="m", attachments=[made["attachment_id"]])
    tag = maker.client.get(made["url"]).headers["etag"]
    return partial(maker.client.get, made["url"], headers={"if-none-match": tag})


def repeated_send(maker: Maker) -> Works:
    return _repeat(maker, f"{maker.room}/messages", {"text": "m"})


def repeated_request(maker: Maker) -> Works:
    return _repeat(maker, f"{maker.room}/blocks", {"type": "divider", "content": {}})


def _repeat(maker: Maker, path: str, body: Json) -> Works:
    again = partial(maker.client.post, path, json=body, headers={"idempotency-key": uuid4().hex})
    assert again().status_code == 201
    return again


def own_message(maker: Maker) -> Works:
    sent = maker.make(f"{maker.room}/messages", text="m")["message_id"]
    return partial(maker.client.patch, f"{maker.room}/messages/{sent}", json={"text": "n"})


# Each way to lose a right. All but `narrowed` are a super_admin's.


def change_nothing(_: Maker) -> None:
    """Nothing is lost."""


def lower_role(maker: Maker) -> None:
    _require_success(maker.api.person.patch(_member(maker), json={"content": {"role": "guest"}}))


def remove_member(maker: Maker) -> None:
    _require_success(maker.api.person.delete(_member(maker)))


def deactivate(maker: Maker) -> None:
    off = {"Operations": [{"op": "replace", "path": "active", "value": False}]}
    _require_success(maker.api.integration.patch(f"/scim/v2/Users/{maker.person_id}", json=off))


def revoke_key(maker: Maker) -> None:
    _require_success(maker.api.person.delete(f"{maker.api.organization}/personal-keys/{maker.key_id}"))


def narrow_key(maker: Maker) -> None:
    limits = {"content": {"allowed_networks": ["192.0.2.0/24"]}}
    _require_success(maker.client.patch(f"/v1/me/integrations/{maker.key_id}", json=limits))


def close_space(maker: Maker) -> None:
    _require_success(
        maker.api.person.patch(f"/v1/spaces/{maker.space_id}", json={"content": {"visibility": "private"}})
    )


def delete_room(maker: Maker) -> None:
    _require_success(maker.api.person.delete(maker.room))


def policy(maker: Maker) -> None:
    rules = {"content": {"personal_keys": "admins", "enforce_at": "2020-01-01"}}
    _require_success(maker.api.person.put(f"{maker.api.organization}/key-policy", json=rules))


def _member(maker: Maker) -> str:
    return f"{maker.api.organization}/members/{maker.person_id}"


def _require_success(response: httpx.Response) -> None:
    assert response.is_success, response.text


LOSSES = (
    change_nothing,
    lower_role,
    remove_member,
    deactivate,
    revoke_key,
    narrow_key,
    close_space,
    delete_room,
    policy,
)
# Who makes each thing, and whether it works (1) or not (0) after each loss, in their order.
EXPECTED: dict[Callable[[Maker], Works], tuple[str, str]] = {
    own_key:             ("member",      "1 000 00 00 0"),
    key_made_with_it:    ("member",      "1 000 11 00 0"),
    session:             ("member",      "1 000 11 00 1"),
    password:            ("member",      "1 100 11 11 1"),
    sign_in_link:        ("member",      "1 100 11 11 1"),
    upload:              ("member",      "1 000 00 00 0"),
    unsent_attachment:   ("member",      "1 000 00 00 0"),
    cached_attachment:   ("member",      "1 000 00 00 0"),
    repeated_send:       ("member",      "1 000 00 00 0"),
    repeated_request:    ("member",      "1 000 00 00 0"),
    own_message:         ("member",      "1 000 00 00 0"),
    invitation:          ("admin",       "1 000 11 11 1"),
    created_space:       ("admin",       "1 100 00 11 1"),
    integration:         ("admin",       "1 111 11 10 1"),
    role_of_another:     ("admin",       "1 111 11 10 1"),
    webhook:             ("admin",       "1 111 11 10 1"),
    incoming_webhook:    ("admin",       "1 111 11 10 1"),
    upload_of_an_import: ("super_admin", "1 000 00 11 1"),
}  # fmt: skip


# Every table that names an actor, by what covers it. A new one needs a thing above, or a reason to be here.
COVERED = {
    "a thing above": """
        api_keys attachments idempotency_keys imports integrations invitations messages passwords sessions sign_in_links
        space_grants spaces uploads webhooks
    """,
    "who belongs where, which is what is lost": "actors directory_users group_members memberships people",
    "tests/sessions/test_changed_addresses.py": "identities",
    "tests/live/test_access.py": "live_events",
    "content of a room, which access to the room alone decides": """
        blocks deleted_blocks mentions message_search read_markers recordings rooms thread_markers thread_participants
        transcript_versions transcriptions typing
    """,
    "a record of what was done": "audit_entries key_addresses key_usage",
}
# Returns: table_name
NAMING_ACTORS = """
select distinct table_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
where table_schema = 'public' and table_type = 'BASE TABLE' and table_name !~ '_(\\d{8}|other)$'
  and (column_name like '%\\_by' or column_name in ('actor_id', 'person_id', 'user_id', 'integration_id', 'api_key_id'))
"""


@pytest.mark.contract("Roles and keys 7")
def test_everything_that_names_its_maker_is_covered(api: Api) -> None:
    named = {row["table_name"] for row in api.sql(NAMING_ACTORS)}
    assert sorted(named) == sorted(name for names in COVERED.values() for name in names.split())


@pytest.mark.contract("Roles and keys 7")
@pytest.mark.parametrize("lose", LOSSES, ids=lambda each: each.__name__)
def test_what_was_made_goes_on_only_where_it_is_decided(api: Api, lose: Callable[[Maker], None]) -> None:
    api.sql("delete from sign_in_attempts")  # earlier tests may have used up those of this address
    makers = [new_maker(api, role) for role, _ in EXPECTED.values()]
    made = {make.__name__: make(maker) for make, maker in zip(EXPECTED, makers, strict=True)}
    for maker in makers:
        lose(maker)
    place = LOSSES.index(lose)
    expected = {make.__name__: cells.replace(" ", "")[place] for make, (_, cells) in EXPECTED.items()}
    answers = {name: works() for name, works in made.items()}
    assert {name: str(int(answer.status_code < 400)) for name, answer in answers.items()} == expected, {
        name: (answer.status_code, answer.text[:200]) for name, answer in answers.items()
    }

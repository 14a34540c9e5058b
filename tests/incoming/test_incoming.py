"""Incoming webhooks over HTTP: creating, posting, revoking, and their permissions."""

import json
from collections.abc import Iterator
from uuid import uuid4

import httpx
import pytest

from atrium.kit.settings import Settings
from tests.conftest import TLS, Api, new_organization, running_server
from tests.contract.tour import assert_problem
from tests.incoming.hooks import Json, hooks_of, messages, new_hook
from tests.incoming.payloads import ALERTMANAGER, ALERTMANAGER_PLAIN, GRAFANA, as_go_sends, is_delivered


@pytest.fixture
def tool() -> Iterator[httpx.Client]:
    """Return a client of a tool that knows only a URL."""
    with httpx.Client(timeout=30, verify=TLS) as client:
        yield client


@pytest.mark.contract("Client, agents and incoming webhooks 15")
@pytest.mark.parametrize(
    "payload", [GRAFANA, ALERTMANAGER, ALERTMANAGER_PLAIN], ids=["grafana", "alertmanager", "plain"]
)
def test_notifiers_post_and_get_the_response_they_expect(api: Api, tool: httpx.Client, payload: Json) -> None:
    made = new_hook(api)
    headers = {"content-type": "application/json; charset=utf-8", "user-agent": "Grafana"}
    answer = tool.post(made["url"], content=as_go_sends(payload), headers=headers)
    assert is_delivered(answer), answer.text
    (message,) = messages(api)
    assert (message["user_id"], message["sender_type"]) == (made["integration_id"], "integration")
    assert "](http://" in message["text"]
    actors = api.person.get(f"{api.organization}/actors", params={"ids": made["integration_id"]}).json()["actors"]
    assert [(each["name"], each["actor_type"]) for each in actors] == [("Grafana", "integration")]


def test_curl_and_form_posts_are_accepted(api: Api, tool: httpx.Client) -> None:
    url = new_hook(api)["url"]
    assert tool.post(url, data={"payload": json.dumps({"text": "as a form"})}).text == "ok"
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert tool.post(url, content=b'{"text": "as curl -d sends it"}', headers=form).text == "ok"
    assert tool.post(url, content=b'{"text": "without a type"}').text == "ok"
    assert [each["text"] for each in messages(api)] == ["without a type", "as curl -d sends it", "as a form"]


@pytest.mark.contract("Client, agents and incoming webhooks 21")
def test_it_is_listed_without_its_url_and_disappears_when_revoked(api: Api, tool: httpx.Client) -> None:
    made = new_hook(api)
    first = {name: value for name, value in made.items() if name != "url"}
    assert api.person.get(hooks_of(api.room_id)).json() == {"incoming_webhooks": [first], "next_cursor": None}
    assert made["url"].startswith(f"{api.url}/v2/incoming-webhooks/atrh_")
    assert made["url"].endswith(made["last_four"])
    assert tool.post(made["url"], json={"text": "before"}).text == "ok"
    used = api.person.get(hooks_of(api.room_id)).json()["incoming_webhooks"][0]
    assert used["last_used_at"] >= used["created_at"]
    gone = f"{hooks_of(api.room_id)}/{made['incoming_webhook_id']}"
    assert api.person.delete(gone).status_code == 204
    assert_problem(tool.post(made["url"], json={"text": "after"}), 404)
    assert_problem(api.person.delete(gone), 404)
    assert api.person.get(hooks_of(api.room_id)).json()["incoming_webhooks"] == []
    assert [each["text"] for each in messages(api)] == ["before"]


@pytest.mark.contract("Client, agents and incoming webhooks 20")
def test_space_admins_manage_them_and_others_do_not(api: Api, outsider: Api) -> None:
    person_id, key = api.new_person()
    member = api.client(key)
    made = new_hook(api)
    one = f"{hooks_of(api.room_id)}/{made['incoming_webhook_id']}"
    for method, path in (("GET", hooks_of(api.room_id)), ("POST", hooks_of(api.room_id)), ("DELETE", one)):
        body = {"name": "mine"} if method == "POST" else None
        assert_problem(member.request(method, path, json=body), 403)
        assert_problem(outsider.person.request(method, path, json=body), 404)
    member_path = f"/v1/spaces/{api.space_id}/members/{person_id}"
    assert api.person.put(member_path, json={"content": {"role": "admin"}}).status_code == 200
    assert member.post(hooks_of(api.room_id), json={"name": "mine"}).status_code == 201
    assert member.delete(one).status_code == 204


@pytest.mark.contract("Client, agents and incoming webhooks 21")
def test_its_url_posts_to_its_room_and_gives_no_other_access(api: Api, tool: httpx.Client) -> None:
    made = new_hook(api)
    token = made["url"].rpartition("/")[2]
    for path in (api.messages, "/v1/me/profile", f"/v2/rooms/{api.room_id}", "/v2/events"):
        assert_problem(tool.get(api.url + path, headers={"authorization": f"Bearer {token}"}), 401)
    other = api.new_room()
    payload = {"text": "hello", "channel": other["room_id"], "room_id": other["room_id"], "thread_ts": "1"}
    assert tool.post(made["url"], json=payload).text == "ok"
    assert api.person.get(f"/v2/rooms/{other['room_id']}/messages").json()["messages"] == []
    assert [each["text"] for each in messages(api)] == ["hello"]


def test_no_other_key_works_as_a_url(api: Api, tool: httpx.Client) -> None:
    base = f"{api.url}/v2/incoming-webhooks/"
    for token in (api.personal_key, api.organization_key, "atrh_none", "x", uuid4().hex):
        assert_problem(tool.post(base + token, json={"text": "hello"}), 404)
    assert messages(api) == []


def test_its_key_is_not_listed_with_the_integrations_keys(api: Api) -> None:
    made = new_hook(api)
    keys = api.person.get(f"{api.organization}/api-keys").json()["api_keys"]
    assert made["incoming_webhook_id"] not in [each["api_key_id"] for each in keys]
    for method, tail in (("GET", ""), ("POST", "/rotate"), ("DELETE", ""), ("PATCH", "")):
        path = f"{api.organization}/api-keys/{made['incoming_webhook_id']}{tail}"
        body = {"content": {"name": "else"}} if method == "PATCH" else None
        assert_problem(api.person.request(method, path, json=body), 404)


@pytest.mark.contract("Client, agents and incoming webhooks 20")
def test_the_audit_log_shows_who_created_and_revoked_it_without_its_url(api: Api) -> None:
    made = new_hook(api)
    api.person.delete(f"{hooks_of(api.room_id)}/{made['incoming_webhook_id']}")
    entries = api.person.get(f"{api.organization}/audit-log", params={"action": "incoming_webhook"}).json()["entries"]
    assert [each["action"] for each in entries] == ["incoming_webhook.revoked", "incoming_webhook.created"]
    assert {each["actor"]["id"] for each in entries} == {api.person_id}
    assert {each["target"]["id"] for each in entries} == {made["incoming_webhook_id"]}
    assert "atrh_" not in json.dumps(entries)


def test_posts_to_an_archived_deleted_or_closed_room_are_rejected(api: Api, tool: httpx.Client) -> None:
    room = api.new_room()
    made = new_hook(api, room_id=room["room_id"])
    path = f"/v2/rooms/{room['room_id']}"
    api.person.patch(path, json={"archived": True})
    assert assert_problem(tool.post(made["url"], json={"text": "m"}), 409)["code"] == "room_archived"
    assert_problem(api.person.post(hooks_of(room["room_id"]), json={"name": "more"}), 409)
    api.person.patch(path, json={"archived": False})
    assert tool.post(made["url"], json={"text": "m"}).text == "ok"
    assert api.person.delete(path).status_code == 204
    assert_problem(tool.post(made["url"], json={"text": "m"}), 404)
    shut_out = new_hook(api)
    member = f"/v1/spaces/{api.space_id}/members/{shut_out['integration_id']}"
    assert api.person.delete(member).status_code == 204
    assert_problem(tool.post(shut_out["url"], json={"text": "m"}), 404)


@pytest.mark.parametrize(
    "body",
    [{}, {"text": ""}, {"text": " "}, {"attachments": []}, {"attachments": [{"color": "good"}]}, {"blocks": [{}]}],
)
def test_an_empty_message_is_rejected(api: Api, tool: httpx.Client, body: Json) -> None:
    url = new_hook(api)["url"]
    assert assert_problem(tool.post(url, json=body), 400)["errors"][0]["pointer"] == "/text"


@pytest.mark.parametrize("body", [b"", b"text", b"[]", b'{"text":[5]}', b'{"attachments":"x"}', b'{"text":"\\ud800"}'])
def test_an_invalid_body_is_rejected(api: Api, tool: httpx.Client, body: bytes) -> None:
    assert_problem(tool.post(new_hook(api)["url"], content=body), 400)


def test_it_mentions_members_triggers_webhooks_and_is_idempotent(api: Api, tool: httpx.Client) -> None:
    url, key = new_hook(api)["url"], {"idempotency-key": "alert-1"}
    for _ in range(2):
        assert tool.post(url, json={"text": f"<@{api.person_id}> look"}, headers=key).text == "ok"
    assert_problem(tool.post(url, json={"text": "else"}, headers=key), 422)
    (message,) = messages(api)
    assert message["mentions"] == [api.person_id]


def test_a_url_has_a_rate_limit_of_its_own(settings: Settings) -> None:
    with running_server(settings.with_changes(rate_limit=2)) as running:
        api = new_organization(running.settings, running.url)
        url = new_hook(api)["url"]
        with httpx.Client(timeout=60, verify=TLS) as tool:
            statuses = [tool.post(url, json={"text": "m"}).status_code for _ in range(40)]
        assert {200, 429} == set(statuses)
        assert api.person.get("/v1/me/profile").status_code == 200

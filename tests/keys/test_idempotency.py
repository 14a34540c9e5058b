"""`Idempotency-Key`: a repeated create does nothing twice and gets the first response.

If that response had a key or a secret, the repetition names the created resource instead.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import httpx
import pytest

from atrium.kit.http.idempotency import DELETE_OLD, RETENTION
from atrium.kit.http.route import Route
from atrium.kit.settings import Settings
from atrium.permissions import Subject
from atrium.routes import ROUTES
from tests.conftest import Api, RunningServer, new_organization
from tests.contract.tour import World, assert_problem, handler_name, populate
from tests.webhooks.harness import Harness, with_harness

# Requests that another server answers, that set a cookie or that need no key are executed each time.
CREATES = [route for route in ROUTES if route.is_repeatable and route.permission.subject is not Subject.ANYONE]
SHOWN_ONCE = [route for route in CREATES if route.shows_once]
SAME_EACH_TIME = {
    "replay_deliveries", "preview_subscriptions", "preview_key_policy", "type_in_room",
    "search_directory", "search_users", "search_groups", "start_transcription",
}  # fmt: skip


@pytest.fixture(scope="module")
def world(server: RunningServer) -> Iterator[World]:
    api = new_organization(server.settings, server.url)
    yield populate(api)
    api.close()


def once(key: str | None = None) -> dict[str, str]:
    return {"idempotency-key": key or uuid4().hex}


@pytest.mark.contract("Conventions 21")
@pytest.mark.parametrize("route", [route for route in CREATES if not route.shows_once], ids=handler_name)
def test_a_repeated_request_has_the_same_response(world: World, route: Route) -> None:
    headers = once()
    body: dict[str, Any] = {"json": world.body(route)} if route.body is not None else {}
    first = world.ask(route, headers=headers, **body)
    again = world.ask(route, headers=headers, **body)
    assert first.status_code == again.status_code == route.status
    assert first.content == again.content
    assert world.ask(route, headers=once(), **body).content != first.content or handler_name(route) in SAME_EACH_TIME


@pytest.mark.contract("Authentication 5")
@pytest.mark.parametrize("route", SHOWN_ONCE, ids=handler_name)
def test_a_secret_is_in_one_response_and_the_repetition_names_the_created_resource(world: World, route: Route) -> None:
    headers = once()
    body: dict[str, Any] = {"json": world.body(route)} if route.body is not None else {}
    first = world.ask(route, headers=headers, **body)
    assert first.status_code == route.status, first.text
    shown: Any = first.json()
    made = shown
    for name in route.shows_once.path if route.shows_once else ():
        made = made[name]
    again = assert_problem(world.ask(route, headers=headers, **body), 409)
    assert (again["code"], again["made"]["id"]) == ("already_done", made)
    [secret] = [shown[name] for name in ("key", "secret", "token", "url") if name in shown]
    rows = world.api.sql("select * from idempotency_keys where key = $1", headers["idempotency-key"])
    assert len(rows) == 1
    assert secret not in str(again) + str(list(rows[0].values()))


def test_the_secret_of_a_webhook_deleted_meanwhile_is_not_repeated(world: World) -> None:
    [route] = [each for each in SHOWN_ONCE if handler_name(each) == "create_webhook"]
    headers, body = once(), world.body(route)
    webhook = world.ask(route, headers=headers, json=body).json()["webhook"]
    gone = world.api.person.delete(f"{world.api.organization}/webhooks/{webhook['id']}")
    assert gone.status_code == 204
    again = assert_problem(world.ask(route, headers=headers, json=body), 409)
    assert again["made"] == {"type": "webhook", "id": webhook["id"]}


@pytest.mark.parametrize("route", [route for route in CREATES if route.body is not None], ids=handler_name)
def test_another_body_under_the_same_key_is_rejected(world: World, route: Route) -> None:
    headers = once()
    body = world.body(route)
    assert world.ask(route, headers=headers, json=body).status_code == route.status
    other = {**body, "text": "other"} if handler_name(route) == "send_message" else {**body, "name": "other"}
    if "content" in body and handler_name(route) != "create_block":
        other = {"content": {**body["content"], "name": "other"}}
    answer = world.ask(route, headers=headers, json=other)
    assert assert_problem(answer, 422)["code"] == "idempotency_mismatch"


@pytest.mark.parametrize("route", [route for route in CREATES if route.body is not None], ids=handler_name)
def test_a_rejected_request_leaves_its_key_unused(world: World, route: Route) -> None:
    headers = once()
    assert_problem(world.ask(route, headers=headers, content=b"[]"), 400)
    assert world.ask(route, headers=headers).status_code == route.status


@pytest.mark.contract("Conventions 22")
def test_bodies_are_compared_by_content(api: Api) -> None:
    """Clients that rebuild a request may order its fields differently; libraries differ in escapes and indentation."""
    headers, plain = once(), "/v1/me/integrations"
    for path, bodies in (
        (api.messages, ('{"text":"caf\u00e9","blocks":[]}', '\ufeff{ "blocks" : [],\n"text": "caf\\u00e9" }')),
        (plain, ('{"content":{"name":"x","expires_at":null}}', '{"content": {"expires_at": null, "name": "\\u0078"}}')),
    ):
        first, again = (api.person.post(path, content=body.encode(), headers=headers) for body in bodies)
        assert first.status_code == 201
        if path == plain:  # its key is returned once
            assert assert_problem(again, 409)["code"] == "already_done"
        else:
            assert again.content == first.content
        other = bodies[0].replace("caf", "cave").replace('"x"', '"y"')
        refused = api.person.post(path, content=other.encode(), headers=headers)
        assert assert_problem(refused, 422)["code"] == "idempotency_mismatch"


def test_a_request_rejected_for_the_state_of_a_resource_succeeds_later_under_its_key(api: Api) -> None:
    room = f"/v2/rooms/{api.room_id}"
    headers = once()
    api.person.patch(room, json={"archived": True})
    assert_problem(api.person.post(f"{room}/messages", json={"text": "x"}, headers=headers), 409)
    api.person.patch(room, json={"archived": False})
    assert api.person.post(f"{room}/messages", json={"text": "x"}, headers=headers).status_code == 201


def test_an_idempotency_key_belongs_to_its_caller(api: Api) -> None:
    _, other = api.new_person()
    for path, body in ((api.messages, {"text": "x"}), ("/v1/me/integrations", {"content": {"name": "x"}})):
        headers = once()
        first = api.person.post(path, json=body, headers=headers)
        second = api.client(other).post(path, json=body, headers=headers)
        assert (first.status_code, second.status_code) == (201, 201)
        assert first.json() != second.json()


def test_an_idempotency_key_belongs_to_the_resource_in_the_path(api: Api) -> None:
    """Two rooms, two keys to rotate: one Idempotency-Key stands for two requests."""
    headers, other = once(), api.new_room()
    first = api.person.post(api.messages, json={"text": "x"}, headers=headers).json()
    second = api.person.post(f"/v2/rooms/{other['room_id']}/messages", json={"text": "x"}, headers=headers).json()
    assert (first["room_id"], second["room_id"]) == (api.room_id, other["room_id"])
    for path in (f"{api.organization}/api-keys", "/v1/me/integrations"):
        content = {"name": "x", "spaces": []} if "organizations" in path else {"name": "x"}
        ids = [api.person.post(path, json={"content": content}).json()["api_key"]["api_key_id"] for _ in range(2)]
        rotated = [api.person.post(f"{path}/{each}/rotate", headers=headers).json() for each in ids]
        assert [each["api_key"]["api_key_id"] for each in rotated] == ids


@pytest.mark.contract("Conventions 21")
def test_an_idempotency_key_is_remembered_for_a_day(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        path, body, headers = f"/v2/rooms/{harness.made['room_id']}/messages", {"text": "once"}, once()
        first = await harness.client.post(path, json=body, headers=headers)
        harness.pass_time(hours=24)
        await harness.db.execute(DELETE_OLD, harness.clock() - RETENTION)
        assert (await harness.client.post(path, json=body, headers=headers)).json() == first.json()
        harness.pass_time(milliseconds=1)
        await harness.db.execute(DELETE_OLD, harness.clock() - RETENTION)
        assert (await harness.client.post(path, json=body, headers=headers)).json() != first.json()

    with_harness(settings, act)


@pytest.mark.contract("Conventions 21")
def test_a_stored_response_is_encrypted(api: Api) -> None:
    headers = once()
    body = {"content": {"name": "A very secret space", "visibility": "private"}}
    first = api.person.post(f"{api.organization}/spaces", json=body, headers=headers)
    [row] = api.sql("select * from idempotency_keys where key = $1", headers["idempotency-key"])
    assert all(b"secret space" not in bytes(value) for value in row.values() if isinstance(value, bytes))
    again = api.person.post(f"{api.organization}/spaces", json=body, headers=headers)
    assert again.content == first.content


def test_another_key_of_the_same_person_cannot_decrypt_a_stored_response(api: Api) -> None:
    headers, body = once(), {"content": {"name": "x"}}
    other = api.person.post("/v1/me/integrations", json=body).json()["key"]
    path = f"{api.organization}/spaces"
    assert api.person.post(path, json=body, headers=headers).status_code == 201
    answer = api.client(other).post(path, json=body, headers=headers)
    assert assert_problem(answer, 409)["code"] == "idempotency_key_sealed"


@pytest.mark.parametrize("path", ["/v1/me/integrations", "messages"])
def test_concurrent_duplicates_create_one_resource(api: Api, path: str) -> None:
    path, body = (api.messages, {"text": "x"}) if path == "messages" else (path, {"content": {"name": "x"}})
    clients = [api.client(api.personal_key) for _ in range(8)]
    for _ in range(4):
        headers = once()

        def ask(client: httpx.Client, headers: dict[str, str] = headers) -> httpx.Response:
            return client.post(path, json=body, headers=headers)

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(ask, clients))
        if path == "/v1/me/integrations":  # the key is in one response only
            answers.sort(key=lambda answer: answer.status_code)
            made = answers[0].json()["api_key"]["api_key_id"]
            assert [answer.status_code for answer in answers] == [201] + [409] * 7, [answer.text for answer in answers]
            assert {answer.json()["made"]["id"] for answer in answers[1:]} == {made}
            continue
        assert {answer.status_code for answer in answers} == {201}, [answer.text for answer in answers]
        assert len({answer.content for answer in answers}) == 1

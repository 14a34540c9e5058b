"""Requests from clients that were written from the contract alone (docs/contract.md#conventions)."""

import gzip
import json
from codecs import BOM_UTF8
from collections.abc import Iterator
from itertools import product
from typing import Any, get_origin
from uuid import uuid4

import pytest

from atrium.kit.clock import parse_time, rfc3339
from atrium.kit.http.request import Content
from atrium.kit.http.route import Route
from atrium.routes import ROUTES
from atrium.server.decoding import reader_of
from tests.conftest import Api, RunningServer, new_organization
from tests.contract.tour import QUERIES, World, assert_problem, handler_name, populate

UPDATES = [route for route in ROUTES if reader_of(route)]
LISTS = [route for route in ROUTES if route.method == "GET" and route.query and not route.path.startswith("/scim")]


@pytest.fixture(scope="module")
def world(server: RunningServer) -> Iterator[World]:
    api = new_organization(server.settings, server.url)
    yield populate(api)
    api.close()


def no_query(_: World) -> dict[str, str]:
    return {}


def whole(world: World, route: Route) -> dict[str, Any]:
    """Return the resource that the route changes, as it is read."""
    if handler_name(route) == "update_member":
        members = world.client.get(f"{world.api.organization}/members").json()["members"]
        return next(each for each in members if each["person_id"] == world.ids["person_id"])
    shown = world.client.get(world.path(route)).json()
    inner = next(iter(shown.values()))
    return inner if len(shown) == 1 and isinstance(inner, dict) else shown


def change(world: World, route: Route, fields: dict[str, Any]) -> Any:
    return world.ask(route, json={"content": fields} if get_origin(route.body) is Content else fields)


@pytest.mark.contract("Conventions 16")
@pytest.mark.parametrize("route", UPDATES, ids=handler_name)
def test_a_complete_resource_is_accepted_if_its_fixed_fields_do_not_differ(world: World, route: Route) -> None:
    read = whole(world, route)
    answer = change(world, route, read)
    assert answer.status_code == route.status, answer.text
    forged = {**whole(world, route), next(iter(read)): str(uuid4())}
    problem = assert_problem(change(world, route, forged), 400)
    assert problem["errors"][0]["pointer"].endswith("/" + next(iter(read)))


def test_the_update_routes_include_those_of_the_contract() -> None:
    assert {handler_name(route) for route in UPDATES} >= {
        "update_profile",
        "update_organization",
        "update_member",
        "update_api_key",
        "update_webhook",
        "update_space",
        "update_room",
        "update_message",
        "update_block",
        "update_recording",
    }


@pytest.mark.contract("Conventions 16")
def test_a_paused_webhook_sent_back_unchanged_stays_paused(world: World) -> None:
    [route] = [route for route in UPDATES if handler_name(route) == "update_webhook"]
    world.api.sql("update webhooks set status = 'WEBHOOK_STATUS_PAUSED' where webhook_id = $1", world.ids["webhook_id"])
    answer = change(world, route, {**whole(world, route), "name": "renamed"})
    assert answer.status_code == route.status, answer.text
    webhook = answer.json()["webhook"]
    assert (webhook["name"], webhook["status"]) == ("renamed", "WEBHOOK_STATUS_PAUSED")
    assert_problem(change(world, route, {"id": webhook["id"], "status": "PAUSED"}), 400)


@pytest.mark.contract("Conventions 14")
@pytest.mark.parametrize("route", LISTS, ids=handler_name)
def test_an_empty_parameter_counts_as_absent(world: World, route: Route) -> None:
    if route.is_event_stream:
        return
    empty = {
        name: ""
        for name in route.query.__struct_fields__
        if name not in QUERIES.get(handler_name(route), no_query)(world)
    }
    answer = world.ask(route, params=empty)
    assert answer.status_code == route.status, answer.text


@pytest.mark.contract("Conventions 15")
def test_a_time_without_milliseconds_selects_the_messages_own_second(api: Api) -> None:
    sent = [api.send(f"{number}") for number in range(3)]
    root = sent[0]["message_id"]
    for number in range(3):
        api.send(f"reply {number}", parent_id=root)
    thread = f"/v2/rooms/{api.room_id}/threads/{root}/messages"
    for path, limit in product((api.messages, thread), (1, 200)):  # after the last message a page repeats its cursor
        page = api.person.get(path, params={"limit": limit}).json()
        at, message_id = page["next_cursor_sent_at"], page["next_cursor_message_id"]
        exact = api.person.get(path, params={"cursor_sent_at": at, "cursor_message_id": message_id})
        second = rfc3339(parse_time(at).replace(microsecond=0))
        for form in (second, second.replace(".000Z", "Z"), second.replace(".000Z", "+00:00")):
            cut = api.person.get(path, params={"cursor_sent_at": form, "cursor_message_id": message_id})
            assert cut.json() == exact.json()
        other = rfc3339(parse_time("2020-01-01"))
        mixed = api.person.get(path, params={"cursor_sent_at": other, "cursor_message_id": message_id})
        assert_problem(mixed, 400)


@pytest.mark.contract("Conventions 17")
@pytest.mark.parametrize("kind", ["message", "room"])
def test_a_byte_order_mark_is_ignored(api: Api, kind: str) -> None:
    path = api.messages if kind == "message" else f"/v2/spaces/{api.space_id}/rooms"
    body = {"text": "hello"} if kind == "message" else {"name": "room"}
    answer = api.person.post(path, content=BOM_UTF8 + json.dumps(body).encode())
    assert answer.status_code == 201, answer.text


@pytest.mark.contract("Conventions 17")
@pytest.mark.parametrize("kind", ["message", "room"])
def test_a_compressed_body_is_rejected_with_a_reason_for_callers_who_may_write(
    api: Api, outsider: Api, kind: str
) -> None:
    path = api.messages if kind == "message" else f"/v2/spaces/{api.space_id}/rooms"
    body, headers = gzip.compress(b'{"text":"x","name":"x"}'), {"content-encoding": "gzip"}
    problem = assert_problem(api.person.post(path, content=body, headers=headers), 415)
    assert (problem["code"], "Content-Encoding" in problem["title"]) == ("unsupported_encoding", True)
    assert_problem(outsider.person.post(path, content=body, headers=headers), 404)
    assert_problem(api.client(None).post(path, content=body, headers=headers), 401)
    plain = api.person.post(path, content=gzip.decompress(body), headers={"content-encoding": "identity"})
    assert plain.status_code == 400, "it says both"

"""A room that the caller cannot reach answers like one that does not exist, byte for byte, for every reason."""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from atrium.kit.http.route import Route
from atrium.permissions import Subject
from atrium.routes import ROUTES
from tests.conftest import Api
from tests.contract.tour import World, assert_problem, handler_name, populate

ROOM_ROUTES = [route for route in ROUTES if "room_id" in route.path_names]
BLOCK_ROUTES = [route for route in ROUTES if "block_id" in route.path_names]
SPACE_ROUTES = [route for route in ROUTES if "space_id" in route.path_names]
ORGANIZATION_ROUTES = [route for route in ROUTES if route.permission.subject is Subject.ORGANIZATION]


def comparable(answer: httpx.Response) -> tuple[bytes, list[tuple[str, str]]]:
    """Return status, headers and body without what is specific to the request."""
    problem = assert_problem(answer, 404)
    request_id = problem["request_id"].encode()
    headers = [(name, value) for name, value in answer.headers.items() if name not in ("x-request-id", "date")]
    return answer.content.replace(request_id, b"-"), headers


@pytest.fixture
def lost_access(api: Api, outsider: Api) -> tuple[list[httpx.Client], dict[str, dict[str, str]]]:
    """Return the clients of a person and an integration, and the ids of resources that neither can reach, by reason."""
    private = api.new_space("private")
    unreachable = things_in(api, private)
    was_reachable = things_in(api, api.new_space("private"))
    deleted = things_in(api, api.space_id)
    person_id, personal = api.new_person()
    made = api.new_integration([{"space_id": api.space_id, "role": "admin"}])
    for actor in (person_id, made["api_key"]["integration_id"]):
        grant = f"/v1/spaces/{was_reachable['space_id']}/members/{actor}"
        assert api.person.put(grant, json={"content": {"role": "admin"}}).status_code == 200
        key = personal if actor == person_id else made["key"]
        assert api.client(key).get(f"/v2/rooms/{was_reachable['room_id']}").status_code == 200
        assert api.person.delete(grant).status_code == 204
    assert api.person.delete(f"/v2/rooms/{deleted['room_id']}").status_code == 204
    rooms = {
        "missing": {name: str(uuid4()) for name in unreachable},
        "of another organization": things_in(outsider, outsider.space_id),
        "in a private space": unreachable,
        "just lost": was_reachable,
        "deleted": deleted,
    }
    return [api.client(personal), api.client(made["key"])], rooms


def things_in(api: Api, space_id: str) -> dict[str, str]:
    room = api.new_room(space_id)
    sent = api.person.post(f"/v2/rooms/{room['room_id']}/messages", json={"text": "secret"}).json()
    block = {"type": "paragraph", "content": {"text": "secret"}}
    made = api.person.post(f"/v2/rooms/{room['room_id']}/blocks", json=block).json()
    return {
        "space_id": space_id,
        "room_id": room["room_id"],
        "message_id": sent["message_id"],
        "parent_id": sent["message_id"],
        "block_id": made["block_id"],
    }


@pytest.mark.contract("Errors 2")
def test_the_routes_under_test_include_both_endpoints_of_the_contract() -> None:
    assert {"page_of_room", "page_of_thread", "send_message", "read_room"} <= {
        handler_name(route) for route in ROOM_ROUTES
    }


@pytest.mark.contract("Authentication 4", "Authentication 8", "Conventions 11")
def test_an_unreachable_room_is_answered_like_a_missing_one_on_every_route(
    api: Api, lost_access: tuple[list[httpx.Client], dict[str, dict[str, str]]]
) -> None:
    world, (clients, rooms) = populate(api), lost_access
    for route in ROOM_ROUTES:
        for client in clients:
            seen = {why: comparable_response(world, route, client, ids) for why, ids in rooms.items()}
            assert all(each == seen["missing"] for each in seen.values()), (handler_name(route), seen)
            assert b'"code":"room_not_found"' in seen["missing"][0]


@pytest.mark.parametrize("body", [b"{", b'{"surprise":1}', b""])
def test_errors_in_a_request_are_hidden_from_callers_who_cannot_reach_the_room(
    api: Api, lost_access: tuple[list[httpx.Client], dict[str, dict[str, str]]], body: bytes
) -> None:
    world, (clients, rooms) = populate(api), lost_access
    for route in ROOM_ROUTES:
        for client in clients:
            parts: dict[str, Any] = {"content": body} if route.body else {"params": {"limit": "0", "cursor": "?"}}
            seen = {why: comparable_response(world, route, client, ids, **parts) for why, ids in rooms.items()}
            assert all(each == seen["missing"] for each in seen.values()), (handler_name(route), seen)


def test_an_unreachable_block_is_answered_like_a_missing_one_on_every_route(
    api: Api, lost_access: tuple[list[httpx.Client], dict[str, dict[str, str]]]
) -> None:
    world, (clients, rooms) = populate(api), lost_access
    for route in BLOCK_ROUTES:
        for client in clients:
            seen = {why: comparable_response(world, route, client, ids) for why, ids in rooms.items()}
            assert all(each == seen["missing"] for each in seen.values()), (handler_name(route), seen)


@pytest.mark.contract("Conventions 11")
def test_an_unreachable_space_is_answered_like_a_missing_one_on_every_route(
    api: Api, lost_access: tuple[list[httpx.Client], dict[str, dict[str, str]]]
) -> None:
    world, (clients, rooms) = populate(api), lost_access
    for route in SPACE_ROUTES:
        for client in clients:
            whys = {why: ids for why, ids in rooms.items() if why != "deleted"}
            seen = {why: comparable_response(world, route, client, ids) for why, ids in whys.items()}
            assert all(each == seen["missing"] for each in seen.values()), (handler_name(route), seen)


def test_another_organization_is_answered_like_a_missing_one_on_every_route(api: Api, outsider: Api) -> None:
    world = populate(api)
    for route in ORGANIZATION_ROUTES:
        for client in (api.person, api.integration):
            missing, others = (
                comparable_response(world, route, client, {"organization_id": id_})
                for id_ in (str(uuid4()), outsider.organization_id)
            )
            assert missing == others
            assert b'"code":"organization_not_found"' in missing[0]


def comparable_response(
    world: World, route: Route, client: httpx.Client, ids: dict[str, str], **more: Any
) -> tuple[bytes, list[tuple[str, str]]]:
    path = world.path(route, **{name: value for name, value in ids.items() if name in route.path_names})
    return comparable(world.ask(route, client, url=path, **more))

"""A request that acts on something takes its fields in `content` or not, and no body if no field is required."""

from typing import Any

import httpx
import msgspec
import pytest

from atrium.kit.http.route import Route
from atrium.routes import ROUTES
from tests.conftest import Api
from tests.contract.tour import BODIES, World, assert_problem, fields_of, handler_name, unwrap
from tests.permissions.callers import Caller, Standing
from tests.permissions.examples import FRESH, fresh, furnish

Json = dict[str, Any]
ACTIONS = [route for route in ROUTES if route.is_action]
CALLER = Caller("super_admin", Standing.HERE)


@pytest.mark.contract("Versioning 1")
def test_every_post_without_required_fields_is_an_action() -> None:
    """Otherwise it would reject a body that says nothing. The preview of a policy takes the body of its PUT, and an
    incoming webhook that of Slack."""
    posts = [route for route in ROUTES if route.method == "POST" and route.body is not None and not route.batched]
    all_optional = {
        handler_name(route)
        for route in posts
        if hasattr(fields_of(route)[0], "__struct_fields__")
        and not any(field.required for field in msgspec.structs.fields(fields_of(route)[0]))
    }
    assert all_optional - {"preview_key_policy", "post_to_incoming_webhook"} == {
        handler_name(route) for route in ACTIONS if route.is_body_optional
    }


@pytest.mark.contract("Versioning 1")
@pytest.mark.parametrize("route", ACTIONS, ids=handler_name)
def test_an_action_takes_its_fields_in_content_or_not(api: Api, route: Route) -> None:
    world = furnish(api)
    fields = unwrap(route, BODIES[handler_name(route)](world))
    assert fields
    for body in (fields, {"content": fields}):
        assert act(world, route, json=body).status_code == route.status, body
    unknown = assert_problem(act(world, route, json={**fields, "surprise": 1}), 400)
    assert unknown["errors"][0]["pointer"] == "/surprise"
    inside = assert_problem(act(world, route, json={"content": {**fields, "surprise": 1}}), 400)
    assert inside["errors"][0]["pointer"] == "/content/surprise"


@pytest.mark.contract("Versioning 1")
@pytest.mark.parametrize("route", [route for route in ACTIONS if route.is_body_optional], ids=handler_name)
def test_an_action_without_required_fields_needs_no_body(api: Api, route: Route) -> None:
    world = furnish(api)
    for more in ({}, {"json": {}}, {"json": {"content": {}}}, {"content": b""}):
        assert act(world, route, **more).status_code == route.status, more


def act(world: World, route: Route, **more: Any) -> httpx.Response:
    ids = fresh(world, route, CALLER, world.client) if handler_name(route) in FRESH else {}
    path = world.path(route, **{each: ids[each] for each in ids if each in route.path_names})
    return world.client.post(path, **more)

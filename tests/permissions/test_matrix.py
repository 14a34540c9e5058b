"""Every route requested by every kind of caller: 401, 404, 403, or allowed."""

from collections.abc import Callable

import pytest

from atrium.permissions import Scope
from atrium.routes import ROUTES
from tests.conftest import RunningServer, new_organization
from tests.contract.tour import World, handler_name
from tests.permissions.callers import Caller, Standing, actors_without_grants, away, with_one_scope
from tests.permissions.examples import furnish
from tests.permissions.matrix import assert_right, request_all
from tests.permissions.needs import NEED_OF, NEEDS


@pytest.mark.contract("Roles and keys 2", "Scopes and networks 1")
def test_every_route_is_in_the_table_and_requires_its_permission() -> None:
    assert {handler_name(route): route.permission for route in ROUTES} == NEED_OF
    assert sum(len(names.split()) for names in NEEDS.values()) == len(NEED_OF), "a route stands in it twice"


KINDS: dict[str, Callable[[Caller], bool]] = {
    "strangers": lambda caller: caller.standing in (Standing.NOBODY, Standing.STOPPED),
    "another organization": lambda caller: caller.standing is Standing.OTHER,
    "people": lambda caller: caller.standing is Standing.HERE and caller.is_person,
    "integrations": lambda caller: caller.standing is Standing.HERE and not caller.is_person,
}


@pytest.mark.contract("Roles and keys 2")
@pytest.mark.parametrize("kind", KINDS)
def test_every_route_answers_every_kind_of_caller_as_documented(world: World, callers: list[Caller], kind: str) -> None:
    chosen = list(filter(KINDS[kind], callers))
    cells = request_all(world, chosen, list(ROUTES))
    assert len(cells) >= len(chosen) * len(ROUTES) > 1000
    assert_right(cells)


@pytest.mark.contract("Scopes and networks 1")
def test_a_key_with_one_scope_does_what_it_includes_and_nothing_else(world: World, callers: list[Caller]) -> None:
    chosen = with_one_scope(world.api, callers)
    assert {scope for each in chosen for scope in each.scopes or ()} == set(Scope)
    assert_right(request_all(world, chosen, list(ROUTES)))


@pytest.mark.contract("Scopes and networks 6")
def test_a_key_from_another_network_is_rejected_by_every_route(world: World, callers: list[Caller]) -> None:
    assert_right(request_all(world, away(world.api, callers), list(ROUTES)))


@pytest.mark.contract("Roles and keys 2")
def test_only_members_and_higher_roles_are_members_of_an_open_space(server: RunningServer) -> None:
    api = new_organization(server.settings, server.url)
    world, routes = furnish(api, "open"), [route for route in ROUTES if route.permission.space]
    assert_right(request_all(world, actors_without_grants(api), routes))
    world.api.close()

"""Every route requested with a key of some scopes, by everyone who is not an admin of all."""

import pytest

from atrium.permissions import Scope
from atrium.routes import ROUTES
from tests.contract.tour import World
from tests.permissions.callers import Caller, with_three_scopes
from tests.permissions.matrix import assert_right, request_all


@pytest.mark.contract("Scopes and networks 1")
def test_a_key_with_scopes_does_nothing_that_a_key_without_them_could_not(world: World, callers: list[Caller]) -> None:
    chosen = with_three_scopes(world.api, callers)
    assert {scope for each in chosen for scope in each.scopes or ()} == set(Scope)
    assert_right(request_all(world, chosen, list(ROUTES)))

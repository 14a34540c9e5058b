"""An organization with everything that routes need, and every kind of caller."""

from collections.abc import Iterator

import pytest

from tests.conftest import RunningServer, new_organization
from tests.contract.tour import World
from tests.permissions.callers import Caller, create_callers
from tests.permissions.examples import furnish


@pytest.fixture(scope="module")
def world(server: RunningServer) -> Iterator[World]:
    api = new_organization(server.settings, server.url)
    made = furnish(api)
    yield made
    made.api.close()
    api.close()


@pytest.fixture(scope="module")
def callers(world: World, server: RunningServer) -> Iterator[list[Caller]]:
    others = new_organization(server.settings, server.url, "Others")
    yield create_callers(world.api, others, world.ids["video_room_id"])
    others.close()

"""Fixtures of the fault tests."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from atrium.kit.settings import Settings
from tests.conftest import free_port, prepared_folder
from tests.faults.running import stop_postgres


@pytest.fixture
def own_folder() -> Iterator[Settings]:
    """Yield settings of a server with its own data folder and embedded PostgreSQL."""
    with prepared_folder() as folder, ExitStack() as leftovers:
        settings = Settings(data_dir=folder, port=free_port(), workers=2, rate_limit=0)
        leftovers.callback(stop_postgres, settings)
        yield settings

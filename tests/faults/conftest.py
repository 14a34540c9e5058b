"""What several tests of faults stand on."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from atrium.kit.settings import Settings
from tests.conftest import free_port, prepared_folder
from tests.faults.running import stop_postgres


@pytest.fixture
def own_folder() -> Iterator[Settings]:
    """Settings of a server with a data folder of its own and PostgreSQL inside it."""
    with prepared_folder() as folder, ExitStack() as leftovers:
        settings = Settings(data_dir=folder, port=free_port(), workers=2, rate_limit=0)
        leftovers.callback(stop_postgres, settings)
        yield settings

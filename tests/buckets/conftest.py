"""A database with two buckets, however many the environment asks for."""

from collections.abc import Iterator

import pytest

from atrium.kit.settings import Settings
from tests.conftest import fresh_database


@pytest.fixture
def two_buckets(settings: Settings) -> Iterator[Settings]:
    """Yield settings of a database of the test's own with two buckets."""
    with fresh_database(settings, buckets=2) as own:
        yield own

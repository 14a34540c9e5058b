"""A database with two buckets."""

from collections.abc import Iterator

import psycopg
import pytest

from atrium.kit.settings import Settings
from atrium.migrations.buckets import add_bucket, numbers
from tests.conftest import fresh_database


@pytest.fixture
def two_buckets(settings: Settings) -> Iterator[Settings]:
    """Yield settings of a database of the test's own with two buckets."""
    with fresh_database(settings) as own:
        with psycopg.connect(own.database_url or "") as db:
            while len(numbers(db)) < 2:
                add_bucket(db)
        yield own

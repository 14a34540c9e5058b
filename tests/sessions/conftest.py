"""Fixtures of tests of signing in."""

from collections.abc import Iterator

import pytest

from tests.sessions.provider import Provider, running_provider


@pytest.fixture(scope="module")
def standing_provider() -> Iterator[Provider]:
    with running_provider() as made:
        yield made


@pytest.fixture
def provider(standing_provider: Provider) -> Iterator[Provider]:
    """Return a provider that is honest again after the test."""
    yield standing_provider
    standing_provider.tamper, standing_provider.key_set, standing_provider.broken = None, None, False

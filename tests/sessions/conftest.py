"""Fixtures of tests of signing in."""

from collections.abc import Iterator

import pytest

from tests.sessions.provider import Provider, running_provider


@pytest.fixture(scope="module")
def shared_provider() -> Iterator[Provider]:
    with running_provider() as made:
        yield made


@pytest.fixture
def provider(shared_provider: Provider) -> Iterator[Provider]:
    """Return a provider that is honest again after the test."""
    yield shared_provider
    shared_provider.tamper, shared_provider.key_set, shared_provider.broken = None, None, False

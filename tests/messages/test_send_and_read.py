"""A message that was sent can be read."""

import pytest

from tests.conftest import Api


@pytest.mark.contract("Room messages 7")
def test_sent_messages_are_read_newest_first(api: Api) -> None:
    sent = [api.send(f"message {n}") for n in range(3)]
    page = api.integration.get(api.messages).json()
    assert page["messages"] == sent[::-1]
    assert page["shard_has_more"] is False

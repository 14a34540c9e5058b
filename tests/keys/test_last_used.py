"""The last use of a key is recorded to the minute, and is never before the key was created."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.conftest import Api
from tests.wait_until import wait_until


@pytest.mark.contract("Roles and keys 28")
def test_every_use_of_a_key_updates_its_last_use(api: Api) -> None:
    person, bot = api.person, api.new_integration([{"space_id": api.space_id, "role": "member"}])
    own = person.post("/v1/me/integrations", json={"content": {"name": "spare"}}).json()
    path = f"{api.organization}/api-keys/{bot['api_key']['api_key_id']}"
    assert person.get(path).json()["api_key"]["last_used_at"] is None
    api.client(bot["key"]).get(api.messages)  # through the batched routes
    api.client(own["key"]).get("/v1/me/profile")  # through the router

    def own_use() -> Any:
        listed = person.get("/v1/me/integrations").json()["integrations"]
        return next((each for each in listed if each["name"] == "spare" and each["last_used_at"]), None)

    def anothers_use() -> Any:
        found = person.get(path).json()["api_key"]
        return found if found["last_used_at"] else None

    for use in (anothers_use, own_use):
        used = wait_until(use, "the record shows the use")
        at, created = (datetime.fromisoformat(used[name]) for name in ("last_used_at", "created_at"))
        assert at == max(created, at.replace(second=0, microsecond=0))
        assert timedelta(0) <= datetime.now(UTC) - at < timedelta(minutes=3)

"""The keys of members, as admins see and revoke them."""

from typing import Any

import httpx

from tests.conftest import Api


def keys(api: Api, client: httpx.Client | None = None, **query: Any) -> list[dict[str, Any]]:
    found = (client or api.person).get(f"{api.organization}/personal-keys", params=query)
    assert found.status_code == 200, found.text
    return found.json()["personal_keys"]


def revoke(api: Api, key: dict[str, Any], client: httpx.Client | None = None) -> httpx.Response:
    return (client or api.person).delete(f"{api.organization}/personal-keys/{key['api_key_id']}")

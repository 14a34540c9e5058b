"""Keys that may only write."""

import httpx

from tests.conftest import Api


def narrow(api: Api, *scopes: str) -> httpx.Client:
    """Return a client of the super_admin with a key of these scopes."""
    content = {"name": "narrow", "scopes": scopes}
    made = api.person.post("/v1/me/integrations", json={"content": content})
    assert made.status_code == 201, made.text
    return api.client(made.json()["key"])

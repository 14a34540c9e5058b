"""Keys with limits, and the networks that they name."""

from typing import Any

import httpx

from tests.conftest import Api

OWN = "/v1/me/integrations"
HOME, OFFICE, BOTH = ["127.0.0.0/8"], ["192.0.2.0/24"], ["127.0.0.0/8", "192.0.2.0/24"]
Json = dict[str, Any]


def own_key(api: Api, client: httpx.Client | None = None, **limits: Any) -> Json:
    """Create a personal key; return the response that shows it."""
    made = (client or api.person).post(OWN, json={"content": {"name": "narrow", **limits}})
    assert made.status_code == 201, made.text
    return dict(made.json())


def integration_key(api: Api, **limits: Any) -> Json:
    """Create an integration with a key; return the response that shows it."""
    content = {"name": "Bot", "spaces": [{"space_id": api.space_id, "role": "admin"}], **limits}
    made = api.person.post(f"{api.organization}/api-keys", json={"content": content})
    assert made.status_code == 201, made.text
    return dict(made.json())


def place(api: Api, shown: Json) -> str:
    key = shown["api_key"]
    of = f"{api.organization}/api-keys" if "integration_id" in key else OWN
    return f"{of}/{key['api_key_id']}"

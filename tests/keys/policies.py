"""Set a policy of keys, and join an organization under it."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx

from atrium.kit.clock import rfc3339, utc_now
from tests.conftest import Api

Json = dict[str, Any]


def sign_in(api: Api) -> httpx.Client:
    """Return a client of the super_admin's browser session."""
    link = {"content": {"token": api.sign_in_url.partition("#token=")[2]}}
    client = api.client(None)
    client.headers["sec-fetch-site"] = "same-origin"
    assert client.post("/v1/sessions/link", json=link).status_code == 201
    return client


def put(api: Api, client: httpx.Client | None = None, **rules: Any) -> Json:
    """Set the policy; return the response."""
    answer = (client or api.person).put(f"{api.organization}/key-policy", json={"content": rules})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def after(days: float) -> str:
    return rfc3339(utc_now() + timedelta(days=days))


def join(api: Api, other: Api) -> None:
    """Make the super_admin of `api` a member of `other`, too."""
    row = (UUID(api.person_id), UUID(other.organization_id))
    api.sql(
        "insert into memberships (actor_id, organization_id, role, created_at) values ($1, $2, 'member', now())", *row
    )

"""A client for the SCIM endpoints, with helpers for tests."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.conftest import TLS, Api

Json = dict[str, Any]
ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
CORE_USER = "urn:ietf:params:scim:schemas:core:2.0:User"
CORE_GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group"
PATCH_OP = "urn:ietf:params:scim:api:messages:2.0:PatchOp"


@dataclass
class Directory:
    """The directory of the test's organization, as an identity provider uses it."""

    api: Api
    client: httpx.Client

    def user(self, user_name: str | None = None, **fields: Any) -> Json:
        """Create a user; return its JSON."""
        user_name = user_name or f"u{os.urandom(6).hex()}@example.org"
        body = {"schemas": [CORE_USER], "userName": user_name, "active": True, **fields}
        return self.created(self.client.post("/Users", json=body))

    def group(self, name: str = "Crew", members: list[str] | None = None, **fields: Any) -> Json:
        """Create a group; return its JSON."""
        listed = [{"value": each} for each in members or []]
        body = {"schemas": [CORE_GROUP], "displayName": name, "members": listed, **fields}
        return self.created(self.client.post("/Groups", json=body))

    def created(self, answer: httpx.Response) -> Json:
        assert answer.status_code == 201, answer.text
        assert answer.headers["content-type"] == "application/scim+json"
        found: Json = answer.json()
        assert answer.headers["location"] == found["meta"]["location"]
        assert answer.headers["etag"] == found["meta"]["version"]
        return found

    def read(self, resource: Json, **query: str) -> Json:
        """Return the current resource."""
        kind = resource["meta"]["resourceType"]
        answer = self.client.get(f"/{kind}s/{resource['id']}", params=query)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def patch(self, resource: Json, *operations: Json, **more: Any) -> httpx.Response:
        """Send a PATCH of the resource; return the response."""
        kind = resource["meta"]["resourceType"]
        body = {"schemas": [PATCH_OP], "Operations": list(operations)}
        return self.client.patch(f"/{kind}s/{resource['id']}", json=body, **more)

    def patch_and_read(self, resource: Json, *operations: Json) -> Json:
        """Patch the resource and return it; assert success."""
        answer = self.patch(resource, *operations)
        assert answer.status_code == (200 if resource["meta"]["resourceType"] == "User" else 204), answer.text
        return self.read(resource)

    def search(self, path: str = "/Users", **query: Any) -> list[str]:
        """Return the ids that a search finds, in order."""
        answer = self.client.get(path, params=query)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert page["itemsPerPage"] == len(page.get("Resources", []))
        return [each["id"] for each in page.get("Resources", [])]

    def members(self, group: Json) -> set[str]:
        """Return the ids of a group's members."""
        return {each["value"] for each in self.read(group).get("members", [])}


def error_in(answer: httpx.Response, status: int, scim_type: str | None = None) -> Json:
    """Assert that the response is an error in the SCIM schema (RFC 7644, section 3.12); return it."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/scim+json"
    assert answer.headers["x-request-id"]
    error: Json = answer.json()
    assert error["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]
    assert error["status"] == str(status)
    assert error["detail"]
    assert error.get("scimType") == scim_type, error
    return error


@pytest.fixture
def directory(api: Api) -> Iterator[Directory]:
    """Yield the directory, with the key that `atrium init` creates (organization admin)."""
    headers = {"authorization": f"Bearer {api.organization_key}"}
    with httpx.Client(base_url=f"{api.url}/scim/v2", headers=headers, timeout=60, verify=TLS) as client:
        yield Directory(api, client)

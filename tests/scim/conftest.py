"""A directory: the client of an organization key, and short words for what a test needs of it."""

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
    """The directory of a test's own organization, as an identity provider reaches it."""

    api: Api
    client: httpx.Client

    def user(self, user_name: str | None = None, **fields: Any) -> Json:
        """A user made; his JSON."""
        user_name = user_name or f"u{os.urandom(6).hex()}@example.org"
        body = {"schemas": [CORE_USER], "userName": user_name, "active": True, **fields}
        return self.made(self.client.post("/Users", json=body))

    def group(self, name: str = "Crew", members: list[str] | None = None, **fields: Any) -> Json:
        """A group made; its JSON."""
        listed = [{"value": each} for each in members or []]
        body = {"schemas": [CORE_GROUP], "displayName": name, "members": listed, **fields}
        return self.made(self.client.post("/Groups", json=body))

    def made(self, answer: httpx.Response) -> Json:
        assert answer.status_code == 201, answer.text
        assert answer.headers["content-type"] == "application/scim+json"
        found: Json = answer.json()
        assert answer.headers["location"] == found["meta"]["location"]
        assert answer.headers["etag"] == found["meta"]["version"]
        return found

    def read(self, resource: Json, **query: str) -> Json:
        """The resource as it is now."""
        kind = resource["meta"]["resourceType"]
        answer = self.client.get(f"/{kind}s/{resource['id']}", params=query)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def patch(self, resource: Json, *operations: Json, **more: Any) -> httpx.Response:
        """A PATCH of the resource."""
        kind = resource["meta"]["resourceType"]
        body = {"schemas": [PATCH_OP], "Operations": list(operations)}
        return self.client.patch(f"/{kind}s/{resource['id']}", json=body, **more)

    def patched(self, resource: Json, *operations: Json) -> Json:
        """The resource after a PATCH that is taken."""
        answer = self.patch(resource, *operations)
        assert answer.status_code == (200 if resource["meta"]["resourceType"] == "User" else 204), answer.text
        return self.read(resource)

    def found(self, path: str = "/Users", **query: Any) -> list[str]:
        """The ids that a search finds, in order."""
        answer = self.client.get(path, params=query)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert page["itemsPerPage"] == len(page.get("Resources", []))
        return [each["id"] for each in page.get("Resources", [])]

    def members(self, group: Json) -> set[str]:
        """The ids of a group's members."""
        return {each["value"] for each in self.read(group).get("members", [])}


def refused(answer: httpx.Response, status: int, scim_type: str | None = None) -> Json:
    """The answer is an error of SCIM's schema (RFC 7644, section 3.12)."""
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
    """The directory of the organization of the test, by the key that `atrium init` makes (organization admin)."""
    headers = {"authorization": f"Bearer {api.organization_key}"}
    with httpx.Client(base_url=f"{api.url}/scim/v2", headers=headers, timeout=60, verify=TLS) as client:
        yield Directory(api, client)

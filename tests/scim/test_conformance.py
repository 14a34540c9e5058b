"""Run scim2-tester against a server."""

import pytest
from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

from tests.scim.conftest import Directory


@pytest.mark.slow
def test_scim2_tester_finds_no_error(directory: Directory) -> None:
    headers = {"authorization": f"Bearer {directory.api.organization_key}"}
    with Client(base_url=str(directory.client.base_url), headers=headers, timeout=60) as client:
        results = check_server(SyncSCIMClient(client))
    wrong = [
        f"{each.status.name} {each.title}: {each.reason}"
        for each in results
        if each.status not in (Status.SUCCESS, Status.SKIPPED)
    ]
    assert wrong == []
    assert len(results) > 100
    assert {each.resource_type for each in results} >= {"User", "Group"}

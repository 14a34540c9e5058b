"""Run scim2-tester against a server."""

from importlib import import_module

import pytest
from httpx2 import Client

from tests.scim.conftest import Directory


@pytest.mark.contract("Directory provisioning 3")
def test_scim2_tester_finds_no_error(directory: Directory) -> None:
    tester = import_module("scim2_tester")  # importing takes seconds, in every process that collects the tests
    client_of = import_module("scim2_client.engines.httpx2").SyncSCIMClient
    headers = {"authorization": f"Bearer {directory.api.organization_key}"}
    with Client(base_url=str(directory.client.base_url), headers=headers, timeout=60) as client:
        results = tester.check_server(client_of(client))
    wrong = [
        f"{each.status.name} {each.title}: {each.reason}"
        for each in results
        if each.status not in (tester.Status.SUCCESS, tester.Status.SKIPPED)
    ]
    assert wrong == []
    assert len(results) > 100
    assert {each.resource_type for each in results} >= {"User", "Group"}

"""A change that gives others access needs the scope to grant it."""

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.permissions.narrowing import narrow


@pytest.mark.contract("Scopes and networks 3")
def test_only_a_key_that_may_grant_access_opens_a_private_space(api: Api) -> None:
    space = f"/v1/spaces/{api.new_space('private')}"
    change = {"content": {"visibility": "open"}}
    refused = narrow(api, "rooms:manage").patch(space, json=change)
    assert assert_problem(refused, 403)["code"] == "insufficient_scope"
    assert "members:manage" in refused.json()["detail"]
    assert api.person.get(space).json()["space"]["visibility"] == "private"
    assert narrow(api, "rooms:manage", "members:manage").patch(space, json=change).status_code == 200


@pytest.mark.contract("Scopes and networks 3")
def test_other_changes_of_a_space_need_no_scope_to_grant_access(api: Api) -> None:
    space, client = f"/v1/spaces/{api.new_space('open')}", narrow(api, "rooms:manage")
    for content in ({"visibility": "open"}, {"visibility": "private"}, {"visibility": "private", "name": "lab"}):
        assert client.patch(space, json={"content": content}).status_code == 200

"""Ids of two organizations in one request, of an admin of both: what is in the other organization is not found."""

from collections.abc import Callable

import httpx
import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem, subscription
from tests.scim.conftest import PATCH_OP
from tests.sessions.visitor import invite

Attempt = Callable[[httpx.Client, Api, Api], httpx.Response]


def new_integration(both: httpx.Client, here: Api, there: Api) -> httpx.Response:
    content = {"name": "Bot", "spaces": [{"space_id": there.space_id, "role": "reader"}]}
    return both.post(f"{here.organization}/api-keys", json={"content": content})


def integration(both: httpx.Client, here: Api, there: Api) -> httpx.Response:
    key_id = here.new_integration()["api_key"]["api_key_id"]
    content = {"spaces": [{"space_id": there.space_id, "role": "reader"}]}
    return both.patch(f"{here.organization}/api-keys/{key_id}", json={"content": content})


def integration_of_the_other(both: httpx.Client, here: Api, there: Api) -> httpx.Response:
    key_id = there.new_integration()["api_key"]["api_key_id"]
    return both.patch(f"{here.organization}/api-keys/{key_id}", json={"content": {"name": "Mine"}})


def further_key(both: httpx.Client, here: Api, there: Api) -> httpx.Response:
    bot = there.new_integration()["api_key"]["integration_id"]
    return both.post(f"{here.organization}/integrations/{bot}/api-keys", json={"content": {"key_name": "x"}})


def import_into_space(both: httpx.Client, here: Api, there: Api) -> httpx.Response:
    headers = {"tus-resumable": "1.0.0", "upload-length": "10", "upload-metadata": "filename YQ=="}
    return both.post(f"{here.organization}/imports", params={"space_id": there.space_id}, headers=headers)


def space_member(both: httpx.Client, here: Api, there: Api) -> httpx.Response:
    bot = there.new_integration()["api_key"]["integration_id"]
    return both.put(f"/v1/spaces/{here.space_id}/members/{bot}", json={"content": {"role": "member"}})


def space_group(both: httpx.Client, here: Api, there: Api) -> httpx.Response:
    group = there.integration.post("/scim/v2/Groups", json={"displayName": "Crew"}).json()["id"]
    return both.put(f"/v1/spaces/{here.space_id}/groups/{group}", json={"content": {"role": "member"}})


def subscribe_to(both: httpx.Client, here: Api, subject_id: str, kind: str) -> httpx.Response:
    content = {
        "name": "Hook",
        "endpoint_url": "http://127.0.0.1:9/",
        "subscriptions": [subscription(subject_id, subject_type=f"WEBHOOK_SUBJECT_TYPE_{kind}")],
    }
    return both.post(f"{here.organization}/webhooks", json={"content": content})


def room_subscription(both: httpx.Client, here: Api, there: Api) -> httpx.Response:
    return subscribe_to(both, here, there.room_id, "ROOM")


def space_subscription(both: httpx.Client, here: Api, there: Api) -> httpx.Response:
    return subscribe_to(both, here, there.space_id, "SPACE")


def member_key(both: httpx.Client, here: Api, there: Api) -> httpx.Response:
    person_id, _ = there.new_person()
    listed = there.person.get(f"{there.organization}/personal-keys", params={"person_id": person_id}).json()
    [key] = listed["personal_keys"]
    return both.delete(f"{here.organization}/personal-keys/{key['api_key_id']}")


def message_of_a_room(both: httpx.Client, here: Api, there: Api) -> httpx.Response:
    return both.get(f"/v2/rooms/{here.room_id}/messages/{there.send()['message_id']}")


def reply_in_a_room(both: httpx.Client, here: Api, there: Api) -> httpx.Response:
    reply = {"text": "re", "parent_id": there.send()["message_id"]}
    return both.post(here.messages, json=reply)


def read_marker(both: httpx.Client, here: Api, there: Api) -> httpx.Response:
    body = {"message_id": there.send()["message_id"]}
    return both.put(f"/v2/rooms/{here.room_id}/read-marker", json=body)


ATTEMPTS: dict[Attempt, str] = {
    new_integration: "space_not_found", integration: "space_not_found",
    integration_of_the_other: "api_key_not_found", further_key: "integration_not_found",
    import_into_space: "space_not_found", space_member: "member_not_found", space_group: "group_not_found",
    room_subscription: "room_not_found", space_subscription: "space_not_found", member_key: "api_key_not_found",
    message_of_a_room: "message_not_found", reply_in_a_room: "message_not_found", read_marker: "message_not_found",
}  # fmt: skip


@pytest.mark.contract("Signing in 26")
@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: attempt.__name__)
def test_what_is_in_the_other_organization_is_not_found(api: Api, outsider: Api, attempt: Attempt) -> None:
    both = outsider.person
    _, token = invite(api, role="super_admin")
    body = {"content": {"token": token, "name": "Both"}}
    assert both.post("/v1/invitations/accept", json=body).status_code == 201
    assert both.get(api.organization).json()["organization"]["role"] == "super_admin"
    answer = attempt(both, api, outsider)
    assert assert_problem(answer, 404)["code"] == ATTEMPTS[attempt]


@pytest.mark.contract("Signing in 26")
def test_an_invitation_names_only_spaces_and_a_group_only_users_of_the_organization(api: Api, outsider: Api) -> None:
    spaces = [{"space_id": outsider.space_id, "role": "reader"}]
    _, token = invite(api, role="super_admin")
    both = outsider.person
    assert both.post("/v1/invitations/accept", json={"content": {"token": token, "name": "x"}}).status_code == 201
    body = {"content": {"email": "someone@example.org", "spaces": spaces}}
    problem = assert_problem(both.post(f"{api.organization}/invitations", json=body), 400)
    assert problem["errors"][0]["pointer"] == "/content/spaces/0/space_id"
    person_id, _ = outsider.new_person()
    group = api.integration.post("/scim/v2/Groups", json={"displayName": "Crew"}).json()["id"]
    operation = {"op": "add", "path": "members", "value": [{"value": person_id}]}
    added = api.integration.patch(f"/scim/v2/Groups/{group}", json={"schemas": [PATCH_OP], "Operations": [operation]})
    assert (added.status_code, added.json()["scimType"]) == (400, "invalidValue")

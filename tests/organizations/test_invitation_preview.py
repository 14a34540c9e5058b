"""The preview of an invitation, which only the holder of its token can read."""

from typing import Any

import httpx
import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem

PREVIEW, ACCEPT = "/v1/invitations/preview", "/v1/invitations/accept"


def preview(api: Api, token: str) -> httpx.Response:
    return api.client(None).post(PREVIEW, json={"content": {"token": token}})


def read_preview(api: Api, token: str) -> dict[str, Any]:
    answer = preview(api, token)
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["invitation"])


def invite(api: Api, email: str) -> dict[str, Any]:
    content = {"email": email, "role": "reader"}
    return dict(api.person.post(f"{api.organization}/invitations", json={"content": content}).json())


def fresh(api: Api) -> str:
    return f"{api.organization_id}@example.org"


@pytest.mark.contract("Roles and keys 12")
def test_a_token_shows_the_organization_the_inviter_and_the_address(api: Api) -> None:
    made = invite(api, fresh(api))
    name = api.person.get("/v1/me/profile").json()["name"]
    assert read_preview(api, made["token"]) == {
        "organization_name": "Acme",
        "invited_by": name,
        "email": fresh(api),
        "role": "reader",
        "expires_at": made["invitation"]["expires_at"],
        "state": "pending",
        "has_account": False,
        "name": None,
    }


@pytest.mark.contract("Roles and keys 12")
def test_a_preview_does_not_use_the_invitation_up(api: Api) -> None:
    token = str(invite(api, fresh(api))["token"])
    assert read_preview(api, token) == read_preview(api, token)
    body = {"content": {"token": token, "name": "Grace"}}
    assert api.client(None).post(ACCEPT, json=body).status_code == 201
    assert read_preview(api, token)["state"] == "accepted"
    assert (read_preview(api, token)["has_account"], read_preview(api, token)["name"]) == (False, None)


@pytest.mark.contract("Roles and keys 12")
def test_a_revoked_invitation_is_not_an_expired_one(api: Api) -> None:
    revoked, expired = invite(api, "one@example.org"), invite(api, "two@example.org")
    one = f"{api.organization}/invitations/{revoked['invitation']['invitation_id']}"
    assert api.person.delete(one).status_code == 204
    past = "update invitations set expires_at = now() where invitation_id = $1::text::uuid"
    api.sql(past, expired["invitation"]["invitation_id"])
    assert [read_preview(api, str(each["token"]))["state"] for each in (revoked, expired)] == ["revoked", "expired"]


@pytest.mark.contract("Roles and keys 12")
def test_the_invitations_of_a_removed_person_are_revoked(api: Api) -> None:
    person_id, _ = api.new_person(email=fresh(api))
    api.sql("update people set signed_in_at = null where person_id = $1::text::uuid", person_id)
    api.sql("delete from api_keys where actor_id = $1::text::uuid", person_id)
    token = str(invite(api, fresh(api))["token"])
    assert read_preview(api, token)["name"] == api.organization_id
    assert api.person.delete(f"{api.organization}/members/{person_id}").status_code == 204
    assert read_preview(api, token)["state"] == "revoked"


@pytest.mark.contract("Roles and keys 12")
def test_an_address_with_an_account_has_to_sign_in(api: Api, outsider: Api) -> None:
    api.new_person(email=fresh(api))
    there = read_preview(outsider, str(invite(outsider, fresh(api).upper())["token"]))
    assert (there["has_account"], there["name"]) == (True, None)


@pytest.mark.contract("Roles and keys 12")
def test_other_tokens_learn_nothing(api: Api) -> None:
    """Byte for byte the same, whether or not there are invitations; the ids of requests apart."""
    invitation = invite(api, fresh(api))["invitation"]
    for wrong in ("x", str(invitation["invitation_id"]), "\u0000", "ü"):
        problem = assert_problem(preview(api, wrong), 404)
        assert problem["code"] == "invitation_not_found"
        assert "example.org" not in str(problem)

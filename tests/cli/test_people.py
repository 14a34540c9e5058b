"""`atrium people` changes the people of an organization by the same rules as the API."""

import json
from uuid import uuid4

import pytest

from tests.cli.running import as_json, newest_entry, run
from tests.conftest import Api


def test_a_person_is_invited_and_joins(api: Api) -> None:
    email = f"{uuid4().hex}@example.org"
    here = ("--organization", api.organization_id)
    made = as_json(api, "people", "invite", email, "--role", "reader", *here)
    assert (made["invitation"]["email"], made["invitation"]["role"]) == (email, "reader")
    entry = newest_entry(api)
    assert entry["action"] == "invitation.created"
    assert made["token"] not in json.dumps(entry)
    body = {"content": {"token": made["token"], "name": "Bob"}}
    assert api.client(None).post("/v1/invitations/accept", json=body).status_code == 201
    people = as_json(api, "people", "list", *here)
    assert {each["email"]: each["role"] for each in people}[email] == "reader"
    assert run(api, "people", "invite", email, *here)[1] == "This person is already a member."
    assert (
        "email" in run(api, "people", "invite", "bob", *here)[1].lower()
        or "Expected" in run(api, "people", "invite", "bob", *here)[1]
    )


@pytest.mark.contract("Operations 15")
def test_changes_of_roles_and_accounts_take_effect_immediately(api: Api) -> None:
    email = f"{uuid4().hex}@example.org"
    person_id, key = api.new_person(email=email)
    here = ("--organization", api.organization_id)
    assert as_json(api, "people", "role", email, "admin", *here)["role"] == "admin"
    assert api.client(key).get(f"{api.organization}/api-keys").status_code == 200
    assert newest_entry(api)["after"] == {"role": "admin"}
    assert as_json(api, "people", "deactivate", person_id, *here)["active"] is False
    assert api.client(key).get("/v1/me/profile").status_code == 401
    refused = run(api, "people", "sign-in-link", email, *here)[1]
    assert "is deactivated" in refused
    assert "is deactivated" in run(api, "keys", "create", "--name", "x", "--person", email, *here)[1]
    assert as_json(api, "people", "reactivate", email, *here)["active"] is True
    assert api.client(key).get("/v1/me/profile").status_code == 200
    output, _ = run(api, "people", "role", email, "guest", *here)
    assert "guest" in output


@pytest.mark.contract("Operations 15")
def test_the_last_super_admin_cannot_be_removed(api: Api) -> None:
    here = ("--organization", api.organization_id)
    for words in (("role", api.person_id, "member"), ("deactivate", api.person_id)):
        output, error = run(api, "people", *words, *here)
        assert (output, error) == ("", "An organization needs at least one super_admin.")
    assert api.person.get("/v1/me/profile").status_code == 200


def test_a_sign_in_link_works_and_its_token_is_printed_nowhere_else(api: Api) -> None:
    here = ("--organization", api.organization_id)
    link = as_json(api, "people", "sign-in-link", api.person_id, *here)["sign_in_url"]
    path = link.partition("/sign-in")[2]
    assert api.client(None).get(f"/sign-in{path}").status_code == 200
    entry = newest_entry(api)
    assert (entry["action"], entry["target"]["id"]) == ("sign_in_link.created", api.person_id)
    assert path.partition("=")[2] not in json.dumps(entry)


def test_people_of_another_organization_are_not_found(api: Api, outsider: Api) -> None:
    for command in (("role", outsider.person_id, "guest"), ("deactivate", outsider.person_id)):
        assert "has no member with the id" in run(api, "people", *command, "--organization", api.organization_id)[1]


def test_an_unknown_role_is_rejected(api: Api) -> None:
    output, _ = run(api, "people", "role", api.person_id, "king", "--organization", api.organization_id)
    assert "king" in output

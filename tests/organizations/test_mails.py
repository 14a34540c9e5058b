"""Mail that administrators can read while no mail server is set."""

from typing import Any
from uuid import uuid4

import pytest

from atrium.kit.settings import Settings
from tests.conftest import Api, new_organization, running_server
from tests.contract.tour import assert_problem


def mails_to(api: Api, key: str | None = None) -> dict[str, str]:
    """Return the ids of the mails that a caller sees, by recipient."""
    answer = api.client(key or api.personal_key).get(f"{api.organization}/mails")
    assert answer.status_code == 200, answer.text
    return {each["to"]: each["mail_id"] for each in answer.json()["mails"]}


def invite(api: Api, role: str = "member", email: str | None = None) -> str:
    email = email or f"{uuid4().hex}@example.org"
    response = api.person.post(f"{api.organization}/invitations", json={"content": {"email": email, "role": role}})
    assert response.status_code == 201, response.text
    return email


@pytest.mark.contract("Webhook details 26")
def test_an_unsent_invitation_can_be_read_and_the_audit_log_shows_it(api: Api) -> None:
    email = invite(api)
    mail_id = mails_to(api)[email]
    shown = api.person.get(f"{api.organization}/mails/{mail_id}").json()
    assert shown["mail"]["state"] == "waiting"
    assert "/sign-in#invitation=" in shown["text"]
    entries = api.person.get(f"{api.organization}/audit-log", params={"action": "mail.read"}).json()["entries"]
    assert [(each["target"]["id"], each["after"]) for each in entries] == [(mail_id, {"to": email})]


def test_the_list_has_no_texts_and_is_paged(api: Api) -> None:
    sent = [invite(api) for _ in range(3)]
    first = api.person.get(f"{api.organization}/mails", params={"limit": 2}).json()
    assert first["mail_server"] is False
    assert all("text" not in each for each in first["mails"])
    query = {"limit": 2, "cursor": first["next_cursor"]}
    second = api.person.get(f"{api.organization}/mails", params=query).json()
    assert [each["to"] for each in first["mails"] + second["mails"]] == sent[::-1]
    assert second["next_cursor"] is None


@pytest.mark.contract("Webhook details 26")
def test_mail_for_a_higher_role_cannot_be_read(api: Api) -> None:
    _, admin = api.new_person("admin")
    high, low = invite(api, "super_admin"), invite(api)
    seen = mails_to(api, admin)
    assert low in seen
    assert high not in seen
    hidden = mails_to(api)[high]
    assert_problem(api.client(admin).get(f"{api.organization}/mails/{hidden}"), 404)
    boss = "select email from people where person_id = $1::text::uuid"
    email = api.sql(boss, api.person_id)[0]["email"]
    api.client(None).post("/v1/sign-in-links", json={"content": {"email": email}})
    assert email in mails_to(api)
    assert email not in mails_to(api, admin)


@pytest.mark.contract("Webhook details 26")
def test_mail_to_an_address_known_to_another_organization_is_not_shown(api: Api, outsider: Api) -> None:
    email = f"{uuid4().hex}@example.org"
    outsider.new_person(email=email)
    invite(api, email=email)
    assert email not in mails_to(api)
    elsewhere = invite(outsider)
    assert elsewhere in mails_to(outsider)
    invite(api, email=elsewhere.upper())
    assert elsewhere.upper() not in mails_to(api)
    assert elsewhere not in mails_to(outsider)


@pytest.mark.contract("Signing in 24")
def test_a_pending_membership_elsewhere_hides_no_mail(api: Api, outsider: Api) -> None:
    """Any organization can name any address in its directory."""
    email = f"{uuid4().hex}@example.org"
    person_id, _ = api.new_person(email=email)
    user = {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": email, "active": True}
    named = outsider.integration.post("/scim/v2/Users", json=user)
    assert (named.status_code, named.json()["id"]) == (201, person_id)
    api.client(None).post("/v1/sign-in-links", json={"content": {"email": email}})
    mail_id = mails_to(api)[email]
    assert api.person.get(f"{api.organization}/mails/{mail_id}").json()["text"]
    assert email not in mails_to(outsider)


@pytest.mark.contract("Roles and keys 15")
def test_integrations_cannot_read_mail_texts(api: Api) -> None:
    """With a sign-in link it could act as a person."""
    address = api.sql("select email from people where person_id = $1::text::uuid", api.new_person()[0])[0]["email"]
    api.client(None).post("/v1/sign-in-links", json={"content": {"email": address}})
    mail_id = mails_to(api)[address]
    for key in (api.organization_key, api.new_integration(role="super_admin")["key"]):
        assert mails_to(api, key)[address] == mail_id
        assert "token" not in assert_problem(api.client(key).get(f"{api.organization}/mails/{mail_id}"), 403)
    assert api.person.get(f"{api.organization}/mails/{mail_id}").json()["text"]


def test_readers_see_no_mail(api: Api) -> None:
    _, reader = api.new_person("reader")
    assert_problem(api.client(reader).get(f"{api.organization}/mails"), 403)


def test_with_a_mail_server_texts_are_not_shown(settings: Settings) -> None:
    with running_server(settings, ATRIUM_SMTP_URL="smtp://127.0.0.1:9") as running:
        api = new_organization(running.settings, running.url)
        email = invite(api)
        mail_id = mails_to(api)[email]
        assert api.person.get(f"{api.organization}/mails").json()["mail_server"] is True
        assert api.person.get(f"{api.organization}/mails/{mail_id}").json()["text"] is None
        trail = api.person.get(f"{api.organization}/audit-log", params={"action": "mail"}).json()
        assert trail["entries"] == []
        api.close()


@pytest.mark.contract("Scopes and networks 4")
@pytest.mark.parametrize(
    "limits",
    [{"allowed_networks": ["127.0.0.0/8"]}, {"expires_at": "2099-01-01T00:00:00Z"}, {"scopes": ["members:manage"]}],
    ids=["networks", "expiry", "scopes"],
)
def test_a_key_with_limits_does_not_read_the_text_of_a_mail(api: Api, limits: dict[str, Any]) -> None:
    """With the sign-in link in it, it would become a session without limits."""
    owner = api.sql("select email from people where person_id = $1::text::uuid", api.person_id)[0]["email"]
    api.client(None).post("/v1/sign-in-links", json={"content": {"email": owner}})
    path = f"{api.organization}/mails/{mails_to(api)[owner]}"
    made = api.person.post("/v1/me/integrations", json={"content": {"name": "limited", **limits}})
    assert "text" not in assert_problem(api.client(made.json()["key"]).get(path), 403)
    assert api.person.get(path).json()["text"]


@pytest.mark.contract("Scopes and networks 4")
def test_a_key_under_a_key_policy_does_not_read_the_text_of_a_mail(api: Api) -> None:
    email = invite(api)
    path = f"{api.organization}/mails/{mails_to(api)[email]}"
    assert api.person.put(f"{api.organization}/key-policy", json={"content": {"max_lifetime_days": 90}}).is_success
    assert_problem(api.person.get(path), 403)

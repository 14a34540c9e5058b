"""Webhooks that authenticate to their endpoints: what is accepted, shown and stored, and when a secret is needed again."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_der_private_key,
)

from tests.conftest import Api
from tests.contract.tour import assert_problem, subscription
from tests.webhooks.certificates import Authority, pem
from tests.webhooks.credentials import OAUTH, TLS_URL, TOKEN_URL, URL

Json = dict[str, Any]
SHOWN = {
    "type": "oauth2", "token_url": TOKEN_URL, "client_id": "atrium", "scope": None, "audience": None,
    "client_authentication": "basic",
}  # fmt: skip
AUTHORITY = Authority()
ADA = AUTHORITY.issue("ada")
WITHOUT_KEY = {"type": "mutual_tls", "certificate": ADA.certificate}


def create(api: Api, authentication: Json | None, **fields: Any) -> Any:
    content = {"name": "CI", "endpoint_url": URL, "subscriptions": [subscription(api.room_id)]} | fields
    return api.person.post(
        f"{api.organization}/webhooks", json={"content": {**content, "authentication": authentication}}
    )


def created_webhook(api: Api, authentication: Json | None, **fields: Any) -> Json:
    answer = create(api, authentication, **fields)
    assert answer.status_code == 201, answer.text
    return answer.json()["webhook"]


def change(api: Api, webhook: Json, **content: Any) -> Any:
    return api.person.patch(f"{api.organization}/webhooks/{webhook['id']}", json={"content": content})


def stored_row(api: Api, webhook: Json) -> Any:
    return api.sql("select authentication, certificate_ends_at from webhooks where webhook_id = $1", webhook["id"])[0]


def pointer(answer: Any) -> str:
    return assert_problem(answer, 400)["errors"][0]["pointer"].removeprefix("/content/")


@pytest.mark.contract("Roles and keys 18")
def test_a_changed_endpoint_needs_the_values_of_custom_headers_again(api: Api) -> None:
    """Otherwise another admin could have them sent to a server of their own."""
    webhook = created_webhook(api, None, headers={"X-Token": "very-secret"})
    refused = change(api, webhook, endpoint_url=f"{URL}/2")
    assert pointer(refused) == "headers" and "X-Token" in refused.text and "very-secret" not in refused.text
    assert api.person.get(f"{api.organization}/webhooks/{webhook['id']}").json()["webhook"] == webhook
    assert change(api, webhook, endpoint_url=URL, name="CD").json()["webhook"]["header_names"] == ["X-Token"]
    moved = change(api, webhook, endpoint_url=f"{URL}/2", headers={"X-Token": "again"}).json()["webhook"]
    assert (moved["endpoint_url"], moved["header_names"]) == (f"{URL}/2", ["X-Token"])
    assert change(api, webhook, endpoint_url=f"{URL}/3", headers={}).json()["webhook"]["header_names"] == []
    assert change(api, webhook, endpoint_url=f"{URL}/4").status_code == 200


@pytest.mark.contract("Webhook details 3")
def test_authentication_is_shown_without_its_secret_and_can_be_replaced_and_removed(api: Api) -> None:
    webhook = created_webhook(
        api, OAUTH | {"scope": "hooks", "client_authentication": "body"}, endpoint_url=TLS_URL.replace("s:", ":")
    )
    assert webhook["authentication"] == SHOWN | {"scope": "hooks", "client_authentication": "body"}
    replaced = change(api, webhook, endpoint_url=TLS_URL, authentication=ADA.as_authentication).json()["webhook"]
    facts = replaced["authentication"]
    assert (facts["type"], facts["certificate"], facts["subject"]) == ("mutual_tls", ADA.certificate, "CN=ada")
    assert facts["issuer"] == "CN=Test authority" and len(facts["fingerprint"]) == 64 and "private_key" not in facts
    assert facts["ends_at"].startswith(f"{stored_row(api, webhook)['certificate_ends_at']:%Y-%m-%dT%H:%M}")
    removed = change(api, webhook, authentication=None).json()["webhook"]
    assert removed["authentication"] is None
    assert tuple(stored_row(api, webhook)) == (None, None)
    assert created_webhook(api, None)["authentication"] is None


@pytest.mark.contract("Webhook details 4")
def test_a_secret_that_an_update_leaves_out_stays(api: Api) -> None:
    webhook = created_webhook(api, OAUTH)
    before = stored_row(api, webhook)
    assert change(api, webhook, name="CD", endpoint_url=URL, headers={"X-A": "a"}).status_code == 200
    same = {name: value for name, value in OAUTH.items() if name != "client_secret"}
    assert change(api, webhook, authentication=same).status_code == 200
    assert stored_row(api, webhook) == before, "an unchanged configuration keeps its token too"
    wider = change(api, webhook, authentication=same | {"scope": "more"}).json()["webhook"]
    assert wider["authentication"]["scope"] == "more"
    assert stored_row(api, webhook) != before
    secure = created_webhook(api, ADA.as_authentication, endpoint_url=TLS_URL)
    assert change(api, secure, authentication=WITHOUT_KEY).status_code == 200


@pytest.mark.contract("Webhook details 4")
def test_a_stored_secret_is_never_sent_to_another_url(api: Api) -> None:
    same = {name: value for name, value in OAUTH.items() if name != "client_secret"}
    webhook, secure = created_webhook(api, OAUTH), created_webhook(api, ADA.as_authentication, endpoint_url=TLS_URL)
    for content in (
        {"endpoint_url": URL + "s"},
        {"endpoint_url": URL + "s", "authentication": same},
        {"authentication": same | {"token_url": TOKEN_URL + "s"}},
    ):
        assert pointer(change(api, webhook, **content)) == "authentication/client_secret", content
    assert pointer(change(api, secure, endpoint_url=TLS_URL + "s")) == "authentication/private_key"
    assert pointer(change(api, webhook, authentication=WITHOUT_KEY)) == "authentication/private_key", "another type"
    assert pointer(create(api, same)) == "authentication/client_secret"
    moved = change(api, webhook, endpoint_url=URL + "s", authentication=OAUTH | {"token_url": TOKEN_URL + "s"})
    assert moved.status_code == 200
    assert change(api, secure, endpoint_url=URL, authentication=None).status_code == 200


def encrypt(key: Any) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"passphrase")).decode()


def huge() -> rsa.RSAPrivateKey:
    """Return something like a key of 8192 bits, without looking for primes."""
    some = 2**4096 - 1
    numbers = rsa.RSAPrivateNumbers(some, some, some, some, some, some, rsa.RSAPublicNumbers(65537, some**2))
    return numbers.private_key(unsafe_skip_rsa_key_validation=True)


def wrong(key: rsa.RSAPrivateKey) -> Any:
    """Return a key of whose primes one is not of this key."""
    prime = key.private_numbers().p
    der = key.private_bytes(Encoding.DER, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    altered = der.replace(prime.to_bytes(64, "big"), (prime ^ 2).to_bytes(64, "big"))
    return load_der_private_key(altered, None, unsafe_skip_rsa_key_validation=True)


KEY = ec.generate_private_key(ec.SECP256R1())
EXPIRED = AUTHORITY.issue("old", ends=datetime.now(UTC) - timedelta(days=1))
WEAK = rsa.generate_private_key(65537, 1024)
HUGE, WRONG = huge(), wrong(WEAK)
TLS = ADA.as_authentication


@pytest.mark.contract("Webhook details 5")
@pytest.mark.parametrize(
    ("authentication", "where", "why"),
    [
        (OAUTH | {"token_url": "ftp://example.org"}, "authentication/token_url", ""),
        (OAUTH | {"token_url": "http://10.1.2.3/"}, "authentication/token_url", "is a private address"),
        (OAUTH | {"client_id": ""}, "authentication/client_id", ""),
        (OAUTH | {"client_secret": "a\nb"}, "authentication/client_secret", ""),
        (OAUTH | {"client_authentication": "jwt"}, "authentication/client_authentication", ""),
        (OAUTH | {"certificate": ""}, "authentication/certificate", ""),
        ({"type": "basic"}, "authentication/type", ""),
        (TLS | {"certificate": "ada"}, "authentication/certificate", "is not a certificate in PEM format"),
        (TLS | {"certificate": EXPIRED.certificate}, "authentication/certificate", "has expired"),
        (TLS | {"private_key": "ada"}, "authentication/private_key", "is not a private key in PEM format"),
        (TLS | {"private_key": pem(KEY)}, "authentication/private_key", "does not belong to the first certificate"),
        (TLS | {"private_key": encrypt(KEY)}, "authentication/private_key", "is encrypted"),
        (AUTHORITY.issue("weak", key=WEAK).as_authentication, "authentication/certificate", "ee key too small"),
        (AUTHORITY.issue("huge", key=HUGE).as_authentication, "authentication/certificate", "more than 4096 bits"),
        (AUTHORITY.issue("wrong", key=WRONG).as_authentication, "authentication/private_key", "is not a private key"),
        (TLS | {"private_key": pem(HUGE)}, "authentication/private_key", "is longer than 4000 characters"),
    ],
)
def test_invalid_authentication_is_rejected_and_named(api: Api, authentication: Json, where: str, why: str) -> None:
    answer = create(api, authentication, endpoint_url=TLS_URL if authentication["type"] == "mutual_tls" else URL)
    assert pointer(answer) == where
    assert why in answer.json()["detail"]
    assert api.person.get(f"{api.organization}/webhooks").json()["webhooks"] == []


@pytest.mark.contract("Webhook details 5")
def test_credentials_that_contradict_the_endpoint_or_the_headers_are_rejected(api: Api) -> None:
    own = {"AUTHORIZATION": "Basic eA=="}
    assert pointer(create(api, OAUTH, headers=own)) == "headers"
    assert pointer(create(api, OAUTH, endpoint_url=TLS_URL)) == "authentication/token_url", "no less secure"
    assert pointer(create(api, ADA.as_authentication)) == "endpoint_url"
    webhook, with_header = created_webhook(api, OAUTH), created_webhook(api, None, headers=own)
    assert pointer(change(api, webhook, headers=own)) == "headers"
    assert pointer(change(api, with_header, authentication=OAUTH)) == "headers"
    assert change(api, with_header, authentication=OAUTH, headers={}).status_code == 200


@pytest.mark.contract("Webhook details 4")
def test_a_complete_webhook_is_accepted_with_its_authentication_as_shown(api: Api) -> None:
    secure, oauth = created_webhook(api, TLS, endpoint_url=TLS_URL), created_webhook(api, OAUTH)
    for webhook in (secure, oauth):
        before = stored_row(api, webhook)
        renamed = change(api, webhook, **webhook | {"name": "CD"})
        assert renamed.status_code == 200, renamed.text
        assert renamed.json()["webhook"] == webhook | {"name": "CD"}
        assert stored_row(api, webhook) == before
    other = secure["authentication"] | {"subject": "CN=eve"}
    assert pointer(change(api, secure, **secure | {"authentication": other})) == "authentication/subject"


@pytest.mark.contract("Webhook details 3")
def test_a_private_key_among_the_certificates_is_not_stored_with_them(api: Api) -> None:
    chain = f"a comment\n{ADA.private_key}{ADA.certificate}{AUTHORITY.certificate}"
    webhook = created_webhook(api, TLS | {"certificate": chain}, endpoint_url=TLS_URL)
    assert webhook["authentication"]["certificate"] == ADA.certificate + AUTHORITY.certificate


@pytest.mark.contract("Webhook details 3")
def test_secrets_are_in_no_answer_no_audit_entry_and_unreadable_in_the_database(api: Api) -> None:
    oauth, secure = created_webhook(api, OAUTH), created_webhook(api, TLS, endpoint_url=TLS_URL)
    change(api, oauth, authentication=OAUTH | {"client_secret": "other-secret"})
    change(api, secure, name="CD")
    paths = (f"{api.organization}/webhooks", f"{api.organization}/audit-log")
    answers = "".join(api.person.get(path).text for path in paths)
    assert answers.count("webhook.credentials_changed") == 1, "the change of a secret is audited"
    row = str([dict(row) for row in api.sql("select * from webhooks")])
    audit = str([dict(row) for row in api.sql("select * from audit_entries")])
    line = ADA.private_key.splitlines()[1]
    for secret in ("very-secret", "other-secret", line):
        assert not any(secret in text for text in (answers, row, audit))
    assert "token_url" not in row, "the whole configuration is encrypted"

"""Others can verify our signatures: the Standard Webhooks library, openssl, and our own receiver."""

import base64
import json
import shutil
import subprocess
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from atrium.webhooks.delivery.signing import new_secret, sign, standard_signature, verify

BODY = '{"event":"message_sent","text":"Grüße 👋"}'.encode()


def test_a_secret_is_32_random_bytes_behind_a_prefix() -> None:
    secrets = {new_secret() for _ in range(50)}
    assert len(secrets) == 50
    assert all(each.startswith("whsec_") and len(base64.b64decode(each[6:], validate=True)) == 32 for each in secrets)


@pytest.mark.contract("Authentication 9", "Events and deliveries 18")
def test_openssl_creates_the_same_signature() -> None:
    secret, openssl = new_secret(), shutil.which("openssl")
    assert openssl is not None
    made = subprocess.run(
        [openssl, "dgst", "-sha256", "-hmac", secret], input=BODY, capture_output=True, check=True, timeout=30
    )
    assert sign(secret, BODY) == "sha256=" + made.stdout.decode().split()[-1]


def test_a_known_body_has_the_known_signature() -> None:
    # RFC 4231, test case 2: the key is plain text.
    known = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert sign("Jefe", b"what do ya want for nothing?") == f"sha256={known}"


@given(st.binary(max_size=200), st.integers(0, 10_000))
def test_a_changed_byte_is_rejected(body: bytes, place: int) -> None:
    secret = "whsec_" + base64.b64encode(bytes(32)).decode()
    signature = sign(secret, body)
    assert verify(secret, body, signature)
    assert not verify(secret, body + b" ", signature)
    if body:
        changed = bytearray(body)
        changed[place % len(body)] ^= 1
        assert not verify(secret, bytes(changed), signature)


@given(st.text(max_size=100))
def test_any_text_is_a_valid_signature_or_not(signature: str) -> None:
    assert verify("whsec_s", BODY, signature) == (signature == sign("whsec_s", BODY))


def test_another_secret_and_another_encoding_are_rejected() -> None:
    secret = new_secret()
    signature = sign(secret, BODY)
    assert not verify(new_secret(), BODY, signature)
    for wrong in (
        "",
        signature.upper(),
        signature.removeprefix("sha256="),
        f" {signature}",
        "sha256=",
        "sha256=\udc80é",
    ):
        assert not verify(secret, BODY, wrong)


def standard_headers(secrets: list[str], body: bytes, *, at: int | None = None) -> dict[str, str]:
    at = int(time.time()) if at is None else at
    signature = standard_signature(secrets, "evt_1", at, body)
    return {"webhook-id": "evt_1", "webhook-timestamp": str(at), "webhook-signature": signature}


@pytest.mark.contract("Webhook details 12")
def test_a_standard_webhooks_verifier_accepts_a_delivery() -> None:
    secret = new_secret()
    assert Webhook(secret).verify(BODY, standard_headers([secret], BODY)) == json.loads(BODY)


def test_during_a_rotation_both_secrets_verify() -> None:
    old, new = new_secret(), new_secret()
    headers = standard_headers([new, old], BODY)
    assert len(headers["webhook-signature"].split(" ")) == 2
    for secret in (old, new):
        Webhook(secret).verify(BODY, headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(new_secret()).verify(BODY, headers)


def test_a_standard_webhooks_verifier_rejects_a_changed_delivery() -> None:
    secret = new_secret()
    headers = standard_headers([secret], BODY)
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(BODY + b" ", headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(BODY, headers | {"webhook-id": "evt_2"})
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(BODY, headers | {"webhook-timestamp": str(int(time.time()) + 1)})


def test_a_standard_webhooks_verifier_rejects_an_old_delivery() -> None:
    secret = new_secret()
    with pytest.raises(WebhookVerificationError, match="too old"):
        Webhook(secret).verify(BODY, standard_headers([secret], BODY, at=int(time.time()) - 3600))


def test_a_secret_that_is_not_base64_cannot_sign_standard_webhooks() -> None:
    with pytest.raises(ValueError):
        standard_signature(["whsec_!"], "evt_1", 0, BODY)

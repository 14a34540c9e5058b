"""Webhooks: OAuth 2, client certificates, and mails about their end."""

from tests.mutants.mutation import broken

OAUTH, TLS, RULES = "webhooks/test_oauth.py", "webhooks/test_mutual_tls.py", "webhooks/test_authentication.py"
MAILS, CERTIFICATES = "webhooks/test_certificate_mails.py", "kit/test_client_certificates.py"
TOKENS, SENDING = "webhooks/access_tokens.py", "webhooks/sending.py"
AUTHENTICATION, CONTEXTS = "webhooks/authentication.py", "kit/network/client_certificates.py"
ELSEWHERE = f"{RULES}::test_a_stored_secret_is_never_sent_to_another_url"
CONTRADICTS = f"{RULES}::test_credentials_that_contradict_the_endpoint_or_the_headers_are_rejected"
INVALID = f"{RULES}::test_invalid_authentication_is_rejected_and_named"
UNTIL = f"{OAUTH}::test_a_token_is_used_until_shortly_before_it_expires"
ONCE = f"{OAUTH}::test_a_token_is_requested_once_for_many_deliveries_and_never_logged"
RENEWED = f"{OAUTH}::test_a_token_that_the_receiver_rejects_is_renewed_once_for_all_deliveries"
FAILS = f"{OAUTH}::test_an_attempt_without_a_token_fails_with_its_reason_and_is_retried"
SLOW = f"{OAUTH}::test_a_slow_token_endpoint_is_within_the_time_limit_and_one_that_is_down_is_named"
WORDS = f"{CERTIFICATES}::test_a_receiver_that_refuses_a_certificate_is_reported_in_plain_words"

DESTINATIONS = [
    broken("destination: one request for a token serves all deliveries", TOKENS, "if self._request is None:", "if True:", ONCE, RENEWED, SLOW),
    broken("destination: a token is cached", TOKENS, "if self._token and self._clock() < self._usable_until", "if False", ONCE),
    broken("destination: a token is not used in its last minute", TOKENS, " - min(EARLY, length / 10)", "", UNTIL),
    broken("destination: a rejected token is renewed", TOKENS, "not in (None, rejected)", "is not None", RENEWED),
    broken("destination: a token is renewed once in an attempt", SENDING, " or rejected is not None", "", f"{OAUTH}::test_a_token_is_not_renewed_twice_in_an_attempt"),
    broken("destination: changed credentials use no earlier token", TOKENS, "self._grant(version)", "self._grant(b'')", f"{OAUTH}::test_a_changed_configuration_uses_no_token_of_the_one_before"),
    broken("destination: client credentials are encoded", TOKENS, "{quote_plus(secret)}", "{secret}", ONCE),
    broken("destination: nothing but known codes of a token endpoint is shown", TOKENS, "if code in CODES", "if code", FAILS),
    broken("destination: only bearer tokens are used", TOKENS, 'answer.token_type.lower() != "bearer"', "False", FAILS),
    broken("destination: a token cannot add headers", TOKENS, "not TOKEN.fullmatch(answer.access_token)", "False", FAILS),
    broken("destination: a secret is stored for its URLs only", AUTHENTICATION, "requested.urls != stored.urls", "False", ELSEWHERE),
    broken("destination: the token URL is one of them", AUTHENTICATION, 'getattr(self.credentials, "token_url", None)', "None", ELSEWHERE),
    broken("destination: the endpoint is one of them", AUTHENTICATION, "return self.endpoint_url,", "return '',", ELSEWHERE),
    broken("destination: an access token is not sent next to another Authorization", AUTHENTICATION, '"authorization" in', "'' in", CONTRADICTS),
    broken("destination: credentials travel as securely as events", AUTHENTICATION, "if is_secure and not", "if False and not", CONTRADICTS),
    broken("destination: a client certificate needs https", AUTHENTICATION, "if not is_secure:\n", "if False:\n", CONTRADICTS),
    broken("destination: token URLs have the rules of endpoints", "webhooks/destinations.py", 'await require_endpoint(call, credentials.token_url, f"{FIELD}/token_url")', "pass", INVALID),
    broken("destination: no private key is shown among certificates", AUTHENTICATION, "certificate=only_certificates(credentials.certificate)", "certificate=credentials.certificate", f"{RULES}::test_a_private_key_among_the_certificates_is_not_stored_with_them"),
    broken("destination: an expired certificate is rejected", CONTEXTS, "ends_at <= now", "ends_at is None", INVALID),
    broken("destination: a key belongs to its certificate", CONTEXTS, 'raise InvalidPrivateKey("does not belong to the first certificate")', "pass", INVALID),
    broken("destination: a key is encrypted in its file", CONTEXTS, "encryption = BestAvailableEncryption(password)", "encryption = __import__('cryptography.hazmat.primitives.serialization', fromlist=['x']).NoEncryption()", f"{CERTIFICATES}::test_no_private_key_is_left_in_a_file"),
    broken("destination: connections are of one certificate", "kit/network/outbound.py", "url.port, tls)", "url.port, None)", "kit/test_client_certificates.py::test_connections_with_different_certificates_are_never_shared"),
    broken("destination: the certificate is shown", "kit/network/dialing.py", "(tls or verifying())", "verifying()", f"{TLS}::test_each_webhook_is_identified_by_its_own_certificate"),
    broken("destination: a refused certificate is named", CONTEXTS, "reason.endswith(REJECTIONS)", "False", WORDS),
    broken("destination: a disabled webhook causes no mail about its certificate", "webhooks/queries.py", "status <> 'WEBHOOK_STATUS_INACTIVE' and expiry", "expiry", MAILS),
    broken("destination: each mail is sent once", "webhooks/queries.py", "set certificate_mailed_at = $1 from", "set certificate_mailed_at = certificate_mailed_at from", f"{MAILS}::test_admins_are_mailed_a_week_and_a_day_before_a_certificate_ends"),
    broken("destination: a certificate set in its last week causes no mail", "migrations/functions/expiry_mail_is_due.sql", "mailed_at < ends_at - case", "mailed_at is not null or mailed_at < ends_at - case", "keys/test_expiry_mails.py", MAILS),
]  # fmt: skip

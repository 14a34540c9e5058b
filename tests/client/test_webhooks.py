"""Webhooks of the client that authenticate to their endpoints."""

from uuid import UUID

from atrium.client import Atrium
from atrium.client.webhook_types import MutualTls, OAuth2, messages_in
from tests.conftest import Api
from tests.webhooks.certificates import Authority


def test_a_webhook_is_created_with_credentials_and_read_without_their_secret(api: Api) -> None:
    ada, token_url = Authority().issue("ada"), "http://127.0.0.1:9/token"
    subscriptions = messages_in(rooms=[UUID(api.room_id)])
    with Atrium(api.url, api.personal_key) as atrium:
        webhooks = atrium.webhooks(api.organization_id)
        oauth = OAuth2(token_url, "atrium", client_secret="very-secret", scope="hooks")
        tls = MutualTls(ada.certificate, ada.private_key)
        for url, sent in (("http://127.0.0.1:9/", oauth), ("https://127.0.0.1:9/", tls)):
            webhooks.create(name="CI", endpoint_url=url, subscriptions=subscriptions, authentication=sent)
        first, second = [each.authentication for each in webhooks.list()]
    assert first == OAuth2(token_url, "atrium", scope="hooks")
    assert isinstance(second, MutualTls)
    assert (second.certificate, second.private_key, second.subject) == (ada.certificate, "", "CN=ada")
    assert second.ends_at is not None

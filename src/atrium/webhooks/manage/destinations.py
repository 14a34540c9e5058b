"""Check and store where a webhook's deliveries are sent, and how the webhook authenticates there."""

from collections.abc import Mapping
from functools import partial
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.kit.encryption import installation_cipher
from atrium.kit.errors import InvalidRequest, invalid_field
from atrium.kit.network.client_certificates import InvalidCertificate, InvalidPrivateKey, in_thread, require_usable
from atrium.kit.network.outbound import ForbiddenAddress
from atrium.webhooks.authentication.model import (
    FIELD,
    Credentials,
    Destination,
    MutualTlsCredentials,
    OAuth2Credentials,
    completed,
    ends_at,
    unsealed,
    without_secret,
)
from atrium.webhooks.manage import queries
from atrium.webhooks.model import Webhook


class ForbiddenEndpoint(InvalidRequest):
    """Deliveries and requests for access tokens go to public http and https addresses only."""

    code = "forbidden_endpoint"
    title = "Forbidden endpoint"


async def require_endpoint(call: Call, url: str, pointer: str = "/content/endpoint_url") -> None:
    """Raise ForbiddenEndpoint unless the URL is allowed."""
    try:
        await call.outbound.check(url)
    except ForbiddenAddress as error:
        raise ForbiddenEndpoint(str(error), errors=invalid_field(pointer, str(error)).errors) from None


async def require_destinations(call: Call, endpoint_url: str | None, credentials: object) -> None:
    """Raise ForbiddenEndpoint unless the endpoint and the token endpoint are allowed. This waits for name servers, so
    it comes before any lock."""
    if endpoint_url is not None:
        await require_endpoint(call, endpoint_url)
    if isinstance(credentials, OAuth2Credentials):
        await require_endpoint(call, credentials.token_url, f"{FIELD}/token_url")


async def add_authentication(call: Call, webhook_id: UUID, requested: Destination) -> None:
    """Store the credentials of a new webhook. Raise InvalidRequest."""
    if requested.credentials is not None:
        await _store(call, webhook_id, completed(requested, None).credentials)


async def change_authentication(
    call: Call,
    webhook: Webhook,
    *,
    endpoint_url: str | None,
    headers: Mapping[str, str] | None,
    requested: Credentials | UnsetType | None,
) -> None:
    """Store the credentials of a webhook that is about to get this endpoint and these headers, if they are not None.

    A change has an entry in the audit log, because the entry of the update does not show a changed secret.
    Raise InvalidRequest.
    """
    sealed = await call.db.fetchval(queries.AUTHENTICATION, webhook.id)
    readable = installation_cipher(call.settings).readable(sealed)
    known = None if readable is None else unsealed(readable)
    stored = Destination(webhook.endpoint_url, webhook.header_names, known)
    wanted = Destination(
        stored.endpoint_url if endpoint_url is None else endpoint_url,
        stored.header_names if headers is None else headers,
        without_secret(known) if requested is UNSET else requested,
    )
    credentials = completed(wanted, stored).credentials
    if credentials != known or (requested is None and sealed is not None):
        await _store(call, webhook.id, credentials)
        target = Target("webhook", webhook.id, webhook.name)
        await call.record(Change("webhook.credentials_changed", target, webhook.organization_id))


async def _store(call: Call, webhook_id: UUID, credentials: Credentials | None) -> None:
    if isinstance(credentials, MutualTlsCredentials):
        await _require_usable(call, credentials)
    encoded = None if credentials is None else msgspec.json.encode(credentials)
    sealed = None if encoded is None else installation_cipher(call.settings).encrypt(encoded)
    await call.db.execute(queries.SET_AUTHENTICATION, webhook_id, sealed, ends_at(credentials), call.now)


async def _require_usable(call: Call, credentials: MutualTlsCredentials) -> None:
    try:
        await in_thread(partial(require_usable, credentials.certificate, str(credentials.private_key), call.now))
    except InvalidCertificate as error:
        raise invalid_field(f"{FIELD}/certificate", str(error)) from None
    except InvalidPrivateKey as error:
        raise invalid_field(f"{FIELD}/private_key", str(error)) from None

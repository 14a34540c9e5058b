"""Fetch the webhooks of an organization."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec

from atrium.keys.caller import Call
from atrium.kit.encryption import installation_cipher
from atrium.kit.errors import NotFound
from atrium.kit.http.paging import FIRST, ListPage, after, paginate
from atrium.kit.http.request import Paging
from atrium.kit.postgres.database import Record
from atrium.kit.postgres.rows import as_struct
from atrium.organizations.reach import Organization
from atrium.webhooks.authentication.model import shown, unsealed
from atrium.webhooks.delivery.pause_rules import failure_cutoff
from atrium.webhooks.manage import queries
from atrium.webhooks.model import Webhook


class WebhookNotFound(NotFound):
    """The organization has no webhook with this id."""

    code = "webhook_not_found"
    title = "Webhook not found"


async def find_webhook(call: Call, organization: Organization, webhook_id: UUID) -> Webhook:
    """Return the organization's webhook with that id. Raise WebhookNotFound."""
    found = await _read_webhooks(call, organization, FIRST, webhook_id, 1)
    if not found:
        raise WebhookNotFound
    return found[0]


async def list_webhooks(call: Call, organization: Organization, paging: Paging) -> ListPage[Webhook]:
    """Return a page of the organization's webhooks, oldest first."""
    found = await _read_webhooks(call, organization, after(paging.cursor), None, paging.limit + 1)
    page, cursor = paginate(found, paging.limit, lambda webhook: webhook.id)
    return list(page), cursor


async def _read_webhooks(
    call: Call, organization: Organization, after_id: UUID, webhook_id: UUID | None, limit: int
) -> list[Webhook]:
    rows = await call.db.fetch(
        queries.WEBHOOKS, organization.organization_id, after_id, webhook_id, limit, failure_cutoff(call.now)
    )
    return [_as_webhook(call, row) for row in rows]


async def lock_webhook(call: Call, organization: Organization, webhook_id: UUID) -> None:
    """Lock a webhook until the transaction ends. Raise WebhookNotFound."""
    if await call.lock(queries.LOCK, organization.organization_id, webhook_id) is None:
        raise WebhookNotFound


def _as_webhook(call: Call, row: Record) -> Webhook:
    """Read a row of WEBHOOKS, without its secrets. Headers and credentials of another key are shown as none, so that
    new ones can be set."""
    vault = installation_cipher(call.settings)
    headers: Mapping[str, str] = msgspec.json.decode(vault.readable(row["headers"]) or b"{}")
    credentials = vault.readable(row["authentication"])
    fields: dict[str, Any] = {
        **row,
        "header_names": sorted(headers),
        "subscriptions": msgspec.json.decode(row["subscriptions"]),
        "authentication": None if credentials is None else shown(unsealed(credentials)),
    }
    del fields["headers"]
    return as_struct(fields, Webhook)

"""The scopes that events of an organization need, in addition to those of its webhooks.

A key that may manage webhooks but not read the audit log must not read it through a webhook.
"""

from atrium.events import WebhookEventKind
from atrium.permissions import Scope

_OF_PEOPLE = (
    WebhookEventKind.PERSON_JOINED,
    WebhookEventKind.PERSON_DEACTIVATED,
    WebhookEventKind.PERSON_REACTIVATED,
    WebhookEventKind.PERSON_REMOVED,
)
_SCOPES: dict[str, Scope] = {
    WebhookEventKind.AUDIT_ENTRY: Scope.AUDIT_READ,
    **dict.fromkeys(_OF_PEOPLE, Scope.MEMBERS_MANAGE),
}


def scope_of_event(event_type: str) -> Scope | None:
    """Return the scope that a key with scopes needs to subscribe to an event and to read it in a log."""
    return _SCOPES.get(event_type)

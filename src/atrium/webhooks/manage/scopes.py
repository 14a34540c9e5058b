"""The scopes that some events need, in addition to those of webhooks: they say more than that something happened.

A key that may manage webhooks but not read the audit log must not read it through a webhook.
"""

from collections.abc import Iterator

from atrium.events import WebhookEventKind
from atrium.permissions import Scope
from atrium.webhooks.model import Subscription

_OF_PEOPLE = (
    WebhookEventKind.PERSON_JOINED,
    WebhookEventKind.PERSON_DEACTIVATED,
    WebhookEventKind.PERSON_REACTIVATED,
    WebhookEventKind.PERSON_REMOVED,
)
_SCOPES: dict[str, Scope] = {
    WebhookEventKind.AUDIT_ENTRY: Scope.AUDIT_READ,
    WebhookEventKind.REACTION_ADDED: Scope.MESSAGES_READ,
    WebhookEventKind.REACTION_REMOVED: Scope.MESSAGES_READ,
    **dict.fromkeys(_OF_PEOPLE, Scope.MEMBERS_MANAGE),
}


def scope_of_event(event_type: str) -> Scope | None:
    """Return the scope that a key with scopes needs to subscribe to an event and to read it in a log."""
    return _SCOPES.get(event_type)


def scopes_of_subscription(subscription: Subscription) -> Iterator[Scope]:
    """Yield the scopes that a key with scopes needs to create a subscription. Which words match shows what a message
    says, and so do mentions."""
    scope = scope_of_event(subscription.subscription_type.event_type)
    if scope is not None:
        yield scope
    chosen = subscription.filter
    if subscription.include or (chosen and (chosen.words or chosen.mentions)):
        yield Scope.MESSAGES_READ


def scopes_of_content(event_type: str, *, has_message: bool) -> Iterator[Scope]:
    """Yield the scopes that a key with scopes needs to read what an event contains, or to have it sent again."""
    scope = scope_of_event(event_type)
    if scope is not None:
        yield scope
    if has_message:
        yield Scope.MESSAGES_READ

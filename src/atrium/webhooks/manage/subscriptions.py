"""What a webhook subscribes to: what fits, who may, and how it is stored."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from atrium import permissions as may
from atrium.keys.caller import Call
from atrium.kit.errors import invalid_field
from atrium.messages.filter_words import pieces_of
from atrium.organizations.reach import Organization, OrganizationNotFound
from atrium.rooms.reach import RoomNotFound, reach_room
from atrium.spaces.reach import SpaceNotFound, reach_space
from atrium.webhooks.manage.scopes import scopes_of_subscription
from atrium.webhooks.model import Filter, Included, SubjectType, Subscription

NO_FILTER = Filter()


def require_fits(subscription: Subscription, pointer: str) -> None:
    """Raise InvalidRequest for a subject that has no such events, or for what other events than these can have."""
    wanted = subscription.subscription_type
    if subscription.subject_type not in wanted.subjects:
        raise invalid_field(
            f"{pointer}/subject_type", f"has no events of this type; {wanted} needs {' or '.join(wanted.subjects)}"
        )
    for name in _given(subscription.filter or NO_FILTER):
        if name not in wanted.filters:
            raise invalid_field(f"{pointer}/filter/{name}", f"is not a filter of {wanted}")
    for nr, word in enumerate(wanted_words(subscription)):
        if not pieces_of(word):
            raise invalid_field(f"{pointer}/filter/words/{nr}", "has neither a letter nor a mark that can be found")
    if includes_message(subscription) and not wanted.has_text:
        raise invalid_field(f"{pointer}/include", f"{wanted} has no message to include")


async def require_may_subscribe(call: Call, organization: Organization, subscription: Subscription) -> None:
    """Raise RoomNotFound, SpaceNotFound, OrganizationNotFound or Forbidden unless the caller may create this one
    (docs/contract.md#webhooks-and-subscriptions)."""
    for scope in scopes_of_subscription(subscription):
        call.caller.require_scope(scope)
    if subscription.subject_type is SubjectType.ORGANIZATION:
        if subscription.subject_id != organization.organization_id:
            raise OrganizationNotFound
    elif subscription.subject_type is SubjectType.SPACE:
        space = await reach_space(call, subscription.subject_id, may.MANAGE_SPACE_ACCESS)
        if space.organization_id != organization.organization_id:
            raise SpaceNotFound
    else:
        room = await reach_room(call, subscription.subject_id, may.MANAGE_ROOM)
        if room.organization_id != organization.organization_id:
            raise RoomNotFound


def includes_message(subscription: Subscription) -> bool:
    """Return whether the events of a subscription contain the message."""
    return subscription.include is not UNSET and Included.MESSAGE in subscription.include


def wanted_words(subscription: Subscription) -> Sequence[str]:
    """Return the words of a subscription's filter, none if it has no such filter."""
    return (subscription.filter or NO_FILTER).words or ()


def as_row(subscription: Subscription) -> str:
    """Return a subscription as a row of the table in JSON, the same for equal subscriptions."""
    fields = subscription.filter or NO_FILTER
    row = {
        "subject_type": subscription.subject_type,
        "subject_id": subscription.subject_id,
        "subscription_type": subscription.subscription_type,
        **_given(fields),
        "includes_message": includes_message(subscription),
    }
    return msgspec.json.encode(row, order="deterministic").decode()


def as_rows(rows: Sequence[str]) -> str:
    """Return rows as a JSON array, each with its number."""
    numbered = [{**msgspec.json.decode(row), "nr": nr} for nr, row in enumerate(rows, 1)]
    return msgspec.json.encode(numbered).decode()


def _given(fields: Filter) -> dict[str, Any]:
    """Return the fields of a filter that are set."""
    named = {name: getattr(fields, name) for name in Filter.__struct_fields__}
    return {name: value for name, value in named.items() if value is not UNSET and value is not None}

"""Which events `atrium webhooks listen` shows: the subscriptions of its temporary webhook."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fnmatch import fnmatchcase
from uuid import UUID

from msgspec import Struct, structs

from atrium.cli.errors import CommandError
from atrium.client import AsyncAtrium
from atrium.client.webhook_types import Filter, Subscription
from atrium.rooms.model import RoomType
from atrium.webhooks.model import Included, SenderType, SubjectType, SubscriptionType, ThreadPlace

OPTIONS = {  # of the fields of a filter
    "sender_ids": "--sender", "mentions": "--mention", "words": "--word", "thread": "--thread",
    "sender_type": "--sender-type", "room_type": "--room-type",
}  # fmt: skip
PLACES = {frozenset({SubjectType.ROOM}): "a room", frozenset({SubjectType.SPACE}): "a space"}


@dataclass(frozen=True)
class Scope:
    """Where the events are: in a space, in a room, or by default in all spaces and in the organization."""

    organization: UUID | None
    space: UUID | None
    room: UUID | None

    @property
    def subjects(self) -> frozenset[SubjectType]:
        """The types of subjects to subscribe to."""
        if self.room or self.space:
            return frozenset({SubjectType.ROOM if self.room else SubjectType.SPACE})
        return frozenset({SubjectType.SPACE, SubjectType.ORGANIZATION})


@dataclass(frozen=True)
class MessageFilter:
    """The messages to show, as the options name them; actors by id or email address. Other events of rooms have a type
    of room too."""

    senders: Sequence[str] = ()
    mentions: Sequence[str] = ()
    words: Sequence[str] = ()
    thread: ThreadPlace | None = None
    sender_type: SenderType | None = None
    room_type: RoomType | None = None


class Member(Struct, frozen=True):
    """A member of the organization."""

    person_id: UUID
    email: str | None = None


def chosen_types(
    patterns: Sequence[str], subjects: AbstractSet[SubjectType], filters: AbstractSet[str]
) -> list[SubscriptionType]:
    """Return the types that fit a pattern, such as `message_*`, and have events of these subjects and these filters.
    Raise CommandError for a pattern without such a type."""
    chosen = dict[SubscriptionType, None]()
    for pattern in patterns:
        named = [each for each in SubscriptionType if fnmatchcase(each.event_type, pattern)]
        if not named:
            known = ", ".join(each.event_type for each in SubscriptionType)
            raise CommandError(f"--event {pattern}: no such event. The events are {known}")
        placed = [each for each in named if subjects & set(each.subjects)]
        if not placed:
            raise CommandError(f"--event {pattern}: {PLACES[frozenset(subjects)]} has no such events")
        fitting = [each for each in placed if filters <= set(each.filters)]
        if not fitting:
            able = ", ".join(each.event_type for each in SubscriptionType if filters <= set(each.filters))
            raise CommandError(f"{', '.join(OPTIONS[each] for each in sorted(filters))}: only for {able}")
        chosen |= dict.fromkeys(fitting)
    return list(chosen)


def subscriptions(
    types: Sequence[SubscriptionType], targets: Sequence[tuple[SubjectType, UUID]], chosen: Filter, *, texts: bool
) -> list[Subscription]:
    """Return the subscriptions to these types at each target; with `texts`, events include their message."""
    return [
        Subscription(
            target,
            subject_id,
            kind,
            chosen if chosen != Filter() else None,
            (Included.MESSAGE,) if texts and kind.has_text else (),
        )
        for target, subject_id in targets
        for kind in types
        if target in kind.subjects
    ]


def filters_in(chosen: Filter) -> frozenset[str]:
    """Return the names of the fields that are set."""
    return frozenset(name for name, value in structs.asdict(chosen).items() if value)


async def as_filter(server: AsyncAtrium, organization: UUID, given: MessageFilter) -> Filter:
    """Return the filter with the ids of its actors. Raise CommandError for an unknown one."""
    return Filter(
        sender_ids=await _actors(server, organization, given.senders) or None,
        words=list(given.words) or None,
        mentions=await _actors(server, organization, given.mentions) or None,
        thread=given.thread,
        sender_type=given.sender_type,
        room_type=given.room_type,
    )


async def _actors(server: AsyncAtrium, organization: UUID, given: Sequence[str]) -> list[UUID]:
    by_email = dict[str, UUID]()
    if any("@" in each for each in given):
        members = server.iterate(f"/v1/organizations/{organization}/members", "members", Member)
        by_email = {each.email.casefold(): each.person_id async for each in members if each.email}
    return [by_email.get(each.casefold()) or _id(each) for each in given]


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise CommandError(f"{text} is neither an id nor the email address of a member") from None

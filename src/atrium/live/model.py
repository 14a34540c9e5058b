"""The position of a stream: which events its client has received. It is the opaque id of each event.

A position is a snapshot of the database: every event that the snapshot shows has been sent. Between two snapshots it
is both of them and the number of the last event that was sent.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple, Self
from uuid import UUID

from atrium.events import ACCESS_CHANGES, PUBLIC
from atrium.kit.clock import MAX_SKEW, to_ms

RETENTION = timedelta(hours=24)
MAX_ID_LENGTH = 8192
SNAPSHOT = r"\d{1,19}:\d{1,19}:(?:\d{1,19}(?:,\d{1,19})*)?"
ID = re.compile(rf"([0-9a-f]{{8}})\.(\d{{1,14}})\.({SNAPSHOT})(?:\.({SNAPSHOT})\.(\d{{1,18}}))?", re.ASCII)


def is_snapshot(text: str) -> bool:
    """Return whether the text can be a snapshot in PostgreSQL's notation: `xmin:xmax:running,running`."""
    low, high, rest = text.split(":")
    running = [int(each) for each in rest.split(",")] if rest else []
    in_order = all(one < other for one, other in pairwise(running))
    within = not running or int(low) <= running[0] <= running[-1] < int(high)
    return 0 < int(low) <= int(high) < 1 << 63 and in_order and within


def end_of(snapshot: str) -> int:
    """Return the first transaction that had not begun."""
    return int(snapshot.split(":")[1])


class StreamPosition(NamedTuple):
    """The events that a client has received: those visible in the snapshot `seen`, and those up to `seq` that became
    visible by `until`."""

    identity: str
    at_ms: int
    seen: str
    until: str | None = None
    seq: int = 0

    def __str__(self) -> str:
        """Return the id of an event, which is opaque to clients."""
        between = f".{self.until}.{self.seq}" if self.until is not None else ""
        return f"{self.identity}.{self.at_ms}.{self.seen}{between}"

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the position that an id stands for; None if the id is invalid."""
        found = ID.fullmatch(text) if len(text) <= MAX_ID_LENGTH else None
        if found is None or not all(is_snapshot(each) for each in (found[3], found[4]) if each):
            return None
        return cls(found[1], int(found[2]), found[3], found[4], int(found[5] or 0))

    def can_be_resumed(self, present: "StreamPosition", now: datetime) -> bool:
        """Return whether the log has all later events: of this database, at most a day old and not in the future."""
        last = self.until or self.seen
        fresh = to_ms(now - RETENTION) <= self.at_ms <= to_ms(now + MAX_SKEW)
        return self.identity == present.identity and fresh and end_of(last) <= end_of(present.seen)


class Event(NamedTuple):
    """An event of the log, with its JSON."""

    seq: int
    kind: str
    space_id: UUID | None
    room_id: UUID | None
    actor_id: UUID | None
    organization_id: UUID | None
    body: str

    @property
    def changes_access(self) -> bool:
        """Return whether streams must read their access again before anything else is sent."""
        return self.kind in ACCESS_CHANGES

    @property
    def is_public(self) -> bool:
        """Return whether clients receive the event."""
        return self.kind in PUBLIC

    def render(self, event_id: StreamPosition) -> bytes:
        """Return the event in the format of server-sent events."""
        return f"id: {event_id}\nevent: {self.kind}\ndata: {self.body}\n\n".encode()


@dataclass(frozen=True)
class Subscription:
    """A client's subscription: its actor, its filters and its last event id. It uses the share of one of the
    `organizations`."""

    key_hash: bytes
    actor_id: UUID
    organization_id: UUID | None = None
    room_id: UUID | None = None
    last_event_id: str | None = None
    address: str | None = None
    organizations: Sequence[UUID] = ()


@dataclass(frozen=True)
class Access:
    """The access of a key's owner, and when the key expires or may otherwise stop, so that it must be read again."""

    actor_id: UUID | None
    spaces: frozenset[UUID]
    organizations: frozenset[UUID]
    expires_at: datetime | None

    def includes(self, event: Event) -> bool:
        """Return whether the event is for this actor: their own, or of a space or organization that they can access."""
        if event.space_id is not None and event.space_id not in self.spaces:
            return False
        if event.actor_id is not None:
            return event.actor_id == self.actor_id
        return event.space_id is not None or event.organization_id in self.organizations


NO_ACCESS = Access(None, frozenset(), frozenset(), None)

"""Where a stream stands: which events a client has been handed, as the opaque id of each event.

A position is a snapshot of the database: every event that the snapshot shows has been handed on. In the midst of what
lies between two snapshots, it is both, and the number of the last event handed on.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple, Self
from uuid import UUID

from atrium.events import CHANGES_OF_ACCESS, INTERNAL
from atrium.kit.clock import to_ms

KEPT = timedelta(hours=24)
LONGEST_ID = 8192
SNAPSHOT = r"\d{1,19}:\d{1,19}:(?:\d{1,19}(?:,\d{1,19})*)?"
ID = re.compile(rf"([0-9a-f]{{8}})\.(\d{{1,14}})\.({SNAPSHOT})(?:\.({SNAPSHOT})\.(\d{{1,18}}))?", re.ASCII)


def is_snapshot(text: str) -> bool:
    """Whether the text can be a snapshot as PostgreSQL writes one: `xmin:xmax:running,running`."""
    low, high, rest = text.split(":")
    running = [int(each) for each in rest.split(",")] if rest else []
    in_order = all(one < other for one, other in pairwise(running))
    within = not running or int(low) <= running[0] <= running[-1] < int(high)
    return 0 < int(low) <= int(high) < 1 << 63 and in_order and within


def end_of(snapshot: str) -> int:
    """The first transaction that had not begun."""
    return int(snapshot.split(":")[1])


class Position(NamedTuple):
    """What a client has been handed: all that `seen` shows, and of what `upto` shows beside it all up to `seq`."""

    identity: str
    at_ms: int
    seen: str
    upto: str | None = None
    seq: int = 0

    def __str__(self) -> str:
        """The id of an event, opaque to clients."""
        behind = f".{self.upto}.{self.seq}" if self.upto is not None else ""
        return f"{self.identity}.{self.at_ms}.{self.seen}{behind}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        """The position that an id stands for; None where it is no id of ours."""
        found = ID.fullmatch(text) if len(text) <= LONGEST_ID else None
        if found is None or not all(is_snapshot(each) for each in (found[3], found[4]) if each):
            return None
        return cls(found[1], int(found[2]), found[3], found[4], int(found[5] or 0))

    def can_be_resumed(self, present: "Position", now: datetime) -> bool:
        """Whether what came since is still there: of this database, not older than a day, and not of times to come."""
        last = self.upto or self.seen
        fresh = to_ms(now - KEPT) <= self.at_ms
        return self.identity == present.identity and fresh and end_of(last) <= end_of(present.seen)


class Event(NamedTuple):
    """An event as the log has it, with its JSON."""

    seq: int
    kind: str
    space_id: UUID | None
    room_id: UUID | None
    actor_id: UUID | None
    organization_id: UUID | None
    body: str

    @property
    def changes_access(self) -> bool:
        """Whether streams have to look anew at what they reach before anything else is handed on."""
        return self.kind in CHANGES_OF_ACCESS

    @property
    def is_shown(self) -> bool:
        """Whether clients are told; that a key changed is for us alone."""
        return self.kind not in INTERNAL

    def rendered(self, event_id: Position) -> bytes:
        """The event as a client reads it (server-sent events)."""
        return f"id: {event_id}\nevent: {self.kind}\ndata: {self.body}\n\n".encode()


@dataclass(frozen=True)
class Wanted:
    """Who wants to listen, to what, and from where on."""

    key_hash: bytes
    actor_id: UUID
    organization_id: UUID | None = None
    room_id: UUID | None = None
    last_event_id: str | None = None


@dataclass(frozen=True)
class Reach:
    """What the bearer of a key reaches, and until when the key works."""

    actor_id: UUID | None
    spaces: frozenset[UUID]
    organizations: frozenset[UUID]
    expires_at: datetime | None

    def holds(self, event: Event) -> bool:
        """Whether the event is for this actor: his own, or of a space or an organization that he reaches."""
        if event.space_id is not None and event.space_id not in self.spaces:
            return False
        if event.actor_id is not None:
            return event.actor_id == self.actor_id
        return event.space_id is not None or event.organization_id in self.organizations


NOWHERE = Reach(None, frozenset(), frozenset(), None)

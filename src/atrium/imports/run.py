"""One run of an import, and what it did."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from atrium.kit.database import Connection

Advance = Callable[[int], None]


@dataclass(frozen=True)
class Destination:
    """Where an import goes."""

    organization_id: UUID
    space_id: UUID


@dataclass
class Count:
    """How many came in, and how many were there already."""

    added: int = 0
    known: int = 0

    def take(self, *, added: bool, number: int = 1) -> None:
        """Count `number` more on one side or the other."""
        if added:
            self.added += number
        else:
            self.known += number


@dataclass
class Tally:
    """Messages count replies too, each message of Slack's once; the rest is told in words where it happened."""

    people: Count = field(default_factory=Count)
    bots: Count = field(default_factory=Count)
    rooms: Count = field(default_factory=Count)
    messages: Count = field(default_factory=Count)
    replies: Count = field(default_factory=Count)
    reactions: Count = field(default_factory=Count)
    orphans: int = 0
    continued: int = 0
    cleaned: int = 0
    repeated: int = 0
    crowded_out: int = 0

    @property
    def remarks(self) -> list[str]:
        """What did not go as one might expect, a line each."""
        said = {
            "replies without the message they answer, which now stand at the top level": self.orphans,
            "messages added to go on with texts over 40,000 characters": self.continued,
            "messages with characters that cannot be kept (NUL, half surrogates), each now \ufffd": self.cleaned,
            "messages that the export has twice, taken once": self.repeated,
            "reactions left out, because a message has at most 128 KiB with them": self.crowded_out,
        }
        return [f"{what}: {number:,}" for what, number in said.items() if number]


@dataclass(frozen=True)
class Run:
    """What every step of an import works with; `advance` is told of messages done."""

    db: Connection
    into: Destination
    now: datetime
    advance: Advance
    tally: Tally = field(default_factory=Tally)

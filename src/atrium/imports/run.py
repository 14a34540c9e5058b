"""One run of an import and its counters."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, fields
from datetime import datetime
from uuid import UUID

from atrium.kit.postgres.database import Connection

Advance = Callable[[int], None]


async def _record_nothing() -> None:
    return


@dataclass(frozen=True)
class Destination:
    """The space that an import goes into."""

    organization_id: UUID
    space_id: UUID


@dataclass
class Count:
    """The numbers of added and of existing items."""

    added: int = 0
    known: int = 0

    def count(self, *, added: bool, number: int = 1) -> None:
        """Add `number` to one of the two."""
        if added:
            self.added += number
        else:
            self.known += number


@dataclass
class Counters:
    """The counters of an import. `messages` includes replies and counts each Slack message once."""

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
    blocks_cut: int = 0

    def merge(self, earlier: "Counters") -> "Counters":
        """Add the counters of an earlier run. Items that the earlier run added count as added, not as existing.

        Counts that do not depend on existing data are not summed.
        """
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        for name, count in own.items():
            if isinstance(count, Count):
                added = getattr(earlier, name).added
                own[name] = Count(count.added + added, max(0, count.known - added))
        for name in ("orphans", "continued", "crowded_out", "blocks_cut"):
            own[name] += getattr(earlier, name)
        return Counters(**own)

    @property
    def warnings(self) -> list[str]:
        """Return one line for each kind of change that the import made to the export."""
        counts = {
            "replies without their root message, now top-level messages": self.orphans,
            "messages added to continue texts over 40,000 characters": self.continued,
            "messages with characters that cannot be stored (NUL, lone surrogates), each now \ufffd": self.cleaned,
            "duplicate messages in the export, imported once": self.repeated,
            "reactions skipped, because a message with its reactions is limited to 128 KiB": self.crowded_out,
            "blocks skipped, because a message is limited to 128 KiB and 100 levels": self.blocks_cut,
        }
        return [f"{what}: {number:,}" for what, number in counts.items() if number]


@dataclass(frozen=True)
class Run:
    """The context of an import: its connection, destination, time and counters, and the address of the server.

    `advance` is called with the number of messages done. `record` is called at the end of each transaction, in which it
    may store the counters or raise an error, so that nothing of it is written.
    """

    db: Connection
    into: Destination
    base_url: str
    now: datetime
    advance: Advance
    record: Callable[[], Awaitable[None]] = _record_nothing
    counters: Counters = field(default_factory=Counters)

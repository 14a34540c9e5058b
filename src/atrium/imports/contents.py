"""What an export contains."""

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from atrium.imports.entries import Entry
from atrium.imports.slack import Author, Channel


@dataclass(frozen=True)
class Thread:
    """The threads of a channel: for the time of each message, that of its thread's first message, or 0."""

    roots: Mapping[int, int]

    def top_of(self, time_us: int, root_us: int) -> int:
        """Return the time of the top-level message of a reply, whether or not it is in the export; 0 if there is none,
        as a thread starts before its replies."""
        top_us = 0
        while 0 < root_us < time_us:
            top_us = time_us = root_us
            root_us = self.roots.get(root_us, 0)
        return top_us


@dataclass(frozen=True)
class ChannelContents:
    """A channel with its day files, and the times and thread times of its messages as two parallel arrays."""

    channel: Channel
    days: tuple[Entry, ...]
    times: "array[int]" = field(default_factory=lambda: array("q"))
    roots: "array[int]" = field(default_factory=lambda: array("q"))

    @property
    def created_us(self) -> int:
        """Return when the channel was created, or its first message if that is earlier; 0 if neither is known."""
        return min(filter(None, (self.channel.created_us, min(self.times, default=0))), default=0)

    @property
    def thread(self) -> Thread:
        """Return the threads of the channel."""
        return Thread(dict(zip(reversed(self.times), reversed(self.roots), strict=True)))

    @property
    def shared_times(self) -> frozenset[int]:
        """Return the times that several messages in the export share."""
        return frozenset(time for time, count in Counter(self.times).items() if count > 1)


@dataclass(frozen=True)
class ExportContents:
    """The contents of an export. `left_out` has one line for each kind of content that is skipped or not understood."""

    authors: Mapping[str, Author]
    channels: tuple[ChannelContents, ...]
    left_out: tuple[str, ...]

    @property
    def messages(self) -> int:
        """Return the number of messages in the day files."""
        return sum(len(contents.times) for contents in self.channels)

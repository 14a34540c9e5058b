"""Read all of an export once before anything is written, so that a broken export changes nothing."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zipfile import ZipInfo

from atrium.imports.archive import Archive, BrokenExport, read_array
from atrium.imports.run import Advance
from atrium.imports.slack import Author, Channel, SlackMessage, read_channel, read_message, read_user, unknown_user
from atrium.kit.clock import to_ms

CLOCKS_DIFFER_BY = timedelta(days=1)
MAX_SAME_TS = 4096  # messages with one ts, which is unique in Slack; more do not fit in an id
PRIVATE = ("groups.json", "dms.json", "mpims.json")


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
    days: tuple[ZipInfo, ...]
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
    """The contents of an export. `left_out` has one line for each kind of content that is skipped."""

    authors: Mapping[str, Author]
    channels: tuple[ChannelContents, ...]
    left_out: tuple[str, ...]

    @property
    def messages(self) -> int:
        """Return the number of messages in the day files."""
        return sum(len(contents.times) for contents in self.channels)


def scan_export(archive: Archive, now: datetime, advance: Advance) -> ExportContents:
    """Read the whole export; call `advance` for each day file. Raise BrokenExport if a part cannot be read."""
    users = {user.key: user for user in _users(archive)}
    channels = {contents.channel.id: contents for contents in _channels(archive)}
    latest_us = to_ms(now + CLOCKS_DIFFER_BY) * 1000
    unknown_users: dict[str, Author] = {}
    for contents in channels.values():
        for day in contents.days:
            for message in messages_of(archive, day):
                _require_past(message, latest_us, day)
                _add(contents, message, unknown_users)
            advance(1)
        _require_unique_ids(contents)
    return ExportContents(unknown_users | users, tuple(channels.values()), tuple(_skipped(archive, channels.values())))


def messages_of(archive: Archive, day: ZipInfo) -> Iterator[SlackMessage]:
    """Yield the messages of a day file, in its order. Raise BrokenExport."""
    for entry in read_array(archive, day):
        yield read_message(entry, day.filename)


def _users(archive: Archive) -> Iterator[Author]:
    member = archive.top["users.json"]
    return (read_user(entry, member.filename) for entry in read_array(archive, member))


def _channels(archive: Archive) -> Iterator[ChannelContents]:
    member = archive.top["channels.json"]
    entries = read_array(archive, member)
    if not entries:
        raise BrokenExport(f"{member.filename}: has no channels")
    for entry in entries:
        channel = read_channel(entry, member.filename)
        yield ChannelContents(channel, tuple(archive.days.get(channel.name) or archive.days.get(channel.id) or ()))


def _require_past(message: SlackMessage, latest_us: int, day: ZipInfo) -> None:
    """Reject a message from the future, which would move its room's clock forward permanently."""
    if message.time_us > latest_us:
        raise BrokenExport(f"{day.filename}: the ts {message.time_us / 1e6:.6f} is in the future")


def _require_unique_ids(contents: ChannelContents) -> None:
    for time_us, count in Counter(contents.times).most_common(1):
        if count > MAX_SAME_TS:
            raise BrokenExport(f"#{contents.channel.name}: {count:,} messages have the same ts {time_us / 1e6:.6f}")


def _add(contents: ChannelContents, message: SlackMessage, unknown_users: dict[str, Author]) -> None:
    contents.times.append(message.time_us)
    contents.roots.append(message.root_us)
    unknown_users.setdefault(message.author.key, message.author)
    for reaction in message.reactions:
        for user in reaction.users:
            unknown_users.setdefault(user, unknown_user(user))


def _skipped(archive: Archive, channels: Iterable[ChannelContents]) -> Iterator[str]:
    """Yield the folders that are skipped: private channels and direct messages, which would become public."""
    own = {day.filename for contents in channels for day in contents.days}
    others = {folder: days for folder, days in archive.days.items() if days[0].filename not in own}
    if not others:
        return
    files = sum(map(len, others.values()))
    named = ", ".join(list(others)[:5]) + (", …" if len(others) > 5 else "")
    private = [name for name in PRIVATE if name in archive.top]
    why = f"private channels and direct messages ({', '.join(private)})" if private else "not named in channels.json"
    yield f"folders skipped, {why}: {len(others):,} with {files:,} day files: {named}"

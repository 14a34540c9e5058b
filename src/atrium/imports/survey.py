"""The first walk through an export: everything in it is read once before anything is written, so that a broken one
leaves no trace."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zipfile import ZipInfo

from atrium.imports.archive import Archive, BrokenExport, read_array
from atrium.imports.run import Advance
from atrium.imports.slack import Author, Channel, SlackMessage, read_channel, read_message, read_user, stranger
from atrium.kit.clock import to_ms

CLOCKS_DIFFER_BY = timedelta(days=1)
MOST_AT_ONCE = 4096  # messages under one ts, where Slack itself has one; more do not fit in an id
PRIVATE = ("groups.json", "dms.json", "mpims.json")


@dataclass(frozen=True)
class Thread:
    """How the messages of a channel hang together: for each time, that of its thread's first message, 0 for none."""

    roots: Mapping[int, int]

    def top_of(self, time_us: int, root_us: int) -> int:
        """The time of the top-level message that a reply belongs under, in the export or not; 0 where there can be
        none, since a thread begins before its replies."""
        top_us = 0
        while 0 < root_us < time_us:
            top_us = time_us = root_us
            root_us = self.roots.get(root_us, 0)
        return top_us


@dataclass(frozen=True)
class SurveyedChannel:
    """A channel with its day files and, in step with each other, the times and the thread times of its messages."""

    channel: Channel
    days: tuple[ZipInfo, ...]
    times: "array[int]" = field(default_factory=lambda: array("q"))
    roots: "array[int]" = field(default_factory=lambda: array("q"))

    @property
    def opens_us(self) -> int:
        """When the channel was created, or before that its first message sent; 0 where neither is known."""
        return min(filter(None, (self.channel.created_us, min(self.times, default=0))), default=0)

    @property
    def thread(self) -> Thread:
        """How its messages hang together."""
        return Thread(dict(zip(reversed(self.times), reversed(self.roots), strict=True)))

    @property
    def shared_times(self) -> frozenset[int]:
        """The times under which the export has more than one message."""
        return frozenset(time for time, count in Counter(self.times).items() if count > 1)


@dataclass(frozen=True)
class Survey:
    """What an export holds. `left_out` says, a line each, what will not be imported."""

    authors: Mapping[str, Author]
    channels: tuple[SurveyedChannel, ...]
    left_out: tuple[str, ...]

    @property
    def messages(self) -> int:
        """How many entries its day files have."""
        return sum(len(each.times) for each in self.channels)


def survey(archive: Archive, now: datetime, advance: Advance) -> Survey:
    """Read the whole export; `advance` is told of each day file. Raises BrokenExport for whatever cannot be read."""
    users = {user.key: user for user in _users(archive)}
    channels = {each.channel.id: each for each in _channels(archive)}
    latest_us = to_ms(now + CLOCKS_DIFFER_BY) * 1000
    strangers: dict[str, Author] = {}
    for each in channels.values():
        for day in each.days:
            for message in messages_of(archive, day):
                _require_past(message, latest_us, day)
                _note(each, message, strangers)
            advance(1)
        _require_told_apart(each)
    return Survey(strangers | users, tuple(channels.values()), tuple(_left_out(archive, channels.values())))


def messages_of(archive: Archive, day: ZipInfo) -> Iterator[SlackMessage]:
    """The messages of a day file, as they stand there. Raises BrokenExport."""
    for entry in read_array(archive, day):
        yield read_message(entry, day.filename)


def _users(archive: Archive) -> Iterator[Author]:
    member = archive.top["users.json"]
    return (read_user(entry, member.filename) for entry in read_array(archive, member))


def _channels(archive: Archive) -> Iterator[SurveyedChannel]:
    member = archive.top["channels.json"]
    entries = read_array(archive, member)
    if not entries:
        raise BrokenExport(f"{member.filename}: names no channel")
    for entry in entries:
        channel = read_channel(entry, member.filename)
        yield SurveyedChannel(channel, tuple(archive.days.get(channel.name) or archive.days.get(channel.id) or ()))


def _require_past(message: SlackMessage, latest_us: int, day: ZipInfo) -> None:
    """A message of the future would push the clock of its room there, for good."""
    if message.time_us > latest_us:
        raise BrokenExport(f"{day.filename}: the ts {message.time_us / 1e6:.6f} lies in the future")


def _require_told_apart(each: SurveyedChannel) -> None:
    for time_us, count in Counter(each.times).most_common(1):
        if count > MOST_AT_ONCE:
            raise BrokenExport(f"#{each.channel.name}: {count:,} messages have the same ts {time_us / 1e6:.6f}")


def _note(each: SurveyedChannel, message: SlackMessage, strangers: dict[str, Author]) -> None:
    each.times.append(message.time_us)
    each.roots.append(message.root_us)
    strangers.setdefault(message.author.key, message.author)
    for reaction in message.reactions:
        for user in reaction.users:
            strangers.setdefault(user, stranger(user))


def _left_out(archive: Archive, channels: Iterable[SurveyedChannel]) -> Iterator[str]:
    """Private channels and direct messages stay out: whoever may read the room could read them."""
    own = {day.filename for each in channels for day in each.days}
    others = {folder: days for folder, days in archive.days.items() if days[0].filename not in own}
    if not others:
        return
    files = sum(map(len, others.values()))
    named = ", ".join(list(others)[:5]) + (", …" if len(others) > 5 else "")
    private = [name for name in PRIVATE if name in archive.top]
    why = f"private channels and direct messages ({', '.join(private)})" if private else "not named in channels.json"
    yield f"folders left out, {why}: {len(others):,} with {files:,} day files: {named}"

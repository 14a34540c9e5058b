"""Read all of an export once before anything is written, so that a broken export changes nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator

from atrium.imports.archive import PRIVATE, Archive, BrokenExport, read_array
from atrium.imports.authors import Authors
from atrium.imports.contents import ChannelContents, ExportContents
from atrium.imports.entries import Entry, same_form
from atrium.imports.notes import Notes, listed
from atrium.imports.run import Advance
from atrium.imports.slack import KINDS, ExportedMessage, is_record, read_channel, read_exported, read_user
from atrium.slack.blockkit import BlockKit
from atrium.slack.content import convert
from atrium.slack.mrkdwn import Names

MAX_SAME_TS = 4096  # messages with one ts, which is unique in Slack; more do not fit in an id
UNNAMED = Names({}, {})
SAME_ID = "channels and people that the export names twice, the last of which counts"
CREATED = "channels created at an impossible time, now as old as their first message"
EDITED = "messages edited at an impossible time, now without one"
RECORDS = "records of changes to messages, skipped"
UNKNOWN = "messages of an unknown kind, imported with their text"
EMPTY = "messages without any content"
UNCONVERTED = "parts of messages without a counterpart, skipped"
NO_FOLDER = "channels without a folder, imported without messages"


def scan_export(archive: Archive, advance: Advance) -> ExportContents:
    """Read the whole export; call `advance` for each day file. Raise BrokenExport if a part cannot be read."""
    notes, authors = archive.notes, Authors()
    for entry in read_array(archive, archive.top["users.json"]):
        user = read_user(entry, "users.json")
        if not authors.add_listed(user):
            notes.add(SAME_ID, user.key)
    channels = _channels(archive, notes)
    for contents in channels:
        for day in contents.days:
            for message in messages_of(archive, day, notes):
                _require_past(message, archive.latest_us, day)
                contents.times.append(message.time_us)
                contents.roots.append(message.root_us)
                authors.add(message)
                _note(notes, message)
            advance(1)
        _require_unique_ids(contents)
    return ExportContents(authors.named(), channels, (*_skipped(archive, channels), *notes.lines()))


def messages_of(archive: Archive, day: Entry, notes: Notes | None = None) -> Iterator[ExportedMessage]:
    """Yield the messages of a day file, in its order; note what is none. Raise BrokenExport."""
    for entry in read_array(archive, day):
        if not is_record(entry):
            yield read_exported(entry, day.name, archive.latest_us)
        elif notes:
            notes.add(RECORDS, entry["subtype"])


def _channels(archive: Archive, notes: Notes) -> tuple[ChannelContents, ...]:
    channels = dict[str, ChannelContents]()
    for entry in read_array(archive, archive.top["channels.json"]):
        channel = read_channel(entry, "channels.json", archive.latest_us)
        days = archive.days.get(same_form(channel.name)) or archive.days.get(channel.id) or ()
        if channel.id in channels:
            notes.add(SAME_ID, channel.name)
        if not days:
            notes.add(NO_FOLDER, channel.name)
        if channel.created_us is None:
            notes.add(CREATED, channel.name)
        channels[channel.id] = ChannelContents(channel, tuple(days))
    if not channels:
        raise BrokenExport("channels.json: has no channels")
    return tuple(channels.values())


def _require_past(message: ExportedMessage, latest_us: int, day: Entry) -> None:
    """Reject a message from the future, which would move its room's clock forward permanently."""
    if message.time_us > latest_us:
        raise BrokenExport(f"{day.name}: the ts {message.time_us / 1e6:.6f} is in the future")


def _require_unique_ids(contents: ChannelContents) -> None:
    for time_us, count in Counter(contents.times).most_common(1):
        if count > MAX_SAME_TS:
            raise BrokenExport(f"#{contents.channel.name}: {count:,} messages have the same ts {time_us / 1e6:.6f}")


def _note(notes: Notes, message: ExportedMessage) -> None:
    if message.edited_us is None:
        notes.add(EDITED, message.author.name)
    if message.kind not in KINDS:
        notes.add(UNKNOWN, message.kind or "without a type")
    if message.is_empty:
        notes.add(EMPTY, message.kind)
    if message.content.blocks or message.content.attachments:
        kit = BlockKit(UNNAMED)
        convert(message.content, kit)
        for what, number in kit.skipped.items():
            notes.add(UNCONVERTED, what, number)


def _skipped(archive: Archive, channels: Iterable[ChannelContents]) -> Iterator[str]:
    """Yield the folders that are skipped: private channels and direct messages, which would become public."""
    own = {day.path for contents in channels for day in contents.days}
    others = {folder: days for folder, days in archive.days.items() if days[0].path not in own}
    if not others:
        return
    files = sum(map(len, others.values()))
    named = listed(dict.fromkeys(others, 1))
    private = [name for name in PRIVATE if name in archive.top]
    why = f"private channels and direct messages ({', '.join(private)})" if private else "not named in channels.json"
    yield f"folders skipped, {why}: {len(others):,} with {files:,} day files: {named}"

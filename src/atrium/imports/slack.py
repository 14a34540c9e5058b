"""Parse the JSON of a Slack export into frozen types. Pure.

Slack identifies a message by its channel and `ts`, seconds since 1970 with six decimals; here times are microseconds.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from atrium.imports.archive import BrokenExport
from atrium.kit.text.types import first_name
from atrium.slack.content import without_repetition
from atrium.slack.model import Json, SlackMessage, objects, read_message, text_of
from atrium.slack.mrkdwn import NOT_STORABLE, storable

TS = re.compile(r"\d{1,12}(\.\d{1,6})?")
EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
SLACKBOT = "USLACKBOT"
EARLIEST_US = 946_684_800_000_000  # the year 2000
RECORDS = ("message_changed", "message_deleted", "message_replied")
# What Slack calls its kinds of messages: people's, and notices with a text.
KINDS = frozenset(
    {
        "message",
        "bot_message",
        "me_message",
        "file_share",
        "file_comment",
        "file_mention",
        "thread_broadcast",
        "reply_broadcast",
        "tombstone",
        "channel_join",
        "channel_leave",
        "channel_topic",
        "channel_purpose",
        "channel_name",
        "channel_archive",
        "channel_unarchive",
        "channel_convert_to_private",
        "channel_convert_to_public",
        "channel_posting_permissions",
        "channel_canvas_updated",
        "group_join",
        "group_leave",
        "group_topic",
        "group_purpose",
        "group_name",
        "group_archive",
        "group_unarchive",
        "pinned_item",
        "unpinned_item",
        "bot_add",
        "bot_remove",
        "bot_enable",
        "bot_disable",
        "reminder_add",
        "reminder_delete",
        "slackbot_response",
        "sh_room_created",
        "sh_room_shared",
        "huddle_thread",
        "joiner_notification",
        "joiner_notification_for_inviter",
        "app_conversation_join",
        "app_conversation_leave",
        "assistant_app_thread",
        "document_mention",
        "ekm_access_denied",
    }
)


@dataclass(frozen=True, slots=True)
class Author:
    """The author of a message or reaction: a user of the workspace, or a bot. `key` is unique."""

    key: str
    name: str
    is_bot: bool = False
    email: str | None = None
    active: bool = True

    @property
    def id_as_name(self) -> str:
        """Return a name for an author of whom the export has only the id."""
        return _name(self.key.removesuffix("/"))


@dataclass(frozen=True, slots=True)
class Channel:
    """A public channel. `created_us` is 0 if the export does not say, None if it has an impossible time."""

    id: str
    name: str
    description: str
    created_us: int | None
    archived: bool
    creator: str


@dataclass(frozen=True, slots=True)
class Reaction:
    """An emoji's short name and the users who reacted with it."""

    emoji: str
    users: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExportedMessage:
    """A message. `root_us` is the time of its thread's first message, or 0 if it is not a reply. `edited_us` is 0 if it
    was not edited, None if the export has an impossible time. `files` are links in mrkdwn."""

    time_us: int
    root_us: int
    author: Author
    kind: str
    content: SlackMessage
    files: str
    reactions: tuple[Reaction, ...]
    edited_us: int | None
    cleaned: bool

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing to show."""
        content = self.content
        return not (text_of(content.text).strip() or content.blocks or content.attachments or self.files)


def read_user(entry: Any, where: str) -> Author:
    """Return a user of users.json. Raise BrokenExport if it has no id."""
    entry, profile = _object(entry, where), _part(entry, "profile")
    key = _text(entry, "id")
    if not key:
        raise BrokenExport(f"{where}: a user has no id")
    names = (
        _text(profile, "real_name"),
        _text(entry, "real_name"),
        _text(profile, "display_name"),
        _text(entry, "name"),
    )
    email = _text(profile, "email").strip()
    return Author(
        key,
        _name(*names, key),
        is_bot=entry.get("is_bot") is True or key == SLACKBOT,
        email=email if len(email) <= 254 and EMAIL.fullmatch(email) else None,
        active=entry.get("deleted") is not True,
    )


def read_channel(entry: Any, where: str, latest_us: int) -> Channel:
    """Return a channel of channels.json. Raise BrokenExport if it has no id or no name."""
    entry = _object(entry, where)
    key, name = _text(entry, "id"), _text(entry, "name")
    if not key or not name.strip():
        raise BrokenExport(f"{where}: a channel has no {'name' if key else 'id'}")
    description = _text(_part(entry, "purpose"), "value") or _text(_part(entry, "topic"), "value")
    created_us = _possible(entry.get("created"), EARLIEST_US, latest_us)
    archived = entry.get("is_archived") is True
    return Channel(key, name[:200], description[:2000], created_us, archived, _text(entry, "creator"))


def is_record(entry: Any) -> bool:
    """Return whether an entry of a day file is no message but the record of a change to one."""
    return isinstance(entry, dict) and _text(entry, "subtype") in RECORDS


def read_exported(entry: Any, where: str, latest_us: int) -> ExportedMessage:
    """Return a message of a day file. Raise BrokenExport if it has no valid ts."""
    entry = _object(entry, where)
    time_us = _time(entry.get("ts"), f"{where}: a message has no ts" if "ts" not in entry else f"{where}: the ts")
    thread_ts = entry.get("thread_ts")
    root_us = _time(thread_ts, f"{where}: the thread_ts") if thread_ts is not None else 0
    edited_us = _possible(_part(entry, "edited").get("ts"), time_us, latest_us)
    content, files = _content(entry), "\n".join(_files(entry))
    return ExportedMessage(
        time_us,
        root_us if root_us != time_us else 0,
        _author(entry),
        _text(entry, "subtype") or _text(entry, "type"),
        content,
        files,
        tuple(_reactions(entry)),
        edited_us,
        bool(NOT_STORABLE.search(f"{text_of(content.text)}{files}")),
    )


def _content(entry: Json) -> SlackMessage:
    """Return the text, the attachments and the blocks that say more than the text; or the text of a comment."""
    message = without_repetition(read_message(entry))
    comment = _raw(_part(entry, "comment"), "comment")
    return SlackMessage(comment) if comment and message == SlackMessage() else message


def _possible(time: Any, earliest_us: int, latest_us: int) -> int | None:
    """Return a time in seconds as microseconds, 0 if there is none, or None if it is before or after these two."""
    if time is None or time in ("", 0):
        return 0
    text = str(time) if isinstance(time, str | int | float) and not isinstance(time, bool) else ""
    time_us = in_microseconds(text) if TS.fullmatch(text) else -1
    return time_us if earliest_us <= time_us <= latest_us else None


def in_microseconds(ts: str) -> int:
    """Return a ts such as `1494517568.512661` in microseconds."""
    seconds, _, fraction = ts.partition(".")
    return int(seconds) * 1_000_000 + int(fraction.ljust(6, "0"))


def _time(ts: Any, subject: str) -> int:
    if not isinstance(ts, str) or not TS.fullmatch(ts):
        reason = "" if subject.endswith("no ts") else f" {ts!r} is not a Slack timestamp"
        raise BrokenExport(subject + reason)
    return in_microseconds(ts)


def _author(entry: dict[str, Any]) -> Author:
    """Return the user, else the bot by the name it used, else the author of the comment, else Slack itself."""
    user, bot = _text(entry, "user"), _text(entry, "bot_id")
    name = _text(entry, "username") or _text(_part(entry, "bot_profile"), "name")
    if user:
        profile = _part(entry, "user_profile")
        own = (_text(profile, field) for field in ("real_name", "display_name", "first_name", "name"))
        display_name = _name(*own, name, user)
        return Author(
            user, "Slackbot" if user == SLACKBOT else display_name, is_bot=bool(bot) or user == SLACKBOT, active=False
        )
    if bot or name:
        return Author(f"{bot}/{name}", _name(name, bot), is_bot=True, active=False)
    commenter = _text(_part(entry, "comment"), "user")
    return unknown_user(commenter) if commenter else Author("/", "Slack", is_bot=True, active=False)


def unknown_user(key: str) -> Author:
    """Return a user that the export knows only by id."""
    return Author(key, _name(key), active=False)


def _reactions(entry: dict[str, Any]) -> Iterator[Reaction]:
    found: dict[str, dict[str, None]] = {}
    for reaction in objects(entry.get("reactions")):
        users = reaction.get("users")
        named = [user for user in users if isinstance(user, str) and user] if isinstance(users, list) else []
        if emoji := _text(reaction, "name"):
            found.setdefault(emoji, {}).update(dict.fromkeys(storable(user) for user in named))
    return (Reaction(emoji, tuple(users)) for emoji, users in found.items() if users)


def _files(entry: dict[str, Any]) -> Iterator[str]:
    files = objects(entry.get("files")) or ([_part(entry, "file")] if _part(entry, "file") else [])
    for file in files:
        title = _raw(file, "title") or _raw(file, "name") or "file"
        yield _linked(title, _raw(file, "permalink") or _raw(file, "url_private"))


def _linked(title: str, url: str) -> str:
    """Return a link in mrkdwn."""
    plain = re.sub(r"[<>|\n]", " ", title)
    return f"<{url}|{plain}>" if url else plain


def _object(entry: Any, where: str) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise BrokenExport(f"{where}: contains something that is not a JSON object")
    return entry


def _part(entry: Any, field: str) -> dict[str, Any]:
    part = entry.get(field) if isinstance(entry, dict) else None
    return part if isinstance(part, dict) else {}


def _raw(entry: dict[str, Any], field: str) -> str:
    value = entry.get(field)
    return value if isinstance(value, str) else ""


def _text(entry: dict[str, Any], field: str) -> str:
    return storable(_raw(entry, field))


def _name(*candidates: str) -> str:
    return first_name(*candidates, otherwise="Unknown")

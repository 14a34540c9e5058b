"""Parse the JSON of a Slack export into frozen types. Pure.

Slack identifies a message by its channel and `ts`, seconds since 1970 with six decimals; here times are microseconds.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from atrium.imports.archive import BrokenExport
from atrium.kit.text.types import first_name

TS = re.compile(r"\d{1,12}(\.\d{1,6})?")
EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
NOT_STORABLE = re.compile("[\x00\ud800-\udfff]")  # PostgreSQL cannot store NUL or lone surrogates
SLACKBOT = "USLACKBOT"


@dataclass(frozen=True, slots=True)
class Author:
    """The author of a message or reaction: a user of the workspace, or a bot. `key` is unique."""

    key: str
    name: str
    is_bot: bool = False
    email: str | None = None
    active: bool = True


@dataclass(frozen=True, slots=True)
class Channel:
    """A public channel. `created_us` is 0 if the export does not say."""

    id: str
    name: str
    description: str
    created_us: int
    archived: bool
    creator: str


@dataclass(frozen=True, slots=True)
class Reaction:
    """An emoji's short name and the users who reacted with it."""

    emoji: str
    users: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """A message. `root_us` is the time of its thread's first message, or 0 if it is not a reply."""

    time_us: int
    root_us: int
    author: Author
    mrkdwn: str
    reactions: tuple[Reaction, ...]
    edited_us: int
    cleaned: bool


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
        key, _name(*names, key), is_bot=entry.get("is_bot") is True or key == SLACKBOT,
        email=email if len(email) <= 254 and EMAIL.fullmatch(email) else None, active=entry.get("deleted") is not True,
    )  # fmt: skip


def read_channel(entry: Any, where: str) -> Channel:
    """Return a channel of channels.json. Raise BrokenExport if it has no id or no name."""
    entry = _object(entry, where)
    key, name = _text(entry, "id"), _text(entry, "name")
    if not key or not name.strip():
        raise BrokenExport(f"{where}: a channel has no {'name' if key else 'id'}")
    description = _text(_part(entry, "purpose"), "value") or _text(_part(entry, "topic"), "value")
    created = entry.get("created")
    created_us = created * 1_000_000 if isinstance(created, int) and created > 0 else 0
    archived = entry.get("is_archived") is True
    return Channel(key, name[:200], description[:2000], created_us, archived, _text(entry, "creator"))


def read_message(entry: Any, where: str) -> SlackMessage:
    """Return a message of a day file. Raise BrokenExport if it has no valid ts."""
    entry = _object(entry, where)
    time_us = _time(entry.get("ts"), f"{where}: a message has no ts" if "ts" not in entry else f"{where}: the ts")
    thread_ts = entry.get("thread_ts")
    root_us = _time(thread_ts, f"{where}: the thread_ts") if thread_ts is not None else 0
    mrkdwn = "\n".join(filter(None, [_mrkdwn(entry), *_files(entry)]))
    edited_ts = _part(entry, "edited").get("ts")
    edited_us = in_microseconds(edited_ts) if isinstance(edited_ts, str) and TS.fullmatch(edited_ts) else 0
    return SlackMessage(
        time_us, root_us if root_us != time_us else 0, _author(entry), NOT_STORABLE.sub("\ufffd", mrkdwn),
        tuple(_reactions(entry)), edited_us, bool(NOT_STORABLE.search(mrkdwn)),
    )  # fmt: skip


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
        display_name = _name(_text(profile, "real_name"), _text(profile, "display_name"), name, user)
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
    for reaction in _parts(entry, "reactions"):
        users = reaction.get("users")
        named = [user for user in users if isinstance(user, str) and user] if isinstance(users, list) else []
        if emoji := _text(reaction, "name"):
            found.setdefault(emoji, {}).update(dict.fromkeys(NOT_STORABLE.sub("\ufffd", user) for user in named))
    return (Reaction(emoji, tuple(users)) for emoji, users in found.items() if users)


def _mrkdwn(entry: dict[str, Any]) -> str:
    """Return the text or, as bots often send none, the texts of attachments and blocks."""
    text = _raw(entry, "text")
    if text.strip():
        return text
    lines = [_raw(_part(block, "text"), "text") for block in _parts(entry, "blocks")]
    for part in _parts(entry, "attachments"):
        own = [_raw(part, "pretext"), _linked(_raw(part, "title"), _raw(part, "title_link")), _raw(part, "text")]
        lines += own if any(own) else [_raw(part, "fallback")]
    comment = _raw(_part(entry, "comment"), "comment")
    return "\n".join(filter(None, [*lines, comment]))


def _files(entry: dict[str, Any]) -> Iterator[str]:
    files = _parts(entry, "files") or ([_part(entry, "file")] if _part(entry, "file") else [])
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


def _parts(entry: dict[str, Any], field: str) -> list[dict[str, Any]]:
    parts = entry.get(field)
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def _raw(entry: dict[str, Any], field: str) -> str:
    value = entry.get(field)
    return value if isinstance(value, str) else ""


def _text(entry: dict[str, Any], field: str) -> str:
    return NOT_STORABLE.sub("\ufffd", _raw(entry, field))


def _name(*candidates: str) -> str:
    return first_name(*candidates, otherwise="Unknown")

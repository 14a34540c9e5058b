"""Write past conversations as a Slack export: an import keeps the time of each message."""

import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from demo.organization import Organization, Room
from demo.talk import Message

Entry = dict[str, Any]
MENTION = re.compile(r"@(\w+)")


def write_team_export(
    path: Path, organization: Organization, talks: Sequence[tuple[Room, Sequence[Message]]], today: date
) -> None:
    """Write the conversations of rooms up to yesterday, each room as a channel."""
    users = [
        {"id": key, "name": key, "profile": {"real_name": person.name, "email": organization.email(key)}}
        for key, person in organization.people.items()
    ]
    channels = [
        {"id": f"C-{room.name}", "name": room.name, "purpose": {"value": room.description}} for room, _ in talks
    ]
    messages = {room.name: _entries(talk, today, frozenset(organization.people)) for room, talk in talks}
    write_export(path, users, channels, messages)


def write_export(
    path: Path, users: Sequence[Entry], channels: Sequence[Entry], messages: Mapping[str, Sequence[Entry]]
) -> None:
    """Write users, channels and each channel's messages in the layout of Slack's exports: a file per day."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("users.json", json.dumps(users))
        archive.writestr("channels.json", json.dumps(channels))
        for channel, entries in messages.items():
            days: dict[str, list[Entry]] = defaultdict(list)
            for entry in sorted(entries, key=lambda entry: float(entry["ts"])):
                days[datetime.fromtimestamp(float(entry["ts"]), UTC).date().isoformat()].append(entry)
            for day, sent in days.items():
                archive.writestr(f"{channel}/{day}.json", json.dumps(sent))


def _entries(talk: Sequence[Message], today: date, people: frozenset[str]) -> list[Entry]:
    entries = list[Entry]()
    for root in talk:
        thread = [_entry(message, today, people) for message in (root, *root.replies)]
        if root.replies:
            for entry in thread:
                entry["thread_ts"] = thread[0]["ts"]
        entries += thread
    return entries


def _entry(message: Message, today: date, people: frozenset[str]) -> Entry:
    text = MENTION.sub(lambda found: f"<@{found[1]}>" if found[1] in people else found[0], message.text)
    reactions = [{"name": emoji, "users": users} for emoji, users in message.reactions.items()]
    ts = f"{message.sent_at(today).timestamp():.6f}"
    return {"type": "message", "user": message.person, "text": text, "ts": ts, "reactions": reactions}

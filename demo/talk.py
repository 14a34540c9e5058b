"""A room's conversation, read from `content/ROOM.talk`.

    = 12                              twelve working days ago; `= today` at the end
    maren 09:12: Good morning!        a message: who, when (in UTC; not today's) and text
        yuki 09:15: Morning!          a reply to it
        + 👍 tom idris                reactions to the message or reply above
        ! forecast.png                a file of `drawings.py` that goes with it

Any other line belongs to the text above it.
"""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from textwrap import dedent

from msgspec import Struct

from demo.organization import CONTENT

DAY = re.compile(r"= (\d+|today)$")
MESSAGE = re.compile(r"( *)(\w+)(?: (\d\d:\d\d))?: (.*)$")
REACTION = re.compile(r" +\+ (\S+) ([\w ]+)$")
FILE = re.compile(r" +! (\S+)$")


class Message(Struct):
    """A message of the demo. `days_ago` counts working days; today's messages have no time."""

    person: str
    days_ago: int
    at: time | None
    text: str
    reactions: dict[str, list[str]] = {}
    files: list[str] = []
    replies: list["Message"] = []

    def sent_at(self, today: date) -> datetime:
        """Return when it was sent, in UTC."""
        return datetime.combine(working_day(today, self.days_ago), self.at or time(), UTC)


def read_talk(room: str, people: Iterable[str]) -> list[Message]:
    """Return the top-level messages of a room, oldest first; a room without a file has none."""
    path = CONTENT / f"{room}.talk"
    return parse_talk(path.read_text(), frozenset(people)) if path.exists() else []


def parse_talk(text: str, people: frozenset[str]) -> list[Message]:
    """Return the top-level messages of a conversation."""
    days_ago, threads, newest = 0, list[Message](), None
    for line in text.splitlines():
        if day := DAY.match(line):
            days_ago = 0 if day[1] == "today" else int(day[1])
        elif (found := MESSAGE.match(line)) and found[2] in people:
            newest = Message(found[2], days_ago, time.fromisoformat(found[3]) if found[3] else None, found[4])
            (threads[-1].replies if found[1] else threads).append(newest)
        elif newest is None:
            raise ValueError(f"{line!r} comes before the first message")
        elif reaction := REACTION.match(line):
            newest.reactions[reaction[1]] = reaction[2].split()
        elif file := FILE.match(line):
            newest.files.append(file[1])
        else:
            newest.text += f"\n{line}"
    for message in (each for thread in threads for each in (thread, *thread.replies)):
        message.text = _dedent(message.text)
    return threads


def working_day(today: date, days_ago: int) -> date:
    """Return the day `days_ago` working days before `today`."""
    day = today
    for _ in range(days_ago):
        day -= timedelta(days=3 if day.weekday() == 0 else 2 if day.weekday() == 6 else 1)
    return day


def _dedent(text: str) -> str:
    first, _, rest = text.partition("\n")
    return f"{first}\n{dedent(rest)}".rstrip()

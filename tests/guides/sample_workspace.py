"""A generated workspace with a long history, as a Slack export, for the guides to import and read."""

import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from demo.slack_export import write_export

PEOPLE = ["Ada", "Brendan", "Chidi", "Dagny", "Emeka", "Fumiko", "Grace", "Hedy", "Ines", "Joan", "Katsuko", "Linus"]
OPENERS = [
    "The release notes for {thing} are up for review.", "Has anyone seen {thing} fail on a fresh machine?",
    "I moved {thing} to the new host over the weekend.", "Draft of the plan for {thing} is in the handbook.",
    "Today's numbers for {thing} look *much* better.", "Who can pair on {thing} this afternoon?",
]  # fmt: skip
THINGS = ["the importer", "search", "billing", "the mobile layout", "backups", "the welcome mail", "the audit page"]
REPLIES = [
    "Looking now.", "Works here.", "I can take it.", "Thank you!", "Let's talk at eleven.", "See `make check` first.",
    "That was the cache, fixed.", "+1", "Not before Friday, I fear.",
]  # fmt: skip
DAYS, THREADS_A_DAY = 400, 4


def write_archive(path: Path, now: datetime) -> None:
    """Write about four thousand messages over the last four hundred days, deterministic for each `now`."""
    rng = random.Random(1843)
    users = [{"id": f"U{n:08}", "name": name.lower(), "real_name": name} for n, name in enumerate(PEOPLE, 1)]
    start = (now - timedelta(days=DAYS)).replace(hour=0, minute=0, second=0, microsecond=0)
    messages = [
        message
        for day in range(DAYS)
        for message in _day(rng, start + timedelta(days=day), users)
        if float(message["ts"]) < now.timestamp()
    ]
    channel = {"id": "C00000001", "name": "workshop", "created": int(start.timestamp()), "is_archived": False}
    write_export(path, users, [channel], {"workshop": messages})


def _day(rng: random.Random, midnight: datetime, users: list[dict[str, str]]) -> list[dict[str, Any]]:
    made = []
    for _ in range(rng.randrange(THREADS_A_DAY) if midnight.weekday() < 5 else 0):
        at = midnight.timestamp() + rng.uniform(7, 19) * 3600
        root = _message(rng, at, users, rng.choice(OPENERS).format(thing=rng.choice(THINGS)))
        replies = [
            _message(rng, at + (n + 1) * rng.uniform(20, 900), users, rng.choice(REPLIES))
            for n in range(rng.randrange(12))
        ]
        if replies:
            for message in [root, *replies]:
                message["thread_ts"] = root["ts"]
        made += [root, *replies]
    return made


def _message(rng: random.Random, at: float, users: list[dict[str, str]], text: str) -> dict[str, Any]:
    return {"type": "message", "user": rng.choice(users)["id"], "text": text, "ts": f"{at:.6f}"}

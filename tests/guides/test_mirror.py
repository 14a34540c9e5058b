"""The mirror of the history guide loses and doubles nothing, however often it is killed."""

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.conftest import Api
from tests.guides.blocks import GUIDES, blocks_of
from tests.messages.walk import messages_of, walk
from tests.wait_until import wait_until

BEFORE, CHANGES = 210, 33  # messages at first, changes while a mirror runs
# After how many lines the mirrors are killed: three while they copy the history, the others while they follow.
COPYING, FOLLOWING = (3, 40, 1500, 100_000), 12
LINES_OF_CHANGES = 450
FIELDS = ("message_id", "user_id", "parent_id", "status", "text")
# Runs mirror.py, and kills itself before the given number of its lines was executed.
KILLED = """
import os, runpy, signal, sys
left = int(sys.argv[1])

def trace(frame, kind, _):
    global left
    if not frame.f_code.co_filename.endswith("mirror.py"):
        return None
    left -= kind == "line"
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return trace

sys.settrace(trace)
runpy.run_path("mirror.py")
"""
Row = tuple[str | None, ...]


def history(api: Api) -> list[Row]:
    """Return the messages of the room, oldest first."""
    found = messages_of(walk(api.person, api.room_id, limit=200))
    return [tuple(each[field] for field in FIELDS) for each in reversed(found)]


def mirrored_rows(home: Path) -> list[Row]:
    columns = ", ".join(FIELDS).replace("user_id", "sender")
    with closing(sqlite3.connect(home / "mirror.sqlite")) as db:
        try:
            return db.execute(f"select {columns} from messages order by message_id").fetchall()
        except sqlite3.OperationalError:  # no table yet
            return []


@contextmanager
def running_mirror(api: Api, home: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a mirror, and kill it at the end unless it has ended."""
    here = {**os.environ, "URL": api.url, "KEY": api.personal_key, "ROOM": api.room_id}
    process = subprocess.Popen([sys.executable, *arguments], cwd=home, env=here, stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        _, complaints = process.communicate(timeout=20)
        assert complaints == b"", complaints.decode()


@dataclass
class Writer:
    """A person who sends, edits and deletes messages."""

    client: httpx.Client
    path: str
    rng: random.Random
    ids: list[str] = field(default_factory=list)

    def send(self, **more: str) -> str:
        made = self.client.post(self.path, json={"text": f"message {len(self.ids)}", **more})
        self.ids.append(made.raise_for_status().json()["message_id"])
        return self.ids[-1]

    def change(self) -> None:
        """Send, reply, edit or delete."""
        chosen = self.rng.choice(self.ids[-10:])
        match self.rng.randrange(10):
            case 0:
                self.send(parent_id=chosen)
            case 1:
                self.ids.remove(chosen)
                self.client.delete(f"{self.path}/{chosen}").raise_for_status()
            case 2 | 3 | 4:
                edited = {"text": f"edited {self.rng.random()}"}
                self.client.patch(f"{self.path}/{chosen}", json=edited).raise_for_status()
            case _:
                self.send()


def has_ended_or_caught_up(process: subprocess.Popen[bytes], home: Path, now: list[Row]) -> bool:
    return process.poll() is not None or mirrored_rows(home) == now


@pytest.mark.contract("Guides 5")
def test_a_mirror_that_is_killed_at_any_line_equals_the_history_exactly(api: Api, tmp_path: Path) -> None:
    rng = random.Random(19)
    writer = Writer(api.person, api.messages, rng)
    (program,) = (each for each in blocks_of(GUIDES / "history.md") if each.options.get("file") == "mirror.py")
    (tmp_path / "mirror.py").write_text(program.content)
    for _ in range(BEFORE):
        writer.send()
    for lines in (*COPYING, *(rng.randint(1, LINES_OF_CHANGES) for _ in range(FOLLOWING))):
        with running_mirror(api, tmp_path, "-c", KILLED, str(lines)) as process:
            for _ in range(CHANGES):
                writer.change()
            now = history(api)
            wait_until(partial(has_ended_or_caught_up, process, tmp_path, now))
    with running_mirror(api, tmp_path, "mirror.py"):
        now = history(api)
        assert len(now) > 500
        assert len(mirrored_rows(tmp_path)) > BEFORE
        wait_until(lambda: mirrored_rows(tmp_path) == now)
        last = writer.send()
        wait_until(lambda: mirrored_rows(tmp_path)[-1][0] == last)
    assert mirrored_rows(tmp_path) == history(api)

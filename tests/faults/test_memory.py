"""Memory of the server's processes while messages, pages, blocks, streams and the index have the largest allowed
content.
"""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import Api, RunningServer
from tests.live.client import listen, streams
from tests.search.harness import wait_until_indexed

MIB = 1 << 20
MESSAGES, AT_ONCE = 60, 8
MAX_PER_PROCESS, MAX_PER_BACKEND = 100, 60  # MiB; see docs/decisions/0007-limits.md
ANY_BACKEND = "select pid from pg_stat_activity where backend_type = 'checkpointer'"


def largest(nr: int) -> dict[str, Any]:
    """Return a message of the maximum size, with many words."""
    words = " ".join(f"w{word % 2000}" for word in range(nr, nr + 30_000))
    return {
        "text": words[:40_000],
        "blocks": [{"type": "paragraph", "content": {"text": words[at : at + 40_000]}} for at in (40_000, 80_000)],
    }


class Peaks:
    """The growth of each process's anonymous memory since its first measurement, at its peak, in MiB."""

    def __init__(self) -> None:
        self.of: dict[int, float] = {}
        self._first: dict[int, float] = {}
        self._over = threading.Event()

    def _look(self, root: int) -> None:
        while not self._over.wait(0.02):
            for pid in processes_of(root):
                now = anonymous(pid)
                self.of[pid] = max(self.of.get(pid, 0), now - self._first.setdefault(pid, now))

    @contextmanager
    def measure(self, root: int) -> Iterator[None]:
        """Measure a process and all its descendants."""
        thread = threading.Thread(target=self._look, args=(root,))
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()


def anonymous(pid: int) -> float:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:  # the process has ended
        return 0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("RssAnon")), 0)


def parent_of(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("PPid"))


def processes_of(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(each for child in children for each in processes_of(int(child)))]


@pytest.mark.contract("Messages and blocks 21")
def test_the_largest_content_does_not_exhaust_process_memory(api: Api, server: RunningServer) -> None:
    async def listen_and_send() -> None:
        async with streams(*(listen(api.url, api.personal_key) for _ in range(4))) as listening:
            await asyncio.to_thread(send_all)
            await asyncio.to_thread(api.send, "the last one")
            for stream in listening:
                while not stream.ended and "the last one" not in stream.texts():
                    await stream.read_some()

    def send_all() -> None:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            answers = pool.map(lambda nr: api.person.post(api.messages, json=largest(nr)).status_code, range(MESSAGES))
            assert set(answers) == {201}

    def read(path: str) -> httpx.Response:
        return api.person.get(path, params={"limit": 200}).raise_for_status()

    def read_all() -> None:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            pages = list(pool.map(read, [api.messages] * 4 * AT_ONCE + [f"/v2/rooms/{api.room_id}/blocks"] * AT_ONCE))
        assert max(len(page.content) for page in pages) < 2 * MIB

    for nr in range(20):
        block = {"type": "list", "content": {"items": [f"{nr} {item} ".ljust(250, "x") for item in range(500)]}}
        api.person.post(f"/v2/rooms/{api.room_id}/blocks", json=block).raise_for_status()
    postmaster = parent_of(api.sql(ANY_BACKEND)[0]["pid"])
    ours, theirs = Peaks(), Peaks()
    with ours.measure(server.process.pid), theirs.measure(postmaster):
        asyncio.run(listen_and_send())
        read_all()
        wait_until_indexed(api)
    assert len(ours.of) > 2 and max(ours.of.values()) < MAX_PER_PROCESS, ours.of
    assert len(theirs.of) > 2 and max(theirs.of.values()) < MAX_PER_BACKEND, theirs.of

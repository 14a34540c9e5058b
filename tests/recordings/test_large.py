"""Upload a gibibyte, and measure the memory of the server's processes meanwhile."""

import threading
import time
from collections.abc import Iterator

import psutil
import pytest

from atrium.kit.settings import Settings
from tests.conftest import new_organization, running_server
from tests.recordings.media import append, begin, offset_of, video_room, webm

GIBIBYTE = 1 << 30
MAX_GROWTH = 96 << 20


class Watch(threading.Thread):
    """Measure the memory of a server's processes until stopped."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._root, self._over = psutil.Process(pid), threading.Event()
        self.first, self.most = self._now(), 0

    def _now(self) -> int:
        sizes = []
        for process in self._root.children(recursive=True):
            try:
                if "postgres" not in process.name():
                    sizes.append(process.memory_info().rss)
            except psutil.NoSuchProcess:
                continue
        return sum(sizes)

    def run(self) -> None:
        while not self._over.wait(0.2):
            self.most = max(self.most, self._now())

    def stop(self) -> int:
        """Return the peak growth since the start."""
        self._over.set()
        self.join()
        return self.most - self.first


def zeros(size: int, beginning: bytes = b"") -> Iterator[bytes]:
    """Yield the bytes of a sparse file."""
    chunk = bytes(1 << 20)
    yield beginning + chunk[len(beginning) :]
    for _ in range((size >> 20) - 1):
        yield chunk


@pytest.mark.contract("Recordings and attachments 3")
def test_a_gibibyte_is_uploaded_interrupted_and_resumed_in_constant_memory(settings: Settings) -> None:
    with running_server(settings) as running:
        api = new_organization(running.settings, running.url)
        room_id = video_room(api)
        api.person.get(f"/v2/rooms/{room_id}")
        time.sleep(1)
        watch = Watch(running.process.pid)
        watch.start()
        upload = begin(api.person, room_id, GIBIBYTE)
        append(api.person, upload, 0, zeros(GIBIBYTE // 2, webm(8192)))
        assert offset_of(api.person, upload) == GIBIBYTE // 2
        assert append(api.person, upload, GIBIBYTE // 2, zeros(GIBIBYTE // 2)).status_code == 204
        grown = watch.stop()
        path = f"/v2/recordings/{upload.rsplit('/', 1)[1]}/media"
        assert api.person.head(path).headers["content-length"] == str(GIBIBYTE)
        reading = Watch(running.process.pid)
        reading.start()
        with api.person.stream("GET", path) as answer:
            assert sum(len(chunk) for chunk in answer.iter_bytes()) == GIBIBYTE
        grown_by_reading = reading.stop()
        api.close()
    assert grown < MAX_GROWTH
    assert grown_by_reading < MAX_GROWTH

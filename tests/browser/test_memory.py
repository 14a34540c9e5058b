"""Twenty-two thousand messages in one room, read back in a real browser: what the page holds does not grow with them."""

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page

from tests.browser.conftest import SignIn, room_url
from tests.conftest import Api
from tests.imports.conftest import ARCHIVE, command
from tests.imports.export import summary_of

pytestmark = [
    pytest.mark.xdist_group("browser"),
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not ARCHIVE.exists(), reason=f"the shared data folder with {ARCHIVE.name} is not here"),
]
MESSAGES = 22_172
STEP = 2_000  # messages between two looks at the page
MOST_NODES = 6_000  # in the document, whatever the room holds
# Scrolls up until `wanted` more messages have been seen, counting them by id and keeping the longest frame.
WALK = """async ([wanted, seenSoFar]) => {
  const list = document.querySelector("[data-messages]");
  const seen = (window.seenMessages ??= new Set());
  const frames = [];
  let last = performance.now();
  const frame = () => new Promise((done) => requestAnimationFrame((now) => {
    frames.push(now - last); last = now; done(); }));
  const note = () => { for (const each of list.querySelectorAll("article[id]")) seen.add(each.id); };
  for (let still = 0; seen.size < seenSoFar + wanted && still < 400; ) {
    note();
    list.scrollTop -= 1800; // the rows of some 2,300 pixels are drawn at a time
    await frame();
    still = list.scrollTop < 2 ? still + 1 : 0;
    if (still) await new Promise((done) => setTimeout(done, 25));
  }
  note();
  frames.sort((a, b) => a - b);
  return { seen: seen.size, median: frames[frames.length >> 1], slow: frames[Math.floor(frames.length * 0.99)],
           nodes: document.querySelectorAll("*").length };
}"""


@dataclass(frozen=True)
class Look:
    """What the page holds when so many messages have been seen; heap in MiB, frames in ms."""

    seen: int
    nodes: int
    heap: float
    median: float
    slow: float


@pytest.fixture
def long_room(api: Api, tmp_path: Path) -> str:
    """A room with every message of the archive at its top level: an export as it would be without threads."""
    flat = tmp_path / "flat.zip"
    with zipfile.ZipFile(ARCHIVE) as given, zipfile.ZipFile(flat, "w", zipfile.ZIP_DEFLATED) as made:
        for name in given.namelist():
            made.writestr(name, _flattened(name, given.read(name)))
    summary = summary_of(command(api, flat))
    assert summary["messages"][0] == MESSAGES
    assert summary["of them replies"][0] == 0
    found = api.sql("select room_id from rooms where space_id = $1 and room_id <> $2", api.space_id, api.room_id)
    return str(found[0]["room_id"])


def _flattened(name: str, content: bytes) -> bytes:
    if "/" not in name or not name.endswith(".json"):
        return content
    said: list[dict[str, Any]] = json.loads(content)
    threads = ("thread_ts", "parent_user_id", "replies", "reply_count", "reply_users", "latest_reply")
    return json.dumps([{key: value for key, value in each.items() if key not in threads} for each in said]).encode()


def looks(page: Page, cdp: CDPSession) -> Iterator[Look]:
    """The page after each few thousand messages more, until the beginning of the room."""
    seen = 0
    while True:
        found = page.evaluate(WALK, [STEP, seen])
        cdp.send("HeapProfiler.collectGarbage")
        metrics = {each["name"]: each["value"] for each in cdp.send("Performance.getMetrics")["metrics"]}
        heap = metrics["JSHeapUsedSize"] / 2**20
        yield Look(found["seen"], found["nodes"], heap, found["median"], found["slow"])
        if found["seen"] == seen or found["seen"] >= MESSAGES:
            return
        seen = found["seen"]


def test_reading_22_172_messages_back_holds_no_more_than_reading_a_few(
    api: Api, long_room: str, sign_in: SignIn, record_property: Any
) -> None:
    page = sign_in()
    page.goto(room_url(api, long_room))
    page.locator("article").first.wait_for()
    page.wait_for_timeout(700)
    cdp = page.context.new_cdp_session(page)
    cdp.send("Performance.enable")
    found: list[Look] = []
    for each in looks(page, cdp):
        found.append(each)
        print(f"{each.seen:6} seen {each.nodes:5} nodes {each.heap:6.1f} MiB {each.median:5.1f} / {each.slow:6.1f} ms")
        record_property(f"after {each.seen}", f"{each.nodes} nodes, {each.heap:.1f} MiB, {each.median:.1f} ms a frame")
    assert found[-1].seen == MESSAGES
    assert max(each.nodes for each in found) < MOST_NODES
    # As many messages as are kept are there after the first few looks; from then on it stays as it is.
    early = max(each.heap for each in found if each.seen <= 3 * STEP)
    late = min(each.heap for each in found[-3:])
    assert late < early * 1.5, found

"""Two years of a room read back to its first day in a real browser: memory and scrolling do not depend on their length.

With ATRIUM_TEST_LONG set each of 22,172 messages is read, which takes minutes; otherwise the newest 8,000, more than
twice what the page keeps, and from there back those that are not in threads.
"""

import json
import os
import statistics
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page

from tests.browser.conftest import SignIn, at_end, room_url
from tests.conftest import Api
from tests.imports.conftest import ARCHIVE, command
from tests.imports.export import summary_of

pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.skipif(not ARCHIVE.exists(), reason=f"the shared data folder with {ARCHIVE.name} is not here"),
]
MESSAGES = 22_172
WANTED = MESSAGES if os.environ.get("ATRIUM_TEST_LONG") else 8_000
STEP = 1_000  # messages between two measurements of the page
MAX_NODES = 6_000  # in the document, for a room of any size
# Count the messages that pass through.
COUNT = """
window.come = new Set();
const ask = window.fetch;
window.fetch = async (...asked) => {
  const answer = await ask(...asked);
  if (/\\/v2\\/rooms\\/[^/]+\\/messages\\?/.test(answer.url))
    for (const each of (await answer.clone().json()).messages) window.come.add(each.message_id);
  return answer;
};
"""
# Scrolls up until `wanted` messages have arrived, or no more arrive.
WALK = """async (wanted) => {
  const list = document.querySelector("[data-messages]");
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let still = 0; window.come.size < wanted && still < 400; ) {
    const at = list.scrollTop;
    list.scrollTop = at - 4000;
    await frame();
    still = at < 2 ? still + 1 : 0;
    if (still) await new Promise((done) => setTimeout(done, 25));
  }
  return { come: window.come.size, nodes: document.querySelectorAll("*").length };
}"""
# Scrolls at a reader's pace for that many frames; downwards if there is not enough above.
READ = """async (frames) => {
  const list = document.querySelector("[data-messages]");
  const step = list.scrollTop > 8000 ? -60 : 60;
  for (let count = 0; count < frames; count++) {
    list.scrollTop += step;
    await new Promise((done) => requestAnimationFrame(done));
  }
}"""
FRAMES = 40
TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame"]
LONG = 50  # ms between two frames: three screen refreshes missed
BEGINNING = """() => {
  const list = document.querySelector("[data-messages]");
  list.scrollTop = 0;
  return list.innerText.includes("This room was created on");
}"""


@dataclass(frozen=True)
class Frames:
    """Frames of a stretch of scrolling by the browser's tracing: counts, median interval and main-thread work, in ms.

    The work is processor time per requested frame, which does not depend on the load of the machine; the number
    of drawn frames does.
    """

    drawn: int
    dropped: int
    long: int
    median: float
    work: float


@dataclass(frozen=True)
class Look:
    """The state of the page after a number of messages: nodes, heap in MiB, and scrolling."""

    come: int
    nodes: int
    heap: float
    frames: Frames


@pytest.fixture
def summary(api: Api, tmp_path: Path) -> dict[str, Any]:
    """Import the archive, with its newest `WANTED` messages at the top level, as if no one had used threads."""
    made = tmp_path / "made.zip"
    flat = 0
    with zipfile.ZipFile(ARCHIVE) as given, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as written:
        for name in sorted(given.namelist(), reverse=True):
            content = given.read(name)
            if "/" in name and name.endswith(".json") and flat < WANTED:
                messages = [_without_thread(each) for each in json.loads(content)]
                flat += len(messages)
                content = json.dumps(messages).encode()
            written.writestr(name, content)
    return summary_of(command(api, made))


def imported_room(api: Api) -> str:
    found = api.sql("select room_id from rooms where space_id = $1 and room_id <> $2", api.space_id, api.room_id)
    return str(found[0]["room_id"])


def _without_thread(message: dict[str, Any]) -> dict[str, Any]:
    threads = ("thread_ts", "parent_user_id", "replies", "reply_count", "reply_users", "latest_reply")
    return {key: value for key, value in message.items() if key not in threads}


def frames_of(trace: bytes) -> Frames:
    """Return the frames in a Chromium trace."""
    events = json.loads(trace)["traceEvents"]
    count = Counter(each["name"] for each in events)
    drawn = sorted(each["ts"] / 1000 for each in events if each["name"] == "DrawFrame")
    apart = [later - earlier for earlier, later in pairwise(drawn)]
    main = next((each["pid"], each["tid"]) for each in events if each["name"] == "FireAnimationFrame")
    tasks = [each for each in events if each["name"] == "RunTask" and (each["pid"], each["tid"]) == main]
    work = sum(each.get("tdur", 0) for each in tasks) / 1000 / count["FireAnimationFrame"]
    median = statistics.median(apart or [0.0])
    return Frames(len(drawn), count["DroppedFrame"], sum(each > LONG for each in apart), median, work)


def scroll(page: Page) -> Frames:
    """Measure scrolling at the current position."""
    browser = page.context.browser
    assert isinstance(browser, Browser)
    browser.start_tracing(page=page, categories=TRACED)
    page.evaluate(READ, FRAMES)
    return frames_of(browser.stop_tracing())


def looks(page: Page, cdp: CDPSession) -> Iterator[Look]:
    """Measure the page after each few thousand messages, until no more arrive."""
    before = -1
    for wanted in range(STEP, WANTED + STEP, STEP):
        found = page.evaluate(WALK, min(wanted, WANTED))
        cdp.send("HeapProfiler.collectGarbage")
        metrics = {each["name"]: each["value"] for each in cdp.send("Performance.getMetrics")["metrics"]}
        yield Look(found["come"], found["nodes"], metrics["JSHeapUsedSize"] / 2**20, scroll(page))
        if found["come"] == before:
            return
        before = found["come"]


def test_a_trace_is_summarized_as_drawn_dropped_and_late_frames() -> None:
    at = {"DrawFrame": [0, 16_000, 32_000, 100_000, 116_000], "DroppedFrame": [50_000, 60_000], "BeginFrame": [1]}
    events: list[dict[str, Any]] = [{"name": name, "ts": ts} for name, moments in at.items() for ts in moments]
    events += [{"name": "FireAnimationFrame", "ts": ts, "pid": 7, "tid": 7} for ts in range(5)]
    events += [{"name": "RunTask", "ts": 3, "tdur": 20_000, "pid": 7, "tid": tid} for tid in (7, 7, 8)]
    assert frames_of(json.dumps({"traceEvents": events}).encode()) == Frames(5, 2, 1, 16.0, 8.0)


@pytest.mark.contract("Web application 54", "Web application 55")
def test_two_years_of_a_room_are_read_back_to_the_first_day_with_no_more_memory_than_a_few(
    api: Api, summary: dict[str, Any], sign_in: SignIn, record_property: Any
) -> None:
    assert summary["messages"][0] == MESSAGES
    page = sign_in()
    page.add_init_script(COUNT)
    page.goto(room_url(api, imported_room(api)))
    at_end(page)
    newest = page.locator("article time").last.get_attribute("datetime") or ""
    cdp = page.context.new_cdp_session(page)
    cdp.send("Performance.enable")
    found: list[Look] = []
    for each in looks(page, cdp):
        found.append(each)
        seen = f"{each.nodes} nodes, {each.heap:.1f} MiB, {each.frames}"
        print(f"after {each.come} messages: {seen}", flush=True)
        record_property(f"after {each.come}", seen)
    assert found[-1].come >= WANTED
    come = page.evaluate(WALK, MESSAGES)["come"]
    page.wait_for_function(BEGINNING)
    oldest = page.locator("article time").first.get_attribute("datetime") or ""
    assert (oldest[:10], newest[:7]) == ("2017-05-11", "2019-06")
    assert come == summary["messages"][0] - summary["of them replies"][0]
    assert max(each.nodes for each in found) < MAX_NODES
    # The page keeps its maximum of messages after the first few measurements; from then on it stays constant.
    early = max(each.heap for each in found if each.come <= 3 * STEP)
    late = min(each.heap for each in found[-3:])
    assert late < early * 1.5, found
    # The work per frame stays constant too. Dropped frames are only printed, because they depend on the machine.
    first, last = (min(each.frames.work for each in part) for part in (found[:3], found[-3:]))
    assert 0 < last < first * 3, found
    assert all(each.frames.drawn for each in found), found

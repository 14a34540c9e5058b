"""Measure the time from a keystroke to its letter on the screen, in the demo's room with 22,172 messages.

`make typing` prints it for this machine. A screen shows a frame each 16.7 ms, so half of that is waiting on average.
"""

import statistics
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from tests.browser.conftest import CHROMIUM, QUIET

from bench.demo import running_demo, sign_in

ROOM = "slack-racket-general"
TEXT = "The quick brown fox jumps over the lazy dog, and **bold** words and `code` follow; " * 4
# From the key's own time to after the frame that shows it: a message that is posted in a frame arrives after its paint.
OBSERVE = """() => {
  window.delays = [];
  addEventListener("keydown", (event) => requestAnimationFrame(() => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => delays.push(performance.now() - event.timeStamp);
    port2.postMessage(0);
  }), true);
}"""


def main() -> None:
    """Print the latency of the keystrokes of a message."""
    with ExitStack() as stack:
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=CHROMIUM, args=QUIET)
        state, address = sign_in(browser, stack.enter_context(running_demo(Path().resolve(), archive=True)))
        page = browser.new_context(storage_state=state, viewport={"width": 1280, "height": 800}).new_page()
        page.goto(address)
        page.get_by_role("link", name=ROOM).click()
        delays = _type(page)
        print(f"keys {len(delays)}, to paint: p50 {statistics.median(delays):.1f} ms, ", end="")
        print(f"p95 {statistics.quantiles(delays, n=20)[-1]:.1f} ms (goal: 20), longest {max(delays):.1f} ms")
        browser.close()


def _type(page: Page) -> list[float]:
    field = page.get_by_label(f"Message #{ROOM}")
    field.click()
    page.evaluate(OBSERVE)
    field.press_sequentially(TEXT, delay=40)
    page.wait_for_function("count => delays.length >= count", arg=len(TEXT))
    return list(page.evaluate("delays"))


if __name__ == "__main__":
    main()

"""Measure how long a browser with an empty cache takes to show a demo room, on slow networks and a slow processor.

`make cold-start` measures this checkout. `python -m bench.cold_start OTHER .` alternates with another one (built, with
its own environment), so that the figures can be compared. Times are those of the browser, in milliseconds
after the request: `first` is the first paint, `LCP` the largest contentful paint, `rendered`
the room's messages rendered by the application.
"""

import argparse
import statistics
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, StorageState, ViewportSize, sync_playwright
from tests.browser.conftest import CHROMIUM, QUIET

from bench.demo import running_demo, sign_in

WINDOW: ViewportSize = {"width": 1280, "height": 800}
# Kilobits per second, milliseconds, how many times slower the processor is, and the LCP to stay under in milliseconds.
NETWORKS = {"1.6 Mbit/s, 150 ms, CPU/4": (1600, 150, 4, 2500), "400 kbit/s, 400 ms": (400, 400, 1, 6000)}
OBSERVE = """
window.largest = [];
new PerformanceObserver((list) => largest.push(...list.getEntries()))
  .observe({type: "largest-contentful-paint", buffered: true});
"""
PAINTS = """() => ({
  first: performance.getEntriesByName("first-paint")[0]?.startTime ?? 0,
  LCP: largest.at(-1).startTime,
  rendered: performance.getEntriesByName("rendered")[0].startTime,
  what: largest.at(-1).element?.textContent.slice(0, 40) ?? "",
})"""
RENDERED = """() => document.querySelector("[data-messages] article, [data-messages] [data-message]")
  && (performance.getEntriesByName("rendered").length || performance.mark("rendered"))"""


@dataclass(frozen=True)
class Visit:
    """One cold visit: times in ms, KB received, and requests."""

    first: float
    LCP: float
    rendered: float
    received: float
    requests: int
    what: str


def main() -> None:
    """Print a table: each checkout on each network, medians of the rounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="*", type=Path, default=[Path()])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with ExitStack() as stack:
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=CHROMIUM, args=QUIET)
        states = {
            each: sign_in(browser, stack.enter_context(running_demo(each.resolve()))) for each in options.checkouts
        }
        for network in NETWORKS:
            _print(network, _rounds(browser, states, network, options.rounds))


def _rounds(
    browser: Browser, states: dict[Path, tuple[StorageState, str]], network: str, rounds: int
) -> dict[Path, list[Visit]]:
    visits: dict[Path, list[Visit]] = {each: [] for each in states}
    for _ in range(rounds):
        for checkout, (state, address) in states.items():
            visits[checkout].append(_visit(browser, state, address, network))
    return visits


def _visit(browser: Browser, state: StorageState, address: str, network: str) -> Visit:
    context = browser.new_context(viewport=WINDOW, storage_state=state)
    try:
        page = context.new_page()
        session = context.new_cdp_session(page)
        received: list[float] = []
        requested: list[str] = []
        session.on("Network.dataReceived", lambda event: received.append(event["encodedDataLength"]))
        session.on("Network.requestWillBeSent", lambda event: requested.append(event["request"]["url"]))
        _slow_down(session, network)
        page.add_init_script(OBSERVE)
        page.goto(address, wait_until="commit")
        page.wait_for_function(RENDERED, timeout=60_000)
        _settle(page)
        return Visit(**page.evaluate(PAINTS), received=sum(received) / 1024, requests=len(requested))
    finally:
        context.close()


def _slow_down(session: CDPSession, network: str) -> None:
    kilobits, delay, slower, _ = NETWORKS[network]
    speed = kilobits * 1000 / 8
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": delay, "downloadThroughput": speed, "uploadThroughput": speed},
    )
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})


def _settle(page: Page) -> None:
    """Wait until the room is loaded and nothing larger has been painted for a second of the browser."""
    page.wait_for_load_state("load", timeout=60_000)
    page.evaluate("""async () => {
      for (let was = -1; was !== largest.length; ) {
        was = largest.length;
        await new Promise((done) => setTimeout(done, 1000));
      }
    }""")


def _print(network: str, visits: dict[Path, list[Visit]]) -> None:
    print(f"\n{network} (goal: LCP under {NETWORKS[network][3]} ms)")
    print(f"{'':24}{'first':>8}{'LCP':>8}{'rendered':>10}{'KB':>8}{'requests':>10}  largest")
    for checkout, measured in visits.items():
        name = checkout.resolve().name[:23]
        first, lcp, rendered = (
            _median([getattr(each, name) for each in measured]) for name in ("first", "LCP", "rendered")
        )
        kilobytes, requests = _median([each.received for each in measured]), measured[-1].requests
        print(f"{name:24}{first:8.0f}{lcp:8.0f}{rendered:10.0f}{kilobytes:8.0f}{requests:10}  {measured[-1].what}")


def _median(values: Sequence[float]) -> float:
    return statistics.median(values)


if __name__ == "__main__":
    main()

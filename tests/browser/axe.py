"""Check a page with axe-core, in the light and dark color schemes."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.browser.conftest import NARROW, WIDE, ZOOMED, at_rest

AXE = Path(__file__).parents[2] / "ui" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
OF_WIDTH = {"type": "rule", "values": ["target-size", "scrollable-region-focusable"]}
OVERFLOWS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
SHOWN = """scheme => document.documentElement.dataset.mantineColorScheme === scheme
    && document.getAnimations().every((each) => each.playState === "finished")"""  # those in closed details stay


@cache
def _source() -> str:
    return AXE.read_text()


def violations(page: Page) -> list[str]:
    """Return the violations in light mode, those of the color rules in dark mode, and whether the page overflows.

    Only colors differ between the two modes, and they are the same in windows of all sizes but on phones.
    """
    found = _violations(page, "light", RULES)
    if page.viewport_size not in (NARROW, ZOOMED):
        found += _violations(page, "dark", OF_COLOURS)
        page.emulate_media(color_scheme="light")
    return found + _overflow(page)


def violations_of_both_widths(page: Page) -> list[str]:
    """Return the violations in a wide window, and those of the rules that depend on the width in a narrow one."""
    found = violations(page)
    page.set_viewport_size(NARROW)
    at_rest(page)
    found += [f"narrow: {each}" for each in _violations(page, "light", OF_WIDTH) + _overflow(page)]
    page.set_viewport_size(WIDE)
    at_rest(page)
    return found


def _overflow(page: Page) -> list[str]:
    return ["wider than its window"] if page.evaluate(OVERFLOWS) else []


def _violations(page: Page, scheme: Any, rules: object) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source())
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(SHOWN, arg=scheme)
    run = "rules => axe.run(document, { runOnly: rules, resultTypes: ['violations'] })"
    found = page.evaluate(run, rules)["violations"]
    return [
        f"{scheme}: {each['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for each in found
        for node in each["nodes"][:3]
    ]

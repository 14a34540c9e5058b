"""Check a page with axe-core, in the light and dark color schemes."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.browser.conftest import NARROW, WIDE, at_rest

AXE = Path(__file__).parents[2] / "ui" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
SHOWN = """scheme => document.documentElement.dataset.mantineColorScheme === scheme
    && document.getAnimations().every((each) => each.playState === "finished")"""  # those in closed details stay


@cache
def _source() -> str:
    return AXE.read_text()


def violations(page: Page) -> list[str]:
    """Return the violations in light mode and, in wide windows, of the color rules in dark mode; and whether the page
    overflows.

    Only colors differ between the two modes.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source())
    found = _broken(page, "light", RULES)
    if page.viewport_size != NARROW:
        found += _broken(page, "dark", OF_COLOURS)
        page.emulate_media(color_scheme="light")
    if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
        found.append("wider than its window")
    return found


def violations_of_both_widths(page: Page) -> list[str]:
    """Return the violations in a wide window and then in a narrow one, without loading the page again."""
    found = []
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        at_rest(page)
        found += [f"{size['width']}: {each}" for each in violations(page)]
    page.set_viewport_size(WIDE)
    at_rest(page)
    return found


def _broken(page: Page, scheme: Any, rules: object) -> list[str]:
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(SHOWN, arg=scheme)
    run = "rules => axe.run(document, { runOnly: rules, resultTypes: ['violations'] })"
    found = page.evaluate(run, rules)["violations"]
    return [
        f"{scheme}: {each['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for each in found
        for node in each["nodes"][:3]
    ]

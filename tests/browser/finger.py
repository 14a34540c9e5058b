"""A finger on a touch screen: it rests and swipes, which Playwright's own touchscreen cannot do."""

from playwright.sync_api import Locator, Page, expect

STEPS = 8


class Finger:
    """Touches a page at one point at a time."""

    def __init__(self, page: Page) -> None:
        self._page, self._session = page, page.context.new_cdp_session(page)

    def _dispatch(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def rest_on(self, target: Locator, until: Locator) -> None:
        """Rest on the middle of an element until another one shows, and leave."""
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box
        self._dispatch("touchStart", (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
        expect(until).to_be_visible()
        self._dispatch("touchEnd")

    def swipe(self, start: tuple[float, float], by: tuple[float, float]) -> None:
        """Move from a point in a straight line, and leave."""
        self._dispatch("touchStart", start)
        for step in range(1, STEPS + 1):
            self._dispatch("touchMove", (start[0] + by[0] * step / STEPS, start[1] + by[1] * step / STEPS))
        self._dispatch("touchEnd")

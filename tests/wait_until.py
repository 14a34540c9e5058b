"""Wait until a condition holds."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_until(condition: Callable[[], T], what: str = "the condition holds", seconds: float = 60) -> T:
    """Call `condition` until it returns something true, and return that. Raise AssertionError after `seconds`.

    The limit is far above what any test needs: it only ends a test that fails.
    """
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"timed out waiting until {what}"
        time.sleep(0.05)
    return value

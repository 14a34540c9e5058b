"""Waiting for what is to come to pass."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def eventually(look: Callable[[], T], what: str = "what was waited for", seconds: float = 60) -> T:
    """What is seen once something is; a bound far above what that takes only ends a test that fails."""
    deadline = time.monotonic() + seconds
    while not (seen := look()):
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.05)
    return seen

"""The denied requests that this process recorded in the audit log in the last minute, to skip duplicates."""

from collections.abc import Hashable
from datetime import datetime, timedelta

FOLDED = timedelta(minutes=1)
MAX_REMEMBERED = 10_000


class RecentDenials:
    """The denials of the last minute."""

    def __init__(self) -> None:
        self._noted: dict[Hashable, datetime] = {}

    def note(self, denial: Hashable, now: datetime) -> bool:
        """Add a denial. Return whether it is new: False if it was added within the last minute."""
        noted = self._noted.get(denial)
        if noted is not None and now - noted < FOLDED:
            return False
        if len(self._noted) >= MAX_REMEMBERED:
            self._noted.clear()
        self._noted[denial] = now
        return True

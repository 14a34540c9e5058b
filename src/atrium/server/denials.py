"""The denied requests that this process recorded in the audit log in the last minute, to skip duplicates."""

from collections.abc import Hashable
from datetime import datetime, timedelta

DEDUPLICATED_FOR = timedelta(minutes=1)
MAX_REMEMBERED = 10_000


class RecentDenials:
    """The denials of the last minute."""

    def __init__(self) -> None:
        self._added: dict[Hashable, datetime] = {}

    def add(self, denial: Hashable, now: datetime) -> bool:
        """Add a denial. Return whether it is new: False if it was added within a minute of `now`."""
        added_at = self._added.get(denial)
        if added_at is not None and abs(now - added_at) < DEDUPLICATED_FOR:
            return False
        if len(self._added) >= MAX_REMEMBERED:
            self._added.clear()
        self._added[denial] = now
        return True

"""Which refusals this process put into the audit trail within the last minute, so that repetitions cost nothing."""

from collections.abc import Hashable
from datetime import datetime, timedelta

FOLDED = timedelta(minutes=1)
MAX_REMEMBERED = 10_000


class Refusals:
    """The refusals of the last minute."""

    def __init__(self) -> None:
        self._noted: dict[Hashable, datetime] = {}

    def is_new(self, refusal: Hashable, now: datetime) -> bool:
        """Whether the refusal is to be told of; if so, its repetitions are not for a minute."""
        noted = self._noted.get(refusal)
        if noted is not None and now - noted < FOLDED:
            return False
        if len(self._noted) >= MAX_REMEMBERED:
            self._noted.clear()
        self._noted[refusal] = now
        return True

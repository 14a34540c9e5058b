"""Limits that organizations share, so that none of them can use all of them or make the others wait."""

from collections import Counter
from collections.abc import Hashable, Iterable
from uuid import UUID


class Shares:
    """Places that owners share: an owner may take another one while it has fewer than are free.

    So one owner alone gets half of them, two get a third each, and there is always a place for the next.
    """

    def __init__(self, places: int) -> None:
        self.free = places
        self.taken: Counter[Hashable] = Counter()

    def may_take(self, owner: Hashable) -> bool:
        """Return whether the owner may take another place."""
        return self.taken[owner] < self.free

    def least(self, owners: Iterable[Hashable]) -> Hashable:
        """Return the owner that has the fewest places."""
        return min(owners, key=self.taken.__getitem__)

    def take(self, owner: Hashable) -> None:
        """Take a place."""
        self.free -= 1
        self.taken[owner] += 1

    def give_back(self, owner: Hashable) -> None:
        """Give a place back."""
        self.free += 1
        self.taken[owner] -= 1
        if not self.taken[owner]:
            del self.taken[owner]


class Turns:
    """Owners take turns: the one that was served longest ago, or never, comes first."""

    def __init__(self) -> None:
        self._served: dict[UUID, None] = {}

    @property
    def served(self) -> list[UUID]:
        """Return the owners that were served, the latest one last."""
        return list(self._served)

    def serve(self, owner: UUID) -> None:
        """Note that an owner is served."""
        self._served.pop(owner, None)
        self._served[owner] = None

"""Who listens to what: the streams of a process by the spaces, organizations and actors that events are for."""

from collections.abc import Hashable, Iterable, Iterator
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from atrium.live.listener import Listener
from atrium.live.model import NOWHERE, Event, Reach
from atrium.live.reading import ReadBy

K = TypeVar("K", bound=Hashable)
NOBODY: frozenset[Listener] = frozenset()


class Audience:
    """The streams that have joined."""

    def __init__(self) -> None:
        self._all: set[Listener] = set()
        self._of_space: dict[UUID, set[Listener]] = {}
        self._of_actor: dict[UUID | None, set[Listener]] = {}
        self._of_organization: dict[UUID, set[Listener]] = {}
        self._expiring: set[Listener] = set()

    def __iter__(self) -> Iterator[Listener]:
        return iter(self._all)

    def __contains__(self, listener: Listener) -> bool:
        return listener in self._all

    def put(self, listener: Listener, reach: Reach) -> bool:
        """The stream reaches this from now on; whether it is something that no stream had reached."""
        widened = not (
            self._of_space.keys() >= reach.spaces
            and self._of_organization.keys() >= reach.organizations
            and reach.actor_id in self._of_actor
        )
        self.remove(listener)
        listener.takes_over(reach)
        self._all.add(listener)
        for space in reach.spaces:
            self._of_space.setdefault(space, set()).add(listener)
        for organization in reach.organizations:
            self._of_organization.setdefault(organization, set()).add(listener)
        self._of_actor.setdefault(reach.actor_id, set()).add(listener)
        if reach.expires_at is not None:
            self._expiring.add(listener)
        return widened

    def remove(self, listener: Listener) -> None:
        """The stream hears nothing any more."""
        reach = listener.reach
        for space in reach.spaces:
            _take(self._of_space, space, listener)
        for organization in reach.organizations:
            _take(self._of_organization, organization, listener)
        _take(self._of_actor, reach.actor_id, listener)
        self._expiring.discard(listener)
        self._all.discard(listener)
        listener.takes_over(NOWHERE)

    def read_by(self) -> ReadBy:
        """What to ask the log for."""
        return ReadBy(list(self._of_space), [each for each in self._of_actor if each], list(self._of_organization))

    def of(self, event: Event) -> Iterable[Listener]:
        """The streams that an event may be for."""
        if event.actor_id is not None:
            return list(self._of_actor.get(event.actor_id, NOBODY))
        if event.space_id is not None:
            return list(self._of_space.get(event.space_id, NOBODY))
        return list(self._of_organization.get(event.organization_id, NOBODY)) if event.organization_id else ()

    def concerned_by(self, events: Iterable[Event]) -> set[Listener]:
        """The streams that have to look anew at what they reach."""
        return {listener for event in events if event.changes_access for listener in self.of(event)}

    def expired(self, now: datetime) -> set[Listener]:
        """The streams whose key's time is over."""
        return {each for each in self._expiring if each.reach.expires_at and each.reach.expires_at <= now}


def _take(places: dict[K, set[Listener]], key: K, listener: Listener) -> None:
    if found := places.get(key):
        found.discard(listener)
        if not found:
            del places[key]

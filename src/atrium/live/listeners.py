"""The streams of a process, by the spaces, organizations and actors whose events they receive."""

from collections.abc import Hashable, Iterable, Iterator
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from atrium.live.event_log import LogFilter
from atrium.live.listener import Listener
from atrium.live.model import NO_ACCESS, Access, Event

K = TypeVar("K", bound=Hashable)
NO_LISTENERS: frozenset[Listener] = frozenset()


class Listeners:
    """The streams that receive events."""

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

    def put(self, listener: Listener, access: Access) -> bool:
        """Set what the stream can access. Return whether the access includes a space that no other stream has."""
        widened = not (
            self._of_space.keys() >= access.spaces
            and self._of_organization.keys() >= access.organizations
            and access.actor_id in self._of_actor
        )
        self.remove(listener)
        listener.access = access
        self._all.add(listener)
        for space in access.spaces:
            self._of_space.setdefault(space, set()).add(listener)
        for organization in access.organizations:
            self._of_organization.setdefault(organization, set()).add(listener)
        self._of_actor.setdefault(access.actor_id, set()).add(listener)
        if access.expires_at is not None:
            self._expiring.add(listener)
        return widened

    def remove(self, listener: Listener) -> None:
        """Remove a stream."""
        access = listener.access
        for space in access.spaces:
            _discard(self._of_space, space, listener)
        for organization in access.organizations:
            _discard(self._of_organization, organization, listener)
        _discard(self._of_actor, access.actor_id, listener)
        self._expiring.discard(listener)
        self._all.discard(listener)
        listener.access = NO_ACCESS

    def log_filter(self) -> LogFilter:
        """Return the events to fetch from the log."""
        return LogFilter(
            list(self._of_space), [actor for actor in self._of_actor if actor], list(self._of_organization)
        )

    def of(self, event: Event) -> Iterable[Listener]:
        """Return the streams that an event may be for."""
        if event.actor_id is not None:
            return list(self._of_actor.get(event.actor_id, NO_LISTENERS))
        if event.space_id is not None:
            return list(self._of_space.get(event.space_id, NO_LISTENERS))
        return list(self._of_organization.get(event.organization_id, NO_LISTENERS)) if event.organization_id else ()

    def affected_by(self, events: Iterable[Event]) -> set[Listener]:
        """Return the streams whose access may have changed."""
        return {listener for event in events if event.changes_access for listener in self.of(event)}

    def expired(self, now: datetime) -> set[Listener]:
        """Return the streams whose key has expired."""
        return {each for each in self._expiring if each.access.expires_at and each.access.expires_at <= now}


def _discard(places: dict[K, set[Listener]], key: K, listener: Listener) -> None:
    if found := places.get(key):
        found.discard(listener)
        if not found:
            del places[key]

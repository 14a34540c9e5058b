"""How long the stages of an outbound request take."""

from enum import StrEnum
from time import monotonic
from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

Milliseconds: TypeAlias = Annotated[int, Meta(ge=0)]


class Stage(StrEnum):
    """The stages in their order: find the address, connect, TLS, wait for the status and the headers, read the body."""

    RESOLVE = "resolve_ms"
    CONNECT = "connect_ms"
    TLS = "tls_ms"
    WAIT = "wait_ms"
    READ = "read_ms"


class Timing(Struct, frozen=True):
    """How long each stage of an attempt took, in ms. A stage that was not needed, or not reached, is absent."""

    reused: Annotated[bool, Meta(description="whether a connection of an earlier attempt was used")] = False
    resolve_ms: Annotated[Milliseconds | UnsetType, Meta(description="until the address was found")] = UNSET
    connect_ms: Annotated[Milliseconds | UnsetType, Meta(description="until the connection was open")] = UNSET
    tls_ms: Annotated[Milliseconds | UnsetType, Meta(description="until TLS was agreed")] = UNSET
    wait_ms: Annotated[Milliseconds | UnsetType, Meta(description="until the status and the headers arrived")] = UNSET
    read_ms: Annotated[Milliseconds | UnsetType, Meta(description="until the body had arrived")] = UNSET


UNTIMED = Timing()


class Stopwatch:
    """Notes when each stage of a request begins. Without a stage that opens a connection, one is reused."""

    def __init__(self, started: float, *, is_secure: bool) -> None:
        self._started, self._is_secure, self._opens = started, is_secure, False
        self._marks: list[tuple[Stage, float]] = []

    def begin(self, stage: Stage) -> None:
        """Note that a stage begins, and the one before it ends. The first one began with the request."""
        if stage is Stage.TLS and not self._is_secure:
            return
        if stage in (Stage.RESOLVE, Stage.CONNECT) and not self._opens:
            self._opens, self._marks = True, []
        self._marks.append((stage, monotonic() if self._marks else self._started))

    def timing(self, ended: float) -> Timing:
        """Return how long the stages took. Their sum is the duration of the request, rounded to ms."""
        edges = [round((at - self._started) * 1000) for _, at in self._marks] + [round((ended - self._started) * 1000)]
        lengths: dict[Stage, int] = {}
        for nr, (stage, _) in enumerate(self._marks):
            lengths[stage] = lengths.get(stage, 0) + edges[nr + 1] - edges[nr]
        return Timing(bool(lengths) and not self._opens, **lengths)

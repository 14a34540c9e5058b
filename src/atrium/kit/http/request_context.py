"""The context of the current request, for log lines, counters and traces."""

from contextvars import ContextVar
from dataclasses import dataclass
from time import perf_counter
from uuid import UUID

NOT_ANSWERED = 499  # the caller went away first


@dataclass(slots=True)
class RequestContext:
    """What is known about a request so far. `seconds`: from its beginning to the first byte of its response."""

    request_id: str
    began: float
    route: str = "none"
    status: int = NOT_ANSWERED
    seconds: float = -1.0
    api_key_id: UUID | None = None
    actor_id: UUID | None = None
    client: tuple[str, int] | None = None  # address and port
    key_hash: bytes | None = None  # of the key that the rate limit counts it for
    awaits_body: bool = False

    @property
    def has_response(self) -> bool:
        """Return whether the response has begun."""
        return self.seconds >= 0

    def begin_response(self, status: int) -> None:
        """Note the status and the time: the response begins now."""
        self.status, self.seconds = status, perf_counter() - self.began


REQUEST_CONTEXT: ContextVar[RequestContext | None] = ContextVar("request_context", default=None)


def note_caller(api_key_id: UUID, actor_id: UUID | None = None) -> None:
    """Note whose request this is."""
    if context := REQUEST_CONTEXT.get():
        context.api_key_id, context.actor_id = api_key_id, actor_id

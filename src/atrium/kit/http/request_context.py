"""The context of the current request, for log lines, counters and traces."""

from contextvars import ContextVar
from dataclasses import dataclass
from time import perf_counter
from uuid import UUID

NO_RESPONSE = 499  # the client disconnected first


@dataclass(slots=True)
class RequestContext:
    """The state of a request for logs, counters and traces. `began` and `seconds` (until the response): seconds."""

    request_id: str
    began: float
    route: str = "none"
    status: int = NO_RESPONSE
    seconds: float = -1.0
    api_key_id: UUID | None = None
    actor_id: UUID | None = None
    client: tuple[str, int] | None = None  # address and port
    address: str | None = None  # of the client, also behind trusted proxies
    key_hash: bytes | None = None  # of the key whose rate limit applies
    scopes: frozenset[str] = frozenset()  # that the content of the request needed, besides that of its route

    @property
    def has_response(self) -> bool:
        """Return whether the response has begun."""
        return self.seconds >= 0

    def begin_response(self, status: int) -> None:
        """Set the status and the time until the response begins, which is now."""
        self.status, self.seconds = status, perf_counter() - self.began


REQUEST_CONTEXT: ContextVar[RequestContext | None] = ContextVar("request_context", default=None)


def set_caller(api_key_id: UUID, actor_id: UUID | None = None) -> None:
    """Set the caller of the current request."""
    if context := REQUEST_CONTEXT.get():
        context.api_key_id, context.actor_id = api_key_id, actor_id


def note_scope(scope: str) -> None:
    """Note that the content of the current request needs a scope."""
    if (context := REQUEST_CONTEXT.get()) and scope not in context.scopes:
        context.scopes |= {scope}

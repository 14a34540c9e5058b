"""The request being answered, for whoever writes of it meanwhile: a log line, a count, a trace."""

from contextvars import ContextVar
from dataclasses import dataclass
from time import perf_counter
from uuid import UUID

NOT_ANSWERED = 499  # the caller went away first


@dataclass(slots=True)
class Asked:
    """What becomes known of a request while it is answered. `seconds` is what passed until its answer began."""

    request_id: str
    began: float
    route: str = "none"
    status: int = NOT_ANSWERED
    seconds: float = -1.0
    api_key_id: UUID | None = None
    actor_id: UUID | None = None
    client: tuple[str, int] | None = None  # the address and port of the other end
    key_hash: bytes | None = None  # of the key that it is counted by
    awaits_body: bool = False

    def answered(self, status: int) -> None:
        """The answer begins now."""
        self.status, self.seconds = status, perf_counter() - self.began


ASKED: ContextVar[Asked | None] = ContextVar("asked", default=None)


def note_caller(api_key_id: UUID, actor_id: UUID | None = None) -> None:
    """Remember whose request this is."""
    if asked := ASKED.get():
        asked.api_key_id, asked.actor_id = api_key_id, actor_id

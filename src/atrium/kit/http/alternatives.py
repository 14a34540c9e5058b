"""Media types other than JSON that a route accepts or returns."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

Handler = Callable[..., Awaitable[Any]]


@dataclass(frozen=True)
class Alternative:
    """A media type other than JSON: of the request body if `read` is set, else of the response. If `reads_json`, `read`
    reads JSON too, which may be less strict than that of other routes."""

    media_type: str
    example: str
    read: Callable[[bytes], Any] | None = None
    reads_json: bool = False


_ALTERNATIVES: dict[Handler, Alternative] = {}


def alternative(
    media_type: str, *, example: str, read: Callable[[bytes], Any] | None = None, reads_json: bool = False
) -> Callable[[Handler], Handler]:
    """Declare that a handler also accepts, or also returns, a media type other than JSON."""

    def register(handler: Handler) -> Handler:
        _ALTERNATIVES[handler] = Alternative(media_type, example, read, reads_json)
        return handler

    return register


def alternative_of(handler: Handler) -> Alternative | None:
    """Return the media type other than JSON that a handler declares."""
    return _ALTERNATIVES.get(handler)

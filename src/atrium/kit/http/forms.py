"""Bodies and answers that have another form than JSON."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

Handler = Callable[..., Awaitable[Any]]


@dataclass(frozen=True)
class OtherForm:
    """A media type beside JSON in which a route takes its body (where `read` is given) or shows its answer."""

    media_type: str
    example: str
    read: Callable[[bytes], Any] | None = None


_OTHER_FORMS: dict[Handler, OtherForm] = {}


def other_form(
    media_type: str, *, example: str, read: Callable[[bytes], Any] | None = None
) -> Callable[[Handler], Handler]:
    """Say that a handler takes its body, or shows its answer, in another form than JSON too."""

    def note(handler: Handler) -> Handler:
        _OTHER_FORMS[handler] = OtherForm(media_type, example, read)
        return handler

    return note


def form_of(handler: Handler) -> OtherForm | None:
    """The form beside JSON that a handler says it has."""
    return _OTHER_FORMS.get(handler)

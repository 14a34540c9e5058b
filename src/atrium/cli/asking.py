"""What a server's refusals are to the person at the terminal."""

from atrium.cli.refusal import Refusal
from atrium.client import (
    AtriumError,
    Forbidden,
    NotFound,
    RateLimited,
    Refused,
    ServerError,
    Unauthenticated,
    UnexpectedAnswer,
    Unreachable,
)

AWAY = (Unreachable, ServerError, RateLimited)  # not now; the same may work later


def as_refusal(error: AtriumError) -> Refusal:
    """One clear line for it."""
    match error:
        case Unauthenticated():
            return Refusal("the key is not accepted: it is mistyped, expired or revoked")
        case Forbidden():
            return Refusal(f"the key's owner may not do this: {error}")
        case NotFound():
            said = error.problem.title or str(error)
            return Refusal(f"{said[:1].lower()}{said[1:]}, or the key does not reach it")
        case Refused():
            return Refusal(f"the server answered {error.status}: {error}")
        case UnexpectedAnswer():
            return Refusal(f"the server does not answer as Atrium does: {error}")
    return Refusal(str(error))

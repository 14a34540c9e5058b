"""Turn the errors of a server into messages for the terminal."""

from atrium.cli.errors import CommandError
from atrium.client import (
    APIError,
    AtriumError,
    Forbidden,
    NotFound,
    RateLimited,
    ServerError,
    Unauthenticated,
    UnexpectedResponse,
    Unreachable,
)

TEMPORARY_ERRORS = (Unreachable, ServerError, RateLimited)  # a retry may succeed


def command_error(error: AtriumError) -> CommandError:
    """Return the message for an error of the client."""
    match error:
        case Unauthenticated():
            return CommandError("the key is not valid: it is mistyped, expired or revoked")
        case Forbidden():
            return CommandError(f"the key is not allowed to do this: {error}")
        case NotFound():
            title = error.problem.title or str(error)
            return CommandError(f"{title[:1].lower()}{title[1:]}, or the key does not have access to it")
        case APIError():
            return CommandError(f"the server responded with {error.status}: {error}")
        case UnexpectedResponse():
            return CommandError(f"unexpected response: {error}. Is this an Atrium server?")
    return CommandError(str(error))

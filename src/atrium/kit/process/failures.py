"""Log errors that repeat until something else is mended, such as a database that is not available: once a minute."""

import re
from time import monotonic

import structlog

from atrium.kit.postgres.database import is_connection_error, is_out_of_room, is_unavailable

log = structlog.get_logger()
URL_QUERY = re.compile(r"\?[^\s'\"]*")  # of an object in the storage: it may have a signature
INTERVAL = 60.0  # seconds between two lines about the same
_next_lines: dict[tuple[str, type[BaseException]], float] = {}


def log_failure(event: str, error: BaseException, **more: object) -> None:
    """Log an error: each time, or once a minute while the database or the disk is not available."""
    if is_unavailable(error):
        log_unavailable(event, error, **more)
    else:
        log.error(event, error=_text(error), **more)


def log_unavailable(event: str, error: BaseException, **more: object) -> None:
    """Log an error once a minute for each event and each type of error. A lost connection, which comes back, is a
    warning."""
    key, now = (event, type(error)), monotonic()
    if now >= _next_lines.get(key, now):
        _next_lines[key] = now + INTERVAL
        will_return = is_connection_error(error) and not is_out_of_room(error)
        (log.warning if will_return else log.error)(event, error=_text(error), **more)


def _text(error: BaseException) -> str:
    return URL_QUERY.sub("", repr(error))

"""Logs on standard error, one line per event. Tracebacks contain no values of variables, which may be secrets.

A line that cannot be written, as on a full disk, is dropped: it must not make a request fail.
"""

import contextlib
import logging
import sys
from typing import Literal

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from atrium.kit.http.request_context import REQUEST_CONTEXT

Format = Literal["json", "console"]
Level = Literal["debug", "info", "warning", "error"]


class Printer(structlog.PrintLogger):
    """Prints lines, and drops those that cannot be written."""

    def msg(self, message: str) -> None:
        """Print a line if possible."""
        with contextlib.suppress(OSError):
            super().msg(message)

    debug = info = warning = error = msg


def configure_logs(form: Format | None = None, level: Level = "info") -> None:
    """Configure the logs of this process. Without `form` they are text on a terminal, else one JSON object per line."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _with_request_id,
            *_renderers(form or ("console" if sys.stderr.isatty() else "json")),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=lambda *_: Printer(sys.stderr),
    )


def _with_request_id(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Add the id of the current request to a log event."""
    if (context := REQUEST_CONTEXT.get()) and "request_id" not in event:
        event["request_id"] = context.request_id
    return event


def _renderers(form: Format) -> list[Processor]:
    if form == "json":
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=str)]
    plain = structlog.dev.plain_traceback
    return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)]

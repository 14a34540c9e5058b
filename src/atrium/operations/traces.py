"""Traces for OpenTelemetry. It is imported only if the extra `traces` is installed and ATRIUM_OTLP_ENDPOINT is set.

A span is created when its request or attempt has ended, because spans of this process are never nested.
"""

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, Self

import structlog

from atrium import __version__
from atrium.kit.http.request_context import RequestContext
from atrium.kit.settings import Settings

log = structlog.get_logger()
SHUTDOWN_TIMEOUT = 3.0  # seconds; an unavailable collector does not delay a stop
SPANS = "/v1/traces"


class TracingNotInstalled(Exception):
    """ATRIUM_OTLP_ENDPOINT is set, but the extra is not installed."""


def require_extra(settings: Settings) -> None:
    """Raise TracingNotInstalled if traces are configured but the extra is not installed."""
    if settings.otlp_endpoint is not None and find_spec("opentelemetry") is None:
        raise TracingNotInstalled("ATRIUM_OTLP_ENDPOINT requires the extra `traces`: pip install 'atrium[traces]'")


class Tracer:
    """Sends spans to a collector, from its own thread."""

    def __init__(self, endpoint: str) -> None:
        # An optional dependency.
        from opentelemetry import trace  # noqa: PLC0415
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415

        resource = Resource.create({"service.name": "atrium", "service.version": __version__})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint.rstrip("/") + SPANS)))
        self._tracer = self._provider.get_tracer("atrium", __version__)
        self._context, self._trace = TraceContextTextMapPropagator(), trace

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """Return the tracer of the settings, None if there is none. Log a warning if the extra is missing."""
        if settings.otlp_endpoint is None:
            return None
        try:
            require_extra(settings)
            return cls(settings.otlp_endpoint)
        except TracingNotInstalled as error:
            log.warning("tracing is disabled", reason=str(error))
            return None

    def request(self, context: RequestContext, method: str, headers: Mapping[bytes, bytes]) -> None:
        """Send the span of a request, as a child of the client's span if it sent one (W3C `traceparent`)."""
        carrier = {
            name: headers[name.encode()].decode("latin-1")
            for name in ("traceparent", "tracestate")
            if name.encode() in headers
        }
        attributes = {
            "http.request.method": method,
            "http.route": context.route,
            "http.response.status_code": context.status,
            "atrium.request_id": context.request_id,
        }
        self._span(
            f"{method} {context.route}",
            context.seconds,
            attributes,
            kind="SERVER",
            failed=context.status >= 500,
            parent=self._context.extract(carrier),
        )

    def attempt(self, attributes: Mapping[str, Any], seconds: float, *, failed: bool) -> None:
        """Send the span of a delivery attempt."""
        values = {name: value for name, value in attributes.items() if value is not None}
        self._span("deliver event", seconds, values, kind="CLIENT", failed=failed)

    def _span(
        self, name: str, seconds: float, attributes: Mapping[str, Any], *, kind: str, failed: bool, parent: Any = None
    ) -> None:
        ended = time.time_ns()
        span = self._tracer.start_span(
            name,
            context=parent,
            kind=self._trace.SpanKind[kind],
            attributes=dict(attributes),
            start_time=ended - round(seconds * 1e9),
        )
        if failed:
            span.set_status(self._trace.StatusCode.ERROR)
        span.end(ended)

    async def end(self) -> None:
        """Send the remaining spans, as far as the collector accepts them in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SHUTDOWN_TIMEOUT):
                await asyncio.to_thread(self._provider.shutdown)

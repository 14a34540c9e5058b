"""Traces are sent to the configured collector; without one, tracing is not imported."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from atrium.kit.settings import Settings
from tests.conftest import Api, fresh_database, new_organization, running_server
from tests.wait_until import wait_until

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@contextmanager
def running_collector() -> Iterator[tuple[str, list[Any]]]:
    """Run a collector on loopback; yield its URL and the spans it receives."""
    spans: list[Any] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            sent = ExportTraceServiceRequest.FromString(body)
            assert self.path == "/v1/traces"
            spans.extend(s for r in sent.resource_spans for scope in r.scope_spans for s in scope.spans)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", spans
    finally:
        server.shutdown()
        server.server_close()


def attributes(span: Any) -> dict[str, Any]:
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}


@pytest.mark.contract("Operations 13")
def test_requests_and_attempts_create_spans(settings: Settings) -> None:
    with (
        running_collector() as (endpoint, spans),
        fresh_database(settings) as own,
    ):  # in a database without another server's worker
        with running_server(own.with_changes(otlp_endpoint=endpoint)) as running:
            api = new_organization(running.settings, running.url)
            parent = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
            page = api.person.get(api.messages, headers=parent)
            odd = api.person.get("/v1/me/profile", headers={"traceparent": "nonsense"})
            subscribe(api, f"{running.url}/healthz")
            api.send()
            wait_until(lambda: any(s.name == "deliver event" for s in spans), "the attempt is there")
            api.close()
        by_request = {attributes(span).get("atrium.request_id"): span for span in spans}
        seen = by_request[page.headers["x-request-id"]]
        assert seen.name == "GET /v2/rooms/{room_id}/messages"
        assert (seen.trace_id.hex(), seen.parent_span_id.hex()) == (TRACE, PARENT)
        assert attributes(seen)["http.response.status_code"] == 200
        assert attributes(seen)["http.route"] == "/v2/rooms/{room_id}/messages"
        assert seen.end_time_unix_nano > seen.start_time_unix_nano
        assert not by_request[odd.headers["x-request-id"]].parent_span_id
        [attempt] = [span for span in spans if span.name == "deliver event"]
        assert attributes(attempt)["atrium.event_type"] == "message_sent"
        assert attributes(attempt)["http.response.status_code"] == 405
        assert attempt.status.code == 2


def subscribe(api: Api, url: str) -> None:
    wanted = {
        "subject_type": "WEBHOOK_SUBJECT_TYPE_ROOM",
        "subject_id": api.room_id,
        "subscription_type": "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT",
    }
    content = {"name": "hook", "endpoint_url": url, "subscriptions": [wanted]}
    made = api.person.post(f"{api.organization}/webhooks", json={"content": content})
    assert made.status_code == 201, made.text


def test_an_unreachable_collector_delays_nothing(settings: Settings) -> None:
    with running_server(settings.with_changes(otlp_endpoint="http://127.0.0.1:9")) as running:
        api = new_organization(running.settings, running.url)
        assert api.person.get(api.messages).status_code == 200
        api.close()
    assert running.process.returncode == 0


@pytest.mark.contract("Operations 13")
def test_without_the_setting_tracing_is_not_imported() -> None:
    code = (
        "import sys, atrium.server.app, atrium.worker; from atrium.kit.settings import Settings;"
        "from atrium.operations.traces import Tracer; assert Tracer.of(Settings()) is None;"
        "print([name for name in sys.modules if name.startswith('opentelemetry.sdk')])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == "[]\n"

"""A webhook endpoint whose response a test can set."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Endpoint(ThreadingHTTPServer):
    """An endpoint on loopback; `status` and `answer` may change while it runs."""

    status, answer = 200, "ok"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hooks/atrium"


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        body = self.server.answer.encode()
        self.send_response(self.server.status)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def endpoint(status: int = 200, answer: str = "ok") -> Iterator[Endpoint]:
    """Run an endpoint."""
    with Endpoint(("127.0.0.1", 0), _Handler) as made:
        made.status, made.answer = status, answer
        threading.Thread(target=made.serve_forever, daemon=True).start()
        try:
            yield made
        finally:
            made.shutdown()

"""A receiver of webhooks in thirty lines: verify the signature, then answer 200."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from atrium.client import InvalidSignature, webhooks


class Receiver(ThreadingHTTPServer):
    """Listens on loopback.

    `secret` is the webhook's. `failures` maps the number of a delivery, counted from 0 in order of arrival, to the
    number of its attempts to answer with 503, so that the log has something to show.
    """

    def __init__(self, port: int, secret: str = "", failures: Mapping[int, int] | None = None) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.secret, self.failures = secret, failures or {}
        self._attempts: dict[str, int] = {}
        self._lock = threading.Lock()

    def status(self, body: bytes, headers: Mapping[str, str]) -> int:
        """Return the status to answer a delivery with."""
        try:
            event = webhooks.verify(self.secret, body, headers)
        except InvalidSignature:
            return 401
        with self._lock:
            attempts = self._attempts[event.delivery_id] = self._attempts.get(event.delivery_id, 0) + 1
            number = list(self._attempts).index(event.delivery_id)
        return 503 if attempts <= self.failures.get(number, 0) else 200


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        status = self.server.status(body, dict(self.headers))
        answer = {200: b"Thank you", 401: b"The signature is wrong", 503: b"Restarting, please try again"}[status]
        self.send_response(status)
        self.send_header("content-type", "text/plain")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def running_receiver(receiver: Receiver) -> Iterator[None]:
    """Serve the receiver in a thread."""
    thread = threading.Thread(target=receiver.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        receiver.shutdown()
        receiver.server_close()

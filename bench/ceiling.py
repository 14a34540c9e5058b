"""`python -m bench.ceiling serve`: `atrium serve` with one more route, a fixed answer of 16 KB to compare with."""

from atrium.cli import http_server
from atrium.cli.main import app
from atrium.kit.http.request import Request
from atrium.kit.http.responses import Response
from atrium.server.app import create_http_process_app
from atrium.server.middleware import Middleware
from atrium.server.router import page_endpoint

PATH = "/bench/ceiling"
BODY = b'{"messages":"' + b"x" * (16 * 1024 - 15) + b'"}'


def create_ceiling_app() -> Middleware:
    """Return the application of an HTTP process, with the fixed answer."""
    app = create_http_process_app()
    app.router.add("GET", PATH, page_endpoint(_respond))
    return app


async def _respond(_request: Request) -> Response:
    return Response(200, BODY, media_type="application/json")


if __name__ == "__main__":
    http_server.TARGET = "bench.ceiling:create_ceiling_app"
    app()

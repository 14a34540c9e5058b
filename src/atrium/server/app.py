"""The application: the routes of the API and the pages in one router, behind the middleware."""

import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import groupby
from operator import attrgetter

from atrium.kit.clock import Clock, utc_now
from atrium.kit.http.route import Route
from atrium.kit.process.logs import configure_logs
from atrium.kit.process.memory import tune_garbage_collector
from atrium.kit.settings import Settings
from atrium.routes import ROUTES
from atrium.server.guides import GUIDE_PAGES
from atrium.server.health import health_pages
from atrium.server.middleware import Middleware
from atrium.server.reference import REFERENCE_PAGES
from atrium.server.router import (
    Router,
    options_endpoint,
    page_endpoint,
    require_known_parameters,
    route_endpoint,
)
from atrium.server.service import Service, open_service, supervised
from atrium.server.ui import ui_pages

SUPERVISOR = "ATRIUM_SUPERVISOR"  # the process id of `atrium serve`, for the HTTP processes it starts


def create_app(
    settings: Settings | None = None, clock: Clock = utc_now, *, supervisor: int | None = None
) -> Middleware:
    """Return the complete server as an ASGI application."""
    chosen = settings or Settings()

    @asynccontextmanager
    async def serving() -> AsyncIterator[Service]:
        async with open_service(chosen, clock) as service, supervised(service, supervisor):
            yield service

    app: Middleware = Middleware(_router(chosen, lambda: app.service), serving)
    return app


def create_http_process_app() -> Middleware:
    """Return the application of one HTTP process of `atrium serve`; its settings come from the environment."""
    settings = Settings()
    configure_logs(settings.log_format, settings.log_level)
    tune_garbage_collector()
    return create_app(settings, supervisor=int(os.environ[SUPERVISOR]))


def _router(settings: Settings, service: Callable[[], Service]) -> Router:
    router = Router()
    for path, routes in groupby(sorted(ROUTES, key=attrgetter("path")), key=attrgetter("path")):
        _add_routes(router, path, list(routes))
    for path, page in {**REFERENCE_PAGES, **GUIDE_PAGES, **health_pages(service), **ui_pages(settings)}.items():
        router.add("GET", path, page_endpoint(page))
        router.add("OPTIONS", path, options_endpoint(["GET"]))
    return router


def _add_routes(router: Router, path: str, routes: Sequence[Route]) -> None:
    """Add the routes of one path."""
    methods = [method for route in routes for method in route.methods]
    router.add("OPTIONS", path, options_endpoint(methods, routes[0].headers))
    for route in routes:
        require_known_parameters(route)
        endpoint = route_endpoint(route)
        for method in route.methods:
            router.add(method, path, endpoint)

"""The application: the route table on Litestar, behind the middleware; the API reference."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

from litestar import HttpMethod, Litestar, Request, Response
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import ASGIApp

from atrium.kit.answers import Reply
from atrium.kit.clock import Clock, utc_now
from atrium.kit.deferred import import_beside
from atrium.kit.errors import CLOSE, MethodNotAllowed, NotFound, Problem
from atrium.kit.logs import configure_logs
from atrium.kit.memory import tune_garbage_collector
from atrium.kit.settings import Settings
from atrium.kit.web import Route
from atrium.routes import ROUTES
from atrium.server.bodies import streamed_body
from atrium.server.dialects import dialect_of
from atrium.server.guides import guide_handlers
from atrium.server.health import health_handlers
from atrium.server.middleware import REQUEST_ID, App, Middleware, Scope, as_problem, incoming
from atrium.server.pipeline import answer, body_of
from atrium.server.reference import reference_handlers
from atrium.server.service import Service, open_service, supervised
from atrium.server.streaming import EventStream
from atrium.server.ui import ui_handlers

SUPERVISOR = "ATRIUM_SUPERVISOR"  # the process id of `atrium serve`, for the HTTP processes it starts


def create_app(
    settings: Settings | None = None, clock: Clock = utc_now, *, supervisor: int | None = None
) -> Middleware:
    """The whole server as one ASGI application."""
    chosen = settings or Settings()
    opened: list[Service] = []

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        async with open_service(chosen, clock) as service, supervised(service, supervisor):
            opened.append(service)
            yield

    def service() -> Service:
        return opened[-1]

    pages = [*reference_handlers(), *guide_handlers(), *health_handlers(service), *ui_handlers(chosen)]
    litestar = Litestar(
        [*_options(), *(_handler(each, service) for each in ROUTES), *pages],
        lifespan=[lifespan],
        exception_handlers={Exception: _refuse},
        openapi_config=None,
        logging_config=None,
    )
    return Middleware(cast("App", litestar), ROUTES, service)


def create_worker_app() -> Middleware:
    """The application of one HTTP process of `atrium serve`; its settings come from the environment."""
    settings = Settings()
    configure_logs(settings.log_format, settings.log_level)
    tune_garbage_collector()
    return create_app(settings, supervisor=int(os.environ[SUPERVISOR]))


def _handler(each: Route, service: Callable[[], Service]) -> HTTPRouteHandler:
    modules = dialect_of(each.path).modules

    async def handle(request: Request[None, None, Any]) -> ASGIApp:
        await import_beside(modules)
        headers, scope = dict(request.scope["headers"]), cast("Scope", request.scope)
        received = incoming(scope, request.path_params, headers)
        if each.receives:
            received = received._replace(stream=streamed_body(request.receive))
        elif not each.is_reading:
            received = received._replace(body=await body_of(service(), each, received, request.receive))
        try:
            reply = await answer(service(), each, received)
        except Problem as refused:
            refused.headers += each.headers + (CLOSE if each.receives else ())
            raise
        if isinstance(reply, EventStream):
            return cast("ASGIApp", reply)
        return _response(reply, each, service(), has_body=scope["method"] != "HEAD")

    handle.__name__ = each.handler.__name__
    path = each.path.replace("}", ":str}")
    methods = [HttpMethod(method) for method in each.methods]
    return HTTPRouteHandler(path, http_method=methods, status_code=200)(handle)


def _response(reply: Reply, route: Route, service: Service, *, has_body: bool) -> ASGIResponse:
    headers = reply.headers + route.headers  # pairs, not a mapping: cookies come several at once
    media_type = reply.media_type or dialect_of(route.path).media_type
    if reply.streamed and has_body:
        parts = reply.streamed.parts(service.pool, service.clock)
        return ASGIStreamingResponse(
            iterator=parts, status_code=reply.status, headers=dict(headers), media_type=reply.streamed.media_type
        )
    return ASGIResponse(
        body=reply.body if has_body else b"", status_code=reply.status, headers=headers, media_type=media_type,
        is_head_response=not has_body,
    )  # fmt: skip


def _options() -> list[HTTPRouteHandler]:
    """OPTIONS of every path; the router's own would name one method alone where a path has several handlers."""
    methods: dict[str, list[str]] = {}
    for each in ROUTES:
        methods.setdefault(each.path, []).extend(each.methods)
    own = {each.path: dict(each.headers) for each in ROUTES}
    return [
        _options_of(path, {"allow": ", ".join([*taken, "OPTIONS"]), **own[path]}) for path, taken in methods.items()
    ]


def _options_of(path: str, headers: dict[str, str]) -> HTTPRouteHandler:
    async def options() -> ASGIResponse:
        return ASGIResponse(status_code=204, headers=headers)

    return HTTPRouteHandler(path.replace("}", ":str}"), http_method=HttpMethod.OPTIONS, status_code=200)(options)


def _refuse(request: Request[None, None, Any], error: Exception) -> Response[bytes]:
    """The answer to an exception, as the path's dialect shows it, whichever way it came."""
    scope = cast("Scope", request.scope)
    dialect, problem = dialect_of(scope["path"]), as_problem(_own(error), scope[REQUEST_ID])
    headers = dict(problem.headers) | _allowed(error)
    body = dialect.render(problem, scope[REQUEST_ID])
    return Response(body, status_code=problem.status, media_type=dialect.error_type, headers=headers)


def _own(error: Exception) -> Exception:
    """The router's refusals as problems of ours."""
    if not isinstance(error, HTTPException):
        return error
    found: dict[int, type[Problem]] = {404: NotFound, 405: MethodNotAllowed}
    return found.get(error.status_code, Problem)() if error.status_code < 500 else error


def _allowed(error: Exception) -> dict[str, str]:
    headers = (error.headers if isinstance(error, HTTPException) else None) or {}
    return {name.lower(): value for name, value in headers.items() if name.lower() == "allow"}

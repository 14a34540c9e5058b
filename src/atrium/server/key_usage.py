"""Count each request to a route of the API with its key: for the usage that the manager of the key sees."""

from typing import NamedTuple

from atrium.keys.use_counts import Use
from atrium.kit.http.request_context import RequestContext
from atrium.permissions import ANY_SCOPE
from atrium.routes import ROUTES
from atrium.server.service import Service


class _Counted(NamedTuple):
    method: str
    path: str
    scopes: tuple[str, ...]


def _needed(scope: str | None) -> tuple[str, ...]:
    return () if scope == ANY_SCOPE else ("*" if scope is None else scope,)


_BY_REQUEST = {
    (method, route.path): _Counted(route.method, route.path, _needed(route.permission.scope))
    for route in ROUTES
    for method in (("GET", "HEAD") if route.method == "GET" else (route.method,))
}


def count_use(service: Service, context: RequestContext, method: str) -> None:
    """Count a request when its response begins, unless its key is unknown or its path is not of the API."""
    counted = _BY_REQUEST.get((method, context.route))
    if counted is None or context.api_key_id is None:
        return
    now, scopes = service.clock(), counted.scopes
    if context.scopes:  # those that the content of the request needed, too
        scopes = (*scopes, *sorted(context.scopes - {*scopes}))
    use = Use(context.api_key_id, now.date(), counted.method, counted.path, scopes)
    service.use_counts.count(use, context.status, context.address, now)

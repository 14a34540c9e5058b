"""A key or secret is in one response only: routes that return one declare it, and repeat the request without it."""

import inspect
from typing import Any, get_args, get_type_hints

import msgspec

from atrium.kit.http.route import Route
from atrium.routes import ROUTES

SECRET_NAMES = {"key", "secret", "token"}
REPEATABLE = [route for route in ROUTES if route.is_repeatable]


def secrets_in(kind: Any) -> set[str]:
    """Return the response fields, at any depth, with the names of keys and secrets; `url` only at the top."""
    if not (inspect.isclass(kind) and issubclass(kind, msgspec.Struct)):
        return {name for part in get_args(kind) for name in secrets_in(part)}
    found = set(kind.__struct_fields__) & SECRET_NAMES
    return found.union(*(secrets_in(each) for each in get_type_hints(kind).values()))


def returns_a_secret(route: Route) -> bool:
    return "url" in getattr(route.response, "__struct_fields__", ()) or bool(secrets_in(route.response))


def test_routes_that_return_a_secret_are_marked_as_shown_once() -> None:
    wrong = [route for route in REPEATABLE if returns_a_secret(route) != (route.shows_once is not None)]
    assert [route.path for route in wrong] == [], "set `shows_once` of the route"


def test_the_check_finds_the_routes_that_return_a_secret() -> None:
    marked = {route.handler.__name__ for route in REPEATABLE if route.shows_once}
    assert marked >= {
        "create_own_key",
        "rotate_own_key",
        "create_api_key",
        "rotate_api_key",
        "create_webhook",
        "rotate_webhook_secret",
        "create_incoming_webhook",
        "create_invitation",
    }

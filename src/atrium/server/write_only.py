"""Responses for keys that may write something and not read it: ids, times, numbers and what the request itself sent."""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Set
from functools import cache
from typing import Any, TypeAlias

import msgspec
from msgspec import Raw

from atrium.kit.errors import Problem
from atrium.kit.http.request import Request
from atrium.kit.http.responses import AfterCommit, ReceivesBody, WithHeaders
from atrium.kit.http.route import Route
from atrium.kit.text.types import UUID_TEXT

TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
CREATED = ("secret",)  # fields whose values the request created
Hide: TypeAlias = Callable[[Any], Any]


async def result_without_content(running: Awaitable[Any], route: Route, request: Request) -> Any:
    """Return the result of a handler without content that the request did not send. The same goes for the fields of its
    error."""
    try:
        return _without_content(await running, _hider(route, request))
    except Problem as error:
        error.more = _fields_without_content(error.more, _hider(route, request))
        raise


def _without_content(result: Any, hide: Hide) -> Any:
    match result:
        case ReceivesBody():
            return result  # the response is about the upload of this request
        case AfterCommit():

            async def produce(*resources: Any) -> Any:
                return hide(await result.produce(*resources))

            return AfterCommit(produce)
        case WithHeaders():
            return WithHeaders(hide(result.value), *result.headers, raw_body=result.raw_body)
        case _:
            return hide(result)


def _fields_without_content(fields: Mapping[str, Any], hide: Hide) -> dict[str, Any]:
    return {
        name: Raw(msgspec.json.encode(hide(field))) if isinstance(field, Raw) else field
        for name, field in fields.items()
    }


def _hider(route: Route, request: Request) -> Hide:
    known = {*_words_of(route), *request.path_parameters.values(), *_sent(request.body)}
    return lambda value: None if value is None else _hidden(msgspec.json.decode(msgspec.json.encode(value)), known)


def _hidden(value: Any, known: Set[str]) -> Any:
    """Return JSON in which unknown strings are empty. Items of a list that contain one are left out."""
    if isinstance(value, str):
        return value if value in known or UUID_TEXT.fullmatch(value) or TIME.fullmatch(value) else ""
    if isinstance(value, list):
        return [each for each in value if _hidden(each, known) == each]
    if isinstance(value, dict):
        return {name: each if name in CREATED else _hidden(each, known) for name, each in value.items()}
    return value


def _sent(body: bytes) -> Iterator[str]:
    try:
        return _strings(msgspec.json.decode(body))
    except msgspec.DecodeError:
        return iter(())


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


@cache
def _words_of(route: Route) -> frozenset[str]:
    """Return the words that the schema of the response lists, such as the values of a status."""
    return frozenset(_listed(msgspec.json.schema_components([route.response])))


def _listed(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from (each for each in [*schema.get("enum", ()), schema.get("const")] if isinstance(each, str))
        schema = list(schema.values())
    if isinstance(schema, list | tuple):
        for each in schema:
            yield from _listed(each)

"""Dialects: the media types and the error format of all paths under a prefix. Handlers do not depend on them."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from atrium.kit.errors import PROBLEM_JSON, Problem


@dataclass(frozen=True)
class Dialect:
    """The media types under `prefix`, the function that renders an error with the request id, and the modules to
    import with the first request."""

    prefix: str
    media_type: str
    error_type: str
    render: Callable[[Problem, str], bytes]
    modules: tuple[str, ...] = ()


def _problem(problem: Problem, request_id: str) -> bytes:
    return msgspec.json.encode(problem.details(request_id))


JSON_API = Dialect("", "application/json", PROBLEM_JSON, _problem)

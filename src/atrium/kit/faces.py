"""A face: how the server speaks under a path. The handlers know nothing of it; a refusal is rendered by its face."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from atrium.kit.errors import PROBLEM_JSON, Problem


@dataclass(frozen=True)
class Face:
    """The media types under `prefix`, how a refusal is written there, given the request's id, and the modules that are
    imported when the first request comes."""

    prefix: str
    media_type: str
    error_type: str
    render: Callable[[Problem, str], bytes]
    modules: tuple[str, ...] = ()


def _problem(problem: Problem, request_id: str) -> bytes:
    return msgspec.json.encode(problem.details(request_id))


PLAIN = Face("", "application/json", PROBLEM_JSON, _problem)

"""The face of `/scim/v2`: its media type and its errors (RFC 7644, sections 3.1 and 3.12)."""

from scim2_models import Error

from atrium.kit.errors import Problem
from atrium.kit.faces import Face

SCIM_JSON = "application/scim+json"
BASE = "/scim/v2"


def error_of(problem: Problem) -> Error:
    """A refusal as the SCIM error schema says it."""
    return Error(status=problem.status, scim_type=getattr(problem, "scim_type", None), detail=problem.detail)


def _render(problem: Problem, _request_id: str) -> bytes:
    return error_of(problem).model_dump_json().encode()


SCIM = Face(BASE, SCIM_JSON, SCIM_JSON, _render)

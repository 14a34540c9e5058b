"""The dialect of each path. An unknown path gets the error format of its prefix too."""

from atrium.kit.http.dialects import JSON_API, Dialect
from atrium.scim.dialect import SCIM


def dialect_of(path: str) -> Dialect:
    """Return the dialect of a path."""
    return SCIM if f"{path}/".startswith(f"{SCIM.prefix}/") else JSON_API

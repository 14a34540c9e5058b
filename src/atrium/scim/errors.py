"""Refusals of the directory, and the library's exceptions as such."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from pydantic import ValidationError
from scim2_models import Error, SCIMException

from atrium.kit.errors import Conflict, InvalidRequest, NotFound, Problem
from atrium.scim.resources import MOST_OPERATIONS, PROVIDER


class ScimRefusal(InvalidRequest):
    """A SCIM request that cannot be carried out as it stands; `scimType` says why (RFC 7644, section 3.12)."""

    code = "scim_refusal"
    title = "The SCIM request is not valid"
    scim_type: str | None = None

    @classmethod
    def of(cls, detail: str, scim_type: str | None) -> "ScimRefusal":
        """A refusal with its `scimType`."""
        refusal = cls(detail)
        refusal.scim_type = scim_type
        return refusal


class ResourceNotFound(NotFound):
    """There is no such user or group in the organization's directory."""

    code = "resource_not_found"
    title = "There is no such resource"


class NotUnique(Conflict):
    """Another user of the organization has that `userName`."""

    code = "not_unique"
    title = "The value is taken"
    scim_type: ClassVar[str] = "uniqueness"


class VersionMismatch(Problem):
    """The resource is no longer the one that `If-Match` names."""

    status = 412
    code = "version_mismatch"
    title = "The resource has changed"


class TooManyOperations(Problem):
    """A bulk request holds more operations than the service provider configuration allows."""

    status = 413
    code = "too_many_operations"
    title = f"A bulk request holds at most {MOST_OPERATIONS} operations"


@contextmanager
def as_the_library_reads() -> Iterator[None]:
    """Run the library under our policy; what it refuses is a ScimRefusal. Nothing may be awaited inside."""
    try:
        with PROVIDER:
            yield
    except SCIMException as error:
        raise ScimRefusal.of(error.detail, error.scim_type or None) from None
    except ValidationError as error:
        first = Error.from_validation_errors(error)[0]
        raise ScimRefusal.of(first.detail or "The request is not valid.", first.scim_type) from None

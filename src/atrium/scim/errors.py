"""The errors of the SCIM endpoints."""

from typing import ClassVar

from atrium.kit.errors import Conflict, InvalidRequest, NotFound, Problem
from atrium.scim.dialect import MAX_OPERATIONS


class ScimError(InvalidRequest):
    """An invalid SCIM request; `scimType` is the reason (RFC 7644, section 3.12)."""

    code = "scim_refusal"
    title = "The SCIM request is invalid"
    scim_type: str | None = None

    @classmethod
    def of(cls, detail: str, scim_type: str | None) -> "ScimError":
        """Return an error with this `scimType`."""
        error = cls(detail)
        error.scim_type = scim_type
        return error


class ResourceNotFound(NotFound):
    """The organization's directory has no user or group with this id."""

    code = "resource_not_found"
    title = "Resource not found"


class NotUnique(Conflict):
    """Another user of the organization has this `userName`."""

    code = "not_unique"
    title = "The value is already taken"
    scim_type: ClassVar[str] = "uniqueness"


class VersionMismatch(Problem):
    """The resource is not at the version in `If-Match`."""

    status = 412
    code = "version_mismatch"
    title = "The resource has changed"


class TooManyOperations(Problem):
    """A bulk request has more operations than the service provider configuration allows."""

    status = 413
    code = "too_many_operations"
    title = f"A bulk request has at most {MAX_OPERATIONS} operations"

"""Refusals of the directory."""

from typing import ClassVar

from atrium.kit.errors import Conflict, InvalidRequest, NotFound, Problem
from atrium.scim.dialect import MOST_OPERATIONS


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

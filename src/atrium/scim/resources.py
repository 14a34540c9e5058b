"""The SCIM resources as models of the library: users with the enterprise extension, and groups.

The models here replace those of the library that are stricter than what Okta and Entra send.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, Final, cast

import scim2_models as scim
from pydantic import Field, ValidationError
from scim2_models import CaseExact, Mutability, Reference, ResourceType, Returned, ScimPolicy, ScimProvider

from atrium.scim.dialect import MAX_BYTES, MAX_OPERATIONS
from atrium.scim.errors import ScimError

PAGE, MAX_PAGE = 100, 1000


class Email(scim.Email):
    """An email address; `ada@corp.local` is valid too, and common in directories."""

    value: str | None = None


class Manager(scim.Manager):
    """A manager's id; no directory sends the `$ref` that the schema requires."""

    value: Annotated[str | None, CaseExact.true] = None
    ref: Reference["User"] | None = Field(  # type: ignore[assignment]
        None, serialization_alias="$ref", validation_alias="$ref"
    )


class EnterpriseUser(scim.EnterpriseUser):
    """The enterprise extension of a user."""

    manager: Manager | None = None


class User(scim.User[Any]):
    """A person of the organization."""

    emails: list[Email] | None = None  # type: ignore[assignment]


class Member(scim.GroupMember):
    """A user in a group; groups cannot contain groups."""

    ref: Annotated[Reference["User"] | None, Mutability.immutable] = Field(  # type: ignore[assignment]
        None, serialization_alias="$ref", validation_alias="$ref"
    )
    type: Annotated[str | None, Mutability.immutable] = Field(None, examples=["User"])
    display: Annotated[str | None, Mutability.read_only, Returned.request] = None


class Group(scim.Group):
    """A group of people."""

    members: list[Member] | None = None  # type: ignore[assignment]


USER = cast("type[User]", User.__class_getitem__(EnterpriseUser))
MODELS: Final[Mapping[str, type[scim.Resource[Any]]]] = {"User": USER, "Group": Group}
ENTERPRISE = str(EnterpriseUser.__schema__)
USER_SCHEMA, GROUP_SCHEMA = str(User.__schema__), str(Group.__schema__)

CONFIG = scim.ServiceProviderConfig(
    patch=scim.Patch(supported=True),
    bulk=scim.Bulk(supported=True, max_operations=MAX_OPERATIONS, max_payload_size=MAX_BYTES),
    filter=scim.Filter(supported=True, max_results=MAX_PAGE),
    change_password=scim.ChangePassword(supported=False),
    sort=scim.Sort(supported=True),
    etag=scim.ETag(supported=True),
    pagination=scim.Pagination(
        cursor=False,
        index=True,
        default_page_size=PAGE,
        max_page_size=MAX_PAGE,
        default_pagination_method=scim.Pagination.DefaultPaginationMethod.index,
    ),
    authentication_schemes=[
        scim.AuthenticationScheme(
            type=scim.AuthenticationScheme.Type.oauthbearertoken,
            name="Organization key",
            primary=True,
            description="The key of an integration with the organization role admin, as a bearer token",
        )
    ],
)
PROVIDER = ScimProvider(
    [User, EnterpriseUser, Group],
    [ResourceType.from_resource(USER), ResourceType.from_resource(Group)],
    CONFIG,
    ScimPolicy(
        unknown=ScimPolicy.Unknown.ignore,
        remove_value_as_filter=ScimPolicy.RemoveValue.apply,
        unmatched_path_filter=ScimPolicy.UnmatchedPathFilter.create,
    ),
)


@contextmanager
def library_errors() -> Iterator[None]:
    """Run the library with Atrium's policy and raise its errors as ScimError. Do not await inside."""
    try:
        with PROVIDER:
            yield
    except scim.SCIMException as error:
        raise ScimError.of(error.detail, error.scim_type or None) from None
    except ValidationError as error:
        first = scim.Error.from_validation_errors(error)[0]
        raise ScimError.of(first.detail or "The request is invalid.", first.scim_type) from None

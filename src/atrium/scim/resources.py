"""What the directory serves, in the library's models: users with the enterprise extension, and groups.

A model of ours stands where the library's is stricter than what Okta and Entra send, or than what is kept here.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, Final, cast

import scim2_models as scim
from pydantic import Field, ValidationError
from scim2_models import CaseExact, Mutability, Reference, ResourceType, Returned, ScimPolicy, ScimProvider

from atrium.scim.dialect import MOST_BYTES, MOST_OPERATIONS
from atrium.scim.errors import ScimRefusal

PAGE, MOST_IN_A_PAGE = 100, 1000


class Email(scim.Email):
    """An address; `ada@corp.local` is one too, and is common in directories."""

    value: str | None = None


class Manager(scim.Manager):
    """A manager by his id; no directory sends the `$ref` that the schema asks for."""

    value: Annotated[str | None, CaseExact.true] = None
    ref: Reference["User"] | None = Field(  # type: ignore[assignment]
        None, serialization_alias="$ref", validation_alias="$ref"
    )


class EnterpriseUser(scim.EnterpriseUser):
    """What companies say of their people."""

    manager: Manager | None = None


class User(scim.User[Any]):
    """A person of the organization."""

    emails: list[Email] | None = None  # type: ignore[assignment]


class Member(scim.GroupMember):
    """A user in a group; groups hold no groups."""

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
    bulk=scim.Bulk(supported=True, max_operations=MOST_OPERATIONS, max_payload_size=MOST_BYTES),
    filter=scim.Filter(supported=True, max_results=MOST_IN_A_PAGE),
    change_password=scim.ChangePassword(supported=False),
    sort=scim.Sort(supported=True),
    etag=scim.ETag(supported=True),
    pagination=scim.Pagination(
        cursor=False, index=True, default_page_size=PAGE, max_page_size=MOST_IN_A_PAGE,
        default_pagination_method=scim.Pagination.DefaultPaginationMethod.index,
    ),
    authentication_schemes=[
        scim.AuthenticationScheme(
            type=scim.AuthenticationScheme.Type.oauthbearertoken, name="Organization key", primary=True,
            description="The key of an integration with the organization role admin, as a bearer token",
        )
    ],
)  # fmt: skip
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
def as_the_library_reads() -> Iterator[None]:
    """Run the library under our policy; what it refuses is a ScimRefusal. Nothing may be awaited inside."""
    try:
        with PROVIDER:
            yield
    except scim.SCIMException as error:
        raise ScimRefusal.of(error.detail, error.scim_type or None) from None
    except ValidationError as error:
        first = scim.Error.from_validation_errors(error)[0]
        raise ScimRefusal.of(first.detail or "The request is not valid.", first.scim_type) from None

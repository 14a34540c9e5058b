"""permissions.py is the only permission table, and routes use all of it (docs/contract.md#roles-and-keys)."""

import ast

import pytest

from atrium import permissions
from atrium.kit.http.route import Route
from atrium.permissions import OrganizationRole, Permission, SpaceRole, Subject
from atrium.routes import ROUTES
from atrium.routes.subjects import REACH
from tests.house.sources import sources

ROWS = {name: row for name, row in vars(permissions).items() if isinstance(row, Permission)}
SUBJECTS = {
    "recording_id": Subject.RECORDING, "attachment_id": Subject.ATTACHMENT, "upload_id": Subject.UPLOAD,
    "block_id": Subject.BLOCK, "message_id": Subject.MESSAGE, "room_id": Subject.ROOM, "space_id": Subject.SPACE,
    "organization_id": Subject.ORGANIZATION,
}  # fmt: skip
WITHOUT_A_KEY = {
    "/v1/invitations/preview", "/v1/invitations/accept", "/v1/sessions", "/v1/sessions/link", "/v1/sign-in-links", "/v1/password-resets",
    "/v1/password-resets/confirm", "/v1/sign-in/methods", "/v1/sign-in/oidc/start", "/v1/sign-in/oidc/callback",
    "/v2/incoming-webhooks/{token}",
    "/v1/set-up", "/v1/event-types",
}  # fmt: skip
OF_EITHER_KEY = {"/v2/events"}


def row_of(route: Route) -> str:
    return next(name for name, row in ROWS.items() if row is route.permission)


def test_each_subject_is_fetched_by_one_registered_function() -> None:
    written = [
        node.name
        for tree in sources().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.AsyncFunctionDef) and node.name.startswith("reach_")
    ]
    assert set(REACH) == set(Subject) - {Subject.ANYONE, Subject.ACTOR}
    assert sorted(each.reach.__name__ for each in REACH.values()) == sorted(written)


@pytest.mark.contract("Roles and keys 1")
def test_every_route_names_a_row_of_the_table() -> None:
    assert [route.path for route in ROUTES if not any(route.permission is row for row in ROWS.values())] == []


def test_every_row_of_the_table_is_used() -> None:
    assert set(ROWS) == {row_of(route) for route in ROUTES}


def test_each_path_and_method_is_listed_once() -> None:
    lines = [(route.method, route.path) for route in ROUTES]
    assert len(set(lines)) == len(lines)


def test_permissions_apply_to_the_resource_in_the_path() -> None:
    wrong = [route for route in ROUTES if route.permission.subject is not subject_in_path(route)]
    assert [f"{route.method} {route.path}: {subject_in_path(route)}" for route in wrong] == []


def subject_in_path(route: Route) -> Subject:
    """Return the subject that a route's permission is to have."""
    is_own = route.path.startswith("/v1/me/")  # of the caller, also if it names an organization
    named = None if is_own else next((what for name, what in SUBJECTS.items() if name in route.path_names), None)
    either = Subject.ACTOR if route.path in OF_EITHER_KEY else Subject.PERSON
    expected = named or (Subject.ANYONE if route.path in WITHOUT_A_KEY else either)
    return Subject.DIRECTORY if route.path.startswith("/scim/v2") else expected


def test_no_row_for_reading_permits_a_change() -> None:
    changing = [route for route in ROUTES if route.method != "GET"]
    assert [route.path for route in changing if row_of(route).startswith(("READ_", "LIST_"))] == []


def test_each_row_requires_a_role_or_scope() -> None:
    without = {name: row for name, row in ROWS.items() if not (row.organization or row.space)}
    without_need = (Subject.ANYONE, Subject.PERSON, Subject.ACTOR)
    assert [name for name, row in without.items() if row.subject not in without_need] == []
    assert [name for name, row in ROWS.items() if row.or_space and not row.sender] == []


@pytest.mark.parametrize("roles", [OrganizationRole, SpaceRole])
def test_a_role_includes_itself_and_all_lower_roles(roles: type[OrganizationRole] | type[SpaceRole]) -> None:
    ranks = list(roles)
    for high, one in enumerate(ranks):
        assert [one.holds(other) for other in ranks] == [low <= high for low in range(len(ranks))]


def test_the_roles_are_in_the_documented_order() -> None:
    assert list(OrganizationRole) == ["guest", "member", "reader", "admin", "super_admin"]
    assert list(SpaceRole) == ["reader", "member", "admin"]

"""The requests of each route by callers, with the expected and the actual responses."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import httpx

from atrium.kit.http.route import Route
from atrium.permissions import ANY_SCOPE, Permission, Scope, Subject
from tests.contract.tour import World, handler_name
from tests.permissions.callers import Caller, Standing
from tests.permissions.examples import LET_IN, fresh, request_as
from tests.permissions.needs import MATCHING, NEED_OF, OF_UPLOADS, PEOPLE_ONLY, RESENDING, SUBSCRIBING

Answer = tuple[int, str]  # the status, and the code of an error
UNKNOWN, FORBIDDEN = (401, "unauthenticated"), (403, "forbidden")
MISSING = {
    Subject.ORGANIZATION: "organization_not_found", Subject.SPACE: "space_not_found", Subject.ROOM: "room_not_found",
    Subject.MESSAGE: "room_not_found", Subject.UPLOAD: "room_not_found", Subject.BLOCK: "block_not_found",
    Subject.RECORDING: "recording_not_found", Subject.ATTACHMENT: "attachment_not_found",
}  # fmt: skip


class Cell(NamedTuple):
    """A route and a caller: the expected response and the actual one."""

    what: str
    expected: Answer
    answer: Answer


def expected(caller: Caller, route: Route, is_own: bool) -> Answer:
    """Return the expected response to the caller."""
    refused = _rejection(caller, route, is_own)
    if refused and route.permission.subject is Subject.DIRECTORY:
        return refused[0], ""  # SCIM errors do not have our codes
    return refused or let_in(route)


def _rejection(caller: Caller, route: Route, is_own: bool) -> Answer | None:
    need = NEED_OF[handler_name(route)]
    if caller.standing is Standing.STOPPED:
        return UNKNOWN
    if caller.standing is Standing.NOBODY:
        return None if need.subject is Subject.ANYONE else UNKNOWN
    if caller.standing is Standing.AWAY:
        return 403, "network_not_allowed"
    if not fits(caller, need.scope):
        return 403, "insufficient_scope"
    match need.subject:
        case Subject.ANYONE | Subject.ACTOR:
            return None
        case Subject.PERSON:
            return None if caller.is_person else FORBIDDEN
        case Subject.DIRECTORY:
            return _to_directory(caller, route, need)
    return _to_what_it_reaches(caller, route, need, is_own)


def fits(caller: Caller, scope: str | None) -> bool:
    """Return whether the scopes of the caller's key suffice for a request that needs `scope`."""
    return caller.scopes is None or scope == ANY_SCOPE or scope in caller.scopes


def _to_directory(caller: Caller, route: Route, need: Permission) -> Answer | None:
    assert need.organization
    if caller.is_person or not caller.role.holds(need.organization):
        return FORBIDDEN
    is_of_another = caller.standing is Standing.OTHER and {"user", "group"} & set(route.path_names)
    return (404, "not_found") if is_of_another else None


def _to_what_it_reaches(caller: Caller, route: Route, need: Permission, is_own: bool) -> Answer | None:
    is_about_space = need.space is not None
    if caller.standing is Standing.OTHER or (is_about_space and caller.space is None):
        return 404, MISSING[need.subject]
    if need.organization and not caller.role.holds(need.organization):
        return FORBIDDEN
    if need.space and caller.space and not _holds_in_space(caller, need, is_own):
        return FORBIDDEN
    if (need.people_only or handler_name(route) in PEOPLE_ONLY) and not caller.is_person:
        return FORBIDDEN
    if need.subject is Subject.UPLOAD and not is_own:
        return 404, "upload_not_found"
    if handler_name(route) in OF_UPLOADS and not fits(caller, Scope.MESSAGES_WRITE):
        return 403, "insufficient_scope"
    if handler_name(route) in MATCHING:
        return _to_match(caller)
    if handler_name(route) in RESENDING and caller.space is None:
        return FORBIDDEN
    return _to_subscribe(caller) if handler_name(route) in SUBSCRIBING else None


def _to_match(caller: Caller) -> Answer | None:
    if not fits(caller, Scope.MESSAGES_READ):
        return 403, "insufficient_scope"
    return (404, MISSING[Subject.ROOM]) if caller.space is None else None


def _holds_in_space(caller: Caller, need: Permission, is_own: bool) -> bool:
    assert caller.space
    assert need.space
    if need.sender and not is_own:
        return need.or_space is not None and caller.space.holds(need.or_space)
    return caller.space.holds(need.space)


def _to_subscribe(caller: Caller) -> Answer | None:
    if caller.space is None:
        return 404, "room_not_found"
    return None if caller.space == "admin" else FORBIDDEN


def let_in(route: Route) -> Answer:
    """Return the response to an allowed caller; routes without a key get an invalid body, and so change nothing."""
    if route.permission.subject is Subject.ANYONE and route.method == "POST":
        return 400, "invalid_request"
    return LET_IN.get(handler_name(route)) or (route.status, "")


def cells_of(world: World, caller: Caller, routes: list[Route]) -> list[Cell]:
    """Send one caller's requests of each route; return the cells."""
    client, cells = world.api.client(caller.key), []
    for route in routes:
        for is_own in (False, True):
            if is_own and not _may_be_own(caller, route):
                continue
            wanted, ids = expected(caller, route, is_own), caller.own if is_own else {}
            if wanted == let_in(route) and not is_own:
                ids = fresh(world, route, caller, client)
            answer = request_as(world, route, client, ids)
            what = f"{handler_name(route)}{' of their own' * is_own}, {caller.name}"
            cells.append(Cell(what, wanted, _answer_of(answer)))
    client.close()
    return cells


def request_all(world: World, callers: list[Caller], routes: list[Route]) -> list[Cell]:
    """Return every cell. Callers run in parallel, each in the order of the routes; deleting a recording comes last."""
    ordered = sorted(routes, key=lambda route: handler_name(route) == "delete_recording")
    with ThreadPoolExecutor(6) as hands:
        rows = list(hands.map(lambda caller: cells_of(world, caller, ordered), callers))
    return [cell for row in rows for cell in row]


def assert_right(cells: list[Cell]) -> None:
    """Assert that each response is the expected one."""
    wrong = [
        f"{cell.what}: {cell.expected}, but it was {cell.answer}" for cell in cells if cell.answer != cell.expected
    ]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(cells)}", *wrong])


def _may_be_own(caller: Caller, route: Route) -> bool:
    need = NEED_OF[handler_name(route)]
    return bool(caller.own) and (need.sender or need.subject is Subject.UPLOAD)


def _answer_of(answer: httpx.Response) -> Answer:
    is_problem = answer.headers.get("content-type") == "application/problem+json"
    return answer.status_code, answer.json()["code"] if is_problem else ""

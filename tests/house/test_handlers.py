"""Handlers and commands are thin: actions change and record, readings fetch, SQL is in queries."""

import ast
from collections.abc import Iterator
from uuid import UUID

import pytest

from atrium.keys.caller import Call
from atrium.kit.http.request import Request
from atrium.kit.http.route import Route
from atrium.permissions import READ_ROOM
from atrium.rooms.model import ReachedRoom
from atrium.routes import ROUTES
from atrium.server.router import require_known_parameters
from tests.house.sources import sources, sql_constants

DATABASE = {"record", "execute", "executemany", "fetch", "fetchrow", "fetchval"}
HANDLERS = sorted(path for path in sources() if path.endswith("/api.py") and not path.startswith("client/"))
COMMANDS = sorted(path for path in sources() if path.startswith("cli/"))
# Statements that belong to no feature, each next to the only function that runs it.
SQL_ELSEWHERE = {
    "keys/caller.py", "kit/http/attempts.py", "kit/http/idempotency.py", "kit/mail/queue.py", "kit/postgres/hosts.py",
    "kit/postgres/replicas.py", "migrations/__init__.py", "migrations/upgrade.py", "webhooks/queue/wakeup.py",
}  # fmt: skip


def database_calls(tree: ast.AST) -> Iterator[str]:
    """Return the calls that reach the database or the audit log, by method name, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in DATABASE:
            yield f"{node.lineno} {ast.unparse(node.func)}"


def test_handlers_and_commands_call_only_actions_and_readings() -> None:
    found = [f"{path}:{call}" for path in [*HANDLERS, *COMMANDS] for call in database_calls(sources()[path])]
    assert found == []


def test_an_action_checks_that_its_room_is_not_archived() -> None:
    """A handler that checks could forget it; the action is called by commands and imports too."""
    names = {path: {node.id for node in ast.walk(sources()[path]) if isinstance(node, ast.Name)} for path in HANDLERS}
    assert [path for path in HANDLERS if "require_open" in names[path]] == []


def test_every_handler_is_in_an_api_module() -> None:
    modules = {route.handler.__module__ for route in ROUTES}
    paths = {module.removeprefix("atrium.").replace(".", "/") + ".py" for module in modules}
    assert paths - set(HANDLERS) == {"scim/discovery.py"}  # returns constants
    assert list(database_calls(sources()["scim/discovery.py"])) == []


async def _misspelled(call: Call, romo_id: UUID) -> None:
    """Take a parameter that no route gives."""


async def _correct(call: Call, room: ReachedRoom, room_id: UUID, request: Request) -> None:
    """Take only what a route of a room gives."""


def test_a_parameter_that_the_route_does_not_give_is_found_at_start() -> None:
    require_known_parameters(Route("GET", "/v2/rooms/{room_id}", _correct, READ_ROOM))
    with pytest.raises(TypeError, match=r"_misspelled .*romo_id"):
        require_known_parameters(Route("GET", "/v2/rooms/{room_id}", _misspelled, READ_ROOM))


def test_sql_is_in_query_modules() -> None:
    exceptions = {
        name.partition(":")[0] for name in sql_constants() if not name.partition(":")[0].endswith("queries.py")
    }
    assert exceptions == SQL_ELSEWHERE


@pytest.mark.parametrize(
    "code", ["await call.record(change)", "await call.db.execute(queries.ADD)", "rows = await db.fetch(queries.ALL)"]
)
def test_the_check_finds_a_handler_that_executes_sql(code: str) -> None:
    assert list(database_calls(ast.parse(f"async def handler(call):\n    {code}")))

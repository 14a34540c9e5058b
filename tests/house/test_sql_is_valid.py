"""SQL is in constants that the database can prepare; hot statements use their indexes."""

import ast
import asyncio
import json
from collections.abc import Iterator
from typing import Any

import asyncpg
import psycopg
import pytest

from atrium.kit.postgres.database import SESSION
from atrium.kit.settings import Settings
from atrium.messages import page_queries, queries
from tests.house.sources import constants, is_put_together, is_sql, is_statement, sources, sql_constants

# embedded.py uses another driver, for a server on which our database does not exist yet.
ELSEWHERE = {"kit/postgres/embedded.py"}


def test_the_check_finds_the_known_statements() -> None:
    assert {
        "messages/queries.py:SEND",
        "messages/page_queries.py:PAGE_OF_ROOM",
        "kit/http/idempotency.py:CLAIM",
        "keys/caller.py:CALLER",
        "rooms/queries.py:LOCK",
        "bootstrap/queries.py:HAS_ORGANIZATION",
    } <= set(sql_constants())


def test_the_database_can_prepare_each_statement(settings: Settings) -> None:
    async def find_rejected() -> dict[str, str]:
        errors = {}
        db = await asyncpg.connect(settings.database_url, server_settings=SESSION)
        for name, statement in sql_constants().items():
            try:
                await db.prepare(statement)
            except asyncpg.PostgresError as error:
                errors[name] = str(error)
        await db.close()
        return errors

    assert asyncio.run(find_rejected()) == {}


def test_parts_of_statements_are_only_in_composed_constants() -> None:
    """`sql_constants` leaves them out, so the database prepares them only as parts of others."""
    assert [f"{path}:{found}" for path, tree in sources().items() for found in parts_elsewhere(path, tree)] == []


def parts_elsewhere(path: str, tree: ast.Module) -> list[str]:
    """Return the uses of texts like `_PART` outside of composed constants and of their module, and the unused ones."""
    parts = {name for name, value in constants(tree) if name.startswith("_") and is_statement(path, value)}
    composed = {id(node) for _, value in constants(tree) if is_put_together(value) for node in ast.walk(value)}
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    found = [node for node in uses if node.id in parts]
    alone = [f"{node.lineno}: {node.id}" for node in found if id(node) not in composed]
    return [*alone, *_of_other_modules(tree), *sorted(parts - {node.id for node in found})]


def _of_other_modules(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        names = [each.name for each in node.names] if isinstance(node, ast.ImportFrom) else []
        names += [node.attr] if isinstance(node, ast.Attribute) else []
        yield from (name for name in names if name.startswith("_") and name.isupper())


@pytest.mark.parametrize(
    ("use", "is_found"),
    [
        ("ALL = f'{_PART} where 1'", False),
        ("ALL = f'{_PART}'\ndb.execute(_PART)", True),
        ("ALL = _PART", True),
        ("", True),
        ("ALL = f'{_PART}{queries._ROOMS}'", True),
        ("from a import _ROOMS\nALL = f'{_PART}'", True),
    ],
)
def test_a_part_that_is_used_elsewhere_is_found(use: str, is_found: bool) -> None:
    assert bool(parts_elsewhere("queries.py", ast.parse(f"_PART = 'from rooms'\n{use}\n"))) is is_found


def test_sql_is_defined_in_constants() -> None:
    found = [(path, line) for path, tree in sources().items() for line in sql_outside_of_constants(tree)]
    assert [f"{path}:{line}" for path, line in found if path not in ELSEWHERE] == []


def sql_outside_of_constants(tree: ast.Module) -> list[int]:
    """Return the lines with SQL that is no constant of the module."""
    at_the_top = {id(node) for each in tree.body if isinstance(each, ast.Assign) for node in ast.walk(each)}
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    others = at_the_top | texts
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and is_sql(node) and id(node) not in others
    ]


def test_sql_is_never_assembled_from_strings() -> None:
    names = {key.partition(":")[2] for key in sql_constants()}
    found = [
        f"{path}:{node.lineno} {ast.unparse(node)}"
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.expr)
        and _assembles(node, names)
        and id(node) not in {id(value) for _, value in constants(tree) if is_put_together(value)}
    ]
    assert found == []


def _assembles(node: ast.AST, names: set[str]) -> bool:
    if isinstance(node, ast.JoinedStr):
        parts = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
        return is_sql(node.values[0]) or any(_is_statement(part, names) for part in parts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
        return _is_statement(node.left, names) or _is_statement(node.right, names)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        changes = node.func.attr in ("format", "replace", "join", "format_map", "substitute")
        return changes and _is_statement(node.func.value, names)
    return False


def _is_statement(node: ast.expr, names: set[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and "queries" in node.value.id and node.attr in names
    return is_sql(node)


@pytest.mark.parametrize(
    "bad",
    [
        'f"select * from {table}"',
        '"select * from %s" % table',
        '"delete from " + table',
        '"insert into {} values (1)".format(table)',
        'queries.SEND + " limit 1"',
        'f"{queries.READ} for update"',
    ],
)
def test_the_check_finds_assembled_sql(bad: str) -> None:
    assert any(_assembles(node, {"SEND", "READ"}) for node in ast.walk(ast.parse(bad)))


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ('f"select {LOCK}"', True),
        ('f"{_HEAD} where {locks.SCHEMA} = 1"', True),
        ('f"select {table}"', False),
        ('f"select {LOCK + 1}"', False),
        ('f"select {LOCK!r}"', False),
        ('f"select {LOCK:>{width}}"', False),
        ('f"select {locks.of(1)}"', False),
        ('"select 1"', False),
    ],
)
def test_a_constant_is_composed_only_of_constants(text: str, is_one: bool) -> None:
    assert is_put_together(ast.parse(text, mode="eval").body) is is_one


# Rooms of 1,000 messages, every tenth the root of nine replies: enough for a wrong index to cost more than the right one.
FILL = """
insert into messages (room_id, message_id, user_id, sender_type, parent_id, thread_root_id, text, sent_at)
select room, id, gen_random_uuid(), 'person', root, root, 'x', now()
from (select room, id,
             case when nr % 10 > 0 then first_value(id) over (partition by room, nr / 10 order by nr) end as root
      from (select room, nr, id_at((1700000000000 + nr * 60000) << 12) as id
            from (select gen_random_uuid() as room from generate_series(1, 30)) rooms, generate_series(0, 999) nr) made
     ) all_
"""


@pytest.fixture(scope="module")
def populated_database(settings: Settings) -> Iterator[psycopg.Connection[Any]]:
    """Yield a connection configured like the server's on a populated table; roll back afterwards."""
    with psycopg.connect(settings.database_url or "") as db:
        for name, value in SESSION.items():
            db.execute("select set_config(%s, %s, false)", [name, value])
        db.execute("truncate messages")  # otherwise data of other tests decides the plan
        db.execute(FILL.encode())
        db.execute("analyze messages")
        yield db
        db.rollback()


def scans(db: psycopg.Connection[Any], statement: str) -> list[dict[str, Any]]:
    """Return the nodes of the statement's generic plan that read messages."""
    row = db.execute(f"explain (generic_plan, format json) {statement}".encode()).fetchone()
    assert row is not None
    plan = row[0] if isinstance(row[0], list) else json.loads(row[0])
    return [node for node in _nodes(plan[0]["Plan"]) if reads_messages(node)]


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", ()):
        yield from _nodes(child)


def reads_messages(node: dict[str, Any]) -> bool:
    named = node.get("Relation Name") == "messages" or str(node.get("Index Name", "")).startswith("messages_")
    return named and node["Node Type"] != "ModifyTable"


@pytest.mark.parametrize(
    ("statement", "indexes"),
    [
        (page_queries.PAGE_OF_ROOM, {"messages_pkey"}),
        (page_queries.PAGE_OF_TOP_LEVEL, {"messages_pkey", "messages_by_thread"}),
        (page_queries.PAGE_OF_THREAD, {"messages_pkey", "messages_by_thread"}),
        (queries.SEND, {"messages_pkey"}),
        (queries.READ, {"messages_pkey"}),
        (queries.READ_FOR_CHANGE, {"messages_pkey"}),
        (queries.EDIT, {"messages_pkey"}),
    ],
    ids=["PAGE_OF_ROOM", "PAGE_OF_TOP_LEVEL", "PAGE_OF_THREAD", "SEND", "READ", "READ_FOR_CHANGE", "EDIT"],
)
def test_a_hot_statement_uses_its_indexes(
    populated_database: psycopg.Connection[Any], statement: str, indexes: set[str]
) -> None:
    found = scans(populated_database, statement)
    assert {node.get("Index Name") for node in found} == indexes
    assert {node["Node Type"] for node in found} <= {"Index Scan", "Index Only Scan"}
    assert all("Index Cond" in node for node in found)
    assert "room_id" in "".join(node["Index Cond"] for node in found)


def test_the_plan_check_finds_a_sequential_scan(populated_database: psycopg.Connection[Any]) -> None:
    assert [node["Node Type"] for node in scans(populated_database, "select from messages where text = $1")] == [
        "Seq Scan"
    ]

"""Event kinds are defined in one catalogue: SQL, triggers and documentation name exactly these kinds."""

import ast
import re
from collections.abc import Iterator

import pytest

from atrium.client import webhook_types
from atrium.event_payloads import LIVE, WEBHOOK, live_events_table
from atrium.events import ACCESS_CHANGES, PUBLIC, TRANSIENT, Audience, LiveEventKind, WebhookEventKind
from atrium.migrations import scripts
from atrium.routes import ROUTES
from atrium.server.openapi import document
from atrium.webhooks.model import SubscriptionType
from tests.house.sources import is_sql, sources

ALSO_ERRORS = {"message_deleted", "room_archived"}
KINDS = {str(kind) for kind in (*LiveEventKind, *WebhookEventKind)} - ALSO_ERRORS
CATALOGUE = {"events.py", "event_payloads.py"}
# The client does not import server code; in the other files these words have another meaning.
OTHERS = ("client/", "audit/", "mcp/", "sessions/")
SCHEMA = "".join(script.read_text() for script in scripts())
EMITTED = re.compile(r"'((?:message|reaction|room|space|space_member|access|key|read_marker)\.[a-z_]+)'|'(typing)'")
EMITTED_IN_PARTS = re.compile(r"'(room|space_member)\.' \|\| case.*?end", re.DOTALL)
ENDING = re.compile(r"(?:then|else) '([a-z_]+)'")


def test_each_kind_that_clients_receive_has_one_payload() -> None:
    assert [each.kind for each in LIVE] == [kind for kind in LiveEventKind if kind in PUBLIC]
    assert [each.kind for each in WEBHOOK] == list(WebhookEventKind)


def test_the_audience_says_how_streams_treat_a_kind() -> None:
    assert {LiveEventKind.ACCESS_CHANGED, LiveEventKind.KEY_CHANGED} == ACCESS_CHANGES
    assert set(LiveEventKind) - PUBLIC == {LiveEventKind.KEY_CHANGED}
    assert {LiveEventKind.TYPING} == TRANSIENT
    assert {kind.audience for kind in LiveEventKind}.isdisjoint(kind.audience for kind in WebhookEventKind)


def test_the_documentation_lists_the_catalogue() -> None:
    assert live_events_table() in document(ROUTES)["paths"]["/v2/events"]["get"]["description"]


def test_a_webhook_can_subscribe_to_the_events_for_subscribers() -> None:
    subscribed = [kind for kind in WebhookEventKind if kind.audience is not Audience.TESTED]
    assert [each.name for each in SubscriptionType] == [kind.name for kind in subscribed]
    assert list(SubscriptionType) == [f"WEBHOOK_SUBSCRIPTION_TYPE_{kind.upper()}" for kind in subscribed]
    assert list(SubscriptionType) == [webhook_types.subscription_type(kind) for kind in subscribed]


def test_sql_emits_the_kinds_of_the_catalogue() -> None:
    emitted = set(_emitted_kinds(SCHEMA)) | {kind for sql in _sql_that_emits() for kind in _emitted_kinds(sql)}
    by_python = {
        LiveEventKind.READ_MARKER_MOVED,
        LiveEventKind.THREAD_READ_MARKER_MOVED,
        LiveEventKind.BLOCK_CREATED,
        LiveEventKind.BLOCK_UPDATED,
        LiveEventKind.BLOCK_DELETED,
        LiveEventKind.REACTION_ADDED,
        LiveEventKind.REACTION_REMOVED,
    }
    of_the_stream = {kind for kind in LiveEventKind if kind.audience is Audience.CLIENT}
    assert emitted == set(LiveEventKind) - of_the_stream - by_python


def _emitted_kinds(sql: str) -> Iterator[str]:
    yield from (one or other for one, other in EMITTED.findall(sql))
    for parts in EMITTED_IN_PARTS.finditer(sql):
        yield from (f"{parts[1]}.{ending}" for ending in ENDING.findall(parts[0]))


def _sql_that_emits() -> Iterator[str]:
    for tree in sources().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and is_sql(node) and "insert into live_events" in str(node.value):
                yield str(node.value)


def test_event_kinds_are_written_only_in_the_catalogue() -> None:
    searched = {path: tree for path, tree in sources().items() if path not in CATALOGUE and not path.startswith(OTHERS)}
    found = [f"{path}:{line} {kind}" for path, tree in searched.items() for line, kind in _literals(tree)]
    assert found == [], "write LiveEventKind or WebhookEventKind"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('emit("typing")', ["typing"]),
        ('x = "message_sent"', ["message_sent"]),
        ('record(Change("room.created", room))', []),
        ('_member_change("space_member.removed", space)', []),
        ('"""typing"""', []),
        ('x: Annotated[str, Meta(examples=["ping"])]', []),
    ],
)
def test_the_check_finds_event_kinds_and_ignores_audit_actions(text: str, found: list[str]) -> None:
    assert [kind for _, kind in _literals(ast.parse(text))] == found


def _literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Return the kinds that are literals, except in docstrings, examples and actions of the audit log."""
    other = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).lower().endswith("change") and node.args:
            other.add(id(node.args[0]))
        if isinstance(node, ast.keyword) and node.arg == "examples":
            other.update(id(each) for each in ast.walk(node.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in KINDS and id(node) not in other:
            yield node.lineno, str(node.value)

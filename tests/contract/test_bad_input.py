"""Any input to any route gets an error that names the problem, never an internal server error."""

import base64
import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atrium.kit.http.paging import encode_cursor
from atrium.kit.http.route import Route
from atrium.permissions import Subject
from tests.conftest import RunningServer, new_organization
from tests.contract.tour import API, World, assert_problem, fields_of, handler_name, populate, unwrap, wrap

Json = Any
WITH_BODY = [route for route in API if route.body is not None]
WITH_QUERY = [route for route in API if route.query is not None and route.method == "GET"]
LIMITED = [route for route in WITH_QUERY if "limit" in route.query.__struct_fields__]
PAGED = [route for route in WITH_QUERY if "cursor" in route.query.__struct_fields__]
WITH_IDS = [(route, name) for route in API for name in route.path_names if name.endswith("_id")]
NAMED = [route for route in WITH_BODY if "name" in fields_of(route)[0].__struct_fields__]
CREATES_OR_UPDATES = [route for route in WITH_BODY if route.method in ("POST", "PUT", "PATCH")]

# Slack's format: unknown fields are accepted.
STRICT = [route for route in WITH_BODY if route.handler.__name__ != "post_to_incoming_webhook"]

# Invalid JSON, or JSON that is no object. Every route with a body must reject each.
NO_BODIES = {
    "empty": b"",
    "blank": b"  \n",
    "cut short": b'{"content":{"name":"x"',
    "two documents": b"{}{}",
    "a word": b"content",
    "single quotes": b"{'name':'x'}",
    "a trailing comma": b'{"name":"x",}',
    "null": b"null",
    "an array": b"[]",
    "an array of objects": b"[{}]",
    "a string": b'"text"',
    "a number": b"1",
    "true": b"true",
    "NaN": b"NaN",
    "a field that is NaN": b'{"content":NaN,"name":NaN,"text":NaN,"version":NaN}',
    "a number out of range": b'{"content":1e999,"name":1e999,"text":1e999,"version":1e999}',
    "deep arrays": b"[" * 10_000 + b"]" * 10_000,
    "deep arrays in a field": b'{"content":' + b"[" * 10_000 + b"]" * 10_000 + b"}",
    "deep objects": b'{"content":' * 10_000 + b"1" + b"}" * 10_000,
    "brackets never closed": b"[" * 10_000,
    "invalid UTF-8": b'{"content":{"name":"\xff\xfe"},"name":"\xff\xfe","text":"\xff\xfe"}',
    "a UTF-8 surrogate": b'{"content":{"name":"\xed\xa0\x80"},"name":"\xed\xa0\x80","text":"\xed\xa0\x80"}',
    "UTF-16": '{"text":"x"}'.encode("utf-16"),
    "a control character": b'{"content":{"name":"a\nb"},"name":"a\nb","text":"a\nb"}',
}
WRONG_TYPES: list[Json] = [{"a": [1]}, [[]], 1.5]


NOBODY = "0b0d7a52-5f0e-4f0c-9d5e-6d1f3f6f2a11"  # the same in every process, because test ids contain it


# Slack's format is read as leniently as Slack reads it: tests/incoming/test_lenient.py.
STRICTLY_READ = [route for route in WITH_BODY if handler_name(route) != "post_to_incoming_webhook"]
POSTS = [route for route in API if route.method == "POST" and handler_name(route) != "accept_invitation"]


@pytest.fixture(scope="module")
def world(server: RunningServer) -> Iterator[World]:
    api = new_organization(server.settings, server.url)
    yield populate(api)
    api.close()


def pointers(problem: dict[str, Any]) -> list[str]:
    return [error["pointer"] for error in problem["errors"]]


def parameters(problem: dict[str, Any]) -> list[str]:
    return [error["parameter"] for error in problem["errors"]]


def test_a_body_that_is_not_a_json_object_is_rejected(world: World, subtests: pytest.Subtests) -> None:
    for route in STRICTLY_READ:
        with subtests.test(handler_name(route)):
            for what, body in NO_BODIES.items():
                if route.is_body_optional and not body:
                    continue
                problem = assert_problem(world.ask(route, content=body), 400)
                assert problem["code"] == "invalid_request", what
                assert problem["errors"], what


@pytest.mark.contract("Conventions 3")
def test_a_body_over_one_mebibyte_is_rejected(world: World, subtests: pytest.Subtests) -> None:
    for route in WITH_BODY:
        with subtests.test(handler_name(route)):
            body = b'{"content":{"name":"' + b"x" * (2 << 20) + b'"}}'
            answer = world.ask(route, content=body)
            assert assert_problem(answer, 413)["code"] == "too_large"
            # The rest of the body is not read, so the next request needs another connection.
            assert answer.headers["connection"] == "close"


@pytest.mark.contract("Conventions 3")
def test_an_unknown_field_is_named(world: World, subtests: pytest.Subtests) -> None:
    for route in STRICT:
        with subtests.test(handler_name(route)):
            at = fields_of(route)[1]
            for field in ("surprise", "created_at", "organization_id", "a/b~c"):
                body = wrap(route, {**unwrap(route, world.body(route)), field: "x"})
                problem = assert_problem(world.ask(route, json=body), 400)
                assert pointers(problem) == [f"{at}/{field.replace('~', '~0').replace('/', '~1')}"]
            unknown = {**world.body(route), "unknown": 1}
            assert pointers(assert_problem(world.ask(route, json=unknown), 400)) == ["/unknown"]


def test_a_field_with_the_wrong_type_is_named(world: World, subtests: pytest.Subtests) -> None:
    for route in STRICTLY_READ:
        with subtests.test(handler_name(route)):
            kind, at = fields_of(route)
            for field in kind.__struct_fields__:
                for wrong in WRONG_TYPES:
                    body = wrap(route, {**unwrap(route, world.body(route)), field: wrong})
                    problem = assert_problem(world.ask(route, json=body), 400)
                    assert pointers(problem)[0].startswith(f"{at}/{field}"), (field, wrong, problem)


def test_a_missing_required_field_is_named(world: World, subtests: pytest.Subtests) -> None:
    for route in WITH_BODY:
        with subtests.test(handler_name(route)):
            kind, at = fields_of(route)
            for field in msgspec.structs.fields(kind):
                if field.required:
                    body = copy.deepcopy(unwrap(route, world.body(route)))
                    del body[field.name]
                    problem = assert_problem(world.ask(route, json=wrap(route, body)), 400)
                    assert pointers(problem) == [f"{at}/{field.name}"]
            if at and not route.is_body_optional:
                assert pointers(assert_problem(world.ask(route, json={}), 400)) == [at]


TEXTS = {"NUL": '"a\\u0000b"', "half a surrogate pair": '"\\ud800"', "the other half": '"x\\udc00y"'}


@pytest.mark.parametrize("what", TEXTS)
def test_text_that_cannot_be_stored_is_rejected(world: World, subtests: pytest.Subtests, what: str) -> None:
    for route in STRICT:
        with subtests.test(handler_name(route)):
            for where in places_of_text(unwrap(route, world.body(route))):
                body = copy.deepcopy(unwrap(route, world.body(route)))
                put(body, where, "@@")
                raw = json.dumps(wrap(route, body)).replace('"@@"', TEXTS[what])
                problem = assert_problem(world.ask(route, content=raw.encode()), 400, 404)
                if problem["status"] == 404:  # no invitation, parent or space has such an id
                    assert where[-1] == "token"
                elif what == "NUL":
                    assert str(where[0]) in pointers(problem)[0], (where, problem)


def places_of_text(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, str):
        yield path
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places_of_text(each, (*path, key))


def put(value: Json, path: tuple[str | int, ...], new: Json) -> None:
    for step in path[:-1]:
        value = value[step]
    value[path[-1]] = new


def test_a_name_must_be_visible_and_bounded(world: World, subtests: pytest.Subtests) -> None:
    for route in NAMED:
        with subtests.test(handler_name(route)):
            at = fields_of(route)[1]
            for name in ("", " ", "\n\t", "\u2003", "x" * 201):
                body = wrap(route, {**unwrap(route, world.body(route)), "name": name})
                assert pointers(assert_problem(world.ask(route, json=body), 400)) == [f"{at}/name"]
            body = wrap(route, {**unwrap(route, world.body(route)), "name": f"{uuid4()}{'x' * 164}"})
            expected = 403 if route.path == "/v1/set-up" else route.status  # needs an empty server
            assert world.ask(route, json=body).status_code == expected


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("create_own_key", "expires_at", "tomorrow"),
        ("create_own_key", "expires_at", "2020-01-01T00:00:00Z"),
        ("create_own_key", "expires_at", "9999-12-31T23:59:59-23:59"),
        ("create_api_key", "expires_at", "2026-13-01"),
        ("create_api_key", "expires_at", ""),
        ("create_api_key", "spaces", [{"space_id": "x", "role": "member"}]),
        ("create_api_key", "spaces", [{"space_id": NOBODY, "role": "boss"}]),
        ("create_api_key", "spaces", None),
        ("update_member", "role", "boss"),
        ("update_member", "role", None),
        ("update_member", "active", "true"),
        ("create_invitation", "email", "nobody"),
        ("create_invitation", "email", "a@b@c"),
        ("create_invitation", "email", "a b@example.org"),
        ("create_invitation", "email", "ada@example.org\n"),
        ("create_invitation", "email", f"{'x' * 250}@example.org"),
        ("create_space", "visibility", "secret"),
        ("create_space", "description", "x" * 2001),
        ("put_space_member", "role", "super_admin"),
        ("create_room", "room_type", "radio"),
        ("update_room", "archived", 1),
        ("send_message", "text", "x" * 40_001),
        ("send_message", "parent_id", "x"),
        ("send_message", "blocks", [{"type": "divider", "content": {}}] * 101),
        ("send_message", "blocks", [{"type": "blink", "content": {}}]),
        ("send_message", "blocks", [{"type": "heading", "content": {"text": "x", "level": 4}}]),
        ("send_message", "blocks", [{"type": "image", "content": {"url": "javascript:alert(1)"}}]),
        ("send_message", "blocks", [{"type": "image", "content": {"url": "https://example.org/\n"}}]),
        ("create_block", "type", "blink"),
        ("create_block", "content", None),
        ("create_block", "content", []),
        ("create_block", "content", {"text": "not a list of things"}),
        ("create_block", "position", -1),
        ("create_block", "position", 10**30),
        ("create_block", "position", 2**31),
        ("create_block", "parent_block_id", "x"),
        ("create_block", "parent_block_id", NOBODY),
        ("update_block", "version", 0),
        ("update_block", "version", "1"),
        ("update_block", "content", {"surprise": 1}),
        ("update_block", "content", None),
    ],
)
def test_a_value_out_of_bounds_is_rejected_and_named(world: World, name: str, field: str, value: Json) -> None:
    route = next(route for route in API if handler_name(route) == name)
    body = wrap(route, {**unwrap(route, world.body(route)), field: value})
    problem = assert_problem(world.ask(route, json=body), 400)
    assert pointers(problem)[0].startswith(f"{fields_of(route)[1]}/{field}"), problem


@pytest.mark.parametrize("version", [2**31, 2**63, 2**64, 10**30])
def test_an_unknown_version_is_a_conflict_or_an_error(world: World, version: int) -> None:
    block = f"/v2/blocks/{world.ids['block_id']}"
    answer = world.client.patch(block, json={"version": version, "content": {"text": "x"}})
    assert_problem(answer, 400, 409)


@pytest.mark.parametrize("body", [{}, {"text": ""}, {"text": " \n "}, {"blocks": []}, {"text": " ", "blocks": []}])
def test_an_empty_message_is_rejected(world: World, body: Json) -> None:
    assert pointers(assert_problem(world.client.post(world.api.messages, json=body), 400)) == ["/text"]


def test_a_repeated_field_counts_once(world: World) -> None:
    """RFC 8259 leaves this open; the last one counts, as in most parsers."""
    sent = world.client.post(world.api.messages, content=b'{"text":"first","text":"last"}')
    assert (sent.status_code, sent.json()["text"]) == (201, "last")


@pytest.mark.contract("Conventions 12")
@pytest.mark.parametrize("limit", ["0", "201", "-1", "abc", "1.5", "NaN", "null", "9" * 30, "１"])
def test_a_limit_out_of_bounds_is_rejected(world: World, subtests: pytest.Subtests, limit: str) -> None:
    for route in LIMITED:
        with subtests.test(handler_name(route)):
            assert parameters(assert_problem(world.ask(route, params={"limit": limit}), 400)) == ["limit"]


def test_a_limit_at_its_bounds_is_accepted(world: World, subtests: pytest.Subtests) -> None:
    for route in LIMITED:
        with subtests.test(handler_name(route)):
            for limit in ("1", "50", "200"):
                assert world.ask(route, params={"limit": limit}).status_code == 200


@pytest.mark.contract("Conventions 12")
def test_a_cursor_from_another_list_is_rejected(world: World, subtests: pytest.Subtests) -> None:
    for route in PAGED:
        with subtests.test(handler_name(route)):
            now = datetime.now(UTC)
            known = {
                "list_blocks": [0],
                "list_mentions": [uuid4(), uuid4()],
                "list_threads": [True, now, uuid4(), uuid4()],
                "list_transcript_versions": 9,
                "search": [0, uuid4()],
            }
            good = encode_cursor(known.get(handler_name(route), uuid4()))
            assert world.ask(route, params={"cursor": good}).status_code == 200
            other = encode_cursor(uuid4() if handler_name(route) == "list_blocks" else [0])
            texts = (b"[1e3]", b"null", b"{}", b'"x"', b"[[[[[[", b"\xff")
            forged = [base64.urlsafe_b64encode(text).decode() for text in texts]
            huge = [encode_cursor([2**31]), encode_cursor([-(2**70)]), encode_cursor(["1"]), encode_cursor(2**64)]
            for cursor in ("x", "=", "äö", good[: len(good) // 2], good + "!", other, *forged, *huge, "A" * 5000):
                assert parameters(assert_problem(world.ask(route, params={"cursor": cursor}), 400)) == ["cursor"], (
                    cursor
                )


@pytest.mark.contract("Room messages 12")
@pytest.mark.parametrize("name", ["page_of_room", "page_of_thread"])
@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ({"cursor_message_id": "01936f4e-8f2a-7c31-9d4b-5e6f70819203"}, "cursor_sent_at"),
        ({"cursor_sent_at": "yesterday"}, "cursor_sent_at"),
        ({"cursor_sent_at": "1700000000"}, "cursor_sent_at"),
        ({"cursor_sent_at": "2026-02-30T00:00:00Z"}, "cursor_sent_at"),
        ({"cursor_sent_at": "99999-01-01T00:00:00Z"}, "cursor_sent_at"),
        ({"cursor_sent_at": "2026-01-01T00:00:00Z", "cursor_message_id": "x"}, "cursor_message_id"),
        ({"cursor_sent_at": "2026-01-01T00:00:00Z", "cursor_message_id": NOBODY}, "cursor_message_id"),
    ],
)
def test_half_a_message_cursor_is_rejected(world: World, name: str, query: dict[str, str], parameter: str) -> None:
    route = next(route for route in API if handler_name(route) == name)
    assert parameters(assert_problem(world.ask(route, params=query), 400)) == [parameter]


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "1969-12-31T23:59:59Z"])
def test_a_time_at_the_end_of_the_calendar_is_an_empty_window(world: World, at: str) -> None:
    page = world.client.get(world.api.messages, params={"cursor_sent_at": at})
    assert page.status_code == 200, page.text
    assert page.json()["next_partition_cursor"]


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_a_time_beyond_the_calendar_is_rejected(world: World, at: str) -> None:
    page = world.client.get(world.api.messages, params={"cursor_sent_at": at})
    assert parameters(assert_problem(page, 400)) == ["cursor_sent_at"]


def test_a_malformed_query_string_is_rejected(world: World, subtests: pytest.Subtests) -> None:
    for route in WITH_QUERY:
        with subtests.test(handler_name(route)):
            name = "cursor" if route in PAGED else "cursor_sent_at"
            for raw in (f"{name}=%ff", f"{name}=%ED%A0%80", f"{name}=%00", f"{name}=a%00b", "limit=%00"):
                problem = assert_problem(world.client.get(f"{world.path(route)}?{raw}"), 400)
                assert problem["code"] == "invalid_request", raw


@pytest.mark.contract("Errors 2")
def test_an_id_that_is_not_a_uuid_is_not_found(world: World, subtests: pytest.Subtests) -> None:
    """The response is the same as for an unknown id."""
    for route, name in WITH_IDS:
        with subtests.test(f"{handler_name(route)} {name}"):
            missing = assert_problem(world.ask(route, url=world.path(route, **{name: str(uuid4())})), 404)
            mangled = (f"{uuid4()}0", f"{{{uuid4()}}}", f"urn:uuid:{uuid4()}")
            for text in ("x", "1", "%00", "%ff", "null", "-", "%20", "%F0%9F%91%8D", *mangled):
                problem = assert_problem(world.ask(route, url=world.path(route, **{name: text})), 404)
                assert problem | {"request_id": ""} == missing | {"request_id": ""}


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
@pytest.mark.parametrize("emoji", ["%00", "%20", "a%20b", "%0A", "%7F", "x" * 65, "%E2%80%A8", "%ff", "%ED%A0%80"])
def test_an_invalid_emoji_is_rejected(world: World, method: str, emoji: str) -> None:
    url = f"{world.api.messages}/{world.ids['message_id']}/reactions/{emoji}"
    assert parameters(assert_problem(world.client.request(method, url), 400)) == ["emoji"]


@pytest.mark.parametrize("key", ["", "x" * 256, "a\tb", "ä"])
def test_an_invalid_idempotency_key_is_rejected(world: World, subtests: pytest.Subtests, key: str) -> None:
    for route in POSTS:
        with subtests.test(handler_name(route)):
            answer = world.ask(route, headers=[(b"idempotency-key", key.encode())])
            assert parameters(assert_problem(answer, 400)) == ["Idempotency-Key"]


NO_KEYS = (
    "",
    "Bearer",
    "Basic YTpi",
    "Bearer x",
    "atrp_",
    "Bearer " + "a" * 41,
    "Bearer ä",
    "Bearer atrp_",
    "Bearer a b",
)


@pytest.mark.contract("Authentication 1")
def test_an_unknown_api_key_is_rejected_before_any_other_check(world: World, subtests: pytest.Subtests) -> None:
    for route in API:
        with subtests.test(handler_name(route)):
            nobody = world.api.client(None)
            sent: dict[str, Any] = {"content": b"{"} if route.body is not None else {}
            url = world.path(route, **dict.fromkeys(route.path_names, "no-uuid"))
            for header in NO_KEYS:
                answer = world.ask(route, nobody, headers=[(b"authorization", header.encode())], url=url, **sent)
                assert assert_problem(answer, 401)["code"] == "unauthenticated"
            if route.permission.subject is not Subject.ANYONE:
                assert_problem(world.ask(route, nobody, url=url, **sent), 401)


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.uuids().map(str)
    | st.sampled_from(["admin", "member", "heading", "paragraph", "2027-01-01T00:00:00Z", "+1", "<@", "\x00", ""]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["text", "items", "type", "content", "space_id", "role"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("route", CREATES_OR_UPDATES, ids=handler_name)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_json_causes_an_internal_server_error(world: World, route: Route, data: st.DataObject) -> None:
    good = unwrap(route, world.body(route))
    names = data.draw(st.lists(st.sampled_from(fields_of(route)[0].__struct_fields__), max_size=3, unique=True))
    drawn = {name: data.draw(JSON_VALUES) for name in names}
    body = wrap(route, {**good, **drawn}) if names else data.draw(JSON_VALUES)
    answer = world.ask(route, content=json.dumps(body).encode())
    if not answer.is_success:
        assert_problem(answer, 400, 401, 403, 404, 409, 422, 429)

"""The OpenAPI document is valid and complete, and responses match it."""

import json
import re
from collections.abc import Iterator
from types import NoneType
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from atrium.kit.http.responses import JsonLines, PlainText
from atrium.kit.http.route import Route
from tests.conftest import Api, RunningServer, new_organization
from tests.contract.tour import API, World, handler_name, populate, tour
from tests.search.harness import wait_until_indexed

Json = dict[str, Any]


@pytest.fixture(scope="module")
def document(server: RunningServer) -> Json:
    answer = httpx.get(f"{server.url}/openapi.json", timeout=60)
    assert answer.headers["content-type"] == "application/json"
    return dict(answer.json())


def validator(document: Json, schema: Json) -> Draft202012Validator:
    whole = {"components": document["components"], "allOf": [schema]}
    return Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER)


def assert_fits(document: Json, schema: Json, value: Any, what: str) -> None:
    errors = [f"{error.json_path}: {error.message}" for error in validator(document, schema).iter_errors(value)]
    assert errors == [], f"{what}: {errors}"


def operations(document: Json) -> Iterator[tuple[str, Json]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def media_of(operation: Json) -> Iterator[tuple[str, Json]]:
    yield from operation.get("requestBody", {}).get("content", {}).items()
    for answer in operation["responses"].values():
        yield from answer.get("content", {}).items()


@pytest.mark.contract("Crashes and restarts 13")
def test_the_document_is_valid_openapi_3_1(document: Json) -> None:
    assert document["openapi"].startswith("3.1")
    assert [str(error) for error in OpenAPIV31SpecValidator(document).iter_errors()] == []


def test_names_of_operations_and_schemas_are_unique(document: Json) -> None:
    """Two types with one name would both get their modules' names, which breaks generated clients."""
    assert [name for name in document["components"]["schemas"] if "." in name] == []


@pytest.mark.contract("Versioning 2")
def test_the_document_contains_exactly_the_routes(document: Json) -> None:
    assert {name for name, _ in operations(document)} == {f"{route.method} {route.path}" for route in API}


def test_each_operation_has_a_description_and_a_unique_name(document: Json) -> None:
    ids = [operation["operationId"] for _, operation in operations(document)]
    assert len(set(ids)) == len(ids)
    for name, operation in operations(document):
        assert operation["summary"], name
        assert operation["description"], name
        path_parameters = {each["name"] for each in operation["parameters"] if each["in"] == "path"}
        assert path_parameters == set(re.findall(r"{(\w+)}", name)), name
        assert all("X-Request-Id" in answer["headers"] for answer in operation["responses"].values()), name


def test_every_example_fits_its_schema(document: Json) -> None:
    seen = 0
    for name, operation in operations(document):
        for media_type, media in media_of(operation):
            examples = [media["example"]] if "example" in media else []
            examples += [each["value"] for each in media.get("examples", {}).values()]
            assert examples, f"{name}: no example of {media_type}"
            for example in examples:
                assert_fits(document, media["schema"], example, name)
                seen += 1
        for parameter in operation["parameters"]:
            for example in parameter["schema"].get("examples", ()):
                assert_fits(document, parameter["schema"], example, f"{name} {parameter['name']}")
    assert seen > 100


def test_every_error_example_has_the_status_of_its_response(document: Json) -> None:
    for name, operation in operations(document):
        for status, answer in operation["responses"].items():
            for example in answer.get("content", {}).get("application/problem+json", {}).get("examples", {}).values():
                assert str(example["value"]["status"]) == status, name


def assert_documented(document: Json, route: Route, answer: httpx.Response) -> None:
    operation = document["paths"][route.path][route.method.lower()]
    what = f"{route.method} {route.path} -> {answer.status_code} {answer.text[:300]}"
    assert str(answer.status_code) in operation["responses"], f"{what} is not documented"
    content = operation["responses"][str(answer.status_code)].get("content")
    if content is None:
        assert answer.content == b"", what
        return
    if "*/*" in content:  # stored bytes
        return
    media_type = answer.headers["content-type"].partition(";")[0]
    assert media_type in content, what
    media = content[media_type]
    if route.is_event_stream and answer.is_success:
        assert answer.text.startswith("retry: "), what
        return
    for shown in answer.text.splitlines() if media_type == JsonLines.media_type else [answer.text]:
        parsed = shown if media_type == PlainText.media_type else json.loads(shown)
        assert_fits(document, media["schema"], parsed, what)
    if answer.status_code >= 400:
        assert answer.json()["code"] in media["examples"], f"{what}: the code is not documented"


@pytest.mark.contract("Crashes and restarts 13")
def test_every_route_answers_as_documented(api: Api, document: Json) -> None:
    world = populate(api)
    for route in (route for route in tour() if route in API):
        answer = world.ask(route)
        expected = (
            403 if handler_name(route) == "create_set_up" else route.status
        )  # needs an empty server: tests/bootstrap
        assert answer.status_code == expected, (handler_name(route), answer.text)
        assert (answer.content == b"") is (route.response is NoneType)
        assert_documented(document, route, answer)


def test_non_empty_lists_answer_as_documented(api: Api, document: Json) -> None:
    world = populate(api)
    for text, kind in (("H", "heading"), ("C", "code"), ("Q", "callout")):
        api.send(text, blocks=[{"type": kind, "content": {"text": text}}])
        block = {"type": kind, "content": {"text": text}, "parent_block_id": world.ids["block_id"]}
        world.client.post(f"/v2/rooms/{api.room_id}/blocks", json=block)
    api.send("look", attachments=[world.ids["attachment_id"]])
    wait_until_indexed(api)
    for route in API:
        if (
            route.query is not None
            and route.method == "GET"
            and route.response is not NoneType
            and not route.is_event_stream
        ):
            answer = world.ask(route, params={"limit": 1} if "limit" in route.query.__struct_fields__ else None)
            assert_documented(document, route, answer)
            assert route.streamed or any(isinstance(value, list) and value for value in answer.json().values()), (
                handler_name(route)
            )


def errors_of(world: World, outsider: Api, route: Route) -> Iterator[httpx.Response]:
    guest = world.api.client(world.api.new_person("guest")[1])
    lone = world.api.client(world.api.new_integration()["key"])
    for client in (world.api.client(None), outsider.person, guest, lone):
        yield world.ask(route, client)
    for name in route.path_names:
        yield world.ask(route, url=world.path(route, **{name: "%00"}))
        if name.endswith("_id"):
            yield world.ask(route, url=world.path(route, **{name: outsider.person_id}))
    if route.body is not None:
        for body in (b"{", b"[]", b'{"surprise":1}', b" " * (2 << 20)):
            yield world.ask(route, content=body)
    if route.query is not None:
        yield world.ask(route, params={"limit": "0"})
    if route.method == "POST":
        yield world.ask(route, headers={"idempotency-key": "x" * 256})
        if route.body is not None:
            yield world.ask(route, headers={"idempotency-key": "1"})
            yield world.ask(route, headers={"idempotency-key": "1"}, content=b"{}")


@pytest.fixture(scope="module")
def organizations(server: RunningServer) -> Iterator[tuple[World, Api]]:
    """Return a populated organization and another one; rejected requests do not change them."""
    own, others = new_organization(server.settings, server.url), new_organization(server.settings, server.url, "Others")
    yield populate(own), others
    own.close()
    others.close()


def test_every_error_is_documented(organizations: tuple[World, Api], document: Json, subtests: pytest.Subtests) -> None:
    for route in API:
        with subtests.test(handler_name(route)):
            for answer in errors_of(*organizations, route):
                assert_documented(document, route, answer)


def test_conflicts_are_documented(api: Api, document: Json) -> None:
    """Conflicts need a special state, so each route's codes are provoked here."""
    world, routes = populate(api), {handler_name(route): route for route in API}
    room, message = f"/v2/rooms/{api.room_id}", f"{api.messages}/{world.ids['message_id']}"
    member = f"{api.organization}/members/{api.person_id}"
    reply = api.send("r", parent_id=world.ids["message_id"])["message_id"]
    demotion = {"content": {"role": "guest"}}
    expired = {"content": {"token": "x", "name": "x"}}
    same = {"content": {"email": world.client.get("/v1/me/profile").json()["email"]}}
    attempts = [
        ("page_of_thread", world.ask(routes["page_of_thread"], url=f"{room}/threads/{reply}/messages"), 400),
        ("update_member", world.ask(routes["update_member"], url=member, json=demotion), 409),
        ("remove_member", world.ask(routes["remove_member"], url=member), 409),
        ("create_invitation", world.ask(routes["create_invitation"], json=same), 409),
        ("accept_invitation", world.ask(routes["accept_invitation"], json=expired), 404),
        ("update_block", world.client.patch(f"/v2/blocks/{world.ids['block_id']}", json={"version": 9}), 409),
    ]
    world.client.patch(room, json={"archived": True})
    archived = ["send_message", "update_message", "put_reaction", "remove_reaction", "create_block", "update_block"]
    attempts += [(name, world.ask(routes[name]), 409) for name in [*archived, "delete_block"]]
    world.client.patch(room, json={"archived": False})
    world.client.delete(message)
    deleted = ["update_message", "put_reaction", "remove_reaction", "delete_message"]
    attempts += [(name, world.ask(routes[name]), 409) for name in deleted]
    for name, answer, status in attempts:
        assert answer.status_code == status, (name, answer.text)
        assert_documented(document, routes[name], answer)

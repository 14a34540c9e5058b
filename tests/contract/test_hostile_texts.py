"""Hostile texts in every text field of the OpenAPI document, on every route that creates or updates.

Accepted texts are returned as sent, others are rejected with their field named, and no name is invisible.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from atrium.kit.http.route import Route
from atrium.kit.text.types import LABEL, NAME, first_name, is_name
from atrium.server import openapi
from tests.conftest import RunningServer, new_organization
from tests.contract.hostile import NAMES, NO_NAMES, SECRETS, Path, text_fields, values_of, with_text
from tests.contract.tour import API, World, assert_problem, handler_name, populate
from tests.recordings.media import webm

WRITES = [route for route in API if route.body is not None and route.method in ("POST", "PUT", "PATCH")]
LENIENT = "post_to_incoming_webhook"  # Slack's format: its content is converted
TIDIED = {"put_transcript"}  # normalized, and without control characters
CALLED_NAMES = {"name", "organization"}
FEW = {name: (NO_NAMES | NAMES)[name] for name in ("NUL", "escape", "override of direction", "SQL", "stacked marks")}


@pytest.fixture(scope="module")
def document() -> Any:
    return openapi.document(API)


@pytest.fixture(scope="module")
def world(server: RunningServer) -> Iterator[World]:
    api = new_organization(server.settings, server.url)
    yield populate(api)
    api.close()


def pointer(path: Path) -> str:
    return "".join(f"/{step}" for step in path)


def fields(document: Any, world: World, route: Route) -> list[tuple[Path, Any]]:
    content = document["paths"][route.path][route.method.lower()]["requestBody"]["content"]
    return list(text_fields(document, content["application/json"]["schema"], world.body(route)))


def ask_with(world: World, route: Route, path: Path, texts: Mapping[str, str]) -> Iterator[tuple[str, str, Any]]:
    for what, text in texts.items():
        yield what, text, world.ask(route, json=with_text(world.body(route), path, text))


def assert_refused_by_name(answer: Any, path: Path, what: str) -> None:
    found = [error["pointer"] for error in assert_problem(answer, 400)["errors"]]
    assert all(pointer(path).startswith(each) for each in found), (what, found)


@pytest.mark.contract("Conventions 2")
@pytest.mark.parametrize("route", WRITES, ids=handler_name)
def test_a_text_is_returned_as_sent_or_rejected_and_named(world: World, document: Any, route: Route) -> None:
    for path, form in fields(document, world, route):
        last = str(path[-1])
        if form.get("pattern") == NAME:
            for what, _, answer in ask_with(world, route, path, NO_NAMES):
                assert_refused_by_name(answer, path, what)
        texts = NAMES if form.get("pattern") == NAME else {"SQL": FEW["SQL"]} if last in SECRETS else FEW
        for what, text, answer in ask_with(world, route, path, texts):
            assert answer.status_code < 500, (what, path, answer.text)
            if answer.status_code == 400:
                assert_refused_by_name(answer, path, what)
                assert form.get("pattern") != NAME, (what, path, answer.text)
            elif answer.is_success and handler_name(route) not in TIDIED | {LENIENT} and f'"{last}"' in answer.text:
                assert text in values_of(answer.json(), last), (what, path, answer.text)


@pytest.mark.contract("Conventions 2")
def test_every_name_field_follows_the_rules_of_names(document: Any, world: World) -> None:
    """One rule for organizations, people, spaces, rooms, keys, webhooks and files."""
    found = [(route, field) for route in WRITES for field in fields(document, world, route)]
    names = [
        (handler_name(route), path, form.get("pattern")) for route, (path, form) in found if path[-1] in CALLED_NAMES
    ]
    assert len(names) > 12, names
    assert [each for each in names if each[2] not in ((NAME, LABEL) if "blocks" in each[1] else (NAME,))] == []


@pytest.mark.contract("Conventions 2")
@pytest.mark.parametrize("what", NO_NAMES)
def test_no_directory_and_no_import_creates_an_invalid_name(world: World, what: str) -> None:
    text, directory = NO_NAMES[what], world.api.integration
    for kind, body in (
        ("Users", {"userName": "u", "displayName": text}),
        ("Users", {"userName": text}),
        ("Users", {"userName": "u", "name": {"familyName": text}}),
        ("Groups", {"displayName": text}),
    ):
        refused = directory.post(f"/scim/v2/{kind}", json=body)
        assert (refused.status_code, refused.json()["scimType"]) == (400, "invalidValue"), refused.text
    where = f"/v2/rooms/{world.ids['video_room_id']}/recordings"
    sent = world.client.post(where, params={"name": text}, content=webm(100), headers={"content-type": "video/webm"})
    assert assert_problem(sent, 400)["errors"][0]["parameter"] == "name"


@pytest.mark.contract("Conventions 2")
def test_content_with_foreign_names_gets_readable_ones() -> None:
    assert all(map(is_name, NAMES.values()))
    assert not any(map(is_name, NO_NAMES.values()))
    assert first_name(None, NO_NAMES["zero width"], " Ada\n\x1b\u202eL ", otherwise="Nobody") == "Ada L"
    assert first_name(*list(NO_NAMES.values())[:5], otherwise="Nobody") == "Nobody"

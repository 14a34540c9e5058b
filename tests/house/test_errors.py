"""Every rejected request has one form of error (RFC 9457; docs/contract.md#conventions)."""

import importlib
import pkgutil
import re

import httpx
import msgspec
import pytest

import atrium
from atrium.kit.errors import FieldError, Problem
from tests.conftest import Api, RunningServer
from tests.contract.tour import API, assert_problem


@pytest.fixture(scope="module")
def problems() -> list[type[Problem]]:
    """Return every kind of error, which takes importing every module."""
    for module in pkgutil.walk_packages(atrium.__path__, "atrium."):
        if ".versions" not in module.name and not module.name.endswith(".env"):
            importlib.import_module(module.name)
    return sorted(set(subclasses(Problem)), key=lambda each: each.__name__)


def subclasses(of: type[Problem]) -> list[type[Problem]]:
    found = [each for each in of.__subclasses__() if each.__module__.startswith("atrium.")]
    return found + [below for each in found for below in subclasses(each)]


def test_every_problem_has_a_unique_code(problems: list[type[Problem]]) -> None:
    codes = [problem.code for problem in problems]
    assert len(problems) > 15
    assert sorted(codes) == sorted(set(codes))


def test_every_problem_has_a_title(problems: list[type[Problem]]) -> None:
    for problem in problems:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", problem.code)
        assert problem.title, problem
        assert not problem.title.endswith("."), problem
        assert problem.__doc__, problem
        assert problem.__doc__ != Problem.__doc__, problem
        assert 400 <= problem.status < 600, problem


@pytest.mark.contract("Conventions 10")
def test_a_problem_has_the_members_of_rfc_9457(problems: list[type[Problem]]) -> None:
    for problem in problems:
        _assert_rfc_9457(problem)


def _assert_rfc_9457(problem: type[Problem]) -> None:
    made = problem("what happened", errors=[FieldError("is wrong", pointer="/content/name")])
    shown = msgspec.json.decode(msgspec.json.encode(made.details("c0ffee")))
    assert shown == {
        "type": f"/docs/problems#{problem.code}",
        "title": problem.title,
        "status": problem.status,
        "detail": "what happened",
        "code": problem.code,
        "request_id": "c0ffee",
        "errors": [{"detail": "is wrong", "pointer": "/content/name"}],
    }
    assert "errors" not in msgspec.json.decode(msgspec.json.encode(problem().details("c0ffee")))


def test_the_page_of_each_problem_type_explains_it(server: RunningServer, problems: list[type[Problem]]) -> None:
    page = httpx.get(f"{server.url}/docs/problems", timeout=60).text
    assert [problem.code for problem in problems if f'id="{problem.code}"' not in page] == []


@pytest.mark.parametrize("path", ["/nothing", "/v1", "/v2/rooms", "/v1/me/nothing", "/v3/me/profile", "/docs/assets/x"])
def test_an_unknown_path_is_a_problem(api: Api, path: str) -> None:
    for client in (api.person, api.client(None)):
        assert assert_problem(client.get(path), 404)["code"] == "not_found"
        assert_problem(client.post(path, json={}), 404, 405)


def test_an_unsupported_method_is_a_problem_that_lists_the_supported_ones(api: Api, subtests: pytest.Subtests) -> None:
    client = api.person
    for path in sorted({route.path for route in API}):
        with subtests.test(path):
            taken = {method for route in API if route.path == path for method in route.methods}
            filled = re.sub(r"{\w+}", api.room_id, path)
            for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"} - taken:
                answer = client.request(method, filled)
                assert assert_problem(answer, 405)["code"] == "method_not_allowed"
                assert allowed_methods(answer) == taken
            options = client.options(filled)
            assert (options.status_code, allowed_methods(options)) == (204, taken)


def allowed_methods(answer: httpx.Response) -> set[str]:
    return {each.strip() for each in answer.headers["allow"].split(",")} - {"OPTIONS"}


@pytest.mark.contract("Conventions 10")
def test_every_response_has_its_own_request_id(api: Api) -> None:
    answers = [
        api.person.get("/v1/me/profile"),
        api.person.get(api.messages),
        api.person.get("/nothing"),
        api.person.post(api.messages, json={"text": "x"}),
        api.client(None).get("/openapi.json"),
        api.client(None).get("/docs"),
        api.person.delete(f"/v2/rooms/{api.room_id}"),
    ]
    ids = [answer.headers["x-request-id"] for answer in answers]
    assert all(ids)
    assert len(set(ids)) == len(ids)

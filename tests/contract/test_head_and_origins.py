"""HEAD on every path that has GET, and browser applications from other origins."""

import asyncio
from collections.abc import Iterator

import httpx
import pytest

from atrium.kit.clock import utc_now
from atrium.kit.http.route import Route
from atrium.kit.settings import Settings
from atrium.routes import ROUTES
from tests.conftest import Api, RunningServer, in_process_client, new_organization
from tests.contract.tour import QUERIES, World, populate

READS = [route for route in ROUTES if route.method == "GET" and not route.path.startswith("/scim")]
PAGES = ["/", "/healthz", "/readyz", "/docs", "/docs/guides", "/docs/problems", "/openapi.json", "/nothing"]
HERE, ELSEWHERE = "https://app.example.org", "https://evil.example.org"


@pytest.fixture(scope="module")
def world(server: RunningServer) -> Iterator[World]:
    api = new_organization(server.settings, server.url)
    yield populate(api)
    api.close()


def head(client: httpx.Client, url: str, params: dict[str, str] | None = None) -> httpx.Response:
    answer = client.request("HEAD", url, params=params)
    assert answer.content == b""
    return answer


@pytest.mark.contract("Conventions 18")
@pytest.mark.parametrize("route", READS, ids=lambda route: route.handler.__name__)
def test_head_returns_what_get_does_without_the_body(world: World, route: Route) -> None:
    name = route.handler.__name__
    params = QUERIES[name](world) if name in QUERIES else {}
    with world.client.stream("GET", world.path(route), params=params) as got:
        answer = head(world.client, world.path(route), params)
        assert (answer.status_code, answer.headers.get("content-type")) == (
            got.status_code,
            got.headers.get("content-type"),
        )
    anonymous = world.api.client(None)
    assert (
        head(anonymous, world.path(route), params).status_code
        == anonymous.request("GET", world.path(route), params=params).status_code
    )


@pytest.mark.contract("Conventions 18")
@pytest.mark.parametrize("path", PAGES)
def test_head_works_for_pages(world: World, path: str) -> None:
    client = world.api.client(None)
    got, answer = client.get(path), head(client, path)
    assert (answer.status_code, answer.headers.get("content-type")) == (
        got.status_code,
        got.headers.get("content-type"),
    )


def test_head_returns_the_length_of_the_body(api: Api) -> None:
    api.send("hello")
    assert head(api.person, api.messages).headers["content-length"] == str(len(api.person.get(api.messages).content))


@pytest.mark.contract("Conventions 18")
def test_head_on_a_stream_ends_immediately(api: Api) -> None:
    for _ in range(30):  # more than a key may have open at a time
        assert head(api.person, "/v2/events").status_code == 200


def answers(api: Api, settings: Settings, *requests: httpx.Request) -> list[httpx.Response]:
    async def act() -> list[httpx.Response]:
        async with in_process_client(settings, utc_now) as client:
            return [
                await client.send(client.build_request(each.method, each.url, headers=each.headers))
                for each in requests
            ]

    return asyncio.run(act())


def request(api: Api, method: str, origin: str, path: str | None = None, **headers: str) -> httpx.Request:
    key = {"authorization": f"Bearer {api.personal_key}"} if method == "GET" else {}
    return httpx.Request(
        method, f"http://atrium.test{path or api.messages}", headers={"origin": origin, **key, **headers}
    )


@pytest.mark.contract("Conventions 19")
def test_an_allowed_origin_reads_responses_and_errors_and_sends_what_it_needs(api: Api, settings: Settings) -> None:
    allowed = settings.with_changes(cors_origins=(HERE,), port=8700)
    wish = {"access-control-request-method": "POST", "access-control-request-headers": "authorization,idempotency-key"}
    read, missing, preflight = answers(
        api,
        allowed,
        request(api, "GET", HERE),
        request(api, "GET", HERE, "/v2/rooms/x/messages"),
        request(api, "OPTIONS", HERE, **wish),
    )
    assert (read.status_code, missing.status_code, preflight.status_code) == (200, 404, 204)
    for each in (read, missing, preflight):
        assert each.headers["access-control-allow-origin"] == HERE
        assert "origin" in each.headers["vary"].lower()
        assert "access-control-allow-credentials" not in each.headers
    assert "X-Request-Id" in read.headers["access-control-expose-headers"]
    assert "POST" in preflight.headers["access-control-allow-methods"]
    for name in ("authorization", "content-type", "idempotency-key", "last-event-id"):
        assert name in preflight.headers["access-control-allow-headers"].lower()


@pytest.mark.contract("Conventions 19")
def test_other_origins_and_without_the_setting_all_origins_read_nothing(api: Api, settings: Settings) -> None:
    allowed, none = settings.with_changes(cors_origins=(HERE,), port=8700), settings.with_changes(port=8700)
    preflights = request(api, "GET", ELSEWHERE), request(api, "OPTIONS", ELSEWHERE)
    for each in (*answers(api, allowed, *preflights), *answers(api, none, *preflights, request(api, "GET", HERE))):
        assert not [name for name in each.headers if name.startswith("access-control-")]
    [anybody] = answers(api, settings.with_changes(cors_origins=("*",), port=8700), preflights[0])
    assert anybody.headers["access-control-allow-origin"] == ELSEWHERE

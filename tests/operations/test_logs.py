"""The log records each caller, request and result, and contains no secret."""

import json
import os
import secrets
from typing import Any

import httpx
import pytest

from atrium.kit.http.request_context import RequestContext
from atrium.kit.settings import Settings
from atrium.operations.instrumentation import MAX_LINES_PER_SECOND, Instrumentation
from atrium.routes import ROUTES
from tests.browser.endpoint import endpoint
from tests.conftest import TLS, Api, RunningServer, fresh_database, new_organization, running_server
from tests.contract.tour import populate, subscription
from tests.webhooks.certificates import Authority


def lines(running: RunningServer) -> list[dict[str, Any]]:
    """Return the log lines: all output of the processes, which is JSON."""
    return [json.loads(line) for line in running.output.read_text().splitlines() if line.startswith("{")]


def requests_in(running: RunningServer) -> list[dict[str, Any]]:
    return [line for line in lines(running) if line["event"] == "request"]


@pytest.mark.contract("Operations 12")
def test_no_process_output_contains_a_secret(settings: Settings) -> None:
    token, smtp = f"metrics-{secrets.token_hex(12)}", f"smtp-{secrets.token_hex(12)}"
    hidden = {token, smtp, own_secret := f"seal-{secrets.token_hex(20)}"}
    with fresh_database(settings) as own:
        changed = own.with_changes(
            access_log="all",
            log_level="debug",
            metrics_token=token,
            secret_key=own_secret,
            port=0,
            rate_limit=1000,
            smtp_url=f"smtp://ada:{smtp}@127.0.0.1:9",
            log_format="json",
        )
        with running_server(changed) as running:
            api = new_organization(running.settings, running.url)
            world = populate(api)
            hidden |= {api.personal_key, api.organization_key, api.sign_in_url.partition("=")[2]}
            for route in ROUTES:
                planted = f"planted-{secrets.token_hex(12)}"
                hidden.add(planted)
                sent = {
                    "cookie": f"atrium_session=atrs_{planted}",
                    "x-api-key": planted,
                    "x-request-id": f"{planted} x",
                    "idempotency-key": planted,
                }
                for authorization in (f"Bearer atrp_{planted}", f"Bearer {api.personal_key}", f"Basic {planted}"):
                    path = f"{world.path(route)}?token={planted}&key={planted}"
                    if route.method == "DELETE" and api.personal_key in authorization:
                        continue  # the position for the next reader
                    with httpx.stream(
                        route.method,
                        running.url + path,
                        headers=sent | {"authorization": authorization},
                        json=None if route.method in ("GET", "DELETE") else {"password": planted, "token": planted},
                        verify=TLS,
                        timeout=60,
                    ) as answer:
                        if not route.is_event_stream:  # the live stream never ends
                            answer.read()
                    hidden |= {found for found in secrets_in(answer) if len(found) > 20}
            for path in (f"/sign-in?token={own_secret}", f"/{own_secret}", "/metrics"):
                httpx.get(running.url + path, headers={"authorization": f"Bearer {token}"}, verify=TLS, timeout=60)
            rotated = api.person.post(f"/v1/me/integrations/{world.own_key_id}/rotate")
            hidden |= secrets_in(rotated) | secrets_of_destinations(api)
            assert len(requests_in(running)) > 2 * len(ROUTES)
            api.close()
        log = running.output.read_text()
    assert [each for each in hidden if each in log] == []
    assert len(hidden) > len(ROUTES)


def secrets_of_destinations(api: Api) -> set[str]:
    """Send deliveries with an access token and a client certificate; return their secrets."""
    token, client_secret = f"granted-{secrets.token_hex(12)}", f"client-{secrets.token_hex(12)}"
    issued = Authority().issue("ada")
    with endpoint(200, f'{{"access_token": "{token}"}}') as both:
        oauth = {"type": "oauth2", "token_url": both.url, "client_id": "a", "client_secret": client_secret}
        for url, sent in ((both.url, oauth), ("https://127.0.0.1:9/", issued.as_authentication)):
            content = {"name": "CI", "endpoint_url": url, "subscriptions": [subscription(api.room_id)]}
            made = api.person.post(
                f"{api.organization}/webhooks", json={"content": content | {"authentication": sent}}
            ).json()
            path = f"{api.organization}/webhooks/{made['webhook']['id']}/test"
            tested = api.person.post(path).json()["delivery"]
            assert tested["status"].endswith("SUCCEEDED" if sent is oauth else "FAILED"), tested
    return {token, client_secret, issued.private_key.splitlines()[1]}


def secrets_in(answer: httpx.Response) -> set[str]:
    """Return the secrets in a response."""
    is_json = answer.headers.get("content-type") == "application/json" and answer.content
    fields = answer.json() if is_json else {}
    return {str(fields[name]) for name in ("key", "secret", "token") if isinstance(fields, dict) and fields.get(name)}


@pytest.fixture
def log_of_requests(settings: Settings) -> Any:
    """Return the log of a server after a page, a profile, an unauthenticated request and one to an unknown path."""

    def ask(mode: str, **changes: Any) -> list[dict[str, Any]]:
        with running_server(settings.with_changes(access_log=mode, **changes)) as running:
            api = new_organization(running.settings, running.url)
            api.person.get(api.messages)
            api.person.get("/v1/me/profile")
            api.client(None).get("/v1/me/profile", headers={"x-request-id": "theirs-1"})
            api.person.get(f"/nothing/{os.urandom(3).hex()}")
            api.close()
        found = requests_in(running)
        ids = {"actor_id": api.person_id}
        return [*found, ids]

    return ask


@pytest.mark.contract("Operations 12")
def test_with_the_access_log_on_each_request_has_a_line(log_of_requests: Any) -> None:
    *found, ids = log_of_requests("all")
    by_route = {(line["route"], line["status"]): line for line in found}
    page, profile = by_route["/v2/rooms/{room_id}/messages", 200], by_route["/v1/me/profile", 200]
    assert (profile["actor_id"], profile["api_key_id"]) == (ids["actor_id"], page["api_key_id"])
    anonymous = by_route["/v1/me/profile", 401]
    assert "actor_id" not in anonymous
    assert (anonymous["client_request_id"], anonymous["address"]) == ("theirs-1", "127.0.0.1")
    assert by_route["none", 404]["method"] == "GET"
    assert all(line["request_id"] and line["milliseconds"] >= 0 and line["timestamp"] for line in by_route.values())


@pytest.mark.contract("Operations 12")
def test_by_default_only_errors_are_logged(log_of_requests: Any) -> None:
    *found, _ = log_of_requests("problems")
    assert sorted(line["status"] for line in found) == [401, 404]


def test_slow_requests_are_logged(log_of_requests: Any) -> None:
    *found, _ = log_of_requests("problems", slow_request="1ms", batch_size=1)
    assert {line["level"] for line in found if line["milliseconds"] > 1} <= {"warning"}


def test_the_access_log_can_be_switched_off(log_of_requests: Any) -> None:
    assert len(log_of_requests("off")) == 1


def test_many_rejected_requests_do_not_fill_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    instrumentation = Instrumentation(Settings())
    scope = {"method": "GET", "headers": [], "client": None}
    for number in range(3 * MAX_LINES_PER_SECOND):
        context = RequestContext(f"{number}", 0.0)
        context.status, context.seconds = 401, 0.0
        instrumentation.record(context, scope)
    assert (
        sum(b"request" in line for line in capsys.readouterr().out.encode().splitlines())
        <= 2 * MAX_LINES_PER_SECOND + 2
    )

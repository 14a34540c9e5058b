"""How the client handles a server that is busy, unreachable or returns an error; and its other requests."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import UUID, uuid4

import httpx
import msgspec
import pytest

from atrium.client import (
    NO_RETRIES,
    AsyncAtrium,
    Atrium,
    BadRequest,
    Conflict,
    Forbidden,
    IdempotencyMismatch,
    NotFound,
    RateLimited,
    Retries,
    ServerError,
    Unauthenticated,
    UnexpectedResponse,
    Unreachable,
)
from atrium.kit.settings import Settings
from tests.conftest import Api, free_port, new_organization, running_server
from tests.wait_until import wait_until

QUICK = Retries(attempts=5, first_wait=0.01, max_wait=0.05)
MESSAGE = {
    "message_id": str(uuid4()), "room_id": str(uuid4()), "user_id": str(uuid4()), "sender_type": "person",
    "status": "SENT", "text": "hello", "sent_at": "2026-11-21T09:07:13.460Z", "of_a_newer_server": 1,
}  # fmt: skip


class Scripted(BaseHTTPRequestHandler):
    """Send the responses of `script` in turn; `None` closes the connection. `requests` holds what it received."""

    script: list[Any]
    requests: list[tuple[str, dict[str, str], float]]
    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.requests.append((self.command, dict(self.headers.items()), time.monotonic()))
        answer = self.script.pop(0)
        if answer is None:
            self.close_connection = True
            return
        status, headers, body = answer
        self.send_response(status)
        for name, value in {"content-length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PATCH = do_DELETE = _answer  # noqa: N815

    def log_message(self, *_arguments: Any) -> None:
        """Do not log."""


@contextmanager
def scripted_server(*script: Any) -> Iterator[tuple[str, list[Any]]]:
    handler = type("Handler", (Scripted,), {"script": list(script), "requests": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", handler.requests  # type: ignore[attr-defined]
        server.shutdown()


def created_response() -> tuple[int, dict[str, str], bytes]:
    return 201, {"content-type": "application/json"}, msgspec.json.encode(MESSAGE)


@pytest.mark.contract("Client, agents and incoming webhooks 4")
def test_a_send_is_retried_with_one_idempotency_key() -> None:
    with scripted_server(
        None, (503, {}, b""), (502, {}, b""), (429, {"retry-after": "0"}, b""), created_response()
    ) as (url, requests):
        with Atrium(url, "k", retries=QUICK) as atrium:
            assert atrium.room(MESSAGE["room_id"]).send("hello").text == "hello"
        keys = {headers["idempotency-key"] for _, headers, _ in requests}
        assert (len(requests), len(keys)) == (5, 1)
        assert UUID(keys.pop())


@pytest.mark.contract("Client, agents and incoming webhooks 4")
def test_the_client_waits_the_seconds_of_retry_after() -> None:
    with scripted_server((429, {"retry-after": "1"}, b""), created_response()) as (url, requests):
        with Atrium(url, "k", retries=QUICK) as atrium:
            atrium.room(MESSAGE["room_id"]).message(UUID(int=1))
        assert requests[1][2] - requests[0][2] >= 0.9  # a lower bound, not a measurement


@pytest.mark.contract("Client, agents and incoming webhooks 4")
def test_the_client_waits_until_the_date_of_retry_after() -> None:
    date = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=2)
    with scripted_server((429, {"retry-after": format_datetime(date, usegmt=True)}, b""), created_response()) as (
        url,
        requests,
    ):
        with Atrium(url, "k", retries=QUICK) as atrium:
            atrium.room(MESSAGE["room_id"]).message(UUID(int=1))
        assert len(requests) == 2
        assert datetime.now(UTC) >= date - timedelta(seconds=0.1)


def test_a_long_retry_after_is_raised_instead_of_waited_for() -> None:
    with scripted_server((429, {"retry-after": "3600"}, b"")) as (url, _), Atrium(url, "k", retries=QUICK) as atrium:
        with pytest.raises(RateLimited) as error:
            atrium.profile()
        assert error.value.retry_after == 3600


@pytest.mark.contract("Client, agents and incoming webhooks 4")
def test_a_request_that_may_have_been_processed_is_not_retried() -> None:
    with scripted_server(None, (502, {}, b"")) as (url, requests), Atrium(url, "k", retries=QUICK) as atrium:
        room = atrium.room(MESSAGE["room_id"])
        with pytest.raises(Unreachable):
            room.edit(UUID(int=1), "changed")
        with pytest.raises(ServerError):
            room.edit(UUID(int=1), "changed")
        assert len(requests) == 2


def test_a_delete_whose_response_was_lost_succeeds() -> None:
    with scripted_server(None, (404, {}, b"")) as (url, requests), Atrium(url, "k", retries=QUICK) as atrium:
        atrium.room(MESSAGE["room_id"]).delete(UUID(int=1))
        assert len(requests) == 2
    with (
        scripted_server((404, {}, b"")) as (url, _),
        Atrium(url, "k", retries=QUICK) as atrium,
        pytest.raises(NotFound),
    ):
        atrium.room(MESSAGE["room_id"]).delete(UUID(int=1))


def test_an_unexpected_response_and_an_unreachable_server_raise_different_errors() -> None:
    with scripted_server((200, {}, b"<html>"), (302, {"location": "/"}, b"")) as (url, _), Atrium(url, "k") as atrium:
        for _ in range(2):
            with pytest.raises(UnexpectedResponse):
                atrium.profile()
    with Atrium(f"http://127.0.0.1:{free_port()}", "k", retries=NO_RETRIES) as atrium, pytest.raises(Unreachable):
        atrium.profile()
    with pytest.raises(ValueError, match="is not a URL"):
        Atrium("http://localhost:port", "k")


@pytest.mark.contract("Client, agents and incoming webhooks 5")
def test_errors_carry_their_problem_document(api: Api, outsider: Api) -> None:
    _, member = api.new_person()
    with Atrium(api.url, api.personal_key) as atrium, Atrium(api.url, member) as other:
        room = atrium.room(api.room_id)
        with pytest.raises(NotFound) as missing:
            atrium.room(outsider.room_id).read()
        assert (missing.value.status, missing.value.code) == (404, "room_not_found")
        assert missing.value.problem.request_id
        with pytest.raises(BadRequest) as bad:
            room.send("")
        assert bad.value.problem.errors[0].pointer == "/text"
        message = room.send("hello", idempotency_key="one")
        assert room.send("hello", idempotency_key="one") == message
        with pytest.raises(IdempotencyMismatch):
            room.send("else", idempotency_key="one")
        with pytest.raises(Forbidden):
            other.room(api.room_id).edit(message.message_id, "mine")
        with pytest.raises(BadRequest) as no_root:
            list(room.thread(room.thread(message.message_id).send("reply").message_id).messages())
        assert no_root.value.problem.more["thread_root_id"] == str(message.message_id)
        room.delete(message.message_id)
        with pytest.raises(Conflict):
            room.delete(message.message_id)
        assert room.message(message.message_id).status == "DELETED"
    with Atrium(api.url, "atrp_none") as nobody, pytest.raises(Unauthenticated):
        nobody.profile()


def test_a_rate_limited_key_continues_after_the_wait(settings: Settings) -> None:
    with running_server(settings.with_changes(rate_limit=5)) as running:
        api = new_organization(running.settings, running.url)
        with Atrium(running.url, api.personal_key) as atrium:
            for _ in range(50):
                assert atrium.profile().name == "Ada"
        with httpx.Client(
            base_url=running.url, headers={"authorization": f"Bearer {api.personal_key}"}, timeout=60
        ) as plain:
            assert 429 in {plain.get("/v1/me/profile").status_code for _ in range(60)}


def test_the_client_lists_and_searches(api: Api) -> None:
    sent = api.send("the analytical engine")
    with Atrium(api.url, api.personal_key) as atrium:
        (organization,) = atrium.organizations()
        assert (str(organization.organization_id), organization.role) == (api.organization_id, "super_admin")
        spaces = list(atrium.spaces(organization.organization_id))
        assert [str(each.space_id) for each in spaces] == [api.space_id]
        for _ in range(3):
            api.new_room()
        assert len(list(atrium.rooms(api.space_id))) == 4
        (actor,) = atrium.actors(api.organization_id, [UUID(api.person_id)])
        assert actor.name == "Ada"
        found = wait_until(lambda: list(atrium.search(api.organization_id, "engine")), "it is indexed")
        assert [str(each.message_id) for each in found] == [sent["message_id"]]
        assert found[0].excerpt.highlights
        assert atrium.room(api.room_id).react(UUID(sent["message_id"]), "👍").reactions[0].emoji == "👍"
        assert atrium.room(api.room_id).edit(UUID(sent["message_id"]), "changed").edited_at is not None
        assert atrium.request("GET", f"/v1/organizations/{api.organization_id}", dict[str, Any])["organization"]


@pytest.mark.contract("Client, agents and incoming webhooks 8")
def test_live_events_resume_where_they_stopped(api: Api) -> None:
    async def example() -> None:
        async with AsyncAtrium(api.url, api.personal_key, retries=QUICK) as atrium:
            room, events = atrium.room(api.room_id), atrium.events()
            assert (await anext(events)).kind == "hello"
            first = await room.send("first")
            event = await anext(events)
            assert (event.kind, event.message) == ("message.sent", first)
            await events.aclose()
            await room.send("second")
            again = atrium.events(room_id=api.room_id, last_event_id=event.id)
            assert [(await anext(again)).kind for _ in range(2)] == ["hello", "message.sent"]
            await again.aclose()
            reset = atrium.events(last_event_id="00000000.1.1:1:")
            assert (await anext(reset)).kind == "reset"
            await reset.aclose()

    asyncio.run(asyncio.wait_for(example(), 60))


@pytest.mark.contract("Client, agents and incoming webhooks 8")
def test_live_events_end_with_the_key_and_without_access(api: Api, outsider: Api) -> None:
    made = api.new_integration([{"space_id": api.space_id, "role": "reader"}])
    with Atrium(api.url, made["key"], retries=QUICK) as atrium:
        events = atrium.events()
        assert next(events).kind == "hello"
        revoked = api.person.delete(f"{api.organization}/api-keys/{made['api_key']['api_key_id']}")
        assert revoked.status_code == 204
        with pytest.raises(Unauthenticated):
            for _ in events:
                pass
    with Atrium(api.url, api.personal_key) as atrium, pytest.raises(NotFound):
        next(atrium.room(outsider.room_id).events())


@pytest.mark.contract("Client, agents and incoming webhooks 22")
def test_incoming_webhooks_are_created_listed_and_revoked(api: Api) -> None:
    with Atrium(api.url, api.personal_key, retries=QUICK) as atrium:
        urls = atrium.room(api.room_id).incoming_webhooks()
        made = urls.create("Alertmanager")
        assert httpx.post(made.url, json={"text": "disk full"}, timeout=60).text == "ok"
        (message,) = atrium.room(api.room_id).messages()
        assert (message.text, message.user_id) == ("disk full", made.integration_id)
        (listed,) = urls.list()
        assert (listed.name, listed.last_four) == ("Alertmanager", made.url[-4:])
        assert made.url not in repr(listed)
        once = urls.create("once", idempotency_key="one")
        with pytest.raises(Conflict) as repeated:
            urls.create("once", idempotency_key="one")
        assert repeated.value.code == "already_done"
        assert repeated.value.problem.more["made"]["id"] == str(once.incoming_webhook_id)
        urls.revoke(listed.incoming_webhook_id)
        assert [each.name for each in urls.list()] == ["once"]
        assert httpx.post(made.url, json={"text": "again"}, timeout=60).status_code == 404
        with pytest.raises(NotFound):
            urls.revoke(listed.incoming_webhook_id)
    _, member = api.new_person()
    with Atrium(api.url, member) as atrium, pytest.raises(Forbidden):
        atrium.room(api.room_id).incoming_webhooks().create("mine")


@pytest.mark.contract("Client, agents and incoming webhooks 22")
def test_incoming_webhooks_are_listed_in_order_of_creation(api: Api) -> None:
    async def example() -> None:
        async with AsyncAtrium(api.url, api.personal_key) as atrium:
            urls = atrium.room(api.room_id).incoming_webhooks()
            made = [(await urls.create(f"tool {number}")).incoming_webhook_id for number in range(3)]
            found = [each.incoming_webhook_id async for each in urls.list()]
            assert found == made

    asyncio.run(example())

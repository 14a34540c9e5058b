"""`atrium webhooks listen` forwards deliveries unchanged and leaves nothing behind."""

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

from atrium.webhooks.delivery.signing import new_secret, verify
from tests.cli.listening import (
    Program,
    arguments,
    environment,
    error_of,
    new_webhook,
    running_listener,
    running_program,
    webhooks,
)
from tests.conftest import Api, free_port
from tests.wait_until import wait_until


@pytest.fixture
def program() -> Iterator[Program]:
    with running_program() as running:
        yield running


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_delivery_is_forwarded_unchanged_and_the_webhook_is_deleted_afterwards(
    api: Api, program: Program, tmp_path: Path, way: signal.Signals
) -> None:
    with running_listener(api, program.url, tmp_path) as running:
        (made,) = webhooks(api)
        assert running.first == {
            "webhook_id": made["id"],
            "secret": running.first["secret"],
            "forward_to": program.url,
        }
        sent = api.send("hello")
        wait_until(lambda: program.got)
        ((headers, body),) = program.got
        assert json.loads(body)["data"]["message_id"] == sent["message_id"]
        assert verify(running.first["secret"], body, headers["x-service-signature"])
        Webhook(running.first["secret"]).verify(body, headers)
        assert (headers["x-service-event"], headers["content-type"]) == ("message_sent", "application/json")
        wait_until(lambda: len(running.lines()) == 2)
        shown = running.lines()[1]
        assert (shown["event"], shown["status"], shown["error"]) == ("message_sent", 200, None)
        assert shown["delivery_id"] == headers["x-service-delivery"]
        assert running.end(way) == 0
    assert webhooks(api) == []
    assert running.err.read_text() == ""


def test_the_local_response_is_returned_to_atrium(api: Api, program: Program, tmp_path: Path) -> None:
    program.answer = 503
    with running_listener(api, program.url, tmp_path) as running:
        api.send()
        logs = f"{api.organization}/webhooks/{running.first['webhook_id']}/logs"

        def entry() -> dict[str, Any]:
            return next(each for each in api.person.get(logs).json()["logs"] if each["event_type"] == "message_sent")

        wait_until(lambda: program.got)
        wait_until(lambda: entry()["attempts"])
        assert entry()["status"] == "DELIVERY_STATUS_RETRYING"
        assert (entry()["response_code"], entry()["attempts"][0]["response_excerpt"]) == (503, "done")
        assert running.lines()[1]["status"] == 503


def test_an_unreachable_program_returns_502_and_the_webhook_stays_active(api: Api, tmp_path: Path) -> None:
    with running_listener(api, f"http://127.0.0.1:{free_port()}/", tmp_path) as running:
        for nr in range(10):
            api.send(f"message {nr}")
        wait_until(lambda: len(running.lines()) == 11)
        assert {line["status"] for line in running.lines()[1:]} == {None}
        assert "connect" in running.lines()[1]["error"]
        wait_until(lambda: "active again" in running.err.read_text())
        assert webhooks(api)[0]["status"] == "WEBHOOK_STATUS_ACTIVE"


def test_only_events_of_the_given_room_or_space_are_forwarded(api: Api, program: Program, tmp_path: Path) -> None:
    other = api.new_room(api.new_space())
    with running_listener(api, program.url, tmp_path, "--room", other["room_id"]):
        api.send("not this one")
        sent = api.person.post(f"/v2/rooms/{other['room_id']}/messages", json={"text": "this one"}).json()
        wait_until(lambda: program.got)
        assert program.messages() == [sent["message_id"]]


def test_an_integration_names_its_organization_and_receives_events_of_all_spaces(
    api: Api, program: Program, tmp_path: Path
) -> None:
    options = ("--organization", api.organization_id)
    with running_listener(api, program.url, tmp_path, *options, key=api.organization_key) as running:
        api.send()
        wait_until(lambda: program.got)
        assert running.end() == 0
    assert webhooks(api) == []


@pytest.mark.parametrize("signed", [True, False])
def test_a_log_is_followed_from_its_start_with_each_entry_once_and_in_order(
    api: Api, program: Program, tmp_path: Path, signed: bool
) -> None:
    webhook_id, secret = new_webhook(api)
    api.send("before")
    options = ("--webhook", webhook_id, *(("--secret", secret) if signed else ()))
    with running_listener(api, program.url, tmp_path, *options) as running:
        sent = [api.send(f"message {nr}")["message_id"] for nr in range(5)]
        wait_until(lambda: len(program.got) >= 5)
        sent.append(api.send("later")["message_id"])
        wait_until(lambda: len(program.got) >= 6)
        time.sleep(2.5)  # two more polls
        assert program.messages() == sent
        for headers, body in program.got:
            assert ("x-service-signature" in headers) is signed
            if signed:
                assert verify(secret, body, headers["x-service-signature"])
                Webhook(secret).verify(body, headers)
        assert [line["delivery_id"] for line in running.lines()[1:]] == [
            h["x-service-delivery"] for h, _ in program.got
        ]
        assert running.end(signal.SIGINT) == 0
    assert len(webhooks(api)) == 1
    assert running.err.read_text() == ""


def test_a_burst_of_more_than_one_page_is_followed(api: Api, program: Program, tmp_path: Path) -> None:
    webhook_id, _ = new_webhook(api)
    with running_listener(api, program.url, tmp_path, "--webhook", webhook_id):
        api.sql(
            """insert into deliveries (webhook_id, delivery_id, event_type, subject_type, subject_id, body, status,
                created_at)
            select $1::uuid, id_at((extract(epoch from now()) * 1000)::bigint << 12 | nr), 'message_sent', 'room', $2::uuid,
                convert_to(concat('{"data":{"message_id":"', nr, '"}}'), 'UTF8'), 'DELIVERY_STATUS_MISSED', now()
            from generate_series(1, 450) nr""",
            webhook_id,
            api.room_id,
        )
        wait_until(lambda: len(program.got) >= 450)
        assert program.messages() == [str(nr) for nr in range(1, 451)]


def test_plain_output_has_a_line_per_event_and_one_with_its_text(api: Api, program: Program, tmp_path: Path) -> None:
    output = tmp_path / "said"
    with output.open("wb") as error:
        process = subprocess.Popen(
            arguments(api, program.url), env=environment(api.personal_key), stdout=error, stderr=subprocess.STDOUT
        )
    wait_until(lambda: "Press Ctrl-C to stop" in output.read_text())
    api.send()
    wait_until(lambda: "hello" in output.read_text())
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    assert "secret" in output.read_text()
    assert "\x1b" not in output.read_text()
    event, text = output.read_text().splitlines()[-2:]
    assert "message_sent" in event
    assert "200" in event
    assert text.split() == ["hello"]


def test_invalid_keys_and_urls_are_rejected(api: Api, outsider: Api) -> None:
    key = api.personal_key
    assert error_of(api, key=None).startswith("no key: pass --key or set ATRIUM_KEY")
    assert "the key is not valid: it is mistyped, expired or revoked" in error_of(api, key=key[::-1])
    assert "pass --organization" in error_of(api, key=api.organization_key)
    assert "key does not have access to it" in error_of(api, "--room", outsider.room_id, key=key)
    assert "key does not have access to it" in error_of(api, "--organization", outsider.organization_id, key=key)
    assert "key does not have access to it" in error_of(api, "--webhook", outsider.room_id, key=key)
    assert webhooks(api) == []


def test_a_member_sees_which_permission_is_missing(api: Api) -> None:
    _, key = api.new_person()
    assert "the key is not allowed to do this" in error_of(api, key=key)


@pytest.mark.parametrize(
    "to", ["localhost:3000", "no url", "ftp://localhost/", "http://", "http://localhost:port/", ""]
)
def test_an_invalid_url_is_named(api: Api, to: str) -> None:
    assert f"--forward-to: {to} is not a URL" in error_of(api, key="k", to=to)


def test_a_url_that_cannot_be_called_as_it_is_written_is_rejected(api: Api) -> None:
    error = error_of(api, key="k", to="http://localhost:3000/hook#part")
    assert error.startswith("--forward-to: the URL must not have a fragment")


def test_contradicting_options_are_rejected(api: Api) -> None:
    assert "choose one of" in error_of(api, "--room", api.room_id, "--space", api.space_id, key="k")
    assert "choose one of" in error_of(api, "--room", api.room_id, "--webhook", api.space_id, key="k")
    assert "--secret requires --webhook" in error_of(api, "--secret", new_secret(), key="k")
    assert "is not a webhook secret" in error_of(api, "--webhook", api.room_id, "--secret", "é", key="k")


def test_an_unreachable_server_is_named(api: Api) -> None:
    port = free_port()
    error = error_of(api, "--url", f"http://127.0.0.1:{port}", key=api.personal_key)
    assert error.startswith(f"http://127.0.0.1:{port} cannot be reached:")

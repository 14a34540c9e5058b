"""`atrium doctor` finds problems, says what to do, and changes nothing."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psycopg
import pytest
from aiosmtpd.controller import Controller
from cryptography.fernet import Fernet

from atrium.kit.settings import Settings
from atrium.operations.checks import Finding, Verdict
from atrium.operations.checks.database import certificates, deliveries, mail, postgres, schema, secret_key, skew
from atrium.operations.checks.external import provider, public_url
from atrium.operations.checks.machine import data_folder, disk, open_files
from tests.cli.running import invoke
from tests.cli.terminal import on_terminal, plain, run_with_pipes
from tests.conftest import Api, free_port, fresh_database, scratch_folder


def examine(**environment: str | None) -> dict[str, dict[str, Any]]:
    """Return the findings by their check."""
    output, error = invoke("doctor", "--json", **environment)
    assert error == ""
    return {each["check"]: each for each in json.loads(output)}


def at(settings: Settings, **changes: Any) -> dict[str, str | None]:
    return {**settings.with_changes(**changes).environment()}


def test_a_running_server_passes_every_check(api: Api) -> None:
    found = examine(**at(api.settings))
    assert found["port"]["summary"].startswith("an Atrium server is running at 127.0.0.1:")
    wrong = {name for name, each in found.items() if each["verdict"] != "ok"}
    assert wrong <= {"webhooks", "mail", "deliveries", "open files", "disk"}  # left by other tests


@pytest.mark.contract("Operations 16")
def test_without_a_server_on_an_empty_folder_it_says_how_to_start() -> None:
    with scratch_folder() as folder:
        here = {"ATRIUM_DATABASE_URL": None, "ATRIUM_DATA_DIR": str(folder), "ATRIUM_PORT": str(free_port())}
        found = examine(**here)
        assert found["PostgreSQL"]["advice"] == "Run atrium init."
        assert not list(folder.iterdir())  # nothing was created
        assert examine(**(here | {"ATRIUM_DATA_DIR": str(folder / "x")}))["data folder"]["verdict"] == "fail"
        invoke("init", "--organization", "Acme", "--email", "ada@example.org", **here)
        found = examine(**here)
        assert {each["verdict"] for each in found.values()} <= {"ok", "warn"}
        assert found["schema"]["verdict"] == "ok"
        assert found["port"]["summary"].endswith("is free; no server runs here")


@pytest.fixture
def own(settings: Settings) -> Iterator[Settings]:
    """Return settings of a separate database without a server."""
    with fresh_database(settings) as made, scratch_folder() as folder:
        yield made.with_changes(data_dir=folder, port=free_port())


def sql(settings: Settings, statement: str, *arguments: Any) -> None:
    with psycopg.connect(settings.database_url or "", autocommit=True) as db:
        db.execute(statement.encode(), arguments)


HOOK = """
insert into webhooks (webhook_id, organization_id, name, description, endpoint_url, headers, secret, status, created_at)
select gen_random_uuid(), organization_id, 'CI', '', 'http://127.0.0.1:9/', '', %s, %s, now() from organizations
"""
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SECRET = Fernet(Fernet.generate_key()).encrypt(b"whsec_x")


@pytest.mark.contract("Operations 16")
def test_pending_work_in_the_database_is_reported(own: Settings) -> None:
    assert examine(**at(own))["organization"]["advice"] == "Create one with atrium init."
    sql(own, "insert into organizations values (gen_random_uuid(), 'Acme', now())")
    sql(own, HOOK, SECRET, "WEBHOOK_STATUS_ACTIVE")
    sql(
        own,
        "insert into due_deliveries (webhook_id, delivery_id, due_at) "
        "select webhook_id, gen_random_uuid(), now() - interval '1 hour' from webhooks",
    )
    sql(own, HOOK, SECRET, "WEBHOOK_STATUS_PAUSED")
    sql(
        own,
        "insert into mails (mail_id, recipient, subject, body, created_at, next_attempt_at) "
        "values (gen_random_uuid(), 'a@b.c', 's', 't', now() - interval '1 hour', now())",
    )
    found = examine(**at(own))
    assert found["deliveries"]["verdict"] == "fail"
    assert found["deliveries"]["summary"] == "1 due, the oldest for 60 minutes"
    assert (found["webhooks"]["verdict"], found["webhooks"]["summary"]) == ("warn", "1 paused: CI")
    assert (found["mail"]["verdict"], found["mail"]["summary"]) == (
        "warn",
        "1 queued, and no mail server is configured",
    )
    assert found["secret key"]["summary"] == "missing, but webhook secrets are encrypted with it"
    assert not (own.data_dir / "secret.key").exists()
    found = examine(**at(own, secret_key="another key of more than 32 characters"))
    assert found["secret key"]["summary"] == "2 of 2 webhook secrets cannot be decrypted with the current key"
    sql(own, "update webhooks set authentication = %s, certificate_ends_at = '2026-01-02'", SECRET)
    found = examine(**at(own, secret_key="another key of more than 32 characters"))
    assert found["certificates"]["summary"] == "2 of webhooks: CI has ended, CI has ended"
    assert found["secret key"]["summary"].startswith("4 of 4 webhook secrets")


def test_a_schema_of_another_release_is_reported_and_not_changed(own: Settings) -> None:
    sql(own, "update alembic_version set version_num = '9999'")
    assert examine(**at(own))["schema"]["verdict"] == "fail"
    sql(own, "alter table webhooks drop column authentication")  # as before it existed
    sql(own, "update alembic_version set version_num = '0000'")
    assert examine(**at(own))["schema"]["advice"] == "The next start upgrades it."
    assert examine(**at(own))["schema"]["summary"].startswith("revision 0000;")


def test_an_unavailable_database_is_reported_without_its_password(own: Settings) -> None:
    address = f"postgresql://atrium:hunter2@127.0.0.1:{free_port()}/atrium"
    output, _ = invoke("doctor", **(at(own) | {"ATRIUM_DATABASE_URL": address}))
    assert "cannot be reached" in output
    assert "hunter2" not in output
    output, _ = invoke("doctor", **(at(own) | {"ATRIUM_DATABASE_URL": "hunter2"}))
    assert "hunter2" not in output


def test_a_port_in_use_is_reported(own: Settings) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        found = examine(**at(own, port=port, metrics_port=port))
    assert (found["port"]["verdict"], found["metrics port"]["verdict"]) == ("fail", "fail")
    assert "no Atrium" in found["port"]["summary"]


def test_the_mail_server_is_contacted_and_receives_no_mail(own: Settings) -> None:
    taken: list[Any] = []

    class Handler:
        async def handle_DATA(self, *_: Any) -> str:  # noqa: N802
            taken.append(_)
            return "250 OK"

    controller = Controller(Handler(), hostname="127.0.0.1", port=free_port())
    controller.start()
    try:
        address = f"smtp://127.0.0.1:{controller.port}?starttls=auto"
        assert examine(**at(own, smtp_url=address))["mail server"]["verdict"] == "ok"
        refused = examine(**at(own, smtp_url=f"smtp://ada:hunter2@127.0.0.1:{controller.port}"))["mail server"]
        assert refused["verdict"] == "fail"
        assert "hunter2" not in json.dumps(refused)
    finally:
        controller.stop()
    assert examine(**at(own, smtp_url=address))["mail server"]["verdict"] == "fail"
    assert taken == []


@contextmanager
def discovery_server(issuer: str) -> Iterator[str]:
    """Run a provider on loopback whose metadata names `issuer`."""

    class Provider(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"issuer": issuer or f"http://127.0.0.1:{server.server_port}"}).encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def test_a_sign_in_provider_must_publish_its_metadata() -> None:
    with discovery_server("") as issuer:
        assert asyncio.run(provider(issuer)).verdict is Verdict.OK
    assert asyncio.run(provider(issuer)).verdict is Verdict.FAIL
    with discovery_server("https://elsewhere.example") as issuer:
        assert "publishes the issuer https://elsewhere.example" in asyncio.run(provider(issuer)).summary


def test_an_invalid_setting_is_reported_as_a_finding() -> None:
    with scratch_folder() as folder:
        found = examine(ATRIUM_DATA_DIR=str(folder), ATRIUM_PORT="many")
    assert found["settings"]["verdict"] == "fail"
    assert "ATRIUM_PORT" in found["settings"]["summary"]


def test_the_data_folder_is_checked(tmp_path: Path) -> None:
    def verdicts() -> dict[str, Verdict]:
        return {each.check: each.verdict for each in data_folder(tmp_path)}

    key = tmp_path / "secret.key"
    key.write_text("x" * 40)
    key.chmod(0o644)
    assert verdicts()["secret.key"] is Verdict.WARN
    key.chmod(0o600)
    assert "secret.key" not in verdicts()
    key.write_text("")
    assert verdicts()["secret.key"] is Verdict.FAIL
    assert [each.verdict for each in data_folder(tmp_path / "gone")] == [Verdict.FAIL]


@pytest.mark.parametrize(
    ("finding", "verdict"),
    [
        (open_files(20000), "ok"),
        (open_files(-1), "ok"),
        (open_files(1024), "warn"),
        (open_files(100), "fail"),
        (disk(50 << 30), "ok"),
        (disk(1 << 30), "warn"),
        (disk(1 << 20), "fail"),
        (postgres(18), "ok"),
        (postgres(15), "fail"),
        (schema(None), "warn"),
        (skew(timedelta(seconds=1)), "ok"),
        (skew(timedelta(seconds=-9)), "warn"),
        (skew(timedelta(hours=1)), "fail"),
        (deliveries(3, timedelta(minutes=1)), "ok"),
        (deliveries(3, timedelta(hours=1)), "fail"),
        (mail(0, timedelta(), has_server=False), "ok"),
        (mail(2, timedelta(hours=1), has_server=True), "warn"),
        (mail(2, timedelta(minutes=1), has_server=True), "ok"),
        (secret_key([], Settings()), "ok"),
        (certificates([], NOON), "ok"),
        (certificates([("CI", NOON)], NOON), "warn"),
        (public_url(None, "127.0.0.1"), "ok"),
        (public_url(None, "0.0.0.0"), "warn"),
        (public_url("https://atrium.example.org", "0.0.0.0"), "ok"),
        (public_url("http://atrium.example.org", "0.0.0.0"), "warn"),
        (public_url("http://localhost:8700", "0.0.0.0"), "ok"),
        (public_url("atrium.example.org", "::"), "fail"),
        (public_url("https://example.org/atrium", "::"), "fail"),
    ],
    ids=lambda value: value.summary[:40] if isinstance(value, Finding) else value,
)
def test_each_finding_has_a_status_and_failures_say_what_to_do(finding: Finding, verdict: str) -> None:
    assert finding.verdict == verdict
    assert (finding.advice is None) == (verdict == "ok")


@pytest.mark.contract("Operations 16")
def test_the_exit_status_is_1_if_a_check_fails(own: Settings) -> None:
    sql(own, "insert into organizations values (gen_random_uuid(), 'Acme', now())")

    def status(**changes: Any) -> int:
        environment = own.with_changes(**changes).environment()
        done, [seen] = run_with_pipes("doctor", **environment), on_terminal((60, ("doctor",)), **environment)
        assert all(len(line) <= 60 for line in plain(seen.out).splitlines())
        assert "\x1b" not in done.out
        assert done.status == seen.status
        return done.status

    assert status() == 0
    assert status(smtp_url=f"smtp://127.0.0.1:{free_port()}") == 1

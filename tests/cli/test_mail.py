"""`atrium mail` shows pending, sent and failed mails, with or without a running server."""

import json
from typing import Any
from uuid import uuid4

from typer.testing import CliRunner

from atrium.cli.main import app
from tests.cli.mails import put
from tests.conftest import Api, scratch_folder


def run_mail(*options: str, **environment: str | None) -> tuple[str, str]:
    """Return the output and the error of the command."""
    result = CliRunner().invoke(app, ["mail", *options], env={"COLUMNS": "200", **environment})
    if result.exception is None:
        return result.output, ""
    if type(result.exception).__name__ != "CommandError":
        raise result.exception
    return result.output, str(result.exception)


def as_json(api: Api, *options: str) -> Any:
    output, error = run_mail("--json", *options, **api.settings.environment())
    assert error == ""
    return json.loads(output)


def test_the_newest_mails_come_first_and_all_are_shown_on_request(api: Api) -> None:
    recipients = put(api, 25)
    assert [each["to"] for each in as_json(api)] == recipients[:4:-1]
    assert [each["to"] for each in as_json(api, "--all")] == recipients[::-1]


def test_the_table_shows_pending_sent_and_failed_mails(api: Api) -> None:
    waiting, sent, refused = put(api, 3, subject="[bold]One[/bold] \x1b[31m")
    api.sql("update mails set sent_at = now(), next_attempt_at = null where recipient = $1", sent)
    api.sql("update mails set last_error = '550 no', next_attempt_at = null where recipient = $1", refused)
    output, _ = run_mail(**api.settings.environment())
    for state, to in (("waiting", waiting), ("sent", sent), ("refused", refused)):
        (line,) = [line for line in output.splitlines() if to in line]
        assert state in line
        assert "2030-01-01 09:00" in line
        assert "[bold]One[/bold]" in line
    assert "\x1b" not in output
    assert "ATRIUM_SMTP_URL is not set" in output
    assert [each["state"] for each in as_json(api)] == ["refused", "sent", "waiting"]


def test_one_mail_is_shown_completely(api: Api) -> None:
    (to,) = put(api, subject="Sign in", text="Grüße:\nhttp://127.0.0.1:8700/sign-in?token=" + "x" * 200)
    (listed,) = as_json(api)
    assert as_json(api, "--id", listed["mail_id"]) == listed
    assert set(listed) == {
        "mail_id",
        "state",
        "to",
        "subject",
        "text",
        "created_at",
        "sent_at",
        "attempts",
        "next_attempt_at",
        "last_error",
    }
    output, _ = run_mail("--id", listed["mail_id"], **api.settings.environment())
    assert listed["text"] in output  # the link is not wrapped
    assert to in output
    assert "Sign in" in output
    assert "waiting" in output


def test_an_unknown_mail_is_reported_by_its_id(api: Api) -> None:
    unknown = str(uuid4())
    assert run_mail("--id", unknown, **api.settings.environment())[1] == f"mail {unknown} not found"


def test_without_a_server_it_reads_the_data_folder() -> None:
    with scratch_folder() as folder:
        output, error = run_mail("--data-dir", str(folder), ATRIUM_DATABASE_URL=None)
    assert (output, error) == ("No mail.\n", "")


def test_a_mail_server_that_cannot_be_used_is_named_without_its_password(api: Api) -> None:
    environment = api.settings.environment() | {"ATRIUM_SMTP_URL": "smtp://ada:hunter2/x@h"}
    error = run_mail(**environment)[1]
    assert error.startswith("ATRIUM_SMTP_URL: ")
    assert "hunter2" not in error

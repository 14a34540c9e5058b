"""Run commands of an operator, and read their output and records."""

import json
from typing import Any

from typer.testing import CliRunner

from atrium.cli.main import app
from tests.conftest import Api


def run(api: Api, *words: str) -> tuple[str, str]:
    """Run a command on the database of a running server; return its output and its error."""
    return invoke(*words, **api.settings.environment())


def invoke(*words: str, **environment: str | None) -> tuple[str, str]:
    result = CliRunner().invoke(app, list(words), env={"COLUMNS": "200", **environment})
    if result.exception is None or isinstance(result.exception, SystemExit):
        return result.output, ""
    if type(result.exception).__name__ != "CommandError":
        raise result.exception
    return result.output, str(result.exception)


def as_json(api: Api, *words: str) -> Any:
    output, error = run(api, *words, "--json")
    assert error == "", error
    return json.loads(output)


def newest_entry(api: Api) -> dict[str, Any]:
    entries = api.person.get(f"{api.organization}/audit-log").json()["entries"]
    entry: dict[str, Any] = next(each for each in entries if each["action"] != "request.refused")
    assert entry["actor"]["type"] == "system"
    assert entry["actor"]["name"] == "atrium command line"
    return entry
